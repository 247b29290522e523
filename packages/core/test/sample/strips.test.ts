import { describe, expect, it } from "vitest";
import { ceilDiv } from "../../src/exact/integers.js";
import { Interval } from "../../src/exact/interval.js";
import { rational } from "../../src/exact/rational.js";
import { PartialUniform } from "../../src/sample/partial-uniform.js";
import { StripWeights } from "../../src/sample/strip-weights.js";
import { type LogQuadratic, layOut, type Strips, stepExponent } from "../../src/sample/strips.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { binaryDigits, digitsAbove, digitsBelow, Real } from "./binary-digits.js";
import { cumulativeProbabilities, gaussianLaw, geometricLaw, realSums } from "./real-strips.js";

describe("layOut", () => {
  it.each<[string, LogQuadratic, number, offsetBits: number, count: number]>([
    ["rate 1", geometricLaw(1), 1024, 0, 24],
    ["rate 23/1023, with the most strips of one integer", geometricLaw("23/1023"), 1024, 0, 1024],
    ["rate 23/1024, where they would be one too many", geometricLaw("23/1024"), 1024, 1, 513],
    ["rate 1/10 in 8 strips", geometricLaw("1/10"), 8, 5, 8],
    ["rate 2^−40", geometricLaw(rational(1).dividedBy(1n << 40n)), 1024, 35, 737],
    ["σ² = 1", gaussianLaw(1), 1024, 0, 8],
    ["σ² = 100 in 9 strips", gaussianLaw(100), 9, 3, 9],
    ["σ² = 100 in 8 strips", gaussianLaw(100), 8, 4, 5],
  ])("has the narrowest strips that reach to e^−23: %s", (_, law, mostStrips, offsetBits, count) => {
    expect(layOut(law, false, mostStrips)).toEqual({ law, offsetBits, count, halfFirst: false });
    expect(layOut(law, true, mostStrips)).toEqual({ law, offsetBits, count, halfFirst: offsetBits === 0 });
  });
});

describe("stepExponent", () => {
  it("is −ln of f at the next strip over f at this one", () => {
    const strips = layOut(geometricLaw("1/3"), false, 8); // strips of 16
    expect(stepExponent(strips, 5n)).toEqual(rational("16/3"));
    const gaussian = layOut(gaussianLaw(100), true, 9); // strips of 8
    expect(stepExponent(gaussian, 5n)).toEqual(rational(48n * 48n - 40n * 40n).dividedBy(200n));
  });
});

const LAID_OUT: readonly (Strips & { name: string })[] = [
  { name: "rate 1", ...layOut(geometricLaw(1), false, 1024) },
  { name: "rate 1 with a half of zero", ...layOut(geometricLaw(1), true, 1024) },
  { name: "rate 1/10 in strips of 4", ...layOut(geometricLaw("1/10"), true, 64) },
  { name: "σ² = 9/4", ...layOut(gaussianLaw("9/4"), true, 1024) },
  { name: "σ² = 100", ...layOut(gaussianLaw(100), true, 1024) },
  { name: "σ² = 100 in strips of 8", ...layOut(gaussianLaw(100), true, 9) },
];

describe("StripWeights", () => {
  it.each(LAID_OUT)("encloses the sums of all weights: $name", (strips) => {
    const { sums, total } = realSums(strips);
    for (const precision of [40, 128]) {
      const weights = new StripWeights(strips, precision);
      const unit = new Real(2).pow(precision);
      const isWithin = (x: Real, lo: bigint, hi: bigint) =>
        x.times(unit).gte(String(lo)) && x.times(unit).lte(String(hi));
      expect(weights.precision).toBe(precision);
      expect(weights.cumulative.length).toBe(strips.count);
      expect(weights.cumulative.every((sum, j) => isWithin(sums[j], sum, sum + weights.error))).toBe(true);
      expect(isWithin(total, weights.total.lo, weights.total.hi)).toBe(true);
      expect(weights.total.hi - weights.total.lo < 64n * BigInt(4 * strips.count) ** 3n).toBe(true);
    }
  });

  // A product of two lower bounds that are at most a and b units low is at most a + b + 1 units low, so that ratio j is
  // at most e + j(d + 1) low, weight j at most the sum of these and one for each ratio before, and the sums as much as weights.
  // With so few places, a Gaussian tail is below the error at once.
  it.each(LAID_OUT.flatMap((strips) => [20, 45].map((precision) => ({ ...strips, precision }))))(
    "counts the units by which its numbers may be low: $name, $precision places",
    (each) => {
      const { precision, ...strips } = each;
      const { cumulative, error, ratios, total } = new StripWeights(strips, precision);
      const { law, offsetBits, count } = strips;
      const exp = (exponent: ReturnType<typeof rational>) => Interval.from(exponent, precision).exp();
      const first = exp(stepExponent(strips, 0n).negated());
      const decline = exp(law.quadratic.times(-2n * 4n ** BigInt(offsetBits)));
      const [n, e, d] = [BigInt(count), first.hi - first.lo, decline.hi - decline.lo];
      const lowRatio = (j: bigint) => e + j * (d + 1n);
      const lowWeight = (j: bigint) => j * (e + 1n) + ((d + 1n) * j * (j - 1n)) / 2n;
      expect(error).toBe(((e + 1n) * n * (n - 1n)) / 2n + ((d + 1n) * n * (n - 1n) * (n - 2n)) / 6n);

      const shift = BigInt(precision);
      const next = (lower: bigint, factor: bigint) => (lower * factor) >> shift;
      expect(ratios[0]).toBe(first.lo);
      expect(ratios.slice(1)).toEqual(ratios.slice(0, -1).map((ratio) => next(ratio, decline.lo)));
      const weights = cumulative.map((sum, j) => sum - (cumulative[j - 1] ?? 0n));
      expect(weights.slice(2)).toEqual(weights.slice(1, -1).map((weight, j) => next(weight, ratios[j + 1])));

      const weight = next(weights[count - 1], ratios[count - 1]);
      const left = (1n << shift) - next(ratios[count - 1], decline.lo);
      const least = law.quadratic.numerator === 0n ? (weight << shift) / left : 0n;
      const most = ceilDiv((weight + lowWeight(n)) << shift, left - lowRatio(n));
      expect(total.lo).toBe(cumulative[count - 1] + least);
      expect(total.hi).toBe(cumulative[count - 1] + error + most);
    },
  );

  it("counts less than n³ units, as its comment says", () => {
    for (const law of [geometricLaw("23/1023"), gaussianLaw(22_750), gaussianLaw("1e-9")]) {
      const { cumulative, error } = new StripWeights(layOut(law, true, 1024), 128);
      const n = law.quadratic.numerator === 0n ? cumulative.length : 2 * cumulative.length + 2;
      expect(error < BigInt(n) ** 3n).toBe(true);
    }
  });
});

describe("StripWeights.stripOf", () => {
  const strips = layOut(gaussianLaw(9), true, 1024);
  const boundaries = cumulativeProbabilities(strips).map(binaryDigits);
  /** The strip of a U of which so many digits are known. */
  function stripOf(digits: string, known: number, precision: number): number | undefined {
    const u = new PartialUniform(replayEntropy(digits));
    u.reveal(known);
    return new StripWeights(strips, precision).stripOf(u);
  }

  it("knows nothing of a U of which nothing is revealed", () => {
    expect(stripOf("", 0, 128)).toBeUndefined();
  });

  it("finds the strip on either side of every boundary as soon as the digits differ", () => {
    boundaries.forEach((boundary, strip) => {
      for (const [digits, expected] of [
        [digitsBelow(boundary, 40), strip],
        [digitsAbove(boundary, 40), strip + 1],
      ] as const) {
        expect(stripOf(digits, 40, 128)).toBeUndefined();
        expect(stripOf(digits, 67, 128)).toBe(expected);
      }
    });
  });

  it("leaves open what its precision cannot tell, and a finer one tells", () => {
    for (const strip of [0, 1, 7, strips.count - 2]) {
      const [below, above] = [digitsBelow(boundaries[strip], 130), digitsAbove(boundaries[strip], 130)];
      for (const digits of [below, above]) expect(stripOf(digits, 180, 128)).toBeUndefined();
      expect(stripOf(below, 180, 256)).toBe(strip);
      expect(stripOf(above, 180, 256)).toBe(strip + 1);
    }
  });
});
