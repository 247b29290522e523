import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import type { Scores } from "../../src/race/scores.js";
import { makeNoisyTopK } from "../../src/select/noisy-top-k.js";
import { topK } from "../../src/select/top-k.js";
import { TopKStream } from "../../src/select/top-k-stream.js";
import { topKWithGap } from "../../src/select/top-k-with-gap.js";

import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectBadScore, untouched } from "./refusals.js";

const SELECTIONS: Readonly<Record<string, (scores: Scores) => unknown>> = {
  "topK by epsilon": (scores) => topK(scores, { k: 2, epsilon: 1, entropy: untouched() }),
  "topK by rho": (scores) => topK(scores, { k: 1, rho: 1, entropy: untouched() }),
  "topK of the smallest": (scores) => topK(scores, { k: 1, scale: 1, negate: true, entropy: untouched() }),
  "topK by rounds": (scores) => topK(scores, { k: 2, scale: 1, method: "peel", entropy: untouched() }),
  "topK in a larger domain": (scores) =>
    topK(scores, { k: 2, scale: 1, domain: { size: 20_000 }, entropy: untouched() }),
  topKWithGap: (scores) => topKWithGap(scores, { k: 2, epsilon: 1, resolution: "0.1", entropy: untouched() }),
  "makeNoisyTopK without noise": (scores) =>
    makeNoisyTopK({ k: 2, measure: "pure", scale: 0 }).invoke(scores, untouched()),
  "a stream that takes an array": (scores) =>
    new TopKStream({ k: 2, scale: 1, entropy: untouched() }).pushScores(scores),
};

const BAD_NUMBERS = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** Usual scores with one of them replaced. */
function spoilt<T>(size: number, position: number, value: T): (number | T)[] {
  return Array.from({ length: size }, (_, index) => (index === position ? value : (index * 31) % 1000));
}

function positions(size: number): number[] {
  return [0, size >> 1, size - 1];
}

describe.each(Object.entries(SELECTIONS))("%s", (_, select) => {
  it.each([3, 10_000])("refuses %d scores of which one is not finite, before a bit is drawn", (size) => {
    for (const value of BAD_NUMBERS)
      for (const position of positions(size)) {
        const scores = spoilt(size, position, value);
        for (const container of [scores, Float64Array.from(scores), Float32Array.from(scores)])
          expectBadScore(() => select(container));
      }
  });

  it.each([3, 10_000])("refuses %d scores of which one is no number", (size) => {
    for (const value of [undefined, null, "5", true, {}, Symbol("score")])
      for (const position of positions(size))
        expectBadScore(() => select(spoilt(size, position, value) as unknown as Scores));
    // An array at the start would be a pair of a name and a score.
    for (const position of positions(size).slice(1))
      expectBadScore(() => select(spoilt(size, position, [1]) as unknown as Scores));
  });

  it("refuses a hole in an array", () => {
    const scores = [3, 1, 2, 5];
    delete scores[1];
    expectBadScore(() => select(scores));
  });

  it("refuses bigints beyond the doubles", () => {
    for (const value of [10n ** 400n, -(10n ** 400n)]) expectBadScore(() => select(spoilt(4, 2, value)));
  });
});

describe("Astronomical but finite scores", () => {
  const largest = Number.MAX_VALUE;

  it.each([
    ["Float64Array", (scores: number[]) => Float64Array.from(scores)],
    ["plain array", (scores: number[]) => scores],
  ])("of a %s are fine", (_, container) => {
    for (const size of [4, 10_000]) {
      const scores = Array.from({ length: size }, (_, index) => (index % 2 === 0 ? -largest : 0));
      scores[size >> 1] = largest;
      const entropy = seededEntropy(size);
      expect(topK(container(scores), { k: 1, scale: 1, entropy }).winners).toEqual([
        { candidate: size >> 1 },
      ]);
      expect(topK(container(scores), { k: 1, scale: 1, method: "peel", entropy }).winners).toEqual([
        { candidate: size >> 1 },
      ]);
      const [{ candidate: index, gap }] = topKWithGap(container(scores), {
        k: 1,
        scale: 1,
        resolution: "0.1",
        entropy,
      }).winners;
      expect(index).toBe(size >> 1);
      expect(gap.toNumber()).toBe(largest);
    }
  });

  it("of both signs are fine with a fine resolution and in a stream", () => {
    const scores = [1e308, -1e308, largest, -largest, 1e-308, 5e-324];
    for (const resolution of ["1e-300", "1e300", "1/3"]) {
      const options = { k: 2, scale: "1/7", resolution, entropy: seededEntropy(resolution) };
      for (const winners of [
        topKWithGap(scores, options).winners,
        new TopKStream(options).pushScores(scores).finish().winners,
      ]) {
        expect(winners.map(({ candidate }) => candidate)).toEqual([2, 0]);
        const lead = rational(largest).minus(1e308);
        const lost = lead.minus(winners[0].gap!); // to flooring and to noise
        expect(lost.compare(-100) > 0 && lost.compare(rational(resolution).plus(100)) < 0).toBe(true);
      }
    }
  });

  it("may all be equal", () => {
    for (const score of [largest, -largest]) {
      const scores = new Float64Array(1000).fill(score);
      expect(topK(scores, { k: 3, scale: "1e270", entropy: seededEntropy(1) }).winners.length).toBe(3);
    }
  });
});
