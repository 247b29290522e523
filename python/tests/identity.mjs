/**
 * The cases of identity_cases.py in Node, with the library as npm has it. One line of JSON for each: `toJSON` writes exact
 * numbers as texts.
 * @module
 */
import { readFileSync } from "node:fs";
import * as core from "winnow-dp";
import { geometric } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";

const library = { ...core };
const { cases, seed } = JSON.parse(readFileSync(0, "utf8"));

/** A mapping came as pairs. */
const input = (given) => (given?.pairs === undefined ? given : new Map(given.pairs));

function plain(key, value) {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Map) return Object.fromEntries(value);
  return key === "curve" || key === "measurement" ? undefined : value;
}

for (const [name, given, options] of cases) {
  const entropy = seededEntropy(`${seed} ${name}`);
  console.log(JSON.stringify(library[name](...given.map(input), { ...options, entropy }), plain));
}

const entropy = seededEntropy(seed);
const byLength = core.base2Exponential(["a", "bbb", "cc"], (text) => text.length, {
  ...{ eta: core.eta(15, 4, 1), lower: 0, upper: 10, maxCandidates: 5 },
  entropy,
});
const threshold = core.noisyThreshold(7, { threshold: 6, eta: core.eta(3, 2), entropy });
const candidate = core.selectPrivateCandidate(
  (bits) => {
    const score = geometric("1/3", bits);
    return { output: `score ${score}`, score };
  },
  { loss: core.pure("1/10"), runs: { law: "poisson", mean: 20 }, entropy },
);
const stream = new core.TopKStream({ k: 2, epsilon: 1, entropy });
stream.push("a", 5).push("b", 7).push("c", 6);
const above = new core.AboveThreshold({ epsilon: 1, threshold: 5, entropy });
const answers = [1, 9, 4].map((value) => (above.remaining > 0 ? above.push(value) : undefined));
const noisy = core
  .makeNoisyTopK({ k: 2, measure: "zcdp", scale: 2, monotone: true })
  .invoke([1, 2, 3, 4], entropy);
console.log(
  JSON.stringify([byLength, threshold, candidate, stream.finish(), answers, noisy, entropy.bits(30)], plain),
);
