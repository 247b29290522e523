/**
 * UNSAFE, for study only: floating point of a fixed precision that notices when it rounds, as [Ilv20p, §5 and §6.1] has it.
 *
 * `ArithmeticConfig` keeps the precision, a flag that every rounded operation sets, and the scope in which it is watched:
 * `enterExactScope` clears the flag, `exitExactScope` refuses if anything was rounded since (Proposition 5.1). Whether
 * something is rounded depends on the private utilities, and so does the error.
 *
 * `forExponential` chooses the precision: by the formula of Lemma 5.3, or by the search of Algorithm 3, which doubles it
 * until each worst-case sum is exact. [Ilv20, Algorithm 1] is the same search from a precision of 1. Both searches try
 * every utility of the range several times; `precisionRules` has their results in closed form. The published code
 * computes b_x of the formula as ⌈log₂ x⌉, in single precision: one digit short of the lemma if x is a power of two, or
 * rounds to one. That suffices all the same (packages/core/src/base2/base2-exponential.proof.md).
 * @module
 */
import {
  type Base2Parameter,
  type Entropy,
  invalidParameter,
  Rational,
  readers,
  readOptions,
} from "winnow-dp";

/**
 * Why a run at a fixed precision ends without an answer.
 *
 * @inline
 */
export type ArithmeticError =
  | "arithmetic configuration invalid"
  | "not in exact scope"
  | "inexact arithmetic"
  | "maximum precision exceeded";

/**
 * Thrown where the published code returns an error.
 *
 * @example
 * ```ts
 * import { FixedPrecisionError } from "winnow-audit";
 *
 * new FixedPrecisionError("not in exact scope").reason; // → "not in exact scope"
 * ```
 */
export class FixedPrecisionError<Reason extends string = string> extends Error {
  override readonly name = "FixedPrecisionError";
  /** Which error. */
  readonly reason: Reason;

  /** The error of that name. */
  constructor(reason: Reason) {
    super(reason);
    this.reason = reason;
  }
}

/** The significant digits of a double, from which [Ilv20p, Algorithm 3] starts. */
const SYSTEM_DEFAULT = 53;
/** The largest precision of MPFR on a 32-bit machine, far more than any machine can compute with. */
const SYSTEM_MAXIMUM = 2 ** 31 - 1;

/**
 * An instance of the base-2 exponential mechanism, and how its precision is found.
 *
 * @inline
 */
export interface PrecisionOptions {
  /** The parameter, made by `eta` or `etaAtMost`. */
  readonly eta: Base2Parameter;
  /** The smallest utility, which has the largest weight. */
  readonly lower: number;
  /** The largest utility, at least as large. */
  readonly upper: number;
  /** The most outcomes there can be. */
  readonly maxCandidates: number;
  /** Whether the precision is searched for. Default false: by the formula. */
  readonly empiricalPrecision?: boolean | undefined;
  /** Where the search starts. Default 53, a double's; 1 for that of [Ilv20]. */
  readonly startingPrecision?: number | undefined;
  /** No precision above this one. Default 2^31 − 1. */
  readonly maxPrecision?: number | undefined;
  /** Draws made even if an earlier one was accepted already. Default 1. */
  readonly minRetries?: number | undefined;
}

const anInteger = (field: string, value: number) => readers.integer(field, value, -Number.MAX_SAFE_INTEGER);
const NEEDED = { eta: readers.object, lower: anInteger, upper: anInteger, maxCandidates: readers.integer };
const OPTIONAL = {
  empiricalPrecision: readers.boolean,
  startingPrecision: readers.integer,
  maxPrecision: readers.integer,
  minRetries: readers.integer,
};

/**
 * UNSAFE: a precision, and whether anything was rounded to it.
 *
 * @example
 * ```ts
 * import { ArithmeticConfig } from "winnow-audit";
 * import { rational } from "winnow-dp";
 *
 * const config = new ArithmeticConfig(8);
 * config.float(rational("255/256")); // → 0.99609375
 * config.isRounded; // → false
 * config.float(rational("257/256")); // → 1
 * config.isRounded; // → true
 * ```
 */
export class ArithmeticConfig {
  /** Significant binary digits of every number. */
  readonly precision: number;
  /** Draws made even if an earlier one was accepted already. */
  readonly minRetries: number;
  #isRounded = false;
  #isExactScope = false;
  #isValid = true;

  /** Arithmetic of that many digits. */
  constructor(precision: number, minRetries = 1) {
    this.precision = readers.integer("precision", precision);
    this.minRetries = readers.integer("minRetries", minRetries);
  }

  /**
   * The precision for the exponential mechanism, by the formula or by the search [Ilv20p, §5.4].
   *
   * @example
   * ```ts
   * import { ArithmeticConfig } from "winnow-audit";
   * import { eta } from "winnow-dp";
   *
   * const setting = { eta: eta(15, 4), lower: 0, upper: 100, maxCandidates: 500 };
   * ArithmeticConfig.forExponential(setting).precision; // → 1308
   * ArithmeticConfig.forExponential({ ...setting, empiricalPrecision: true }).precision; // → 424
   * ```
   */
  static forExponential(options: PrecisionOptions): ArithmeticConfig {
    const setting = readOptions(options, NEEDED, OPTIONAL);
    const { lower, upper, maxPrecision = SYSTEM_MAXIMUM, minRetries = 1 } = setting;
    if (lower > upper) throw invalidParameter("lower", "at most upper", lower);
    const precision = setting.empiricalPrecision
      ? empiricalPrecision(setting, setting.startingPrecision ?? SYSTEM_DEFAULT, maxPrecision)
      : analyticPrecision(setting);
    if (precision > maxPrecision) throw new FixedPrecisionError("maximum precision exceeded");
    return new ArithmeticConfig(precision, minRetries);
  }

  /** Whether an operation was rounded since the flag was cleared. */
  get isRounded(): boolean {
    return this.#isRounded;
  }

  /** Starts to watch; the flag is cleared unless it is watched already. */
  enterExactScope(): void {
    if (!this.#isValid) throw new FixedPrecisionError("arithmetic configuration invalid");
    if (!this.#isExactScope) this.#isRounded = false;
    this.#isExactScope = true;
    this.#check();
  }

  /** Stops, and refuses if anything was rounded in between; then the configuration stays invalid. */
  exitExactScope(): void {
    if (!this.#isValid) throw new FixedPrecisionError("arithmetic configuration invalid");
    if (!this.#isExactScope) throw new FixedPrecisionError("not in exact scope");
    this.#isExactScope = false;
    this.#check();
  }

  #check(): void {
    if (!this.#isRounded) return;
    this.#isValid = false;
    throw new FixedPrecisionError("inexact arithmetic");
  }

  /** The nearest number with the precision's digits, ties to even; sets the flag if it is another one. */
  float(value: Rational): Rational {
    if (value.numerator <= 0n) return value;
    const unit = powerOfTwo(powerBound(value) - this.precision);
    const scaled = value.dividedBy(unit);
    if (scaled.isInteger()) return value;
    this.#isRounded = true;
    const floor = scaled.floor();
    const side = scaled.minus(floor).compare(Rational.of(1n, 2n));
    const isUp = side > 0 || (side === 0 && (floor & 1n) === 1n);
    return unit.times(isUp ? floor + 1n : floor);
  }

  /** A number of [0, 1) with that many fair digits. */
  randomFloat(entropy: Entropy): Rational {
    return Rational.of(entropy.bigBits(this.precision), 1n << BigInt(this.precision));
  }

  /** The next larger number with the precision's digits; that of 0 is as good as 0. */
  nextUp(value: Rational): Rational {
    if (value.numerator === 0n) return value;
    const isPowerOfTwo = value.equals(powerOfTwo(powerBound(value)));
    return value.plus(powerOfTwo(powerBound(value) - this.precision + (isPowerOfTwo ? 1 : 0)));
  }
}

/** (max(1, |lower|) + max(1, |upper|))·z·(y + b_x) + maxCandidates [Ilv20p, Lemma 5.3], with a b_x of one's choice. */
export function analyticPrecision(
  { eta, lower, upper, maxCandidates }: PrecisionOptions,
  digitsOf: (x: bigint) => number = bitLength,
): number {
  const spread = Math.max(1, Math.abs(lower)) + Math.max(1, Math.abs(upper));
  return spread * Number(eta.z) * (Number(eta.y) + digitsOf(eta.x)) + maxCandidates;
}

/** The number of binary digits: 0 for 0, and n for 2^(n−1) ≤ x < 2^n. */
function bitLength(x: bigint): number {
  return x === 0n ? 0 : x.toString(2).length;
}

/** b_x as the published code computes it: max(1, ⌈log₂ x⌉), of x in single precision. */
export function publishedDigits(x: bigint): number {
  const single = BigInt(Math.fround(Number(x)));
  return Math.max(1, bitLength(single - 1n));
}

/** [Ilv20p, Algorithm 3], and [Ilv20, Algorithm 1] from a precision of 1. */
function empiricalPrecision(setting: PrecisionOptions, start: number, most: number): number {
  const base = weightOf(setting.eta, 1n);
  let precision = start; // 2
  const grow = () => {
    precision *= 2;
    if (precision > most) throw new FixedPrecisionError("maximum precision exceeded"); // 5
  };
  while (rounds(precision, (config) => config.float(base))) grow(); // 3, 4
  while (rounds(precision, (config) => worstSums(setting, config))) grow(); // 6, 7
  return precision; // 8
}

function rounds(precision: number, work: (config: ArithmeticConfig) => unknown): boolean {
  const config = new ArithmeticConfig(precision); // 10
  config.enterExactScope(); // 11
  work(config);
  return config.isRounded; // 16–18
}

function worstSums({ eta, lower, upper, maxCandidates }: PrecisionOptions, config: ArithmeticConfig): void {
  const largest = config.float(weightOf(eta, BigInt(lower))); // 12
  const sum = config.float(largest.times(BigInt(maxCandidates))); // 13
  const ceiling = config.float(Rational.of(sum.ceil()));
  for (
    let u = lower;
    u <= upper && !config.isRounded;
    u++ // 14
  )
    config.float(config.float(weightOf(eta, BigInt(u))).plus(ceiling)); // 15
}

/** 2^(−η·utility) = (x/2^y)^(z·utility), exactly. */
export function weightOf({ x, y, z }: Base2Parameter, utility: bigint): Rational {
  const magnitude = (utility < 0n ? -utility : utility) * z;
  const [numerator, denominator] = [x ** magnitude, 1n << (y * magnitude)];
  return utility < 0n ? Rational.of(denominator, numerator) : Rational.of(numerator, denominator);
}

/** The smallest k with 2^k ≥ value; 0 for a value ≤ 0 [Ilv20p, Lemma 6.1]. */
export function powerBound(value: Rational): number {
  const { numerator, denominator } = value;
  if (numerator <= 0n) return 0;
  const guess = bitLength(numerator) - bitLength(denominator); // the value is in (2^(guess−1), 2^(guess+1))
  return value.compare(powerOfTwo(guess)) > 0 ? guess + 1 : guess;
}

export function powerOfTwo(exponent: number): Rational {
  return exponent >= 0 ? Rational.of(1n << BigInt(exponent)) : Rational.of(1n, 1n << BigInt(-exponent));
}
