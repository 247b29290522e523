/**
 * A private top five with the library. Ten thousand people visit a site; which of its public areas have the most visitors, and by how
 * much does each lead the next? The answer is differentially private: whether any one of them was there or not changes
 * the probability of any answer by a factor of at most e^ε.
 *
 *     node examples/library.js
 *     node examples/library.js --seed anything     the same answer every time, which is for pictures and never private
 */
import { topKWithGap } from "winnow-dp";
import { uniformBelow } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";

const AREAS = [
  "search",
  "news",
  "maps",
  "mail",
  "sports",
  "weather",
  "games",
  "jobs",
  "travel",
  "health",
  "help",
  "about",
];
const PEOPLE = 10_000;
const EPSILON = "1/2";
const WIDEST_BAR = 40;

const counts = visitors();
const seed = process.argv[process.argv.indexOf("--seed") + 1];
const entropy = process.argv.includes("--seed") ? seededEntropy(seed) : undefined;

// Counting people is monotone: one person more can only raise counts, and each by at most 1.
const { winners, privacy } = topKWithGap(counts, { k: 5, epsilon: EPSILON, monotone: true, entropy });

console.log(`${PEOPLE.toLocaleString("en")} people visited ${AREAS.length} areas. Safe to publish:\n`);
console.log("  rank   area       leads the next by");
const gaps = winners.map(({ gap }) => gap.toNumber());
winners.forEach(({ candidate }, place) => {
  const bar = "█".repeat(Math.round((gaps[place] / Math.max(...gaps)) * WIDEST_BAR));
  console.log(
    `  ${String(place + 1).padStart(4)}   ${AREAS[candidate].padEnd(9)}  ${String(gaps[place]).padStart(5)}  ${bar}`.trimEnd(),
  );
});
console.log(`\n  ε = ${privacy.epsilon} for all of it, whatever else anyone knows.`);

/** How many people visited each area, from generated data: the first areas are the popular ones. */
function visitors() {
  const bits = seededEntropy("visitors");
  const counts = new Int32Array(AREAS.length);
  for (let person = 0; person < PEOPLE; person++)
    for (let area = 0; area < AREAS.length; area++) if (uniformBelow(area + 2, bits) === 0) counts[area]++;
  return counts;
}
