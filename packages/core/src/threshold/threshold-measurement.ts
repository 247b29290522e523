/**
 * The parameters of sparse vector and what they cost: `makeAboveThreshold`. With Δ how far one individual can move any value,
 * c answers above, gaps included, and b₁, b₂ the scales of the noise on the threshold and on the queries:
 *
 *   exponential noise            pure ε = Δ/b₁ + 2cΔ/b₂, exactly; Δ/b₁ + cΔ/b₂ where all values move the same way
 *   the same, ordered streams    pure ε = max(Δ/b₁, Δ/b₂), c = 1
 *   Gaussian and Gumbel noise    zCDP ρ = Δ²/(2σ²) + c(2Δ/b)²/2, half of the second Δ where monotone
 *   geometric noise              base-2 η = Δη₁ + 2cΔη₂, likewise
 *
 * Proof: docs/proofs/above-threshold.md.
 * @module
 */
import { madeByEta } from "../base2/weights.js";
import { anEntropy, type Entropy, systemEntropy, withEntropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { bitLength } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { type Base2Parameter, eta } from "../privacy/base2-parameter.js";
import { zcdpCurve } from "../privacy/curves.js";
import {
  type Base2Loss,
  base2,
  type Extended,
  isAtMost,
  type PureLoss,
  pure,
  type ZcdpLoss,
  zcdp,
} from "../privacy/loss.js";
import { RenyiCurve } from "../privacy/renyi-curve.js";
import { lnOf, roundedUp, zerosAfterPoint } from "../privacy/rounding.js";
import { exponential, gumbel } from "../race/noise.js";
import type { Scores } from "../race/scores.js";
import type { Measurement } from "../select/measurement.js";
import { usualScale } from "../select/options.js";
import {
  anyRational,
  arrayLike,
  boolean,
  integer,
  nonNegativeRational,
  oneOf,
  positiveRational,
  properProbability,
  readOptions,
} from "../validate.js";
import { type Comparison, IntegerComparison, RealComparison } from "./comparison.js";
import { type StreamParts, type ThresholdRun, ThresholdStream } from "./threshold-stream.js";

/** One step of adaptive sparse vector: an answer far above the threshold may cost less. */
export interface ThresholdLevel {
  /** How far above the noisy threshold the value must be. */
  readonly margin: RationalLike;
  /** What an answer here costs, as a share of a full one; its noise has the scale queryScale/share. */
  readonly share: RationalLike;
}

/** What is asked of a stream, beside its noise. */
export interface ThresholdQuestion {
  /** How many answers above it gives before it ends. Default 1. */
  readonly count?: number | undefined;
  /** The threshold of queries that don't bring their own. Default 0. */
  readonly threshold?: RationalLike | undefined;
  /** Whether one individual moves all values of the stream the same way, as counts of people do. Default false. */
  readonly monotone?: boolean | undefined;
  /**
   * Whether one individual moves later values at least as far as earlier ones, all in the same direction: prefix counts do.
   * Only with count 1, and where individuals are added or removed. Default false.
   */
  readonly ordered?: boolean | undefined;
  /** Tells by how much a query is above, rounded down to a multiple of this; it costs nothing. */
  readonly resolution?: RationalLike | undefined;
  /** Margins that fall to 0 and shares that rise to 1, tried in order. Only with exponential noise. */
  readonly levels?: readonly ThresholdLevel[] | undefined;
}

/** A question and its noise: exactly one of the three kinds. */
export interface AboveThresholdParameters extends ThresholdQuestion {
  /** The scale of exponential noise on the threshold. */
  readonly thresholdScale?: RationalLike | undefined;
  /** The variance of Gaussian noise on the threshold; the noise of queries is then Gumbel. */
  readonly thresholdVariance?: RationalLike | undefined;
  /** The scale of the noise on queries. */
  readonly queryScale?: RationalLike | undefined;
  /** The base of geometric noise on the threshold, made by `eta`. */
  readonly thresholdEta?: Base2Parameter | undefined;
  /** The base of geometric noise on queries. */
  readonly queryEta?: Base2Parameter | undefined;
  /** The grid of geometric noise, to which values are rounded down. Default 1. */
  readonly granularity?: RationalLike | undefined;
  /** The measure of `map`. Default: pure for exponential noise, zcdp for Gaussian and Gumbel noise, base2 for geometric noise. */
  readonly measure?: "pure" | "zcdp" | "base2" | undefined;
}

/** What can be promised without looking at the data. */
export interface ThresholdBounds {
  /** With probability 1 − beta no query of the whole stream that is so far above its threshold is answered below. */
  readonly miss: Rational;
  /** With probability 1 − beta none of `queries` queries that are so far below their threshold is answered above. */
  readonly falseAlarm: Rational;
}

/** The readers of a question. */
export const QUESTION = {
  count: integer,
  threshold: anyRational,
  monotone: boolean,
  ordered: boolean,
  resolution: positiveRational,
  levels: readLevels,
};

/** The reader of a base, which is checked in full and made anew: what is reported is what is computed with. */
export function aParameter(field: string, value: Base2Parameter): Base2Parameter {
  const { x, y, z } = madeByEta(field, value);
  return eta(x, y, z);
}

const PARAMETERS = {
  ...QUESTION,
  thresholdScale: positiveRational,
  thresholdVariance: positiveRational,
  queryScale: positiveRational,
  thresholdEta: aParameter,
  queryEta: aParameter,
  granularity: positiveRational,
  measure: /* @__PURE__ */ oneOf("pure", "zcdp", "base2"),
};

type Level = { readonly margin: Rational; readonly share: Rational };

const ONE_LEVEL: readonly Level[] = [{ margin: Rational.ZERO, share: Rational.ONE }];

function readLevels(field: string, given: readonly ThresholdLevel[]): Level[] {
  const levels = Array.from(arrayLike(field, given), (level) => {
    const read = readOptions(level, { margin: nonNegativeRational, share: positiveRational }, {}, "level");
    return { margin: rational(read.margin), share: rational(read.share) };
  });
  const last = levels.at(-1);
  const isFalling = levels.every(
    ({ margin, share }, i) =>
      i === 0 || (margin.compare(levels[i - 1].margin) < 0 && share.compare(levels[i - 1].share) > 0),
  );
  if (!isFalling || last === undefined || !last.margin.equals(0n) || !last.share.equals(1n))
    throw invalidParameter(field, "margins that fall to 0 with shares that rise to 1", "others");
  return levels;
}

type Noise =
  | { readonly kind: "exponential"; readonly threshold: Rational; readonly query: Rational }
  | { readonly kind: "gumbel"; readonly variance: Rational; readonly query: Rational }
  | {
      readonly kind: "geometric";
      readonly threshold: Base2Parameter;
      readonly query: Base2Parameter;
      readonly granularity: Rational;
    };

const MEASURES = { exponential: "pure", gumbel: "zcdp", geometric: "base2" } as const;

function noiseOf(read: AboveThresholdParameters): Noise {
  const { thresholdScale, thresholdVariance, queryScale, thresholdEta, queryEta, granularity } = read;
  const given = [thresholdScale, thresholdVariance, thresholdEta].filter((each) => each !== undefined).length;
  const isGeometric = thresholdEta !== undefined;
  if (given !== 1 || isGeometric !== (queryEta !== undefined) || isGeometric === (queryScale !== undefined))
    throw invalidParameter(
      "noise",
      "thresholdScale and queryScale, thresholdVariance and queryScale, or thresholdEta and queryEta",
      "others",
    );
  if (granularity !== undefined && !isGeometric)
    throw invalidParameter("granularity", "absent without thresholdEta", granularity);
  if (thresholdEta !== undefined)
    return {
      kind: "geometric",
      threshold: thresholdEta,
      query: queryEta as Base2Parameter,
      granularity: rational(granularity ?? 1n),
    };
  const query = usualScale(rational(queryScale as RationalLike));
  return thresholdScale === undefined
    ? { kind: "gumbel", variance: rational(thresholdVariance as RationalLike), query }
    : { kind: "exponential", threshold: usualScale(rational(thresholdScale)), query };
}

/** Sparse vector as a measurement, made by `makeAboveThreshold`: `start` a stream, or `invoke` it on a list of values. */
export class AboveThresholdMeasurement implements Measurement<Scores, ThresholdRun> {
  /** In which the loss is. */
  readonly measure: "pure" | "zcdp" | "base2";
  /** How many answers above a stream gives. */
  readonly count: number;
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
    const read = readOptions(parameters, {}, PARAMETERS);
    this.#noise = noiseOf(read);
    const { kind } = this.#noise;
    this.measure = read.measure ?? MEASURES[kind];
    if (this.measure !== MEASURES[kind] && !(kind === "exponential" && this.measure === "zcdp"))
      throw invalidParameter("measure", `"${MEASURES[kind]}" with ${kind} noise`, this.measure);
    this.count = read.count ?? 1;
    this.threshold = rational(read.threshold ?? 0n);
    this.monotone = read.monotone ?? false;
    this.ordered = read.ordered ?? false;
    this.resolution = read.resolution === undefined ? undefined : rational(read.resolution);
    this.levels = (read.levels as readonly Level[] | undefined) ?? ONE_LEVEL;
    this.#refuse();
  }

  /** What no theorem covers. */
  #refuse(): void {
    const noise = this.#noise;
    if (this.ordered && (this.count > 1 || noise.kind !== "exponential" || this.levels.length > 1))
      throw invalidParameter("ordered", "absent, or count 1 with exponential noise and no levels", true);
    if (this.levels.length > 1 && noise.kind !== "exponential")
      throw invalidParameter("levels", "absent without exponential noise", "levels");
    if (noise.kind !== "geometric") return;
    if (this.resolution !== undefined && !this.resolution.equals(noise.granularity))
      throw invalidParameter("resolution", "the granularity where noise is geometric", this.resolution);
    if (!this.threshold.dividedBy(noise.granularity).isInteger())
      throw invalidParameter("threshold", "a multiple of granularity", this.threshold);
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
      count: this.count,
      shares: this.levels.map(({ share }) => share),
    };
  }

  /** Answers for the values in their order, until so many are above. */
  invoke(values: Scores, entropy?: Entropy): ThresholdRun {
    return withEntropy(entropy, (bits) => this.start(bits).pushFrom(values));
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
  map(dIn: RationalLike): Extended {
    const distance = nonNegativeRational("dIn", dIn);
    const noise = this.#noise;
    if (noise.kind === "gumbel") {
      const [square, each] = [distance.times(distance), this.#eachOf(distance, noise.query)];
      const answers = each.times(each).times(BigInt(this.count));
      return square.dividedBy(noise.variance).plus(answers).dividedBy(2n);
    }
    if (noise.kind === "geometric") {
      const units = distance.dividedBy(noise.granularity).ceil();
      const answers = noise.query.eta.times(BigInt(this.count * (this.monotone ? 1 : 2)));
      return noise.threshold.eta.plus(answers).times(units);
    }
    const epsilon = this.#pureLoss(distance, noise.threshold, noise.query);
    return this.measure === "pure" ? epsilon : epsilon.times(epsilon).dividedBy(2n);
  }

  #pureLoss(distance: Rational, threshold: Rational, query: Rational): Rational {
    const first = distance.dividedBy(threshold);
    if (!this.ordered) return first.plus(this.#eachOf(distance, query).times(BigInt(this.count)));
    const answer = distance.dividedBy(query);
    return first.compare(answer) > 0 ? first : answer;
  }

  /** What one answer above costs: 2Δ/b, or Δ/b where monotone. */
  #eachOf(distance: Rational, query: Rational): Rational {
    return distance.dividedBy(query).times(this.monotone ? 1n : 2n);
  }

  /** Whether the loss for `dIn` is at most `dOut`. */
  check(dIn: RationalLike, dOut: RationalLike): boolean {
    return isAtMost(this.map(dIn), dOut === Infinity ? Infinity : nonNegativeRational("dOut", dOut));
  }

  /** The loss for `dIn` as a value that budgets take. */
  lossFor(dIn: RationalLike): PureLoss | ZcdpLoss | Base2Loss {
    const size = this.map(dIn);
    return this.measure === "pure" ? pure(size) : this.measure === "zcdp" ? zcdp(size) : base2(size);
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
    const threshold = zcdpCurve(distance.times(distance).dividedBy(noise.variance.times(2n)));
    if (distance.numerator === 0n) return threshold;
    const arrivals = arrivalCurve(this.#eachOf(distance, noise.query));
    return threshold.plus(arrivals.times(this.count));
  }

  /**
   * What can be promised without looking at the data; exponential noise only.
   *
   * @param beta The probability with which each of the two promises may fail.
   * @param queries How many queries there are at most.
   */
  bounds(beta: RationalLike, queries: number): ThresholdBounds {
    const chance = properProbability("beta", beta);
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
  return RenyiCurve.of(formula, { epsilon: size, rho: size.times(size).dividedBy(2n) });
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
 * measurement.map(1); // → 7/6
 * const { above, answered } = measurement.invoke([3, 20, 41270, 7]);
 * above.map(({ index }) => index); // → [2]
 * answered; // → 3
 * ```
 */
export function makeAboveThreshold(parameters: AboveThresholdParameters): AboveThresholdMeasurement {
  return new AboveThresholdMeasurement(parameters);
}
