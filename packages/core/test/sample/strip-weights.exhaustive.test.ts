import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { PartialUniform } from "../../src/sample/partial-uniform.js";
import { LOST_DIGITS, StripWeights } from "../../src/sample/strip-weights.js";
import { type LogQuadratic, layOut, stepExponent } from "../../src/sample/strips.js";

import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { binaryDigits, digitsAbove, digitsBelow, Real } from "./binary-digits.js";
import { cumulativeProbabilities, gaussianLaw, geometricLaw, realSums } from "./real-strips.js";

const LAWS: readonly { name: string; law: LogQuadratic }[] = [
  { name: "rate 2^−40", law: geometricLaw(rational(1).dividedBy(1n << 40n)) },
  { name: "rate 1/1000", law: geometricLaw("1/1000") },
  { name: "rate 23/1024, where 1,024 strips of one integer are one too few", law: geometricLaw("23/1024") },
  { name: "rate 23/1023, with the most strips of one integer", law: geometricLaw("23/1023") },
  { name: "rate 1", law: geometricLaw(1) },
  { name: "rate 10^6", law: geometricLaw("1e6") },
  { name: "rate 10^300", law: geometricLaw("1e300") },
  { name: "a rate of 200 digits", law: geometricLaw(`${10n ** 199n}/${10n ** 200n + 7n}`) },
  { name: "σ² = 2^80", law: gaussianLaw(1n << 80n) },
  { name: "σ² = 10^6", law: gaussianLaw("1e6") },
  { name: "σ² = 22750, with the most strips of one integer", law: gaussianLaw("22750") },
  { name: "σ² = 1/4", law: gaussianLaw("1/4") },
  { name: "σ² = 10^−9", law: gaussianLaw("1e-9") },
  { name: "σ² = 10^−400", law: gaussianLaw("1e-400") },
];
const CASES = LAWS.flatMap((each) => [true, false].map((signed) => ({ ...each, signed })));

describe("layOut", () => {
  it.each(CASES)(
    "reaches to e^−23 with at most 1,024 strips for $name (signed: $signed)",
    ({ law, signed }) => {
      const { count, offsetBits, halfFirst } = layOut(law, signed, 1024);
      const reach = rational(BigInt(count) << BigInt(offsetBits));
      const exponent = law.linear.plus(law.quadratic.times(reach)).times(reach);
      expect(count).toBeLessThanOrEqual(1024);
      expect(exponent.compare(23)).toBe(1);
      expect(halfFirst).toBe(signed && offsetBits === 0);
      if (offsetBits > 0) expect(count).toBeGreaterThan(512);
    },
  );
});

describe("StripWeights", () => {
  it.each(CASES.flatMap((each) => [128, 256].map((precision) => ({ ...each, precision }))))(
    "encloses all sums for $name (signed: $signed) at precision $precision",
    ({ law, signed, precision }) => {
      const strips = layOut(law, signed, 1024);
      const { cumulative, error, ratios, total } = new StripWeights(strips, precision);
      const unit = new Real(2).pow(precision);
      const exact = realSums(strips);
      const isWithin = (x: Real, lo: bigint, hi: bigint) => {
        const scaled = x.times(unit);
        return scaled.gte(String(lo)) && scaled.lte(String(hi));
      };
      expect(cumulative.every((sum, j) => isWithin(exact.sums[j], sum, sum + error))).toBe(true);
      expect(isWithin(exact.total, total.lo, total.hi)).toBe(true);
      for (const strip of [0, strips.count >> 1, strips.count - 1]) {
        const { numerator, denominator } = stepExponent(strips, BigInt(strip));
        const ratio = Real.exp(new Real(String(-numerator)).div(String(denominator)));
        expect(ratio.times(unit).gte(String(ratios[strip]))).toBe(true);
      }
      expect(error + total.hi - total.lo < total.lo >> BigInt(precision - LOST_DIGITS)).toBe(true);
    },
  );
});

describe("StripWeights.stripOf", () => {
  const uniform = (digits: string) => new PartialUniform(replayEntropy(digits));

  // The tail of the others is below 10^−250, so their boundaries are 1 for the oracle.
  const withTail = LAWS.filter(({ law }) => law.linear.compare(1) <= 0 && law.quadratic.compare(2) <= 0);
  it.each(withTail)("is never wrong, however close U comes to a boundary: $name", ({ law }) => {
    const laid = layOut(law, true, 1024);
    const weights = new StripWeights(laid, 128);
    const probabilities = cumulativeProbabilities(laid);
    for (const strip of [laid.count >> 1, laid.count - 2, laid.count - 1]) {
      const boundary = binaryDigits(probabilities[strip]);
      for (let from = 68; from < 140; from += 3) {
        for (const [digits, expected] of [
          [digitsBelow(boundary, from), strip],
          [digitsAbove(boundary, from), strip + 1],
        ] as const) {
          const u = uniform(digits);
          u.reveal(from + 30);
          expect([undefined, expected]).toContain(weights.stripOf(u));
        }
      }
    }
  });
});
