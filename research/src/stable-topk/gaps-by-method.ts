/**
 * From which gap on each method returns the true top k except with probability δ [ZW22, "Utility comparison" after Theorem
 * 11]. The paper compares orders of magnitude; these are the least gaps for one family of histograms: k candidates with
 * equal counts, all others below them by the gap and equal too. In doubles, for comparison only.
 *
 *   stable top k   the set is tested once, whatever k is (needed-gaps.ts)
 *   EM             k rounds of the exponential mechanism, each at ρ/k: each round must take one of those left of the k
 *   LD             the same, and ⊥ takes part, which stands above the others by its threshold
 *   TS             sparse vector on the gaps with Laplace noise: the first test must pass; ε = √(2ρ), which is ρ-zCDP
 *   smooth         noise for the whole indicator vector, in proportion to the smooth sensitivity (smooth-sensitivity.ts)
 * @module
 */
import { makeLimitedTopK, rational } from "winnow-dp";
import type { Section } from "../experiment.js";
import { table } from "../table.js";
import { neededGap, stableTail } from "./needed-gaps.js";
import { smoothGap } from "./smooth-sensitivity.js";
import { stopLaw, topStable } from "./top-stable.js";

/** A histogram's shape and a budget. */
export interface GapQuestion {
  readonly k: number;
  readonly candidates: number;
  readonly rho: string;
  readonly delta: string;
}

/** The least integer gap ≥ 1 for which the method fails with at most δ; what fails never rises with the gap. */
function leastGap(failure: (gap: number) => number, delta: number): number {
  let high = 1;
  while (failure(high) > delta) high *= 2;
  let low = high >> 1; // fails, or is 0
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (failure(middle) > delta) low = middle;
    else high = middle;
  }
  return high;
}

/** P(some round takes another one), where the others have this weight together and each of the k has 1. */
function misses(k: number, others: number): number {
  let logarithm = 0;
  for (let left = k; left > 0; left--) logarithm -= Math.log1p(others / left);
  return -Math.expm1(logarithm);
}

/** The scale of Gumbel noise for k rounds within ρ, for one person more or less: ρ = k/(8τ²). */
function scaleOf(k: number, rho: string): number {
  return Math.sqrt(k / (8 * Number(rho)));
}

export function gapOfExponential({ k, candidates, rho, delta }: GapQuestion): number {
  const scale = scaleOf(k, rho);
  return leastGap((gap) => misses(k, (candidates - k) * Math.exp(-gap / scale)), Number(delta));
}

export function gapOfLimitedDomain({ k, candidates, rho, delta }: GapQuestion): number {
  const half = rational(delta).dividedBy(2n);
  const { scale, threshold } = makeLimitedTopK({
    k,
    maxCandidates: candidates,
    noise: "gumbel",
    rho,
    delta: half,
  });
  const [tau, bottom] = [scale.toNumber(), 1 + threshold.toNumber()];
  const failure = (gap: number) =>
    misses(k, (candidates - k) * Math.exp(-gap / tau) + Math.exp((bottom - gap) / tau));
  return leastGap(failure, Number(delta) / 2);
}

export function gapOfTopStable({ k, rho, delta }: GapQuestion): number {
  const run = topStable(k, Math.sqrt(2 * Number(rho)), Number(delta) / 2);
  return leastGap((gap) => 1 - stopLaw([gap - 1], run)[0], Number(delta) / 2);
}

const QUESTIONS: readonly GapQuestion[] = [3, 10, 50].flatMap((k) =>
  ["1", "0.1"].map((rho) => ({ k, candidates: 1000, rho, delta: "1e-6" })),
);

export function gapsByMethod(): Section {
  return {
    title: "[ZW22, after Theorem 11] The gap that each method needs",
    notes: `The least gap after the k-th of ${QUESTIONS[0].candidates} candidates with which the true top k comes out except with probability δ = ${QUESTIONS[0].delta}, on histograms with two levels. The paper gives orders: √(ln(1/δ)/ρ) for stable top k, √(k·ln(1/δ)/ρ) for EM and LD, ln(1/δ)/√ρ for TS. It names smooth sensitivity as infeasible in many dimensions and gives no number: noise for the whole vector, by the formulas of [NRS07], needs the gap in the last column. In doubles.`,
    table: table(
      ["k", "ρ", "stable top k", "EM", "LD", "TS", "smooth sensitivity"],
      QUESTIONS.map((question) => [
        String(question.k),
        question.rho,
        String(neededGap(stableTail(question.rho), question.delta, question.delta)),
        String(gapOfExponential(question)),
        String(gapOfLimitedDomain(question)),
        String(gapOfTopStable(question)),
        smoothGap(question).toLocaleString("en-US"),
      ]),
    ),
  };
}
