/**
 * The mechanism that answers a question: its public parameters, its noise and its exact price, all from the question
 * alone. The recorded parameters determine the law of the answer. A mechanism's loss doesn't depend on the data, so it
 * is asked of the mechanism itself, for a dry run, a plan or a confirmation, and equals the loss that the answer will
 * carry.
 *
 * - Over public candidates every count gets exponential noise of scale k·r/ε or Gumbel noise of scale r·√(k/8ρ), with
 *   r = 1 where people are added or removed and r = 2 where they are replaced. The uncertainty of a gap follows from it.
 * - Without a list, the mechanisms of unknown-domains.ts answer, or stable sets. The latter are paid with ρ and the
 *   probability that an unstable set passes the test. Of (ε, δ), half of δ is for that failure and half pays for the
 *   conversion from ρ, as in core.
 * - Counts beside the names take a quarter of the budget. Their noise is fixed for k names beforehand.
 *
 * Counts of people have sensitivity 1. They are monotone where people are added or removed, but not where one person
 * is replaced by another.
 * @module
 */
import {
  compose,
  type Loss,
  makeNoisyTopK,
  pure,
  type Rational,
  rational,
  rhoAtMost,
  type StableTopKFixedOptions,
  type StableTopKOptions,
  scaleAtLeast,
  stableTopK,
  stableTopKFixed,
  varianceAtLeast,
  zcdp,
} from "winnow-dp";
import { COUNT_SHARE, type CountPlan, countParameters, countPlan } from "./counts.js";
import { frequencyLoss, frequencyParameters, quantileParameters, quantilePlan } from "./numbers.js";
import type { MechanismName, Question } from "./question.js";
import {
  budgetOf,
  limitedParameters,
  limitedPlan,
  partitionParameters,
  partitionPlan,
} from "./unknown-domains.js";

export interface Mechanism {
  readonly name: MechanismName;
  /** Numbers as exact text. */
  readonly parameters: Readonly<Record<string, string>>;
}

export function mechanismOf(question: Question): Mechanism {
  const { mechanism: name, neighbours } = question;
  if (name === "quantiles") return { name, parameters: quantileParameters(question) };
  if (name === "integer-partition") return { name, parameters: frequencyParameters(question) };
  const shared = { sensitivity: "1", monotone: String(neighbours === "add-remove") };
  return { name, parameters: { ...shared, ...parametersOf(question) } };
}

function parametersOf(question: Question): Record<string, string> {
  switch (question.mechanism) {
    case "stable-top-k":
    case "stable-top-k-fixed":
      return stableParameters(question);
    case "limited-top-k":
      return limitedParameters(question);
    case "threshold-top-k":
    case "select-partitions":
      return partitionParameters(question);
    default:
      return noiseParameters(question);
  }
}

function noiseParameters(question: Question): Record<string, string> {
  const { rho, resolution } = question;
  const counts = countsOf(question);
  return {
    noise: rho === undefined ? "exponential" : "gumbel",
    scale: String(noiseScale(question)),
    ...(resolution !== undefined && { resolution }),
    ...(counts !== undefined && countParameters(counts)),
  };
}

/** As `stableTopK` and `stableTopKFixed` share their budget out. */
function stableParameters(question: Question): Record<string, string> {
  const { k, mechanism, neighbours, domain } = question;
  const { rho, failure } = stableBudget(question);
  const gapSensitivity = neighbours === "add-remove" ? 1n : 2n;
  const takesRounds = mechanism === "stable-top-k-fixed" && domain.kind !== "unknown";
  const share = zcdp(rho.dividedBy(takesRounds ? 4n : 2n));
  return {
    gapSensitivity: String(gapSensitivity),
    largestSize: String(takesRounds ? 2 * k : k),
    sizeNoise: "gumbel",
    sizeScale: String(scaleAtLeast(share, { distance: 2n * gapSensitivity, class: "bounded-range" })),
    testNoise: "discrete gaussian",
    testVariance: String(varianceAtLeast(share, { sensitivity: gapSensitivity })),
    testFailure: String(failure),
    ...(takesRounds && { roundsNoise: "gumbel", roundsRho: String(rho.dividedBy(2n)) }),
  };
}

/** The loss of one answer to the question: what a release promises on its own. */
export function lossOf(question: Question): Loss {
  switch (question.mechanism) {
    case "stable-top-k":
      return stableTopK([], stableOptions(question)).privacy;
    case "stable-top-k-fixed":
      return stableTopKFixed(new Uint8Array(question.k), fixedOptions(question)).privacy;
    case "limited-top-k":
      return limitedPlan(question).loss;
    case "threshold-top-k":
    case "select-partitions":
      return partitionPlan(question).privacy;
    case "quantiles":
      return quantilePlan(question).privacy;
    case "integer-partition":
      return frequencyLoss(question);
    default:
      return lossOfNoise(question);
  }
}

/** Exponential noise is pure, Gumbel noise concentrated. */
function lossOfNoise(question: Question): Loss {
  const { k, neighbours, rho } = question;
  const measure = rho === undefined ? "pure" : "zcdp";
  const monotone = neighbours === "add-remove";
  const loss = makeNoisyTopK({ k, measure, scale: noiseScale(question), monotone }).map(1n);
  const names = measure === "pure" ? pure(loss) : zcdp(loss);
  const counts = countsOf(question);
  return counts === undefined ? names : compose(names, counts.lossOf(k));
}

/**
 * How counts with intervals are measured; undefined where there are none. Items above a threshold have counts too, but no
 * intervals: the noise of those that passed is not what it was before.
 */
export function countsOf(question: Question): CountPlan | undefined {
  const { k, epsilon, rho, counts, mechanism } = question;
  if (!counts || mechanism === "threshold-top-k" || mechanism === "select-partitions") return undefined;
  if (mechanism === "limited-top-k") return limitedPlan(question).counts;
  if (rho === undefined) {
    const size = scaleAtLeast(pure(rational(epsilon as string).times(COUNT_SHARE)), {
      distance: 1n,
      rounds: k,
    });
    return countPlan({ law: "laplace", size }, k);
  }
  const size = varianceAtLeast(zcdp(rational(rho).times(COUNT_SHARE)), { rounds: k });
  return countPlan({ law: "gaussian", size }, k);
}

export function stableOptions(question: Question): StableTopKOptions {
  return { ...stableTerms(question), maxK: question.k };
}

export function fixedOptions(question: Question): StableTopKFixedOptions {
  const domain = question.domain.kind === "unknown" ? "unknown" : "public";
  return { ...stableTerms(question), k: question.k, domain };
}

function stableTerms(question: Question) {
  return { ...budgetOf(question), monotone: question.neighbours === "add-remove" };
}

export function stableBudget({ epsilon, rho, delta = "0" }: Question): { rho: Rational; failure: Rational } {
  if (epsilon === undefined) return { rho: rational(rho as string), failure: rational(delta) };
  const half = rational(delta).dividedBy(2n);
  return { rho: rememberedRho(epsilon, half), failure: half };
}

/** Solving for ρ takes some milliseconds, and a slider asks for the same few again and again. */
const REMEMBERED = new Map<string, Rational>();
const MOST_REMEMBERED = 200;

function rememberedRho(epsilon: string, delta: Rational): Rational {
  const key = `${epsilon} ${delta}`;
  const known = REMEMBERED.get(key);
  if (known !== undefined) return known;
  const rho = rhoAtMost({ epsilon, delta });
  if (REMEMBERED.size >= MOST_REMEMBERED) REMEMBERED.clear();
  REMEMBERED.set(key, rho);
  return rho;
}

const NAMES_SHARE = rational(1n).minus(COUNT_SHARE);

/** The part of the budget that chooses the names: all of it, or three quarters where counts are measured too. */
export function namesBudget({
  epsilon,
  rho,
  counts,
}: Question): { readonly epsilon: Rational; readonly rho?: undefined } | { readonly rho: Rational } {
  const share = (size: string) => (counts ? rational(size).times(NAMES_SHARE) : rational(size));
  return rho === undefined ? { epsilon: share(epsilon as string) } : { rho: share(rho) };
}

export function noiseScale(question: Question): Rational {
  const { k, neighbours } = question;
  const range = neighbours === "add-remove" ? 1n : 2n;
  const budget = namesBudget(question);
  if (budget.rho !== undefined)
    return scaleAtLeast(zcdp(budget.rho), { distance: range, rounds: k, class: "bounded-range" });
  return scaleAtLeast(pure(budget.epsilon), { distance: range, rounds: k });
}
