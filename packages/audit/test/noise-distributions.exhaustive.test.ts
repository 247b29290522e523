/** The five noise distributions [Ding23, Table 2] of the reference samplers, by every string of bits: β = 1, a = e^−1. */
import { describe, expect, it } from "vitest";
import { Interval } from "../../core/src/exact/interval.js";
import { rational } from "../../core/src/exact/rational.js";
import { bitTree } from "../../core/src/testing/bit-tree.js";
import { expectLaw } from "../../core/test/support/expect-law.js";
import { Reference } from "../src/reference-samplers.js";

const PRECISION = 128;
const CELLS = 16;

/** e^(−x) − e^(−y). */
function between(x: string, y: string): Interval {
  const [from, to] = [x, y].map((end) => Interval.from(rational(end).negated(), PRECISION).exp());
  return from.minus(to);
}

/** The probabilities of steps of a length from 0 on, given that the variate is below an end. */
function steps(length: number, count: number, end?: string): [string, string][] {
  const whole = end === undefined ? Interval.from(1n, PRECISION) : between("0", end);
  return Array.from({ length: count }, (_, i) => {
    const mass = between(`${i}/${length}`, `${i + 1}/${length}`).dividedBy(whole);
    return [String(i), String(mass.lower())];
  });
}

describe("the noise of noisy top k with gap", () => {
  it.each([
    {
      name: "exponential noise",
      law: "e^−x, to two binary places",
      draw: (reference: Reference) => reference.lazyExponential().floor(2),
      probabilities: steps(4, CELLS),
    },
    {
      name: "truncated exponential noise",
      law: "e^−x/(1 − a) below 1, to two binary places",
      draw: (reference: Reference) => reference.lazyExponential().fraction.floor(2),
      probabilities: steps(4, 4, "1"),
    },
    {
      name: "geometric noise",
      law: "(1 − a)·a^y",
      draw: (reference: Reference) => reference.geometric(1n, 1n),
      probabilities: steps(1, CELLS),
    },
    {
      name: "truncated geometric noise",
      law: "(1 − a)·a^y/(1 − a^3) below 3",
      draw: (reference: Reference) => reference.truncatedGeometric(1n, 1n, 3n),
      probabilities: steps(1, 3, "3"),
    },
    {
      name: "scaled geometric noise",
      law: "(1 − b)·b^(2z), b = e^(−1/2), on multiples z of 1/2",
      draw: (reference: Reference) => reference.geometric(1n, 2n), // in halves
      probabilities: steps(2, CELLS),
    },
  ])("has $name: $law", ({ draw, probabilities }) => {
    const tree = bitTree((entropy) => draw(new Reference(entropy)), { depth: 16 });
    expectLaw({ tree, probabilities: Object.fromEntries(probabilities) });
    expect(tree.undecided.compare("0.25")).toBe(-1);
  });
});
