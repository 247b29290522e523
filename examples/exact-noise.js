/**
 * Protects a count with exact noise, then draws the noise's law as a picture. The picture isn't a simulation: the
 * sampler is run on every string of random bits that it can meet, up to a depth, and a run that ends after m bits
 * has probability 2^−m exactly.
 *
 *     node examples/exact-noise.js
 */
import { rational } from "winnow-dp";
import { discreteLaplace } from "winnow-dp/sample";
import { bitTree } from "winnow-dp/testing";

const VISITORS = 1203n; // private: one person more or less changes it by 1
const EPSILON = rational("1/2");
const SCALE = rational(1).dividedBy(EPSILON);
const DEPTH = 22;
const WIDEST_BAR = 48n;

const released = VISITORS + discreteLaplace(SCALE);
console.log(`A clinic had ${VISITORS} visitors. That is private; what it may publish is ${released},`);
console.log(
  `the count with discrete Laplace noise of scale ${SCALE}, which is ${EPSILON}-differentially private.`,
);

const { mass, undecided, leaves } = bitTree((entropy) => discreteLaplace(SCALE, entropy), { depth: DEPTH });
const atLeast = (/** @type {number} */ noise) => mass.get(String(noise)) ?? rational(0);
const atMost = (/** @type {number} */ noise) => atLeast(noise).plus(undecided);

console.log(`\nThe noise, from all ${leaves} ways in which ${DEPTH} random bits can be used:\n`);
console.log("  noise   probability");
for (let noise = -8; noise <= 8; noise++) {
  const bar = "█".repeat(Number(atLeast(noise).times(WIDEST_BAR).dividedBy(atLeast(0)).floor()));
  const bounds = `${decimal(atLeast(noise), "down")} to ${decimal(atMost(noise), "up")}`;
  console.log(`  ${String(noise).padStart(5)}   ${bounds}  ${bar}`.trimEnd());
}
console.log(`\n  ${decimal(undecided, "up")} of the probability needs more than ${DEPTH} bits.`);

const least = atLeast(0).dividedBy(atMost(1));
const most = atMost(0).dividedBy(atLeast(1));
console.log(`
With one visitor more, the same picture stands one step further right. What was published is then at most
e^${EPSILON} = 1.6487… times as likely or as unlikely as before, and that is all anyone can learn about the visitor.
The picture says: between ${decimal(least, "down")} and ${decimal(most, "up")} times, from 0 to 1.`);

/**
 * Four decimal places, rounded so that the bound stays a bound.
 * @param {import("winnow-dp").Rational} value
 * @param {"up" | "down"} direction
 */
function decimal(value, direction) {
  const units = value.times(10_000n);
  const rounded = rational(direction === "up" ? units.ceil() : units.floor()).dividedBy(10_000n);
  return rounded.toNumber().toFixed(4);
}
