import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import { floatGumbelTopK } from "../../src/rivals/float-gumbel-top-k.js";
import { FloatTopKStream } from "../../src/rivals/float-top-k-stream.js";
import { coarseFloatTopKWithGap, floatTopKWithGap } from "../../src/rivals/float-top-k-with-gap.js";
import { LeastHeap } from "../../src/rivals/least-heap.js";
import { selectLargest, sortDescending } from "../../src/rivals/quickselect.js";
import { scanTopK } from "../../src/rivals/scan-top-k.js";
import { OTHER_SHAPES, zipf, zipfAscending } from "../../src/shapes.js";

/** Few different scores, so that ties are common. */
const scoresAndK = fc
  .array(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 300 })
  .chain((scores) =>
    fc.tuple(fc.constant(Float64Array.from(scores)), fc.integer({ min: 1, max: scores.length })),
  );

function largest(scores: Float64Array, k: number): Float64Array {
  return scores.slice().sort().reverse().slice(0, k);
}

function scoresOf(indices: Int32Array, scores: Float64Array): Float64Array {
  expect(new Set(indices).size).toBe(indices.length);
  return Float64Array.from(indices, (index) => scores[index]);
}

describe("the plain scan", () => {
  it("finds the k largest scores, largest first", () => {
    fc.assert(
      fc.property(scoresAndK, ([scores, k]) => {
        expect(scoresOf(scanTopK(scores, k), scores)).toEqual(largest(scores, k));
      }),
    );
  });

  it.each([
    ["zipf", zipf] as const,
    ["zipf ascending", zipfAscending] as const,
    ...Object.entries(OTHER_SHAPES),
  ])("finds them in 20,000 scores of the shape %s, with and without a first cut", (_, shape) => {
    const scores = shape(20_000);
    for (const k of [1, 25, 100, 800])
      expect(scoresOf(scanTopK(scores, k), scores)).toEqual(largest(scores, k));
  });
});

describe("the parts of the rivals", () => {
  it("quickselect brings the k largest to the front, each with its index", () => {
    fc.assert(
      fc.property(scoresAndK, ([scores, k]) => {
        const values = scores.slice();
        const indices = Int32Array.from(scores, (_, i) => i);
        expect(selectLargest(values, indices, values.length, k)).toBe(largest(scores, k)[k - 1]);
        sortDescending(values, indices, 0, k - 1);
        expect(values.slice(0, k)).toEqual(largest(scores, k));
        expect(scoresOf(indices, scores)).toEqual(values);
      }),
    );
  });

  it("the heap keeps the largest and sorts them, each with its index", () => {
    fc.assert(
      fc.property(scoresAndK, ([scores, k]) => {
        const heap = new LeastHeap(k);
        scores.forEach((score, i) => {
          if (score > heap.values[0]) heap.replaceLeast(score, i);
        });
        const { values, indices } = heap.sort();
        expect(values).toEqual(largest(scores, k));
        expect(scoresOf(indices, scores)).toEqual(values);
      }),
    );
  });
});

describe("the float mechanisms", () => {
  const scores = Float64Array.of(10, 70.5, 30, 50, -20, 40);
  const almostNoNoise = 1e-6;

  it("choose the best and floor the gaps where there is almost no noise", () => {
    for (const select of [floatTopKWithGap, coarseFloatTopKWithGap]) {
      const { indices, gaps } = select(scores, 3, almostNoNoise, 1, seededEntropy("gap"));
      expect([...indices]).toEqual([1, 3, 5]);
      expect(gaps[0]).toBe(20);
      expect(gaps[1] + gaps[2]).toBeGreaterThanOrEqual(18);
    }
    expect([...floatGumbelTopK(scores, 3, almostNoNoise, seededEntropy("gumbel"))]).toEqual([1, 3, 5]);
  });

  it("give the same answer as a stream on the same bits", () => {
    const stream = new FloatTopKStream(3, 20, 0.1, seededEntropy("stream"));
    scores.forEach((score, i) => {
      stream.push(i, score);
    });
    expect(stream.finish()).toEqual(floatTopKWithGap(scores, 3, 20, 0.1, seededEntropy("stream")));
  });

  it("choose all of equals equally often", () => {
    const entropy = seededEntropy("equals");
    const equals = new Float64Array(4);
    const wins = new Float64Array(4);
    for (let i = 0; i < 4000; i++) {
      wins[floatTopKWithGap(equals, 1, 2, 0.1, entropy).indices[0]]++;
      wins[floatGumbelTopK(equals, 1, 2, entropy)[0]]++;
    }
    for (const count of wins) expect(Math.abs(count - 2000)).toBeLessThan(200); // five standard deviations
  });
});
