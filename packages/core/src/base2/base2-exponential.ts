/**
 * `base2Exponential(outcomes, utility, options)`: an outcome of low utility, the exponential mechanism in base 2
 * [Ilv20]. Outcome o is drawn with probability proportional to b^ρ(u(o)), where b = (x/2^y)^z is a rational, u is clamped
 * to [lower, upper] and ρ rounds it to an integer at random, with its mean kept. All of that exactly: there is
 * no precision to choose and none to run out of. `makeBase2Exponential(options)` is the same in two steps: all that is public first,
 * the utilities later.
 *
 * Guarantee: 2⌈Δ⌉η in base 2, that is ε = 2⌈Δ⌉·z·ln(2^y/x) for utilities of sensitivity Δ, and half of it where they
 * are monotone. `privacy` is this loss, not the parameter η. Outcomes, bounds and options are public.
 *
 * Cost, optimised: the utilities, and 5 to 12 ns for each outcome; some 100 random bits, and a word for each utility that isn't an
 * integer. In constant work, which is the default wherever it is cheap: about 50 ns for each outcome, and 64·R·y·z random bits for
 * R = upper − lower, a few milliseconds at most. Proof: base2-exponential.proof.md.
 * @module
 */

import {
  type Base2Parameter,
  base2LossOf,
  UTILITIES,
  type UtilityOptions,
} from "../accounting/base2-parameter.js";
import { base2, type LossOf } from "../accounting/loss.js";
import type { LossLike } from "../accounting/loss-json.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { isAccepted } from "../accounting/within.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidData, invalidParameter } from "../errors.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { callable, integer, lengthOf, nonNegativeRational, oneOf, readOptions } from "../options.js";
import { withEntropy } from "../system-entropy.js";
import { BASE2_BUDGET, type Spending, spend } from "./base2-budget.js";
import { drawOptimised } from "./draw.js";
import { digitsOfTry, drawConstantWork, precisionOf } from "./draw-constant-work.js";
import { Levels } from "./levels.js";
import { withScratch } from "./scratch.js";
import { type ClampedUtilities, readUtilities, type Utility } from "./utilities.js";
import { BOUNDS, type UtilityRange, utilityRange } from "./utility-bounds.js";

/**
 * A budget (exactly one of `eta` and `epsilon`), the public range of utilities, how they move, and how to draw.
 *
 * @inline
 */
export type MakeBase2ExponentialOptions = Spend<"eta" | "epsilon"> &
  UtilityOptions & {
    /** Utilities below count as this. A safe integer or a bigint. */
    readonly lower: number | bigint;
    /** Utilities above count as this. A safe integer or a bigint. */
    readonly upper: number | bigint;
    /** The most outcomes there can be. */
    readonly maxCandidates: number;
    /**
     * `"constant-work"` does the same work whatever the utilities are. `"optimised"` is faster, in a time that depends on
     * them. Default `"constant-work"` where (upper − lower)·y·z is at most 16,384 and `minRetries` at most 64; beyond
     * that there is no default.
     */
    readonly mode?: "optimised" | "constant-work" | undefined;
    /** Draws made even if an earlier one was accepted already: their number then tells nothing. Default 64 in constant work, else 1. */
    readonly minRetries?: number | undefined;
  };

/**
 * A budget (exactly one of `eta` and `epsilon`), the public range of utilities, how they move, how to draw, and where the bits come from.
 *
 * @interface
 */
export type Base2ExponentialOptions = MakeBase2ExponentialOptions & {
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
};

/**
 * The outcome that was drawn, and what it cost.
 *
 * @typeParam Outcome What was chosen from.
 */
export interface Base2Selection<Outcome> {
  /** Its position among the outcomes. */
  readonly candidate: number;
  /** The outcome itself. */
  readonly outcome: Outcome;
  /** The loss incurred, in base 2; `convert` gives it as ε. */
  readonly privacy: LossOf<Rational>["base2"];
}

/**
 * An outcome of low utility, by the exponential mechanism in base 2.
 *
 * Outcome o is drawn with probability proportional to b^u(o), where b = (x/2^y)^z, and u is clamped to its range and
 * rounded to an integer at random, with its mean kept [Ilv20]. All of that exactly: there is no precision to choose and
 * none to run out of.
 *
 * Guarantee: 2⌈Δ⌉η in base 2, that is ε = 2⌈Δ⌉·z·ln(2^y/x) for utilities of sensitivity Δ, and half of it where they
 * are monotone. See docs/mechanisms/base2-exponential.md.
 *
 * @param outcomes What to choose from; public.
 * @param utility The utility of an outcome on the private data; lower is better.
 * @param options The budget, the public range of utilities, and how one individual can move them.
 *
 * @example
 * ```ts
 * import { base2Exponential, eta } from "winnow-dp";
 *
 * const prices = [1, 2, 5, 10];
 * const { outcome, privacy } = base2Exponential(prices, (price) => Math.abs(price - 5) * 100, {
 *   eta: eta(1, 1), // weights in powers of 1/2
 *   lower: 0,
 *   upper: 500,
 *   maxCandidates: 4,
 * });
 * outcome; // → 5
 * privacy; // → { measure: "base2", eta: 2 }
 * ```
 */
export function base2Exponential<Outcome>(
  outcomes: ArrayLike<Outcome>,
  utility: Utility<Outcome>,
  options: Base2ExponentialOptions,
): Base2Selection<Outcome> {
  const read = readOptions(options as Loose, REQUIRED, OPTIONAL);
  const plan = planOf(read);
  const length = lengthFor("outcomes", outcomes, plan);
  callable("utility", utility);
  const candidate = drawnFrom(plan, outcomes, length, utility, read.entropy);
  return { candidate, outcome: outcomes[candidate], privacy: plan.privacy };
}

/**
 * The base-2 exponential mechanism as a measurement, made by `makeBase2Exponential`: everything in it was decided before there was
 * a utility.
 */
export class Base2ExponentialMeasurement {
  /** Losses are in base 2. */
  readonly measure = "base2";
  /** The parameter used: the one given, or the largest within the ε given. */
  readonly parameter: Base2Parameter;
  /** Utilities below count as this. */
  readonly lower: Rational;
  /** Utilities above count as this. */
  readonly upper: Rational;
  /** The most outcomes there can be. */
  readonly maxCandidates: number;
  /** Whether an individual moves all utilities the same way. */
  readonly monotone: boolean;
  /** The same work whatever the utilities are, or faster in a time that depends on them. */
  readonly mode: "optimised" | "constant-work";
  /** Draws made even if an earlier one was accepted already. */
  readonly minRetries: number;
  /**
   * Binary digits that hold every weight and every sum of weights exactly: (upper − lower)·y·z + ⌈log₂ maxCandidates⌉.
   * It follows from the parameters alone, so there is none to choose.
   */
  readonly precision: number;
  /** The loss for the sensitivity given. */
  readonly privacy: LossOf<Rational>["base2"];
  readonly #plan: Plan;

  /** Made by `makeBase2Exponential`. */
  constructor(options: MakeBase2ExponentialOptions) {
    const plan = planOf(readOptions(options as Omit<Loose, "entropy">, REQUIRED, MAKE));
    this.#plan = plan;
    this.parameter = plan.weights.parameter;
    this.lower = Rational.of(plan.range.lowest);
    this.upper = Rational.of(plan.range.highest);
    this.maxCandidates = plan.maxCandidates;
    this.monotone = plan.monotone;
    this.mode = plan.mode;
    this.minRetries = plan.minRetries;
    this.precision = digitsOfTry({ ...plan, parameter: this.parameter });
    this.privacy = plan.privacy;
    Object.freeze(this);
  }

  /**
   * The position of one of the utilities, drawn by the mechanism: clamped, rounded, weighed.
   *
   * @param utilities The utility of each outcome; lower is better.
   * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
   */
  invoke(utilities: ArrayLike<RationalLike>, entropy?: Entropy): { readonly candidate: number } {
    const length = lengthFor("utilities", utilities, this.#plan);
    return { candidate: drawnFrom(this.#plan, utilities, length, (utility) => utility, entropy) };
  }

  /**
   * The loss of one answer in base 2.
   *
   * @param dIn How far one individual can move any utility.
   */
  map(dIn: RationalLike): LossOf["base2"] {
    const sensitivity = nonNegativeRational("dIn", dIn);
    if (sensitivity.numerator === 0n) return base2(0n);
    return base2LossOf(this.parameter, { sensitivity, monotone: this.monotone });
  }

  /**
   * Whether the loss for `dIn` is at most `dOut`.
   *
   * @param dIn How far one individual can move any utility.
   * @param dOut A loss in base 2.
   */
  check(dIn: RationalLike, dOut: LossLike<"base2">): boolean {
    return isAccepted(this.map(dIn), dOut);
  }
}

/**
 * The base-2 exponential mechanism in two steps: parameters first, utilities later [Ilv20p].
 *
 * The budget, the range of utilities, how many outcomes there can be and how to draw are read and checked here, without any data;
 * the precision follows from them. `invoke` takes the utilities.
 *
 * Guarantee: as for `base2Exponential`. See docs/mechanisms/base2-exponential.md.
 *
 * @param options The budget, the public range of utilities, and how one individual can move them.
 *
 * @example
 * ```ts
 * import { eta, makeBase2Exponential } from "winnow-dp";
 *
 * const mechanism = makeBase2Exponential({
 *   eta: eta(1, 1),
 *   lower: 0,
 *   upper: 500,
 *   maxCandidates: 4,
 * });
 * mechanism.mode; // → "constant-work"
 * mechanism.precision; // → 502
 * mechanism.map(1); // → { measure: "base2", eta: 2 }
 * mechanism.invoke([400, 300, 0, 500]); // → { candidate: 2 }
 * ```
 */
export function makeBase2Exponential(options: MakeBase2ExponentialOptions): Base2ExponentialMeasurement {
  return new Base2ExponentialMeasurement(options);
}

/** How many outcomes there are. */
function lengthFor(
  field: "outcomes" | "utilities",
  given: ArrayLike<unknown>,
  { maxCandidates }: Plan,
): number {
  const expected = `a list of 1 to ${maxCandidates} ${field}`;
  const length = lengthOf(field, given, expected);
  if (length < 1 || length > maxCandidates) throw invalidData(field, expected, "invalid-parameter");
  return length;
}

function drawnFrom<Outcome>(
  plan: Plan,
  outcomes: ArrayLike<Outcome>,
  length: number,
  utility: Utility<Outcome>,
  entropy: Entropy | undefined,
): number {
  return withScratch(length, (numbers) => {
    const utilities = readUtilities(outcomes, utility, plan.range, numbers);
    return withEntropy(entropy, (bits) => draw(utilities, plan, bits));
  });
}

/** The index of the outcome drawn. */
function draw(utilities: ClampedUtilities, plan: Plan, entropy: Entropy): number {
  const { weights, minRetries } = plan;
  return plan.mode === "constant-work"
    ? drawConstantWork(utilities, { ...plan, parameter: weights.parameter }, entropy)
    : drawOptimised(Levels.draw(utilities, entropy), weights, minRetries, entropy);
}

/** The options, checked and completed. */
interface Plan extends Spending {
  readonly range: UtilityRange;
  readonly maxCandidates: number;
  readonly monotone: boolean;
  readonly mode: "optimised" | "constant-work";
  readonly minRetries: number;
}

type Loose = LooseOptions<Base2ExponentialOptions>;

/** The most that the length of an array can be. */
const LARGEST_LENGTH = 4_294_967_295;
const RETRIES = { optimised: 1, "constant-work": 64 };
/** More would take minutes, and 64 are exceeded with probability below 2^−64. */
const MOST_RETRIES = 65_536;
/** The most binary digits of a weight in constant work, and of all tries together: a second. */
const LARGEST_PRECISION = 1_048_576;
const LARGEST_WORK = 536_870_912;
/** Constant work takes a few milliseconds up to here, and is the default. */
const CHEAP_PRECISION = 16_384;

function planOf(read: Loose): Plan {
  const { sensitivity = 1n, monotone = false, maxCandidates } = read;
  const spending = spend(read, { sensitivity, monotone });
  const range = utilityRange(read);
  const precision = precisionOf(spending.weights.parameter, range);
  const mode = read.mode ?? usualMode(precision, read.minRetries);
  const minRetries = read.minRetries ?? RETRIES[mode];
  const isFeasible = precision <= LARGEST_PRECISION && precision * minRetries <= LARGEST_WORK;
  if (mode === "constant-work" && !isFeasible) {
    const expected = `so small that R·y·z <= ${LARGEST_PRECISION} and R·y·z·minRetries <= ${LARGEST_WORK} in constant work, where R = upper − lower`;
    throw invalidParameter("upper", expected, read.upper);
  }
  return { ...spending, range, maxCandidates, monotone, mode, minRetries };
}

/** Constant work where it is cheap. Where it isn't, callers must say which: a default would be slow, or its time would tell. */
function usualMode(precision: number, minRetries = 1): "constant-work" {
  if (precision <= CHEAP_PRECISION && minRetries <= RETRIES["constant-work"]) return "constant-work";
  const expected = `"constant-work", or "optimised" where no one can time it; there is a default only up to R·y·z = ${CHEAP_PRECISION} and minRetries = ${RETRIES["constant-work"]}, where R = upper − lower`;
  throw invalidParameter("mode", expected, undefined);
}

function retries(field: string, value: number): number {
  return integer(field, value, 1, MOST_RETRIES);
}

function lengthFrom1(field: string, value: number): number {
  return integer(field, value, 1, LARGEST_LENGTH);
}

const REQUIRED = { ...BOUNDS, maxCandidates: lengthFrom1 };

const MAKE = {
  ...BASE2_BUDGET,
  ...UTILITIES,
  mode: oneOf("optimised", "constant-work"),
  minRetries: retries,
};

const OPTIONAL = { ...MAKE, entropy: anEntropy };
