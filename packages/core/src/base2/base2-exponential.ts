/**
 * `base2Exponential(outcomes, utility, options)`: an outcome of low utility, the exponential mechanism in base 2
 * [Ilv20]. Outcome o is drawn with probability proportional to b^ρ(u(o)), where b = (x/2^y)^z is a rational, u is clamped
 * to [utilityMin, utilityMax] and ρ rounds it to an integer at random, with its mean kept. All of that exactly: there is
 * no precision to choose and none to run out of.
 *
 * Guarantee: 2⌈Δ⌉η in base 2, that is ε = 2⌈Δ⌉·z·ln(2^y/x) for utilities of sensitivity Δ, and half of it where they are
 * monotone. `privacy` is this loss, not the parameter η. Outcomes, bounds and options are public.
 *
 * Cost: the utilities, and 5 to 12 ns for each outcome; some 100 random bits, and a word for each utility that isn't an
 * integer. Proof: base2-exponential.proof.md.
 * @module
 */

import { base2LossOf, etaAtMost, UTILITIES, type UtilityOptions } from "../accounting/base2-parameter.js";
import type { BudgetAs, LooseBudget } from "../accounting/budget-as.js";
import type { Base2Loss } from "../accounting/loss.js";
import { anEntropy, type Entropy, withEntropy } from "../entropy.js";
import { invalidData, invalidParameter } from "../errors.js";
import {
  callable,
  exactlyOneOf,
  integer,
  lengthOf,
  oneOf,
  positiveRational,
  readOptions,
} from "../options.js";
import { drawConstantWork, drawOptimised, Levels, precisionOf } from "./draw.js";
import {
  BOUNDS,
  type ClampedUtilities,
  readUtilities,
  type Utility,
  type UtilityRange,
  utilityRange,
} from "./utilities.js";
import { type Base2Weights, madeByEta, weightsOf, withScratch } from "./weights.js";

/** A budget (exactly one of `eta` and `epsilon`), the public range of utilities, how they move, and how to draw. */
export type Base2ExponentialOptions = BudgetAs<"eta" | "epsilon"> &
  UtilityOptions & {
    /** Utilities below count as this. A safe integer or a bigint. */
    readonly utilityMin: number | bigint;
    /** Utilities above count as this. A safe integer or a bigint. */
    readonly utilityMax: number | bigint;
    /** The most outcomes there can be. */
    readonly maxOutcomes: number;
    /**
     * `"optimised"` is as fast as can be, in a time that depends on the utilities. `"constant-work"` does the same work
     * whatever they are, which is much more. Default optimised.
     */
    readonly mode?: "optimised" | "constant-work" | undefined;
    /** Draws made even if an earlier one was accepted already: their number then tells nothing. Default 1, in constant work 64. */
    readonly minRetries?: number | undefined;
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
  readonly index: number;
  /** The outcome itself. */
  readonly outcome: Outcome;
  /** The loss incurred, in base 2; `convert` gives it as ε. */
  readonly privacy: Base2Loss;
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
 *   utilityMin: 0,
 *   utilityMax: 500,
 *   maxOutcomes: 4,
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
  const plan = planOf(options);
  const expected = `a list of 1 to ${plan.maxOutcomes} outcomes`;
  const length = lengthOf("outcomes", outcomes, expected);
  if (length < 1 || length > plan.maxOutcomes) throw invalidData("outcomes", expected, "invalid-parameter");
  callable("utility", utility);
  const index = withScratch(length, (numbers) => {
    const utilities = readUtilities(outcomes, utility, plan.range, numbers);
    return withEntropy(plan.entropy, (entropy) => draw(utilities, plan, entropy));
  });
  return { index, outcome: outcomes[index], privacy: plan.privacy };
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
  readonly maxOutcomes: number;
  readonly mode: "optimised" | "constant-work";
  readonly minRetries: number;
  readonly entropy: Entropy | undefined;
}

type Loose = Omit<Base2ExponentialOptions, "eta" | "epsilon"> & LooseBudget<"eta" | "epsilon">;

/** The most that the length of an array can be. */
const LARGEST_LENGTH = 4_294_967_295;
const RETRIES = { optimised: 1, "constant-work": 64 };
/** More would take minutes, and 64 are exceeded with probability below 2^−64. */
const MOST_RETRIES = 65_536;
/** The most binary digits of a weight in constant work, and of all levels' weights and all tries together: seconds. */
const LARGEST_PRECISION = 1_048_576;
const LARGEST_WORK = 4_294_967_296;
/** Drawing this many digits takes about as long as computing the weights of as many levels. */
const TRY_IN_LEVELS = 8;

function planOf(options: Base2ExponentialOptions): Plan {
  const read = readOptions(options as Loose, { ...BOUNDS, maxOutcomes: lengthFrom1 }, OPTIONAL);
  const { sensitivity = 1n, monotone = false, mode = "optimised", maxOutcomes, entropy } = read;
  const spending = spend(read, { sensitivity, monotone });
  const range = utilityRange(read);
  const minRetries = read.minRetries ?? RETRIES[mode];
  const plan = { ...spending, range, maxOutcomes, mode, minRetries, entropy };
  if (mode === "constant-work" && !isFeasible(plan)) {
    const expected = `so small that R·y·z <= ${LARGEST_PRECISION} and R·y·z·(R + ${TRY_IN_LEVELS}·minRetries) <= ${LARGEST_WORK} in constant work, where R = utilityMax − utilityMin`;
    throw invalidParameter("utilityMax", expected, read.utilityMax);
  }
  return plan;
}

/** Whether constant work ends within seconds. */
function isFeasible({ weights, range, minRetries }: Plan): boolean {
  const precision = precisionOf(weights.parameter, range);
  const levels = Number(range.highest - range.lowest);
  return precision <= LARGEST_PRECISION && precision * (levels + TRY_IN_LEVELS * minRetries) <= LARGEST_WORK;
}

function retries(field: string, value: number): number {
  return integer(field, value, 1, MOST_RETRIES);
}

function lengthFrom1(field: string, value: number): number {
  return integer(field, value, 1, LARGEST_LENGTH);
}

/** The readers of a budget; one of them is required. */
export const BASE2_BUDGET = { eta: madeByEta, epsilon: positiveRational };

const OPTIONAL = {
  ...BASE2_BUDGET,
  ...UTILITIES,
  mode: oneOf("optimised", "constant-work"),
  minRetries: retries,
  entropy: anEntropy,
};

/*
 * What the base-2 mechanisms may spend: a parameter η, or an ε from which the largest η within it is made. The loss is
 * always that of the parameter used, in base 2.
 */

interface Spending {
  readonly weights: Base2Weights;
  readonly privacy: Base2Loss;
}

/** The weights that a budget buys where one individual moves utilities as said, and what they cost. */
export function spend(
  { eta, epsilon }: LooseBudget<"eta" | "epsilon">,
  options: Required<UtilityOptions>,
): Spending {
  exactlyOneOf({ eta, epsilon });
  const parameter = epsilon === undefined ? eta : etaAtMost(epsilon, options);
  const weights = weightsOf(parameter);
  return { weights, privacy: base2LossOf(weights.parameter, options) };
}
