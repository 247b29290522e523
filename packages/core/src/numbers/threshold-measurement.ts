/**
 * The parameters of sparse vector and what they cost: `makeAboveThreshold`. With Δ how far one individual can move any value,
 * c answers above, gaps included, and b₁, b₂ the scales of the noise on the threshold and on the queries:
 *
 *   exponential noise            pure ε = Δ/b₁ + 2cΔ/b₂, exactly; Δ/b₁ + cΔ/b₂ where all values move the same way
 *   the same, ordered streams    pure ε = max(Δ/b₁, Δ/b₂), c = 1
 *   Gaussian and Gumbel noise    zCDP ρ = Δ²/(2σ²) + c(2Δ/b)²/2, half of the second Δ where monotone
 *   geometric noise              base-2 η = Δη₁ + 2cΔη₂, likewise
 *
 * Proof: above-threshold.proof.md.
 * @module
 */

import { zcdpCurve } from "../accounting/curve.js";
import { base2, type LossOf, pure, zcdp } from "../accounting/loss.js";
import type { LossLike } from "../accounting/loss-json.js";
import { rhoOfGaussian, rhoOfRounds } from "../accounting/price.js";
import { RenyiCurve } from "../accounting/renyi-curve.js";
import { isAccepted } from "../accounting/within.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { lnOf, roundedUp, zerosAfterPoint } from "../exact/certified.js";
import { bitLength } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { failureChance, integer, nonNegativeRational, readOptions } from "../options.js";
import { exponential, gumbel } from "../race/noise.js";
import type { Scores } from "../race/scores.js";
import type { Measurement } from "../select/measurement.js";
import { usualResolution } from "../select/options.js";
import { systemEntropy, withEntropy } from "../system-entropy.js";
import { type Comparison, IntegerComparison, RealComparison } from "./comparison.js";
import {
  type AboveThresholdParameters,
  type Level,
  type LooseParameters,
  MEASURES,
  type Noise,
  noiseOf,
  ONE_LEVEL,
  PARAMETERS,
} from "./threshold-parameters.js";
import { type StreamParts, type ThresholdRun, ThresholdStream } from "./threshold-stream.js";

/**
 * Accuracy that holds whatever the data are.
 *
 * @inline
 */
export interface ThresholdBounds {
  /** With the stated confidence no query of the whole stream that is so far above its threshold is answered below. */
  readonly miss: Rational;
  /** With the stated confidence none of `queries` queries that are so far below their threshold is answered above. */
  readonly falseAlarm: Rational;
}

/** Sparse vector as a measurement, made by `makeAboveThreshold`: `start` a stream, or `invoke` it on a list of values. */
export class AboveThresholdMeasurement
  implements Measurement<Scores, ThresholdRun, LossOf<Rational>["pure" | "zcdp" | "base2"]>
{
  /** In which the loss is. */
  readonly measure: "pure" | "zcdp" | "base2";
  /** How many answers above a stream gives. */
  readonly maxAbove: number;
  /** The threshold of queries that don't bring their own. */
  readonly threshold: Rational;
  /** Whether one individual moves all values the same way. */
  readonly monotone: boolean;
  /** Whether the stream is ordered. */
  readonly ordered: boolean;
  /** What gaps are rounded down to. */
  readonly resolution: Rational | undefined;
  /** The steps of adaptive sparse vector; one, with margin 0, unless given. */
  readonly levels: readonly Level[];
  readonly #noise: Noise;

  /**
   * Made by `makeAboveThreshold`.
   *
   * @internal
   */
  constructor(parameters: AboveThresholdParameters) {
    const read = readOptions(parameters as LooseParameters, {}, PARAMETERS);
    this.#noise = noiseOf(read);
    const { kind } = this.#noise;
    this.measure = read.measure ?? MEASURES[kind];
    if (this.measure !== MEASURES[kind] && !(kind === "exponential" && this.measure === "zcdp"))
      throw invalidParameter("measure", `"${MEASURES[kind]}" with ${kind} noise`, this.measure);
    this.maxAbove = read.maxAbove ?? 1;
    this.threshold = rational(read.threshold ?? 0n);
    this.monotone = read.monotone ?? false;
    this.ordered = read.ordered ?? false;
    this.resolution = read.resolution === undefined ? undefined : rational(read.resolution);
    this.levels = (read.levels as readonly Level[] | undefined) ?? ONE_LEVEL;
    this.#refuse();
    Object.freeze(this);
  }

  /** What no theorem covers. */
  #refuse(): void {
    const noise = this.#noise;
    if (this.ordered && (this.maxAbove > 1 || noise.kind !== "exponential" || this.levels.length > 1))
      throw invalidParameter("ordered", "absent, or count 1 with exponential noise and no levels", true);
    if (this.levels.length > 1 && noise.kind !== "exponential")
      throw invalidParameter("levels", "absent without exponential noise", "levels");
    if (noise.kind !== "geometric") {
      if (this.resolution !== undefined)
        usualResolution(this.resolution, noise.query.dividedBy(this.levels[0].share));
      return;
    }
    if (this.resolution !== undefined && !this.resolution.equals(noise.step))
      throw invalidParameter("resolution", "the step where noise is geometric", this.resolution);
    if (!this.threshold.dividedBy(noise.step).isInteger())
      throw invalidParameter("threshold", "a multiple of step", this.threshold);
  }

  /**
   * Starts a stream, whose whole loss is spent from here on.
   *
   * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
   */
  start(entropy?: Entropy): ThresholdStream {
    return new ThresholdStream(this.begin(entropy));
  }

  /**
   * What a stream is made of; draws the noise of the threshold.
   *
   * @internal
   */
  begin(entropy?: Entropy): StreamParts {
    const bits = entropy === undefined ? systemEntropy() : anEntropy("entropy", entropy);
    return {
      comparison: this.#comparison(bits),
      entropy: bits,
      ownsEntropy: entropy === undefined,
      threshold: this.threshold,
      maxAbove: this.maxAbove,
      shares: this.levels.map(({ share }) => share),
    };
  }

  /** Answers for the values in their order, until `count` of them are above. */
  invoke(values: Scores, entropy?: Entropy): ThresholdRun {
    return withEntropy(entropy, (bits) => this.start(bits).pushAll(values));
  }

  #comparison(entropy: Entropy): Comparison {
    const noise = this.#noise;
    if (noise.kind === "geometric")
      return new IntegerComparison({ ...noise, hasGaps: this.resolution !== undefined }, entropy);
    const isPure = noise.kind === "exponential";
    return new RealComparison(
      {
        threshold: isPure ? { scale: noise.threshold } : { variance: noise.variance },
        query: isPure ? exponential : gumbel,
        levels: this.levels.map(({ margin, share }) => ({ margin, scale: noise.query.dividedBy(share) })),
        resolution: this.resolution,
      },
      entropy,
    );
  }

  /** The loss of a whole stream, never below the true one, for values that one individual moves by at most `dIn`. */
  map(dIn: RationalLike): LossOf<Rational>["pure" | "zcdp" | "base2"] {
    const size = this.#sizeAt(nonNegativeRational("dIn", dIn));
    return this.measure === "pure" ? pure(size) : this.measure === "zcdp" ? zcdp(size) : base2(size);
  }

  /** The ε, ρ or η. */
  #sizeAt(distance: Rational): Rational {
    const noise = this.#noise;
    if (noise.kind === "gumbel") {
      const [square, each] = [distance.times(distance), this.#eachOf(distance, noise.query)];
      const answers = each.times(each).times(BigInt(this.maxAbove));
      return square.dividedBy(noise.variance).plus(answers).dividedBy(2n);
    }
    if (noise.kind === "geometric") {
      const units = distance.dividedBy(noise.step).ceil();
      const answers = noise.query.eta.times(BigInt(this.maxAbove * (this.monotone ? 1 : 2)));
      return noise.threshold.eta.plus(answers).times(units);
    }
    const epsilon = this.#pureLoss(distance, noise.threshold, noise.query);
    return this.measure === "pure" ? epsilon : rhoOfRounds(epsilon, "pure");
  }

  #pureLoss(distance: Rational, threshold: Rational, query: Rational): Rational {
    const first = distance.dividedBy(threshold);
    if (!this.ordered) return first.plus(this.#eachOf(distance, query).times(BigInt(this.maxAbove)));
    const answer = distance.dividedBy(query);
    return first.compare(answer) > 0 ? first : answer;
  }

  /** What one answer above costs: 2Δ/b, or Δ/b where monotone. */
  #eachOf(distance: Rational, query: Rational): Rational {
    return distance.dividedBy(query).times(this.monotone ? 1n : 2n);
  }

  /**
   * Whether the loss for `dIn` is at most `dOut`.
   *
   * @param dIn How far one individual can move any value.
   * @param dOut A loss in the same measure.
   */
  check(dIn: RationalLike, dOut: LossLike<"pure" | "zcdp" | "base2">): boolean {
    return isAccepted(this.map(dIn), dOut);
  }

  /**
   * The Rényi curve of Gaussian and Gumbel noise, sharper than ρα: αΔ²/(2σ²) + c·A_α(ε′), where
   * A_α(e) = e − ln(α − (α − 1)·e^(−e))/(α − 1).
   *
   * @param dIn How far one individual can move any value.
   */
  curve(dIn: RationalLike): RenyiCurve {
    const distance = nonNegativeRational("dIn", dIn);
    const noise = this.#noise;
    if (noise.kind !== "gumbel")
      throw invalidParameter("noise", "Gaussian and Gumbel for a Rényi curve", noise.kind);
    const threshold = zcdpCurve(rhoOfGaussian(distance, noise.variance));
    if (distance.numerator === 0n) return threshold;
    const arrivals = arrivalCurve(this.#eachOf(distance, noise.query));
    return threshold.plus(arrivals.times(this.maxAbove));
  }

  /**
   * Accuracy that holds whatever the data are; exponential noise only.
   *
   * @param confidence The probability with which each of the two promises holds.
   * @param queries How many queries there are at most.
   */
  bounds(confidence: RationalLike, queries: number): ThresholdBounds {
    const chance = failureChance(confidence);
    const many = BigInt(integer("queries", queries));
    const noise = this.#noise;
    if (noise.kind !== "exponential") throw invalidParameter("noise", "exponential for bounds", noise.kind);
    const { threshold, query } = noise;
    const odds = query.times(many).dividedBy(threshold.plus(query).times(chance));
    return {
      miss: roundedUp((precision) => lnOf(chance, precision).times(threshold.negated())),
      falseAlarm:
        odds.compare(1n) <= 0 ? Rational.ZERO : roundedUp((precision) => lnOf(odds, precision).times(query)),
    };
  }
}

/** A_α(e): the first arrival of a process of rate 1 against one of rate e^(−e). */
function arrivalCurve(size: Rational): RenyiCurve {
  const formula = (alpha: Rational, precision: number): Interval => {
    const order = alpha.minus(1n);
    const bits = precision + 2 * zerosAfterPoint(size) + bitLength(order.floor()) + 8;
    const rest = Interval.from(size.negated(), bits).exp().times(order);
    const mixture = Interval.from(alpha, bits).minus(rest); // at least 1
    return Interval.from(size, bits).minus(mixture.ln().dividedBy(order)).withPrecision(precision);
  };
  return RenyiCurve.of(formula, { epsilon: size, rho: rhoOfRounds(size, "pure") });
}

/**
 * Sparse vector by its noise, as a measurement: which queries of a stream are above a threshold, and by how much.
 *
 * See docs/mechanisms/above-threshold.md.
 *
 * @example
 * ```ts
 * import { makeAboveThreshold } from "winnow-dp";
 *
 * const measurement = makeAboveThreshold({ thresholdScale: 2, queryScale: 3, threshold: 500, resolution: 1 });
 * measurement.map(1); // → { measure: "pure", epsilon: 7/6 }
 * const { above, answered } = measurement.invoke([3, 20, 41270, 7]);
 * above.map(({ index }) => index); // → [2]
 * answered; // → 3
 * ```
 */
export function makeAboveThreshold(parameters: AboveThresholdParameters): AboveThresholdMeasurement {
  return new AboveThresholdMeasurement(parameters);
}
