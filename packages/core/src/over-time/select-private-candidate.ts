/**
 * `selectPrivateCandidate`: the best of several runs of a private mechanism, for little more than one run costs. How often the
 * mechanism runs is random and stays secret: the best of K runs, K from a public law, or the first run above a public threshold.
 *
 * Guarantee, from the loss of one run (its output *and* its score): see accounting/profile/candidates.ts. For ε-DP runs
 *   the best of K    ε + (1 + η)·ψ(ε, γ) < (2 + η)·ε          the first above    ε + ψ(ε, γ) < 2ε
 *
 * A run must be fresh each time: no memory, no number of the run, no learning from earlier runs, no budget of its own. Scores are
 * compared exactly; a score that isn't a finite number is on the lowest level, and so is a run that throws, which releases nothing
 * if it wins: the loss must cover *whether* a run throws. Outputs of all other runs are forgotten.
 *
 * Keep secret what the number of runs shows in: time, progress, logs. Cost: E[K] runs, or at most 1/γ.
 * Proof: accounting/profile/candidates.proof.md and sample/runs-law.proof.md.
 * @module
 */
import type { Loss } from "../accounting/loss.js";
import { type LossLike, readLoss } from "../accounting/loss-json.js";
import {
  lossOfChoice,
  lossOfPoissonBest,
  ruleOfBest,
  ruleOfFirstAbove,
} from "../accounting/profile/candidates.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidParameter, WinnowError } from "../errors.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { anyRational, callable, properProbability, readOptions } from "../options.js";
import { drawBernoulli } from "../sample/bernoulli.js";
import { drawRuns, type ReadRunsLaw, type RunsLaw, readRuns } from "../sample/runs-law.js";
import { withEntropy } from "../system-entropy.js";

/**
 * What one run gives.
 *
 * @typeParam Output The output, released if the run wins.
 *
 * @inline
 */
export interface Candidate<Output> {
  /** The output, released if the run wins. */
  readonly output: Output;
  /** How good it is, higher is better. It is released too, and the loss of a run covers it. */
  readonly score: number | bigint;
}

/** What one run costs, and how often to run: a law of the number of runs, or a threshold and a chance to stop. */
export interface CandidateOptions {
  /** The loss of one run: of its output, its score and whether it throws. */
  readonly loss: LossLike;
  /** The best of K runs: the law of K. */
  readonly runs?: RunsLaw | undefined;
  /** The first run whose score reaches this. */
  readonly threshold?: RationalLike | undefined;
  /** With `threshold`: the chance to give up after each run below it, from 0 to 1. */
  readonly stop?: RationalLike | undefined;
  /** With a loss in zCDP or Rényi: tell the loss as (ε, δ) with at most this δ, which the profile of a run makes smaller. */
  readonly delta?: RationalLike | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/**
 * The winner, or that there is none, and what that cost: the same, however often the mechanism ran.
 *
 * @typeParam Output What is released.
 */
export type PrivateCandidate<Output> = {
  /** The loss of the whole. */
  readonly privacy: Loss;
} & (
  | ({ /** Whether a run won. */ readonly released: true } & Candidate<Output>)
  | { readonly released: false }
);

const OPTIONS = {
  runs: readRuns,
  threshold: anyRational,
  stop: properProbability,
  delta: properProbability,
  entropy: anEntropy,
};

/**
 * The best of a random number of runs of a private mechanism, or the first above a threshold.
 *
 * @param run One run of the mechanism, on the entropy that it is given, which must be all its randomness.
 * @param options What one run costs, and how often to run.
 *
 * @example
 * ```ts
 * import { pure, selectPrivateCandidate, topKWithGap } from "winnow-dp";
 * import { uniformBelow } from "winnow-dp/sample";
 *
 * // Which of three sizes leaves the widest lead? Each run tries one, for ε = 1/10.
 * const counts = [900, 880, 870, 20, 10, 5];
 * const choice = selectPrivateCandidate(
 *   (entropy) => {
 *     const k = 1 + uniformBelow(5, entropy);
 *     const { winners } = topKWithGap(counts, { k, epsilon: "1/10", resolution: 1, monotone: true, entropy });
 *     return { output: k, score: winners[k - 1].gap.toNumber() };
 *   },
 *   { loss: pure("1/10"), runs: { law: "truncated-negative-binomial", eta: 1, gamma: "1/20" } },
 * );
 * choice.privacy.measure; // → "pure"
 * ```
 */
export function selectPrivateCandidate<Output>(
  run: (entropy: Entropy) => Candidate<Output>,
  options: CandidateOptions,
): PrivateCandidate<Output> {
  const read = readOptions(options, { loss: readNamedLoss }, OPTIONS);
  const { runs, threshold, stop, entropy } = read;
  refuseAsync(callable("run", run));
  if ((runs === undefined) === (threshold === undefined))
    throw invalidParameter(
      "runs",
      "given, or a threshold, and not both",
      runs === undefined ? "none" : "both",
    );
  if ((threshold === undefined) !== (stop === undefined))
    throw invalidParameter("stop", "given with a threshold, and only then", stop);
  const loss = readLoss(read.loss);
  const delta = read.delta === undefined ? undefined : rational(read.delta);
  const won = (best: Outcome<Output>, privacy: Loss): PrivateCandidate<Output> =>
    best.candidate === undefined
      ? { released: false, privacy }
      : { released: true, ...best.candidate, privacy };
  if (threshold !== undefined) {
    const [level, chance] = [rational(threshold), rational(stop as RationalLike)];
    const privacy = lossOfChoice(loss, ruleOfFirstAbove(chance), delta);
    return withEntropy(entropy, (bits) => won(firstAbove(run, level, chance, bits), privacy));
  }
  const law = runs as ReadRunsLaw;
  const privacy =
    law.law === "poisson" ? lossOfPoissonBest(loss, law.mean) : lossOfChoice(loss, ruleOfBest(law), delta);
  return withEntropy(entropy, (bits) => won(bestOf(run, drawRuns(law, bits), bits), privacy));
}

function readNamedLoss(field: string, given: LossLike): Loss {
  return readLoss(given, field);
}

/** A promise would never be a candidate. */
function refuseAsync(run: unknown): void {
  if (Object.prototype.toString.call(run) === "[object AsyncFunction]")
    throw invalidParameter(
      "run",
      "a function that returns its candidate, not a promise",
      "an async function",
    );
}

/** A run's candidate, if it gave one, and its level: undefined is the lowest. */
interface Outcome<Output> {
  readonly candidate: Candidate<Output> | undefined;
  readonly level: Rational | undefined;
}

/** The lowest level, where nothing is released. */
const FAILED = { candidate: undefined, level: undefined };

/** A run that throws tells only that it did. If the bits run out, nothing is released at all. */
function attempt<Output>(run: (entropy: Entropy) => Candidate<Output>, entropy: Entropy): Outcome<Output> {
  try {
    const { output, score } = run(entropy);
    return { candidate: { output, score }, level: levelOf(score) };
  } catch (error) {
    if (error instanceof WinnowError && error.code === "entropy-unavailable") throw error;
    return FAILED;
  }
}

function levelOf(score: unknown): Rational | undefined {
  const isNumber = typeof score === "bigint" || (typeof score === "number" && Number.isFinite(score));
  return isNumber ? rational(score) : undefined;
}

/** The best of this many runs, the first of those on one level. */
function bestOf<Output>(
  run: (entropy: Entropy) => Candidate<Output>,
  runs: number,
  entropy: Entropy,
): Outcome<Output> {
  let best: Outcome<Output> | undefined;
  for (let count = 0; count < runs; count++) {
    const next = attempt(run, entropy);
    if (best === undefined || isAbove(next.level, best.level)) best = next;
  }
  return best ?? FAILED;
}

function isAbove(level: Rational | undefined, other: Rational | undefined): boolean {
  return level !== undefined && (other === undefined || level.compare(other) > 0);
}

function firstAbove<Output>(
  run: (entropy: Entropy) => Candidate<Output>,
  threshold: Rational,
  stop: Rational,
  entropy: Entropy,
): Outcome<Output> {
  do {
    const next = attempt(run, entropy);
    if (next.level !== undefined && next.level.compare(threshold) >= 0) return next;
  } while (!drawBernoulli(stop.numerator, stop.denominator, entropy));
  return FAILED;
}
