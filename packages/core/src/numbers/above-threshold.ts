/**
 * `AboveThreshold`: which queries of a stream are above a threshold? Sparse vector with the gap for free. Queries come one by
 * one, each may depend on the answers before it, and those below cost nothing: only the c answers above are paid for.
 *
 *     above   if value + ν ≥ threshold + ρ, with gap value + ν − threshold − ρ
 *
 * ρ is drawn once, ν for each query. One-sided exponential noise on both costs as much ε as Laplace noise of the same
 * scale and has half of its variance; with `rho`, Gaussian noise on the threshold and Gumbel noise on the queries cost √c
 * instead of c; with `eta` everything is done in integers. Nothing of a query that is below ever leaves.
 *
 * Guarantee: the budget, gaps included; the whole of it is spent when the stream starts. Cost: a word of 32 bits per query, and
 * for queries far below the threshold about the time of a comparison. Proof: above-threshold.proof.md.
 * @module
 */

import { epsilonAtMost } from "../accounting/calibrate.js";
import type { LossOf } from "../accounting/loss.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike, rational, rootToDigits, shortened } from "../exact/rational.js";
import { exactlyOneOf, positiveRational, readOptions } from "../options.js";
import { type AboveThresholdMeasurement, makeAboveThreshold } from "./threshold-measurement.js";
import { aParameter, QUESTION, type ThresholdQuestion } from "./threshold-parameters.js";
import { ThresholdStream } from "./threshold-stream.js";

/**
 * A question and a budget for the whole stream: exactly one of `epsilon`, `rho` and `eta`.
 *
 * @interface
 */
export type AboveThresholdOptions = Spend<"epsilon" | "rho" | "eta"> &
  ThresholdQuestion & {
    /** How much one individual can change any one value. Default 1. */
    readonly sensitivity?: RationalLike | undefined;
    /** The grid of geometric noise, to which values are rounded down; only with `eta`. Default 1. */
    readonly step?: RationalLike | undefined;
    /** Where the fair bits come from. Default: the system's cryptographic generator. */
    readonly entropy?: Entropy | undefined;
  };

/** The same before it is known that there is just one budget. */
type Loose = LooseOptions<AboveThresholdOptions>;

const OPTIONS = {
  ...QUESTION,
  epsilon: positiveRational,
  rho: positiveRational,
  eta: aParameter,
  sensitivity: positiveRational,
  step: positiveRational,
  entropy: anEntropy,
};

/**
 * Which queries of a stream are above a threshold, one by one, until `count` of them were.
 *
 * Charge `privacy` when you start it; answers below cost nothing more. See docs/mechanisms/above-threshold.md.
 *
 * @example
 * ```ts
 * import { AboveThreshold } from "winnow-dp";
 *
 * const visits = [12, 9, 14, 2310, 11, 8];
 * const stream = new AboveThreshold({ epsilon: 1, threshold: 500, monotone: true });
 * visits.findIndex((count) => stream.push(count).above); // → 3
 * stream.remaining; // → 0
 * stream.privacy; // → { measure: "pure", epsilon: 1 }
 * ```
 */
export class AboveThreshold extends ThresholdStream {
  /** What the whole stream costs, whatever it answers. */
  readonly privacy: LossOf<Rational>["pure" | "zcdp" | "base2"];

  /** Starts a stream: draws the noise of the threshold. */
  constructor(options: AboveThresholdOptions) {
    const read = readOptions(options as Loose, {}, OPTIONS);
    const measurement = measurementFor(read);
    super(measurement.begin(read.entropy));
    this.privacy = measurement.map(read.sensitivity ?? 1n);
    Object.freeze(this);
  }
}

function measurementFor(read: Loose): AboveThresholdMeasurement {
  const { epsilon, rho, eta, sensitivity = 1n, entropy: _, step, ...question } = read;
  exactlyOneOf({ epsilon, rho, eta });
  if (step !== undefined && eta === undefined) throw invalidParameter("step", "absent without eta", step);
  if (eta !== undefined) return makeAboveThreshold({ ...question, thresholdEta: eta, queryEta: eta, step });
  const noise =
    epsilon !== undefined
      ? pureNoise(rational(epsilon), rational(sensitivity), question)
      : zcdpNoise(rational(rho as RationalLike), rational(sensitivity), question);
  return makeAboveThreshold({ ...question, ...noise });
}

/** Exponential noise. */
export interface PureNoise {
  readonly thresholdScale: Rational;
  readonly queryScale: Rational;
}

/** The split of ε with the least variance of ν − ρ is 1 : n^(2/3), n = 2c or, where monotone, c. */
export function pureNoise(epsilon: Rational, distance: Rational, question: ThresholdQuestion): PureNoise {
  const { maxAbove: count = 1, monotone = false, ordered = false } = question;
  const whole = distance.dividedBy(epsilon);
  if (ordered) return { thresholdScale: shortened(whole, "up"), queryScale: shortened(whole, "up") };
  const answers = BigInt(count) * (monotone ? 1n : 2n);
  const weight = cubeRoot(answers * answers);
  const all = weight.plus(1n);
  return {
    thresholdScale: shortened(whole.times(all), "up"),
    queryScale: shortened(whole.times(all).dividedBy(weight).times(answers), "up"),
  };
}

/** π, near enough for a split of a budget. */
const PI = /* @__PURE__ */ Rational.of(355n, 113n);

/**
 * The split of ρ with the least variance of ν − ρ is 1 : πs√(c/6), s = 2 or, where monotone, 1. Where the stream is ordered,
 * exponential noise of ε = √(2ρ) has less.
 */
export function zcdpNoise(rho: Rational, distance: Rational, question: ThresholdQuestion) {
  const { maxAbove: count = 1, monotone = false, ordered = false } = question;
  if (ordered) return { ...pureNoise(epsilonAtMost(rho), distance, question), measure: "zcdp" } as const;
  const steps = monotone ? 1n : 2n;
  const weight = rootToDigits(Rational.of(BigInt(count), 6n), "up")
    .times(PI)
    .times(steps);
  const share = rho.dividedBy(weight.plus(1n));
  const square = distance.times(distance).dividedBy(share.times(2n)); // Δ²/(2ρ₁)
  const scale = square.times(steps * steps * BigInt(count)).dividedBy(weight); // c(sΔ)²/(2ρ₂)
  return { thresholdVariance: shortened(square, "up"), queryScale: rootToDigits(scale, "up") };
}

/** About n^(1/3) for an integer n ≥ 1: a split of a budget need not be exact. */
function cubeRoot(n: bigint): Rational {
  const scaled = n * 1_000_000n; // of (100·root)³
  let root = 1n;
  while (root ** 3n < scaled) root *= 2n;
  for (let step = root >> 1n; step > 0n; step >>= 1n) if ((root - step) ** 3n >= scaled) root -= step;
  return Rational.of(root, 100n);
}
