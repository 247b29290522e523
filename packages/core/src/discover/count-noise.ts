/**
 * The noise of counts whose names are public by now, fixed before a count is read: how wide intervals are and what any number of
 * names costs. Each count has noise of its own, or a part of the noise is shared by all of them (sharing):
 *
 *   independent   y_i = h_i + N_i
 *   shared        y_i = a·h_i + N_i + M with one M for all, and the count is y_i/a
 *
 * Shared noise needs counts that one individual moves in one direction: people who are added or removed. The same loss then
 * allows intervals a third narrower at k = 10 and nearly half at k = 100. Errors are no longer independent, and sums of many
 * counts are less accurate.
 *
 * Cost: one draw a count, and one more for M. Proof: top-k-with-counts.proof.md, shared-counts.proof.md.
 * @module
 */

import { mostZcdp } from "../accounting/calibrate.js";
import { convert } from "../accounting/convert.js";
import { countVariance, spentDelta } from "../accounting/count-variance.js";
import { varianceAtLeast } from "../accounting/least-noise.js";
import { approx, type LossOf, pure, zcdp } from "../accounting/loss.js";
import {
  epsilonOfSharedCounts,
  pureScale,
  rhoOfSharedCounts,
  type SharedGaussian,
} from "../accounting/price.js";
import {
  gaussianThreshold,
  laplaceThreshold,
  sharedGaussianThreshold,
  sharedLaplaceThreshold,
} from "../accounting/profile/tails.js";
import {
  gaussianSharing,
  isBetter,
  laplaceSharing,
  type SharedBy,
  sharedGaussian,
  sharedLaplace,
} from "../accounting/shared-noise.js";
import type { LooseSpend, Spend } from "../accounting/spend.js";
import type { Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { roundedUp, zerosAfterPoint } from "../exact/certified.js";
import { bitLength } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import {
  exactlyOneOf,
  failureChance,
  integer,
  oneOf,
  positiveRational,
  properProbability,
  readOptions,
} from "../options.js";
import { drawDiscreteGaussian } from "../sample/discrete-gaussian.js";
import { drawDiscreteLaplace } from "../sample/discrete-laplace.js";
import type { ChangedCounts } from "./limited-losses.js";

/**
 * Whether counts share a part of their noise; "auto" where that makes intervals narrower by more than 2 %.
 *
 * @inline
 */
export type NoiseSharing = "auto" | "shared" | "independent";

/**
 * How one individual can change counts, and how sure intervals are.
 *
 * @inline
 */
export interface IntervalOptions extends ChangedCounts {
  /** The probability with which an interval holds the true count. Default 0.95. */
  readonly confidence?: RationalLike | undefined;
  /**
   * Whether the counts share a part of their noise. Default "auto": if people are added or removed, and it narrows the intervals.
   * Shared noise needs `rho` or `epsilon`, and counts that one individual changes in one direction only.
   */
  readonly sharing?: NoiseSharing | undefined;
}

/**
 * A budget for all counts, and what it is for: exactly one of `rho` and `variance`, for discrete Gaussian noise, and `epsilon`
 * and `scale`, for discrete Laplace noise. With a `delta`, `epsilon` is for discrete Gaussian noise in (ε, δ).
 *
 * @inline
 */
export type CountBudget = Spend<"rho" | "epsilon" | "variance" | "scale"> &
  IntervalOptions & {
    /** The δ of an (ε, δ), beside `epsilon`; then `sensitivity` must be 1. */
    readonly delta?: RationalLike | undefined;
  };

/**
 * How many names the noise is for, its budget, and how one individual can change counts.
 *
 * @inline
 */
export type CountNoiseOptions = CountBudget & {
  /** For how many names the budget is; unused ones cost less. */
  readonly k: number;
};

/** The same before it is known that just one budget is given. */
export type LooseNoise = LooseSpend<"rho" | "epsilon" | "variance" | "scale"> &
  IntervalOptions & { readonly delta?: RationalLike | undefined };

export const COUNT_NOISE = {
  maxItemsPerUser: integer,
  neighbours: /* @__PURE__ */ oneOf("add-remove", "replace"),
  sensitivity: positiveRational,
  confidence: properProbability,
  sharing: /* @__PURE__ */ oneOf("auto", "shared", "independent"),
  rho: positiveRational,
  epsilon: positiveRational,
  variance: positiveRational,
  scale: positiveRational,
  delta: properProbability,
};

/**
 * The part of the noise that all counts share: y_i = factor·h_i + N_i + M.
 *
 * @inline
 */
export type SharedPart = {
  /** What counts are multiplied by before noise is added, an integer; 1 for Laplace noise. */
  readonly factor: Rational;
  /** σ² or the scale of M. */
  readonly size: Rational;
};

/** Noise that is shared, and the integer by which its variance or scale differs from that of each count. */
interface Shared extends SharedPart {
  readonly pool: number;
}

/**
 * The integer noise of counts, made by `countNoise`: the width of intervals and the price of any number of names are known
 * before a count is read. See docs/mechanisms/top-k-with-counts.md.
 */
export class CountNoise {
  /** The law of each draw. */
  readonly law: "gaussian" | "laplace";
  /** σ² or the scale of the noise of each count; with shared noise, of the part that it has for itself, added to factor·count. */
  readonly size: Rational;
  /** The part of the noise that all counts share, drawn once; undefined if each has noise of its own alone. */
  readonly shared?: SharedPart;
  /** For how many names the budget is. */
  readonly k: number;
  readonly #sensitivity: Rational;
  readonly #most: number;
  readonly #shared: Shared | undefined;
  /** ε and δ, where the budget has both. */
  readonly #target: { readonly epsilon: Rational; readonly delta: Rational } | undefined;

  /**
   * Made by `countNoise`.
   *
   * @internal
   */
  constructor(k: number, options: LooseNoise) {
    const { sensitivity = 1n, maxItemsPerUser = Infinity, neighbours, delta } = options;
    this.k = k;
    this.#sensitivity = positiveRational("sensitivity", sensitivity);
    this.#most = neighbours === "replace" ? 2 * maxItemsPerUser : maxItemsPerUser;
    const { law, size, shared, target } =
      delta === undefined ? this.#sized(options) : this.#sizedWithin(options);
    this.law = law;
    this.size = size;
    this.#shared = shared;
    this.#target = target;
    if (shared !== undefined) this.shared = Object.freeze({ factor: shared.factor, size: shared.size });
    Object.freeze(this);
  }

  /** Noise for a budget in one measure. */
  #sized(options: LooseNoise): Sized {
    const { rho, epsilon, variance, scale } = options;
    exactlyOneOf({ rho, epsilon, variance, scale });
    if (variance !== undefined || scale !== undefined) {
      requireBudget(options);
      if (scale === undefined)
        return { law: "gaussian", size: positiveRational("variance", variance as RationalLike) };
      return { law: "laplace", size: positiveRational("scale", scale) };
    }
    const by = this.#by();
    if (rho !== undefined) {
      const target = positiveRational("rho", rho);
      if (isShared(options, by, gaussianSharing)) return sharedGaussianNoise(target, by);
      const size = varianceAtLeast(zcdp(target), { sensitivity: this.#sensitivity, rounds: by.moved });
      return { law: "gaussian", size };
    }
    const target = positiveRational("epsilon", epsilon as RationalLike);
    if (isShared(options, by, laplaceSharing)) return sharedLaplaceNoise(target, by);
    return { law: "laplace", size: pureScale(target, this.#sensitivity, BigInt(by.moved)) };
  }

  /** Gaussian noise in (ε, δ): by the exact sum if it is independent, by zCDP if it is shared. */
  #sizedWithin(options: LooseNoise): Sized {
    for (const name of ["rho", "variance", "scale"] as const)
      if (options[name] !== undefined) throw invalidParameter(name, "absent beside delta", options[name]);
    if (!this.#sensitivity.equals(1n))
      throw invalidParameter(
        "sensitivity",
        "1 beside delta, because larger changes aren't proven",
        options.sensitivity,
      );
    const epsilon = positiveRational("epsilon", options.epsilon as RationalLike);
    const target = { epsilon, delta: rational(options.delta as RationalLike) };
    const by = this.#by();
    const size = countVariance(epsilon, target.delta, by.moved);
    const { rho } = mostZcdp(epsilon, target.delta);
    const inRho = (sharing: { readonly variance: Rational }) => sharing.variance.dividedBy(rho.times(2n));
    const sharing = (by: SharedBy) => {
      const found = gaussianSharing(by);
      // Compared with the variance that independent noise really has.
      return { ...found, variance: inRho(found).dividedBy(size), alone: 1n };
    };
    if (!isShared(options, by, sharing)) return { law: "gaussian", size, target };
    return { ...sharedGaussianNoise(rho, by), target };
  }

  #by(): SharedBy {
    return { k: this.k, moved: this.movedOf(this.k), distance: this.#sensitivity };
  }

  /** How many of the counts of `names` names one individual can move. */
  movedOf(names: number): number {
    return Math.min(this.#most, names);
  }

  /**
   * The cost of measuring `names` names of the k, each of which one individual moves by at most `distance`: fewer names cost less,
   * but with shared noise more than their share.
   *
   * @param names How many, up to k.
   * @param distance How far a count moves. Default: the sensitivity.
   */
  lossOf(
    names: number,
    distance: RationalLike = this.#sensitivity,
  ): LossOf<Rational>["pure" | "zcdp" | "approx"] {
    const counts = { names, moved: this.movedOf(names), distance: rational(distance) };
    const target = this.#target;
    if (target === undefined) return this.#lossOf(counts);
    const { epsilon, delta } = target;
    if (names === 0) return approx(epsilon, 0n);
    if (this.#shared === undefined)
      return approx(epsilon, spentDelta(epsilon, delta, this.size, counts.moved));
    const spent = convert(this.#lossOf(counts), { to: "approx", epsilon }).delta;
    // Rounded up, the conversion may end a digit above the target, which is met all the same.
    return approx(epsilon, spent.compare(delta) < 0 ? spent : delta);
  }

  #lossOf(counts: { names: number; moved: number; distance: Rational }): LossOf<Rational>["pure" | "zcdp"] {
    const { moved, distance } = counts;
    const shared = this.#shared;
    if (shared !== undefined) {
      const { pool } = shared;
      if (this.law === "laplace") return pure(epsilonOfSharedCounts({ scale: this.size, pool }, counts));
      const [factor, variance] = [shared.factor.numerator, this.size];
      const noise: SharedGaussian = { names: this.k, factor, pool, variance };
      return zcdp(rhoOfSharedCounts(noise, counts));
    }
    const times = Rational.of(BigInt(moved));
    if (this.law === "laplace") return pure(times.times(distance).dividedBy(this.size));
    return zcdp(times.times(distance.times(distance)).dividedBy(this.size.times(2n)));
  }

  /** What turns counts into the integers that are released: one draw for each, and one for all where noise is shared. */
  noisy(counts: readonly (number | bigint)[], entropy: Entropy): bigint[] {
    const draw = this.law === "gaussian" ? drawDiscreteGaussian : drawDiscreteLaplace;
    if (this.#shared === undefined) return counts.map((count) => BigInt(count) + draw(this.size, entropy));
    if (counts.length === 0) return [];
    const { factor, size } = this.#shared;
    const common = draw(size, entropy);
    return counts.map((count) => factor.numerator * BigInt(count) + draw(this.size, entropy) + common);
  }

  /** What the released integers are divided by. */
  get factor(): bigint {
    return this.#shared?.factor.numerator ?? 1n;
  }

  /**
   * The least integer w with P(|noise| > w) ≤ level, in units of 1/factor; for several counts at once, with
   * 1 − (1 − P(|noise| > w))^times ≤ level. For Gaussian noise beyond σ = 1000 or so it may be 0.2 % of σ larger.
   */
  halfWidth(level: Rational, times = 1): bigint {
    const each = levelOfEach(level, times).dividedBy(2n);
    if (this.#shared !== undefined) {
      const threshold = this.law === "gaussian" ? sharedGaussianThreshold : sharedLaplaceThreshold;
      return threshold(this.size, this.#shared.pool, each);
    }
    const threshold = this.law === "gaussian" ? gaussianThreshold : laplaceThreshold;
    return threshold(this.size, each, "smallest");
  }

  /**
   * The variance of the noise that a count has for itself, in units of counts, to fifteen digits: at most σ², or 2a/(1 − a)² with
   * a = e^(−1/scale). It steers the weights of leads, which don't see what is shared.
   */
  variance(): Rational {
    if (this.law === "gaussian") return this.size.dividedBy(this.factor * this.factor);
    const exponent = Rational.ONE.dividedBy(this.size).negated();
    return roundedUp((precision) => {
      const a = Interval.from(exponent, 2 * precision).exp();
      return a.times(2n).dividedBy(
        Interval.from(1n, 2 * precision)
          .minus(a)
          .power(2),
      );
    });
  }
}

/** A law with its size, and what is shared. */
interface Sized {
  readonly law: "gaussian" | "laplace";
  readonly size: Rational;
  readonly shared?: Shared;
  readonly target?: { readonly epsilon: Rational; readonly delta: Rational };
}

function sharedGaussianNoise(rho: Rational, by: SharedBy): Sized {
  const { factor, pool, variance } = sharedGaussian(rho, by);
  const shared = { factor: Rational.of(factor), pool, size: variance.dividedBy(pool) };
  return { law: "gaussian", size: variance, shared };
}

function sharedLaplaceNoise(epsilon: Rational, by: SharedBy): Sized {
  const noise = sharedLaplace(epsilon, by);
  if (noise === undefined)
    throw invalidParameter(
      "sharing",
      `"independent" for so few counts that one individual can move`,
      "shared",
    );
  const { scale, pool } = noise;
  return { law: "laplace", size: scale, shared: { factor: Rational.ONE, pool, size: scale.dividedBy(pool) } };
}

/** Whether noise is shared: as asked, or where it is better for people who are added or removed. Public numbers decide. */
function isShared(
  { sharing = "auto", neighbours }: LooseNoise,
  by: SharedBy,
  best: (by: SharedBy) => Parameters<typeof isBetter>[0] | undefined,
): boolean {
  if (sharing === "independent") return false;
  if (neighbours === "replace") {
    if (sharing === "shared")
      throw invalidParameter("sharing", '"independent" where people are replaced', sharing);
    return false;
  }
  if (sharing === "shared") return true;
  if (by.moved < 2) return false;
  const found = best(by);
  return found !== undefined && isBetter(found);
}

/** Noise of a given size is that of each count. */
function requireBudget({ sharing }: LooseNoise): void {
  if (sharing === "shared") throw invalidParameter("sharing", "absent beside variance and scale", sharing);
}

const LEVEL_PRECISION = 256;

/** 1 − (1 − level)^(1/times), rounded down far beyond any tail that could be equal to it. */
export function levelOfEach(level: Rational, times: number): Rational {
  if (times <= 1) return level;
  const rest = Rational.ONE.minus(level);
  const zeros = zerosAfterPoint(level) + zerosAfterPoint(rest) + bitLength(BigInt(times));
  const none = Interval.from(rest, LEVEL_PRECISION + zeros)
    .ln()
    .dividedBy(BigInt(times))
    .exp();
  return Rational.ONE.minus(none.upper());
}

/** 1 − confidence. */
export function levelFor({ confidence = "0.95" }: IntervalOptions): Rational {
  return failureChance(confidence);
}

/**
 * The noise of counts before any is measured: the width of their intervals, and what any number of names costs.
 *
 * @param options How many names, the budget, and how one individual can change counts.
 *
 * @example
 * ```ts
 * import { countNoise } from "winnow-dp";
 *
 * const noise = countNoise({ k: 10, rho: "1/100" });
 * noise.shared?.factor; // → 13
 * noise.lossOf(10); // → { measure: "zcdp", rho: 0.01 }
 * countNoise({ k: 10, rho: "1/100", sharing: "independent" }).size; // → 500
 * ```
 */
export function countNoise(options: CountNoiseOptions): CountNoise {
  const { k, ...read } = readOptions(
    options as LooseNoise & { readonly k: number },
    { k: integer },
    COUNT_NOISE,
  );
  return new CountNoise(integer("k", k, 1), read);
}
