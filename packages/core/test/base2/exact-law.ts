/**
 * The law of the base-2 exponential mechanism in rationals, straight from its definition: clamp, round every utility
 * up or down with its probabilities, divide the weights by their sum, and average.
 * @module
 */
import { Rational, type RationalLike, rational } from "../../src/exact/rational.js";
import type { Law } from "../support/law.js";

export interface Base2Law {
  readonly x: number | bigint;
  readonly y: number | bigint;
  readonly z: number | bigint;
  readonly lower: number | bigint;
  readonly upper: number | bigint;
}

/** Probability of rounding up, by the exact number. Replaced to plant a wrong rounding. */
export type RoundUp = (utility: Rational) => Rational;

export const fraction: RoundUp = (utility) => utility.minus(utility.floor());

/** The probability of every outcome. */
export function exactLaw(
  utilities: readonly RationalLike[],
  mechanism: Base2Law,
  roundUp: RoundUp = fraction,
): Rational[] {
  const { lower, upper } = mechanism;
  const clamped = utilities.map((utility) => clamp(utility, rational(lower), rational(upper)));
  const probabilities = clamped.map(() => Rational.ZERO);
  for (const { levels, chance } of roundings(clamped, roundUp)) {
    const least = levels.reduce((a, b) => (b < a ? b : a));
    const weights = levels.map((level) => weightOf(level - least, mechanism)); // a common factor cancels
    const total = weights.reduce((sum, weight) => sum.plus(weight));
    for (const [i, weight] of weights.entries())
      probabilities[i] = probabilities[i].plus(chance.times(weight).dividedBy(total));
  }
  return probabilities;
}

/** The law as tests write it, by index. */
export function lawByIndex(probabilities: readonly Rational[]): Law {
  return Object.fromEntries(probabilities.map((p, i) => [String(i), `${p.numerator}/${p.denominator}`]));
}

function clamp(value: RationalLike, low: Rational, high: Rational): Rational {
  if (value === Infinity || value === -Infinity) return value > 0 ? high : low;
  const exact = rational(value);
  return exact.compare(low) < 0 ? low : exact.compare(high) > 0 ? high : exact;
}

/** (x/2^y)^(z·distance). */
function weightOf(distance: bigint, { x, y, z }: Base2Law): Rational {
  const power = distance * BigInt(z);
  return Rational.of(BigInt(x) ** power, 1n << (BigInt(y) * power));
}

function roundings(
  utilities: readonly Rational[],
  roundUp: RoundUp,
): { levels: bigint[]; chance: Rational }[] {
  return utilities.reduce<{ levels: bigint[]; chance: Rational }[]>(
    (soFar, utility) =>
      soFar.flatMap(({ levels, chance }) => {
        const floor = utility.floor();
        if (utility.isInteger()) return [{ levels: [...levels, floor], chance }];
        const up = roundUp(utility);
        return [
          { levels: [...levels, floor], chance: chance.minus(chance.times(up)) },
          { levels: [...levels, floor + 1n], chance: chance.times(up) },
        ];
      }),
    [{ levels: [], chance: Rational.ONE }],
  );
}
