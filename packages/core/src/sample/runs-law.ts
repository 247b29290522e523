/**
 * How often a run is repeated: laws of a number K whose generating function makes the best of K runs private.
 *
 *   truncated negative binomial   P(K = k) ∝ (1 − γ)^k·∏_{0 ≤ l < k} (l + η)/(l + 1), k ≥ 1: geometric for η = 1, logarithmic for η = 0
 *   Poisson                       P(K = k) ∝ μ^k/k!, k ≥ 0
 *
 * Drawn with rational coins alone, also for η = 0, whose normaliser is a logarithm: a count goes up by a coin of the ratio of
 * neighbouring weights, starts afresh when that fails, and ends with probability γ in each turn.
 *
 * Cost: 2/γ − 1 coins of about two bits on average for η ≤ 1, ⌈η⌉ times that for a larger η; Poisson: about 8μ + 4 coins.
 * Proof: runs-law.proof.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { oneOf, positiveRational, properProbability, readOptions } from "../options.js";
import { drawBernoulli } from "./bernoulli.js";

/**
 * How often a run is repeated: a law with parameters that are public and fixed before.
 *
 * @inline
 */
export type RunsLaw =
  | {
      readonly law: "truncated-negative-binomial";
      /** The shape, above −1: 1 is geometric and the usual choice, 0 logarithmic. */
      readonly eta: RationalLike;
      /** From 0 to 1, both excluded: the smaller, the more runs. */
      readonly gamma: RationalLike;
    }
  | {
      readonly law: "poisson";
      /** The mean number of runs. */
      readonly mean: RationalLike;
    };

/** A law of runs whose parameters are read. */
export type ReadRunsLaw =
  | { readonly law: "truncated-negative-binomial"; readonly eta: Rational; readonly gamma: Rational }
  | { readonly law: "poisson"; readonly mean: Rational };

/** More runs are never asked for on average: they would take forever. */
const MOST_RUNS = 1e9;

/** The reader of an option that is a law of runs. */
export function readRuns(field: string, given: RunsLaw): ReadRunsLaw {
  const law = oneOf("truncated-negative-binomial", "poisson");
  if (given?.law === "poisson") {
    const read = readOptions(given, { law, mean: positiveRational }, {}, field);
    const mean = rational(read.mean);
    if (mean.compare(MOST_RUNS) > 0) throw invalidParameter(`${field}.mean`, `at most ${MOST_RUNS}`, mean);
    return { law: "poisson", mean };
  }
  const read = readOptions(given, { law, eta: shape, gamma: properProbability }, {}, field);
  const [eta, gamma] = [rational(read.eta), rational(read.gamma)];
  if (gamma.compare(Rational.of(1n, BigInt(MOST_RUNS))) < 0)
    throw invalidParameter(`${field}.gamma`, `at least 1/${MOST_RUNS}`, gamma);
  return { law: "truncated-negative-binomial", eta, gamma };
}

/** Larger shapes are sums of as many counts. */
const LARGEST_SHAPE = 1000;

function shape(field: string, value: RationalLike): Rational {
  const eta = rational(value, field);
  if (eta.compare(-1n) > 0 && eta.compare(LARGEST_SHAPE) <= 0) return eta;
  throw invalidParameter(field, `a rational > -1 and <= ${LARGEST_SHAPE}`, value);
}

/** How often to run. */
export function drawRuns(runs: ReadRunsLaw, entropy: Entropy): number {
  if (runs.law === "poisson") return drawPoisson(runs.mean, entropy);
  const { eta, gamma } = runs;
  if (eta.compare(1n) <= 0) return countFrom(1, eta, gamma, entropy);
  const parts = eta.ceil();
  for (;;) {
    let sum = 0; // of parts that may be 0, which together may not
    for (let part = 0n; part < parts; part++) sum += countFrom(0, eta.dividedBy(parts), gamma, entropy);
    if (sum > 0) return sum;
  }
}

/** A count k ≥ least with a probability proportional to ∏_{least ≤ l < k} (1 − γ)(l + η)/(l + 1). */
function countFrom(least: 0 | 1, eta: Rational, gamma: Rational, entropy: Entropy): number {
  const { numerator, denominator } = eta;
  for (let count = least as number; ; ) {
    if (drawBernoulli(gamma.numerator, gamma.denominator, entropy)) return count;
    const up = denominator * BigInt(count) + numerator;
    count = drawBernoulli(up, denominator * BigInt(count + 1), entropy) ? count + 1 : least;
  }
}

/** The sum of m counts with means μ/m ≤ ½, each k with a weight of 2^(−k−1)·(2μ/m)^k/k!. */
function drawPoisson(mean: Rational, entropy: Entropy): number {
  const parts = mean.times(2n).ceil();
  const twice = mean.times(2n).dividedBy(parts);
  let sum = 0;
  for (let part = 0n; part < parts; part++)
    for (let count = 0; ; ) {
      if (entropy.bit() === 1) {
        sum += count;
        break;
      }
      const next = twice.denominator * BigInt(count + 1);
      count = drawBernoulli(twice.numerator, next, entropy) ? count + 1 : 0;
    }
  return sum;
}
