/**
 * From a budget to the noise of a limited-domain top k: the least scale, the least threshold, and what they cost.
 *
 *   (ρ, δ)   Gumbel r·√(k/8ρ) or exponential k·r/√(2ρ); all of δ for the threshold
 *   (ε, δ)   exponential k·r/ε, all of δ for the threshold; or Gumbel with the least scale for which the Rényi curve of k
 *            rounds of bounded range r/scale converts to ε with half of δ, the other half for the threshold
 *   scale    as it is; all of δ for the threshold
 *
 * If the noise isn't given, it is the one with the lower threshold, which is public: exponential noise up to k = 3 or so
 * and where gaps are wanted, else Gumbel noise.
 *
 * Cost: Gumbel noise for (ε, δ) takes about 0.1 s the first time and is remembered. Proof: limited-top-k.proof.md, 5.
 * @module
 */

import type { LooseBudget } from "../accounting/budget-as.js";
import { type ApproxLoss, approx, type ZcdpLoss, zcdp } from "../accounting/loss.js";
import { pureScale, rhoOfRounds, zcdpScale } from "../accounting/price.js";
import { renyiScale } from "../accounting/renyi-scale.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { exactlyOneOf, positiveRational } from "../options.js";
import { failureOf, type LimitedNoise, smallestThreshold } from "./limited-threshold.js";

/** What noise a question gets, known before any data are seen. */
export interface LimitedPlan {
  readonly noise: LimitedNoise;
  readonly scale: Rational;
  /** T: how far ⊥ stands above the counts that one individual could bring in. */
  readonly threshold: bigint;
  /** The probability that they beat it all the same, rounded up. */
  readonly failure: Rational;
  /** What the release promises on its own, in the measure of the budget. */
  readonly privacy: ZcdpLoss | ApproxLoss;
}

/** A question, as far as its noise depends on it. */
export interface LimitedTerms {
  readonly k: number;
  /** r: how far one individual can move two counts against each other. */
  readonly range: Rational;
  /** m: how many names one individual can bring in. */
  readonly newcomers: number;
  readonly delta: Rational;
  /** The noise to take; by default the one with the lower threshold. */
  readonly noise: LimitedNoise | undefined;
}

const remembered = new Map<string, LimitedPlan>();
const MOST_REMEMBERED = 64;

/** The noise for a budget. Nothing here depends on data, so what was found once is remembered. */
export function planFor({ epsilon, rho, scale }: LooseBudget, terms: LimitedTerms): LimitedPlan {
  exactlyOneOf({ epsilon, rho, scale });
  const budget = Object.entries({ epsilon, rho, scale }).flatMap(([name, size]) =>
    size === undefined ? [] : [`${name} ${positiveRational(name, size)}`],
  );
  const { k, range, newcomers, delta, noise } = terms;
  const question = [...budget, k, range, newcomers, delta, noise].join(" ");
  const plan = remembered.get(question) ?? findPlan({ epsilon, rho, scale }, terms);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(question, plan);
  return plan;
}

function findPlan({ epsilon, rho, scale }: LooseBudget, terms: LimitedTerms): LimitedPlan {
  if (scale !== undefined) return forScale(positiveRational("scale", scale), terms);
  if (rho !== undefined) return forRho(positiveRational("rho", rho), terms);
  const target = positiveRational("epsilon", epsilon as RationalLike);
  const byNoise = { exponential: forPure, gumbel: forApprox };
  if (terms.noise !== undefined) return byNoise[terms.noise](target, terms);
  const [first, second] = [forPure(target, terms), forApprox(target, terms)];
  return first.threshold <= second.threshold ? first : second;
}

function forScale(scale: Rational, terms: LimitedTerms): LimitedPlan {
  const noise = terms.noise ?? "exponential"; // as for topK
  const plan = withThreshold(noise, scale, terms, terms.delta);
  const perRound = terms.range.dividedBy(scale);
  return {
    ...plan,
    privacy: noise === "gumbel" ? concentrated(perRound, plan, terms) : bounded(plan, terms),
  };
}

function forRho(rho: Rational, terms: LimitedTerms): LimitedPlan {
  const { k, range, delta, noise = "gumbel" } = terms; // whose scale is 2√k times smaller
  if (noise === "gumbel") {
    const scale = zcdpScale(rho, range, "bounded-range", BigInt(k));
    const plan = withThreshold(noise, scale, terms, delta);
    return { ...plan, privacy: concentrated(range.dividedBy(scale), plan, terms) };
  }
  const scale = zcdpScale(rho, range.times(k), "pure");
  const plan = withThreshold(noise, scale, terms, delta);
  const spent = rhoOfRounds(range.times(k).dividedBy(scale), "pure");
  return { ...plan, privacy: zcdp(spent, plan.failure) };
}

/** All of δ for the threshold. */
function forPure(epsilon: Rational, terms: LimitedTerms): LimitedPlan {
  const scale = pureScale(epsilon, terms.range, BigInt(terms.k));
  const plan = withThreshold("exponential", scale, terms, terms.delta);
  return { ...plan, privacy: bounded(plan, terms) };
}

/** Half of δ for the threshold, half for the conversion. */
function forApprox(epsilon: Rational, terms: LimitedTerms): LimitedPlan {
  const half = terms.delta.dividedBy(2n);
  const { scale, spent } = renyiScale(epsilon, half, terms);
  const plan = withThreshold("gumbel", scale, terms, half);
  return { ...plan, privacy: approx(spent, plan.failure.plus(half)) };
}

type Found = Omit<LimitedPlan, "privacy">;

function withThreshold(
  noise: LimitedNoise,
  scale: Rational,
  { newcomers }: LimitedTerms,
  delta: Rational,
): Found {
  const terms = { noise, scale, newcomers };
  const threshold = smallestThreshold(terms, delta);
  return { noise, scale, threshold, failure: failureOf(terms, Rational.of(threshold), delta) };
}

function concentrated(perRound: Rational, { failure }: Found, { k }: LimitedTerms): ZcdpLoss {
  return zcdp(rhoOfRounds(perRound, "bounded-range", k), failure);
}

function bounded({ scale, failure }: Found, { k, range }: LimitedTerms): ApproxLoss {
  return approx(range.times(k).dividedBy(scale), failure);
}
