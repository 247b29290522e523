import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { topK } from "../../src/select/top-k.js";
import { TopKStream } from "../../src/select/top-k-stream.js";
import { topKWithGap } from "../../src/select/top-k-with-gap.js";

import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const integers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 40 });
const decimals = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 40 });
const resolutions = fc.constantFrom("1", "1/3", "0.1", "7", "22/7", "1e-9");
const scales = fc.constantFrom("1/100", "1", "50", "12345/7");
const seeds = fc.nat().map(String);

/** How many winners, from 1 to all but one. */
function winnersAmong(candidates: readonly unknown[], pick: number): number {
  return 1 + (pick % (candidates.length - 1));
}

describe("Winners with gaps", () => {
  it("are different candidates, and their gaps are multiples of the resolution from 0 on", () => {
    fc.assert(
      fc.property(
        fc.oneof(integers, decimals),
        fc.nat(),
        resolutions,
        scales,
        seeds,
        (scores, pick, resolution, scale, seed) => {
          const k = winnersAmong(scores, pick);
          const options = { k, scale, resolution };
          const all = [
            topKWithGap(scores, { ...options, entropy: seededEntropy(seed) }).winners,
            new TopKStream({ ...options, entropy: seededEntropy(seed) }).pushScores(scores).finish().winners,
          ];
          for (const winners of all) {
            expect(winners.length).toBe(k);
            const places = winners.map(({ candidate }) => candidate);
            expect(new Set(places).size).toBe(k);
            for (const place of places) expect(scores[place]).toBeTypeOf("number");
            for (const { gap } of winners) {
              expect(gap!.numerator).toBeGreaterThanOrEqual(0n);
              expect(gap!.dividedBy(resolution).isInteger()).toBe(true);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it("without much noise lead by the differences of their scores, and the gaps add up to the whole lead", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 30 }),
        fc.nat(),
        resolutions,
        seeds,
        (scores, pick, resolution, seed) => {
          const k = winnersAmong(scores, pick);
          const { winners } = topKWithGap(scores, {
            k,
            scale: "1e-12",
            resolution,
            entropy: seededEntropy(seed),
          });
          const sorted = scores.toSorted((a, b) => b - a);
          expect(winners.map(({ candidate: index }) => scores[index])).toEqual(sorted.slice(0, k));
          const sum = winners.reduce((total, { gap }) => total.plus(gap), rational(0));
          const lost = rational(sorted[0] - sorted[k]).minus(sum); // each gap loses less than the resolution
          expect(lost.compare("-1e-9")).toBe(1);
          expect(lost.compare(rational(resolution).times(BigInt(k)).plus("1e-9"))).toBe(-1);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("stay the same with the same bits when all scores are shifted by an integer", () => {
    fc.assert(
      fc.property(
        integers,
        fc.nat(),
        fc.integer({ min: -(10 ** 6), max: 10 ** 6 }),
        resolutions,
        scales,
        seeds,
        (scores, pick, shift, resolution, scale, seed) => {
          const k = winnersAmong(scores, pick);
          const answer = (by: number) => {
            const { winners } = topKWithGap(
              scores.map((score) => score + by),
              { k, scale, resolution, entropy: seededEntropy(seed) },
            );
            return winners.map(({ candidate: index, gap }) => `${index} by ${gap}`);
          };
          expect(answer(shift)).toEqual(answer(0));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("stay the same with the same bits in any container, and negated twice", () => {
    fc.assert(
      fc.property(integers, fc.nat(), scales, seeds, (scores, pick, scale, seed) => {
        const k = winnersAmong(scores, pick);
        const negated = scores.map((score) => -score);
        const answers = [
          topK(scores, { k, scale, entropy: seededEntropy(seed) }),
          topK(Float64Array.from(scores), { k, scale, entropy: seededEntropy(seed) }),
          topK(Int16Array.from(scores), { k, scale, entropy: seededEntropy(seed) }),
          topK(scores.map(BigInt), { k, scale, entropy: seededEntropy(seed) }),
          topK(Int32Array.from(negated), { k, scale, negate: true, entropy: seededEntropy(seed) }),
        ];
        for (const answer of answers) expect(answer).toEqual(answers[0]);
      }),
      { numRuns: 200 },
    );
  });

  it("scale with scores and noise: twice of both is twice the gaps", () => {
    fc.assert(
      fc.property(integers, fc.nat(), scales, seeds, (scores, pick, scale, seed) => {
        const k = winnersAmong(scores, pick);
        const once = topKWithGap(scores, {
          k,
          scale,
          resolution: "1/4",
          entropy: seededEntropy(seed),
        }).winners;
        const twice = topKWithGap(
          scores.map((score) => 2 * score),
          { k, scale: rational(scale).times(2n), resolution: "1/2", entropy: seededEntropy(seed) },
        ).winners;
        expect(twice.map(({ candidate }) => candidate)).toEqual(once.map(({ candidate }) => candidate));
        expect(twice.map(({ gap }) => String(gap))).toEqual(once.map(({ gap }) => String(gap.times(2n))));
      }),
      { numRuns: 200 },
    );
  });
});

describe("The loss that is reported", () => {
  const positiveRationals = fc
    .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 1, max: 10 ** 6 }))
    .map(([a, b]) => `${a}/${b}`);

  it("is never above the budget and never below k·r/scale", () => {
    fc.assert(
      fc.property(
        positiveRationals,
        positiveRationals,
        fc.boolean(),
        fc.integer({ min: 1, max: 3 }),
        resolutions,
        (budget, sensitivity, monotone, k, resolution) => {
          const options = { k, sensitivity, monotone, entropy: seededEntropy(1) };
          const bought = topKWithGap([1, 2, 3, 4], { ...options, epsilon: budget, resolution }).privacy
            .epsilon;
          expect(rational(String(bought)).compare(budget)).toBeLessThanOrEqual(0);
          const spent = topKWithGap([1, 2, 3, 4], { ...options, scale: budget, resolution }).privacy.epsilon;
          const range = rational(sensitivity).times(monotone ? 1n : 2n);
          expect(
            rational(String(spent)).compare(range.times(BigInt(k)).dividedBy(budget)),
          ).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 200 },
    );
  });
});
