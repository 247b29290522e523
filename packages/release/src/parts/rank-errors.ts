/**
 * How far the ranks of quantiles can be off, from the question alone: the mechanism is asked for its parameters without values.
 * @module
 */
import { type Quantiles, type QuantilesOptions, quantiles, Rational, type RationalLike } from "winnow-dp";
import type { GridDomain } from "../question/grid.js";
import type { Question } from "../question/question.js";

/** The rules see to it that such a question has a grid, its shares, and exactly one of ε and ρ. */
export function quantileOptions(question: Question): QuantilesOptions {
  const { domain, quantiles: shares = [], epsilon, rho, neighbours, maxItemsPerUser, atMost } = question;
  const { lower, upper, step } = domain as GridDomain;
  const budget = { epsilon, rho } as Extract<QuantilesOptions, { epsilon: RationalLike }>;
  return {
    ...budget,
    quantiles: shares,
    lower,
    upper,
    step,
    neighbours,
    maxValuesPerUser: maxItemsPerUser,
    atMost,
  };
}

/** The mechanism without its answer. */
export function quantilePlan(question: Question): Omit<Quantiles, "values"> {
  return quantiles([], quantileOptions(question));
}

/** With which probability all rank errors hold together. */
const RANK_CONFIDENCE = "0.95";

/** How far the rank of an answer can be off, in ranks and as a share of all values. */
export interface RankError {
  readonly ranks: Rational;
  /** Above 0 only after a recursion, where no public bound on the number of values is given. */
  readonly share: Rational;
}

/** One for each quantile; they hold together with `RANK_CONFIDENCE`. */
export function rankErrors(question: Question): readonly RankError[] {
  const plan = quantilePlan(question);
  if (plan.method === "separate" || question.atMost !== undefined)
    return plan
      .rankError(RANK_CONFIDENCE, { atMost: question.atMost })
      .map((ranks) => ({ ranks, share: Rational.ZERO }));
  // A formula in the number n of values: what n = 2 adds to n = 1 is the share.
  const [one, two] = [1, 2].map((atMost) => plan.rankError(RANK_CONFIDENCE, { atMost }));
  return one.map((ranks, i) => {
    const share = two[i].minus(ranks);
    return { ranks: ranks.minus(share), share };
  });
}
