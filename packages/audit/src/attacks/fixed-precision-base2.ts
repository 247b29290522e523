/**
 * UNSAFE, for study only: the base-2 exponential mechanism as published, in floating point of a fixed precision, with the
 * line numbers of [Ilv20p, Algorithms 1 and 2] at the ends of lines.
 *
 * With `monitor`, a rounded operation ends the run with an error, and whether one was rounded depends on the private
 * utilities; so does the error of a sample that falls between two weights. Without it, a small weight beside a large one
 * is lost, and an outcome of positive probability never comes up. `base2Exponential` has no fixed precision and neither of
 * these faults. The sample is the last accepted one, and the test for insufficient precision is the published one, which
 * looks at one boundary too few.
 *
 * `fixedPrecisionBase2` takes integer utilities and a precision; `fixedPrecisionMechanism` is all of it put together
 * [Ilv20, Algorithm 3]: parameters are checked and the precision is chosen first, then utilities are clamped and rounded
 * by a coin. The coin is the right one here; the paper prints its two probabilities exchanged (Mechanism 4).
 * @module
 */
import {
  type Base2Parameter,
  type Entropy,
  Rational,
  rational,
  readers,
  readOptions,
  WinnowError,
  withEntropy,
} from "winnow-dp";
import {
  ArithmeticConfig,
  type ArithmeticError,
  FixedPrecisionError,
  type PrecisionOptions,
  powerBound,
  powerOfTwo,
  weightOf,
} from "./arithmetic-config.js";
import { rounded } from "./rounded.js";

/**
 * The parameter, and the precision that all arithmetic is to have.
 *
 * @inline
 */
export interface FixedPrecisionOptions {
  /** The parameter, made by `eta` or `etaAtMost`. */
  readonly eta: Base2Parameter;
  /** Significant binary digits of every number. */
  readonly precision: number;
  /** Whether rounding is noticed. Default true. */
  readonly monitor?: boolean | undefined;
  /** Draws made even if an earlier one was accepted already. Default 1. */
  readonly minRetries?: number | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/**
 * Why the sampler ends without an index. Two of the five errors can't occur while the precision stays the same: it draws
 * until it has a t, and sums above t that have the precision's digits are above the next such number too.
 *
 * @inline
 */
export type SamplingError =
  | "total weight zero"
  | "weights must be positive"
  | "sampling precision insufficient"
  | "failed to produce t"
  | "unable to sample";

/**
 * An index, or an error that depends on the private utilities.
 *
 * @inline
 */
export type FixedPrecisionOutcome =
  | {
      /** The outcome that was drawn. */
      readonly index: number;
    }
  | {
      /** Why there is none. */
      readonly error: SamplingError | ArithmeticError;
    };

/**
 * UNSAFE: an index with probability about proportional to b^utility, or an error that depends on the utilities.
 *
 * @example
 * ```ts
 * import { fixedPrecisionBase2 } from "winnow-audit";
 * import { eta } from "winnow-dp";
 *
 * // Not private where the precision runs out.
 * fixedPrecisionBase2([0, 500], { eta: eta(1, 1), precision: 512 }); // → { index: 0 }
 * ```
 */
export function fixedPrecisionBase2(
  utilities: readonly (number | bigint)[],
  options: FixedPrecisionOptions,
): FixedPrecisionOutcome {
  const read = readOptions(
    options,
    { eta: readers.object, precision: readers.integer },
    { monitor: readers.boolean, minRetries: readers.integer, entropy: readers.entropy },
  );
  const config = new ArithmeticConfig(read.precision, read.minRetries);
  const exponents = utilities.map((utility) => BigInt(utility));
  return outcomeOf(() =>
    withEntropy(read.entropy, (entropy) => draw(exponents, read.eta, config, read.monitor ?? true, entropy)),
  );
}

/**
 * The public parameters, the rule for the precision, and where the bits come from.
 *
 * @inline
 */
export interface FixedPrecisionMechanismOptions extends PrecisionOptions {
  /** Whether the scan of the weights stops at the answer. Default false. */
  readonly optimise?: boolean | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/**
 * UNSAFE: the published mechanism from its parameters to an index, or an error that depends on the utilities.
 *
 * Two phases: the parameters alone decide the precision; utilities come later, and are clamped and rounded by a coin.
 *
 * @example
 * ```ts
 * import { fixedPrecisionMechanism } from "winnow-audit";
 * import { eta } from "winnow-dp";
 *
 * const mechanism = fixedPrecisionMechanism({ eta: eta(1, 1), lower: 0, upper: 500, maxCandidates: 2 });
 * mechanism.precision; // → 1004
 * mechanism.draw([-3, 500.5]); // → { index: 0 }
 * ```
 */
export function fixedPrecisionMechanism(options: FixedPrecisionMechanismOptions): {
  readonly precision: number;
  draw(utilities: readonly number[]): FixedPrecisionOutcome;
} {
  const { optimise = false, entropy: given, ...precisionOptions } = options;
  readers.boolean("optimise", optimise);
  if (given !== undefined) readers.entropy("entropy", given);
  const { eta, lower, upper, maxCandidates } = options;
  const { precision, minRetries } = ArithmeticConfig.forExponential(precisionOptions); // 2–7
  return {
    precision,
    draw(utilities) {
      if (utilities.length < 1 || utilities.length > maxCandidates)
        throw invalidUtilities(`a list of 1 to ${maxCandidates} numbers`);
      const config = new ArithmeticConfig(precision, minRetries); // an exact scope is entered once
      return outcomeOf(() =>
        withEntropy(given, (entropy) => {
          const exponents = utilities.map((utility) => {
            const clamped = Math.min(Math.max(utility, lower), upper);
            if (!Number.isFinite(clamped)) throw invalidUtilities("numbers throughout");
            return BigInt(rounded(clamped, entropy));
          }); // 8–11
          return draw(exponents, eta, config, true, entropy, optimise); // 12–22
        }),
      );
    },
  };
}

/** Says what is accepted, never what came: utilities are private. */
function invalidUtilities(expected: string): WinnowError {
  return new WinnowError("invalid-score", `utilities must be ${expected}`, { field: "utilities", expected });
}

function draw(
  exponents: readonly bigint[],
  eta: Base2Parameter,
  config: ArithmeticConfig,
  isMonitored: boolean,
  entropy: Entropy,
  isOptimised = false,
): FixedPrecisionOutcome {
  config.enterExactScope(); // 12
  const weights = exponents.map((utility) => config.float(weightOf(eta, utility))); // 13–17
  try {
    return { index: sampleNormalized(weights, config, entropy, isOptimised) }; // 18, 21, 22
  } finally {
    if (isMonitored) config.exitExactScope(); // 19, 20: rounding explains an error of the sampler, so it is told instead
  }
}

function outcomeOf(run: () => FixedPrecisionOutcome): FixedPrecisionOutcome {
  try {
    return run();
  } catch (error) {
    if (error instanceof FixedPrecisionError)
      return { error: error.reason as SamplingError | ArithmeticError };
    throw error;
  }
}

/**
 * UNSAFE: an index with probability about proportional to its weight, or one of five errors [Ilv20p, Algorithm 2].
 */
export function sampleNormalized(
  weights: readonly Rational[],
  config: ArithmeticConfig,
  entropy: Entropy,
  isOptimised = false,
): number {
  const total = config.float(weights.reduce((sum, weight) => sum.plus(weight), rational(0))); // 2, rounded once
  if (total.numerator === 0n) throw new FixedPrecisionError<SamplingError>("total weight zero"); // 3, 4
  if (weights.some(({ numerator }) => numerator <= 0n))
    throw new FixedPrecisionError<SamplingError>("weights must be positive"); // 5–11
  const sample = acceptedSample(total, config, entropy); // 12–20
  let cumulative: Rational = Rational.ZERO; // 21
  let index: number | undefined; // 22
  for (const [i, weight] of weights.entries()) {
    cumulative = config.float(cumulative.plus(weight)); // 23, 24
    if (index !== undefined || cumulative.compare(sample) <= 0) continue; // 25, 26
    const next = i + 1 < weights.length ? config.float(cumulative.plus(weights[i + 1])) : undefined;
    if (next !== undefined && next.compare(config.nextUp(sample)) < 0)
      throw new FixedPrecisionError<SamplingError>("sampling precision insufficient"); // 27–29
    index = i; // 30
    if (isOptimised) return index; // 31, 32
  }
  if (index === undefined) throw new FixedPrecisionError<SamplingError>("unable to sample");
  return index; // 33
}

/** The last number below the total among at least `minRetries`, each uniform below the next power of two. */
function acceptedSample(total: Rational, config: ArithmeticConfig, entropy: Entropy): Rational {
  const scale = powerOfTwo(powerBound(total)); // 13
  let sample: Rational | undefined; // 14
  for (let retries = 0; sample === undefined || retries < config.minRetries; retries++) {
    const candidate = config.randomFloat(entropy).times(scale); // 15–17
    if (candidate.compare(total) < 0) sample = candidate; // 18, 19
  }
  return sample;
}
