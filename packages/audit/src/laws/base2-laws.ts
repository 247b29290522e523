/**
 * The laws of `base2Exponential` and `clampedLaplace`, in rationals, straight from their definitions: utilities are
 * clamped, each is rounded up or down with its probabilities, weights are divided by their sum, and all roundings are
 * averaged.
 *
 * Cost: 2^(number of fractions) roundings.
 * @module
 */
import {
  type Base2Parameter,
  Interval,
  Rational,
  type RationalLike,
  rational,
  readers,
  readOptions,
} from "winnow-dp";

import type { Law } from "./law.js";

/**
 * An instance of the base-2 exponential mechanism whose law is asked for.
 *
 * @inline
 */
export interface Base2LawOptions {
  /** The parameter, made by `eta` or `etaAtMost`. */
  readonly eta: Base2Parameter;
  /** Utilities below count as this. */
  readonly lower: RationalLike;
  /** Utilities above count as this. */
  readonly upper: RationalLike;
}

const PRECISION = 192;

/**
 * P(this outcome), by index, for `base2Exponential`; low utilities are likely.
 *
 * @param utilities The utility of each outcome.
 * @param options The parameter, and the range of utilities.
 *
 * @example
 * ```ts
 * import { base2ExponentialLaw } from "winnow-audit";
 * import { eta } from "winnow-dp";
 *
 * const law = base2ExponentialLaw([0, 1], { eta: eta(1, 1), lower: 0, upper: 1 });
 * law.get("0")?.isAbove("0.666") && law.get("0")?.isBelow("0.667"); // → true
 * ```
 */
export function base2ExponentialLaw(utilities: readonly RationalLike[], options: Base2LawOptions): Law {
  const { eta, lower, upper } = readOptions(
    options,
    { eta: readers.object, lower: readers.rational, upper: readers.rational },
    {},
  );
  const [least, most] = [rational(lower), rational(upper)];
  const clamped = utilities.map((utility) => clamp(rational(utility), least, most));
  const chances = clamped.map(() => Rational.ZERO);
  for (const { levels, probability } of roundings(clamped)) {
    const weights = levels.map((level) => weightOf(level - least.floor(), eta));
    const total = weights.reduce((sum, weight) => sum.plus(weight));
    for (const [index, weight] of weights.entries())
      chances[index] = chances[index].plus(probability.times(weight).dividedBy(total));
  }
  return lawFrom(chances);
}

/**
 * P(this point of the grid), by number from 0 to `last`, for `clampedLaplace`.
 *
 * @param centre The point to which the value was floored.
 * @param last The last point of the grid.
 * @param eta The parameter.
 *
 * @example
 * ```ts
 * import { clampedLaplaceLaw } from "winnow-audit";
 * import { eta } from "winnow-dp";
 *
 * const law = clampedLaplaceLaw(1, 2, eta(1, 1));
 * law.size; // → 3
 * ```
 */
export function clampedLaplaceLaw(centre: number, last: number, eta: Base2Parameter): Law {
  const weights = Array.from({ length: last + 1 }, (_, point) =>
    weightOf(BigInt(Math.abs(point - centre)), eta),
  );
  const total = weights.reduce((sum, weight) => sum.plus(weight));
  return lawFrom(weights.map((weight) => weight.dividedBy(total)));
}

function lawFrom(chances: readonly Rational[]): Law {
  return new Map(chances.map((chance, index) => [String(index), Interval.from(chance, PRECISION)]));
}

function clamp(value: Rational, least: Rational, most: Rational): Rational {
  return value.compare(least) < 0 ? least : value.compare(most) > 0 ? most : value;
}

/** (x/2^y)^(z·distance). */
function weightOf(distance: bigint, { x, y, z }: Base2Parameter): Rational {
  const power = distance * z;
  return Rational.of(x ** BigInt(power), 1n << (y * power));
}

interface Rounding {
  readonly levels: readonly bigint[];
  readonly probability: Rational;
}

/** Every way to round all of them. */
function roundings(utilities: readonly Rational[]): readonly Rounding[] {
  return utilities.reduce<readonly Rounding[]>(
    (soFar, utility) => {
      const floor = utility.floor();
      const up = utility.minus(floor);
      return soFar.flatMap(({ levels, probability }) => [
        { levels: [...levels, floor], probability: probability.times(Rational.ONE.minus(up)) },
        ...(up.numerator === 0n
          ? []
          : [{ levels: [...levels, floor + 1n], probability: probability.times(up) }]),
      ]);
    },
    [{ levels: [], probability: Rational.ONE }],
  );
}
