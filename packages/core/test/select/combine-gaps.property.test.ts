import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { combineGaps } from "../../src/select/combine-gaps.js";

const fraction = fc
  .tuple(fc.bigInt({ min: -50n, max: 50n }), fc.bigInt({ min: 1n, max: 9n }))
  .map(([numerator, denominator]) => Rational.of(numerator, denominator));
const ratio = fc
  .tuple(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 1n, max: 9n }))
  .map(([numerator, denominator]) => Rational.of(numerator, denominator));
const released = fc.record({ values: fc.array(fraction, { minLength: 1, maxLength: 6 }), lambda: ratio });

/** The gaps between neighbours. */
function gapsOf(values: readonly Rational[]): Rational[] {
  return values.slice(1).map((value, i) => values[i].minus(value));
}

/** The weight of each input in each estimate: the estimates are linear, so one input of 1 shows it. */
function weights(k: number, varianceRatio: Rational): { measurements: Rational[][]; noises: Rational[][] } {
  const unit = (at: number) => Array.from({ length: k }, (_, i) => (i === at ? Rational.ONE : Rational.ZERO));
  const zeros = unit(-1);
  const places = [...zeros.keys()];
  return {
    measurements: places.map((place) => [
      ...combineGaps(unit(place), gapsOf(zeros), { varianceRatio }).estimates,
    ]),
    noises: places.map((place) => [...combineGaps(zeros, gapsOf(unit(place)), { varianceRatio }).estimates]),
  };
}

function squares(values: readonly Rational[]): Rational {
  return values.reduce((sum, value) => sum.plus(value.times(value)), Rational.ZERO);
}

describe("combineGaps", () => {
  it("gives back scores that were measured without noise", () => {
    fc.assert(
      fc.property(released, ({ values, lambda }) => {
        const { estimates } = combineGaps(values, gapsOf(values), { varianceRatio: lambda });
        expect(estimates).toEqual(values);
      }),
    );
  });

  it("has the variance that it states", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), ratio, (k, lambda) => {
        const { measurements, noises } = weights(k, lambda);
        const { relativeVariance } = combineGaps(Array(k).fill(0), Array(k).fill(0), {
          varianceRatio: lambda,
        });
        for (let i = 0; i < k; i++) {
          const own = squares(measurements.map((weight) => weight[i]));
          const selection = squares(noises.map((weight) => weight[i]));
          expect(own.plus(selection.times(lambda))).toEqual(relativeVariance);
        }
      }),
    );
  });

  it("is best: a little more or less weight on the gaps has more variance", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 5 }),
        ratio,
        fc.constantFrom("9/10", "11/10"),
        (k, lambda, factor) => {
          const wrong = lambda.plus(1n).times(factor).minus(1n);
          fc.pre(wrong.numerator >= 0n && lambda.numerator > 0n);
          const { measurements, noises } = weights(k, wrong);
          const variance = squares(measurements.map((weight) => weight[0])).plus(
            squares(noises.map((weight) => weight[0])).times(lambda),
          );
          const { relativeVariance } = combineGaps(Array(k).fill(0), Array(k).fill(0), {
            varianceRatio: lambda,
          });
          expect(variance.compare(relativeVariance)).toBe(1);
        },
      ),
    );
  });
});
