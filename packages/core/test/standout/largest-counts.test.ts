import { describe, expect, it } from "vitest";
import { type Histogram, largestCounts } from "../../src/standout/largest-counts.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const REFUSAL = "histogram must be integers >= 0 throughout (bigints above 2^53)";

/** The same by sorting everything. */
function bySorting(histogram: Histogram, places: number) {
  const order = Array.from(histogram, (count, index) => ({ count: BigInt(count), index }));
  order.sort((a, b) => (a.count === b.count ? a.index - b.index : a.count > b.count ? -1 : 1));
  const first = order.slice(0, places);
  return { indices: first.map(({ index }) => index), counts: first.map(({ count }) => count) };
}

function expectLargest(histogram: Histogram, places: number): void {
  const { indices, counts } = largestCounts(histogram, places);
  expect({ indices, counts: counts.map(BigInt) }).toEqual(bySorting(histogram, places));
}

describe("largestCounts", () => {
  it("puts the earlier candidate first where counts are equal", () => {
    expect(largestCounts([5, 7, 7, 5, 7], 4)).toEqual({ indices: [1, 2, 4, 0], counts: [7, 7, 7, 5] });
  });

  it("is all of a short histogram, whatever is asked for", () => {
    expect(largestCounts([3, 8], 4)).toEqual({ indices: [1, 0], counts: [8, 3] });
    expect(largestCounts([3, 8], 2 ** 53 - 1)).toEqual({ indices: [1, 0], counts: [8, 3] });
    expect(largestCounts([], 2)).toEqual({ indices: [], counts: [] });
  });

  const entropy = seededEntropy("shapes of histograms");
  const random = (n: number, below: number) => Array.from({ length: n }, () => entropy.word() % below);
  const shapes: Record<string, number[]> = {
    "all equal": Array(5000).fill(12),
    "all zero": Array(5000).fill(0),
    "two levels": random(5000, 2),
    "few levels": random(20_000, 7),
    "many levels": random(20_000, 1_000_000),
    ascending: Array.from({ length: 9001 }, (_, i) => i),
    descending: Array.from({ length: 9001 }, (_, i) => 9001 - i),
    "ascending in pairs": Array.from({ length: 9000 }, (_, i) => i >> 1),
    "one giant": [...Array(4999).fill(1), 1_000_000_000],
    "the largest safe integer": [...random(3000, 5), Number.MAX_SAFE_INTEGER, ...random(3000, 5)],
  };

  it.each(Object.entries(shapes))("agrees with sorting: %s", (_, histogram) => {
    for (const places of [1, 2, 51, 400, 6000]) expectLargest(histogram, places);
    for (const places of [1, 51]) expectLargest(Float64Array.from(histogram), places);
  });

  it.each([
    Uint8Array,
    Uint8ClampedArray,
    Uint16Array,
    Uint32Array,
    Int8Array,
    Int16Array,
    Int32Array,
    Float32Array,
  ])("reads a %o", (kind) => {
    const histogram = kind.from(random(9001, 100));
    for (const places of [1, 51, 400]) expectLargest(histogram, places);
  });

  it.each([BigInt64Array, BigUint64Array])("reads a %o", (kind) => {
    const histogram = kind.from(random(9001, 100).map(BigInt));
    for (const places of [1, 51, 400]) expectLargest(histogram, places);
  });

  it("tells bigints apart that are the same double", () => {
    const large = 1n << 60n;
    const histogram = random(5000, 16).map((low) => large + BigInt(low));
    for (const places of [1, 3, 51, 4999]) expectLargest(histogram, places);
  });

  it("compares numbers and bigints, large and small", () => {
    const histogram = random(3000, 50).map((count, i) => (i % 3 === 0 ? BigInt(count) : count));
    expectLargest([...histogram, 1n << 70n, (1n << 70n) + 1n, Number.MAX_SAFE_INTEGER], 51);
  });

  it.each([
    ["NaN", Number.NaN],
    ["an infinity", Infinity],
    ["a fraction", 0.5],
    ["a negative number", -1],
    ["a number above 2^53", Number.MAX_SAFE_INTEGER + 1],
    ["a negative bigint", -1n],
    ["a text", "7" as unknown as number],
    ["nothing", undefined as unknown as number],
  ])("refuses %s, and says neither which nor what", (_, bad) => {
    expect(() => largestCounts([9, 4, bad, 7], 4)).toThrow(
      expect.objectContaining({ code: "invalid-score", field: "histogram", message: REFUSAL }),
    );
  });

  it.each([Number.NaN, Infinity, 10_000.5])(
    "refuses %d among many counts, wherever it could matter",
    (bad) => {
      for (const place of [0, 7, 4096, 19_999]) {
        const histogram = Float64Array.from(shapes["many levels"], (count) => count % 9000);
        histogram[place] = bad;
        expect(() => largestCounts(histogram, 51)).toThrow(REFUSAL);
      }
    },
  );

  it.each([Number.NaN, -1, 0.5, -Infinity])("refuses %d among counts that are too small to matter", (bad) => {
    for (const place of [1000, 4097, 4999]) {
      const histogram = new Float64Array(5000).fill(1000, 0, 1);
      histogram[place] = bad;
      expect(() => largestCounts(histogram, 1)).toThrow(REFUSAL);
    }
  });

  it("refuses a bigint beyond all doubles, and what isn't a histogram", () => {
    expect(() => largestCounts([1n << 1100n, 3n], 1)).toThrow(REFUSAL);
    expect(() => largestCounts(7 as never, 1)).toThrow(/^histogram must be/);
  });

  it("refuses fractions among the small counts of a large array", () => {
    expect(() =>
      largestCounts(
        Float64Array.from({ length: 20_000 }, (_, i) => i + 0.25),
        3,
      ),
    ).toThrow(REFUSAL);
  });
});
