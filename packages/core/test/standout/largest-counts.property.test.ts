import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { largestCounts } from "../../src/standout/largest-counts.js";

const counts = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  fc.bigInt({ min: 0n, max: 1n << 80n }),
);

describe("largestCounts", () => {
  it("is the order by count and then by position, whatever the counts are", () => {
    fc.assert(
      fc.property(
        fc.array(counts, { maxLength: 300 }),
        fc.integer({ min: 1, max: 40 }),
        (histogram, places) => {
          const { indices, counts: largest } = largestCounts(histogram, places);
          expect(indices).toHaveLength(Math.min(places, histogram.length));
          expect(largest.slice(0, indices.length)).toEqual(indices.map((index) => histogram[index]));
          const chosen = new Set(indices);
          const isAhead = (a: number, b: number) =>
            histogram[a] > histogram[b] || (BigInt(histogram[a]) === BigInt(histogram[b]) && a < b);
          indices.slice(1).forEach((index, i) => {
            expect(isAhead(indices[i], index)).toBe(true);
          });
          const last = indices.at(-1) as number;
          histogram.forEach((_, other) => {
            if (!chosen.has(other)) expect(isAhead(last, other)).toBe(true);
          });
        },
      ),
    );
  });
});
