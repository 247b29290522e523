import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rational } from "../../../core/src/exact/rational.js";
import type { Law } from "../../src/laws/law.js";
import { exponentialMechanismRound, peeledLaw, permuteAndFlipRound } from "../../src/laws/noisy-max-laws.js";
import { exponentialTopKLaw, topKWithGapLaw } from "../../src/laws/top-k-laws.js";

const selection = fc
  .record({
    scores: fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 3, maxLength: 4 }),
    k: fc.integer({ min: 1, max: 2 }),
    scale: fc.constantFrom("1/12", "1/3", "1", "5/2"),
  })
  .map(({ scores, ...options }) => [scores.map(BigInt), options] as const);

const laws = [
  ["one shot of exponential noise", exponentialTopKLaw],
  [
    "one shot of exponential noise with gaps",
    (scores, options) => topKWithGapLaw(scores, { ...options, resolution: "2/3", largestGap: 2 }),
  ],
  ["peeled permute-and-flip", (scores, options) => peeledLaw(permuteAndFlipRound, scores, options)],
  [
    "the peeled exponential mechanism",
    (scores, options) => peeledLaw(exponentialMechanismRound, scores, options),
  ],
] satisfies [string, typeof exponentialTopKLaw][];

/** The law's parameters do not bound the difference of two enclosures of the same number any better than this. */
const CLOSE = "1e-54";

function expectSame(law: Law, other: Law): void {
  expect([...law.keys()].sort()).toEqual([...other.keys()].sort());
  for (const [outcome, probability] of law) {
    const difference = probability.minus(other.get(outcome)!);
    expect(difference.contains(0) && !difference.isAbove(CLOSE)).toBe(true);
  }
}

describe.each(laws)("The law of %s", (_, law) => {
  it("sums to 1", () => {
    fc.assert(
      fc.property(selection, ([scores, options]) => {
        const sum = [...law(scores, options).values()].reduce((a, b) => a.plus(b));
        expect(sum.contains(1)).toBe(true);
        expect(sum.upper().minus(sum.lower()).compare(CLOSE)).toBe(-1);
      }),
      { numRuns: 20 },
    );
  });

  it("does not change when all scores move together", () => {
    fc.assert(
      fc.property(selection, fc.bigInt({ min: -9n, max: 9n }), ([scores, options], shift) => {
        const moved = scores.map((score) => score + shift);
        expectSame(law(scores, options), law(moved, options));
      }),
      { numRuns: 10 },
    );
  });

  it("names candidates, whatever their places", () => {
    fc.assert(
      fc.property(selection, ([scores, options]) => {
        const last = scores.length - 1;
        const mirrored = [...law([...scores].reverse(), options)].map(([outcome, probability]) => {
          const [order, ...gaps] = outcome.split(" ");
          const renamed = order.split(",").map((index) => last - Number(index));
          return [[renamed, ...gaps].join(" "), probability] as const;
        });
        expectSame(law(scores, options), new Map(mirrored));
      }),
      { numRuns: 10 },
    );
  });
});

describe("One winner", () => {
  it("by exponential noise is one by permute-and-flip", () => {
    fc.assert(
      fc.property(selection, ([scores, { scale }]) => {
        const options = { k: 1, scale };
        expectSame(exponentialTopKLaw(scores, options), peeledLaw(permuteAndFlipRound, scores, options));
      }),
      { numRuns: 50 },
    );
  });

  it("but not two: for scores 1, 0, 0 the laws differ by (e^−2 − e^−3)/12", () => {
    const [scores, options] = [[1, 0, 0], { k: 2, scale: 1 }];
    const oneShot = exponentialTopKLaw(scores, options).get("1,0")!;
    const peeled = peeledLaw(permuteAndFlipRound, scores, options).get("1,0")!;
    const difference = (Math.exp(-2) - Math.exp(-3)) / 12;
    expect(oneShot.minus(peeled).toNumber("down")).toBeCloseTo(difference, 15);
    expect(oneShot.minus(peeled).isAbove(Rational.ZERO)).toBe(true);
  });
});
