/**
 * The step between base 2 and the natural base: ε = η·ln 2, rounded up in either direction.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { roundedDown, roundedUp } from "../exact/certified.js";
import { bitLength, ceilShift } from "../exact/integers.js";
import { asInterval, Interval } from "../exact/interval.js";
import { ln2 } from "../exact/ln.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { bigInteger, boolean, positiveRational, readOptions } from "../options.js";
import { type Extended, isBounded } from "./extended.js";
import { base2, type LossOf } from "./loss.js";

/** ε = η·ln 2. */
export function naturalOf(eta: Extended): Extended {
  return isBounded(eta) ? roundedUp((precision) => asInterval(ln2(precision)).times(eta)) : Infinity;
}

/** η = ε/ln 2. */
export function base2Of(epsilon: Extended): Extended {
  return isBounded(epsilon) ? roundedUp((precision) => quotient(epsilon, precision)) : Infinity;
}

/** The largest η with η·ln 2 ≤ ε. */
export function base2AtMost(epsilon: Rational): Rational {
  return roundedDown((precision) => quotient(epsilon, precision));
}

function quotient(epsilon: Rational, precision: number): Interval {
  return Interval.from(epsilon, precision).dividedBy(asInterval(ln2(precision)));
}

/**
 * The parameter b = (x/2^y)^z of the base-2 mechanisms: a utility that is worse by 1 is b times as likely.
 *
 * Made by `eta` or `etaAtMost`. The loss is not η: `base2LossOf` gives it.
 */
export interface Base2Parameter {
  /** The numerator of the ratio, above 0 and below 2^y. */
  readonly x: bigint;
  /** The binary digits of the ratio, at least 1. */
  readonly y: bigint;
  /** The power to which the ratio is raised, at least 1. */
  readonly z: bigint;
  /** η = −z·log₂(x/2^y), rounded up; exact where x is a power of two. */
  readonly eta: Rational;
}

/** The readers of how one individual can move utilities. */
export const UTILITIES = { sensitivity: positiveRational, monotone: boolean };

/**
 * How one individual can move utilities.
 *
 * @inline
 */
export interface UtilityOptions {
  /** How far one individual can move any utility; a fraction counts as the next integer. Default 1. */
  readonly sensitivity?: RationalLike | undefined;
  /** Whether one individual moves all utilities the same way. Default false. */
  readonly monotone?: boolean | undefined;
}

/**
 * The parameter b = (x/2^y)^z for integers 0 < x < 2^y and y, z ≥ 1; y is at most 65,536.
 *
 * @param x The numerator of the ratio.
 * @param y The binary digits of the ratio.
 * @param z The power to which the ratio is raised. Default 1.
 *
 * @example
 * ```ts
 * import { eta } from "winnow-dp";
 *
 * eta(1, 1); // → { x: 1n, y: 1n, z: 1n, eta: 1 }
 * ```
 */
export function eta(x: number | bigint, y: number | bigint, z: number | bigint = 1n): Base2Parameter {
  const [shift, power] = [digitsGiven(bigInteger("y", y)), bigInteger("z", z)];
  const factor = bigInteger("x", x);
  if (bitLength(factor) > shift) throw invalidParameter("x", "an integer < 2^y", x);
  return written({ x: factor, y: shift, z: power, eta: sizeOf(factor, shift).times(power) });
}

/** JSON has no bigint: a parameter says itself how it is written, each number as exact text. */
function written<P extends Base2Parameter>(parameter: P): P {
  const texts = () =>
    Object.fromEntries(Object.entries(parameter).map(([name, part]) => [name, String(part)]));
  return Object.freeze(Object.defineProperty(parameter, "toJSON", { value: texts }));
}

function sizeOf(x: bigint, y: bigint): Rational {
  const digits = bitLength(x) - 1;
  if (x === 1n << BigInt(digits)) return Rational.of(y - BigInt(digits));
  return roundedUp((precision) => lnOfInverse(x, y, precision).dividedBy(asInterval(ln2(precision))));
}

/**
 * The loss of a base-2 mechanism with this parameter, in base 2: 2⌈Δ⌉η, or ⌈Δ⌉η where utilities are monotone.
 *
 * @param parameter Made by `eta` or `etaAtMost`.
 * @param options How one individual can move utilities.
 *
 * @example
 * ```ts
 * import { base2LossOf, eta } from "winnow-dp";
 *
 * base2LossOf(eta(1, 1)); // → { measure: "base2", eta: 2 }
 * base2LossOf(eta(1, 1), { monotone: true }); // → { measure: "base2", eta: 1 }
 * ```
 */
export function base2LossOf(
  parameter: Base2Parameter,
  options: UtilityOptions = {},
): LossOf<Rational>["base2"] {
  return base2(parameter.eta.times(timesCharged(readOptions(options, {}, UTILITIES))));
}

/**
 * The same loss as ε, rounded up once: 2⌈Δ⌉·z·ln(2^y/x), or half of it where utilities are monotone.
 *
 * @param parameter Made by `eta` or `etaAtMost`.
 * @param options How one individual can move utilities.
 */
export function epsilonOfBase2({ x, y, z }: Base2Parameter, options: UtilityOptions = {}): Rational {
  const factor = timesCharged(readOptions(options, {}, UTILITIES)) * z;
  return roundedUp((precision) => lnOfInverse(x, y, precision).times(factor));
}

/**
 * How one individual can move utilities, and of which shape the parameter is to be.
 *
 * @inline
 */
export interface EtaAtMostOptions extends UtilityOptions {
  /** Binary digits of x/2^y; raised where the target is too small for so few. By default as few as give 99 % of it. */
  readonly y?: number | bigint | undefined;
  /** The power to which the ratio is raised. Default 1. */
  readonly z?: number | bigint | undefined;
}

/** More digits, or a larger ratio of neighbouring utilities, would only cost memory. */
const LARGEST_Y = 65_536;

const LARGEST_EXPONENT = 32_768n;

const NEARLY_ALL = Rational.of(99n, 100n);

/** A little below log₂ e: an exponent of 70 or more has the y wanted at the first or second try. */
const LOG2_E_DOWN = /* @__PURE__ */ Rational.of(14_426_950_408n, 10_000_000_000n);

/**
 * The largest parameter whose loss is at most ε, and the `epsilon` that it really gives.
 *
 * A larger x means less loss, so x = ⌈2^y·e^(−ε/(2⌈Δ⌉z))⌉, and y is raised until that is below 2^y.
 *
 * @param epsilon The most that may be spent.
 * @param options How one individual can move utilities, and of which shape the parameter is to be.
 *
 * @example
 * ```ts
 * import { etaAtMost } from "winnow-dp";
 *
 * const { x, y, z } = etaAtMost(1);
 * [x, y, z]; // → [39n, 6n, 1n]
 * ```
 */
export function etaAtMost(
  epsilon: RationalLike,
  options: EtaAtMostOptions = {},
): Base2Parameter & {
  /** The loss that the parameter gives, rounded up; at most what was asked for. */
  readonly epsilon: Rational;
} {
  const read = readOptions(options, {}, { ...UTILITIES, y: bigInteger, z: bigInteger });
  const { y, z = 1n, ...utilities } = read;
  const exponent = positiveRational("epsilon", epsilon).dividedBy(timesCharged(utilities) * BigInt(z));
  if (exponent.compare(LARGEST_EXPONENT) > 0)
    throw invalidParameter("epsilon", `a rational <= ${LARGEST_EXPONENT} for each step of utility`, epsilon);
  const parameter = eta(...numeratorAndDigits(exponent, y), z);
  return written({ ...parameter, epsilon: epsilonOfBase2(parameter, utilities) });
}

/** x = ⌈2^y·e^−exponent⌉ for the given y, or the next for which x < 2^y; or for the first y that comes near enough. */
function numeratorAndDigits(exponent: Rational, given: number | bigint | undefined): [x: bigint, y: bigint] {
  const near = exponent.times(NEARLY_ALL);
  // x < 2^y needs 2^y·exponent > 1. Coming near needs 2^y ≥ e^near.
  const wanted = given === undefined ? near.times(LOG2_E_DOWN).floor() : digitsGiven(given);
  const least = BigInt(bitLength(exponent.denominator) - bitLength(exponent.numerator) - 1);
  for (let y = [1n, wanted, least].reduce((a, b) => (a > b ? a : b)); ; y++) {
    const x = scaledExp(exponent, y).ceil;
    const isNear = given !== undefined || x <= scaledExp(near, y).floor;
    if (bitLength(x) <= y && isNear) return [x, y];
  }
}

function digitsGiven(y: number | bigint): bigint {
  const digits = BigInt(y);
  if (digits > LARGEST_Y) throw invalidParameter("y", `an integer <= ${LARGEST_Y}`, y);
  return digits;
}

/**
 * 2^y·e^−exponent between two integers; it is irrational, so enough precision always tells which. It is 2^whole·e^−rest, where 2^whole is about
 * its size, or 1 if it is below that: no more digits are computed than it has before the point.
 */
function scaledExp(exponent: Rational, y: bigint): { floor: bigint; ceil: bigint } {
  const fewer = exponent.times(LOG2_E_DOWN).floor();
  const whole = fewer < y ? y - fewer : 0n;
  for (let precision = 64; ; precision *= 2) {
    const bits = precision + Number(whole);
    const fine = bits + bitLength(y); // the error of ln 2 counts so often
    const rest = Interval.from(exponent, fine).minus(asInterval(ln2(fine)).times(y - whole));
    const { lo, hi } = Interval.from(0n, fine)
      .minus(rest)
      .withPrecision(bits)
      .exp()
      .times(1n << whole);
    const [floor, ceil] = [lo >> BigInt(bits), ceilShift(hi, BigInt(bits))];
    if (ceil === floor + 1n) return { floor, ceil };
  }
}

/** ln(2^y/x) = y·ln 2 − ln x. */
function lnOfInverse(x: bigint, y: bigint, precision: number): Interval {
  return asInterval(ln2(precision)).times(y).minus(Interval.from(x, precision).ln());
}

/** How often η is charged: ⌈Δ⌉ for monotone utilities, else twice that. */
function timesCharged({ sensitivity = 1n, monotone = false }: UtilityOptions): bigint {
  return rational(sensitivity).ceil() * (monotone ? 1n : 2n);
}
