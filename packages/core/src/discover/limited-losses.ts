/**
 * What a limited-domain top k costs, before it runs and after: the loss that it promises on its own, and what a ledger
 * that reserved all k rounds may count for an answer of fewer. A round is a name, or the ⊥ that ended the list.
 *
 *   Gumbel noise        (r/scale)²/8 per round in zCDP, the curve of bounded range r/scale in Rényi, r/scale in (ε, δ)
 *   exponential noise   r/scale a round in (ε, δ); in zCDP and Rényi always all k rounds, because less is not proven
 * All of δ is counted whatever the answer. Proof: limited-top-k.proof.md, 6.
 * @module
 */

import { convert, inMeasure } from "../accounting/convert.js";
import { boundedRangeCurve, pureCurve, renyi } from "../accounting/curve.js";
import { type Extended, isBounded } from "../accounting/extended.js";
import { approx, type Loss, type LossOf, zcdp } from "../accounting/loss.js";
import { type LossLike, readLoss } from "../accounting/loss-json.js";
import { rhoOfRounds } from "../accounting/price.js";
import { deltaAtMost, isComputable } from "../accounting/profile/bounded-range.js";
import { isWithin } from "../accounting/within.js";
import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { integer, nonNegativeRational, positiveRational } from "../options.js";
import type { NamedCounts } from "../race/candidates.js";
import { type Domain, type Metric, withMethods } from "../select/measurement.js";
import { usualScale } from "../select/options.js";
import { failureOf, type LimitedNoise } from "./limited-threshold.js";
import { isHistogram, readHistogram } from "./named-counts.js";

/**
 * How many names, among how many, and how one individual can change counts.
 *
 * @inline
 */
export interface LimitedQuestion extends ChangedCounts {
  /** The most names to tell. */
  readonly k: number;
  /** How many of the largest counts race, at least k; public. Default: 1,000, or 10·k if that is more. */
  readonly maxCandidates?: number | undefined;
}

/**
 * How one individual can change counts.
 *
 * @inline
 */
export interface ChangedCounts {
  /**
   * The most names that one individual can have, if the counts were bounded to that (`boundContributions`); never a guess.
   * Default: not known.
   */
  readonly maxItemsPerUser?: number | undefined;
  /** Whether one individual is added or removed, or replaced by another. Default "add-remove". */
  readonly neighbours?: Neighbours | undefined;
  /** How much one individual can change any one count. Default 1. */
  readonly sensitivity?: RationalLike | undefined;
}

/** How data sets differ that one individual tells apart. */
export type Neighbours = "add-remove" | "replace";

/** The default number of candidates: too many cost little, too few may cost a lot. */
export function candidatesFor({ k, maxCandidates }: LimitedQuestion): number {
  if (maxCandidates === undefined) return Math.max(1000, 10 * k);
  return integer("maxCandidates", maxCandidates, k);
}

/** m: how many candidates one individual can bring in. */
export function newcomersOf(question: LimitedQuestion): number {
  return Math.min(question.maxItemsPerUser ?? Infinity, candidatesFor(question));
}

/** r: how far one individual can move two counts against each other. */
export function rangeFor({ sensitivity = 1n, neighbours }: LimitedQuestion): Rational {
  return rangeOfDistance(positiveRational("sensitivity", sensitivity), neighbours);
}

function rangeOfDistance(distance: Rational, neighbours: Neighbours = "add-remove"): Rational {
  return neighbours === "replace" ? distance.times(2n) : distance;
}

/**
 * What a ledger may count for an answer, by the measure it counts in.
 *
 * @inline
 */
export type LimitedCharge = {
  /** In a ledger of pure or (ε, δ) privacy. */
  readonly approx: LossOf<Rational>["approx"];
  /** In a ledger of zero-concentrated privacy. */
  readonly zcdp: LossOf<Rational>["zcdp"];
  /** In a Rényi ledger. */
  readonly renyi: LossOf<Rational>["renyi"];
};

/** What losses depend on, read before. */
export interface LimitedLossTerms extends LimitedQuestion {
  readonly noise: LimitedNoise;
  readonly scale: Rational;
  /** T: how far ⊥ stands above the counts that one individual could bring in. */
  readonly threshold: Rational;
  /** The probability that they beat it all the same, rounded up; if not given, it is computed. */
  readonly failure?: Rational | undefined;
}

/**
 * The domain of a limited-domain top k: every name once, each with an integer count ≥ 0.
 *
 * @inline
 */
export type NamedCountDomain = Domain<NamedCounts> & {
  readonly name: "complete counts of any names";
};

/**
 * The metric of a limited-domain top k: two inputs are as far apart as the count that differs most. A name that is missing has
 * the count 0.
 *
 * @inline
 */
export type NamedCountMetric = Metric<NamedCounts> & {
  readonly name: "largest change of a count";
  /** Whether one individual is added or removed, which moves all counts the same way, or replaced by another. */
  readonly neighbours: Neighbours;
};

/** The parameters of a limited-domain top k, and its losses. */
export class LimitedLosses {
  /** What `invoke` takes: the complete counts of names that need not be known beforehand. */
  readonly domain: NamedCountDomain = withMethods(
    { name: "complete counts of any names" },
    { contains: isHistogram },
  );
  /** How inputs are compared: by the largest change of a count. */
  readonly metric: NamedCountMetric;
  /** The measure that `map` speaks of: δ-approximate zCDP for Gumbel noise, (ε, δ) for exponential noise. */
  readonly measure: "zcdp" | "approx";
  /** The most names to tell. */
  readonly k: number;
  /** How many of the largest counts race. */
  readonly maxCandidates: number;
  /** The law of the noise. */
  readonly noise: LimitedNoise;
  /** The scale of the noise, in units of the counts. */
  readonly scale: Rational;
  /** T: ⊥ stands this much and r above the largest count that doesn't race. */
  readonly threshold: Rational;
  /** The probability that names which one individual brings in beat ⊥, rounded up. */
  readonly failure: Rational;
  /** r: how far one individual can move two counts against each other. */
  protected readonly range: Rational;
  readonly #newcomers: number;
  readonly #charges: LimitedCharge[] = [];

  /** @internal */
  constructor(terms: LimitedLossTerms) {
    this.k = terms.k;
    this.maxCandidates = candidatesFor(terms);
    this.#newcomers = newcomersOf(terms);
    this.noise = terms.noise;
    this.scale = usualScale(terms.scale);
    this.measure = this.noise === "gumbel" ? "zcdp" : "approx";
    const neighbours = terms.neighbours ?? "add-remove";
    this.metric = withMethods(
      { name: "largest change of a count", neighbours },
      {
        distance: (first: NamedCounts, second: NamedCounts) =>
          largestChange(first, second, neighbours, terms.maxItemsPerUser),
      },
    );
    this.range = rangeFor(terms);
    this.threshold = terms.threshold;
    refuseLong(this.range.plus(this.threshold), this.threshold);
    this.failure = terms.failure ?? failureOf(this.#terms, this.threshold);
  }

  get #terms() {
    return { noise: this.noise, scale: this.scale, newcomers: this.#newcomers };
  }

  /** What to reserve before a run: all k rounds, and δ. */
  get reservation(): LimitedCharge {
    return this.chargeFor(this.k);
  }

  /**
   * The charge for an answer that used `rounds` rounds, after k were reserved.
   *
   * @param rounds From 0 to k.
   */
  chargeFor(rounds: number): LimitedCharge {
    const used = integer("rounds", rounds, 0, this.k);
    this.#charges[used] ??= Object.freeze(this.#chargeFor(used));
    return this.#charges[used];
  }

  #chargeFor(rounds: number): LimitedCharge {
    const each = this.range.dividedBy(this.scale);
    const { failure } = this;
    const counted = approx(each.times(rounds), failure);
    if (this.noise === "gumbel") {
      const rho = rhoOfRounds(each, "bounded-range", rounds);
      const curve = boundedRangeCurve(each).times(rounds);
      return { approx: counted, zcdp: zcdp(rho, failure), renyi: renyi(curve, failure) };
    }
    const whole = each.times(this.k);
    const rho = rhoOfRounds(whole, "pure");
    return { approx: counted, zcdp: zcdp(rho, failure), renyi: renyi(pureCurve(whole), failure) };
  }

  /**
   * The loss for data sets whose counts differ by at most `dIn`, in the measure of the measurement. Beyond the sensitivity
   * that ⊥ was placed for, names that one individual brings in come nearer to ⊥, and δ grows; beyond ⊥, nothing is promised.
   */
  map(dIn: RationalLike): LossOf["zcdp" | "approx"] {
    return this.#lossAt(dIn, this.measure);
  }

  /**
   * Whether the loss for `dIn` is at most `dOut`.
   *
   * @param dIn How far one individual can move any count.
   * @param dOut A loss in zCDP or (ε, δ).
   */
  check(dIn: RationalLike, dOut: LossLike<"zcdp" | "approx">): boolean {
    const limit: Loss = readLoss(dOut, "dOut");
    if (limit.measure !== "zcdp" && limit.measure !== "approx")
      throw invalidParameter("dOut", "a zcdp or approx loss", dOut);
    if (fits(this.#lossAt(dIn, limit.measure), limit)) return true;
    if (this.noise !== "gumbel") return false;
    return fits(this.#lossAt(dIn, "zcdp"), limit) || (limit.measure === "approx" && this.#keeps(dIn, limit));
  }

  /** Whether k rounds of its range, beside the failure, are certified to keep an (ε, δ). */
  #keeps(dIn: RationalLike, { epsilon, delta }: LossOf["approx"]): boolean {
    const distance = nonNegativeRational("dIn", dIn);
    const { delta: failure } = this.#lossAt(distance, "approx");
    const range = rangeOfDistance(distance, this.metric.neighbours).dividedBy(this.scale);
    const rounds = { range, rounds: this.k };
    if (!isBounded(epsilon) || !isComputable(epsilon, rounds)) return false;
    const together = failure.plus(Rational.ONE.minus(failure).times(deltaAtMost(epsilon, rounds)));
    return together.compare(delta) <= 0;
  }

  #lossAt<M extends "zcdp" | "approx">(
    dIn: RationalLike,
    measure: M,
  ): M extends "zcdp" ? LossOf<Rational>["zcdp"] : LossOf<Rational>["approx"];
  #lossAt(dIn: RationalLike, measure: "zcdp" | "approx"): Loss {
    const distance = nonNegativeRational("dIn", dIn);
    const none = approx(0n, 0n);
    if (distance.numerator === 0n) return inMeasure(none, measure);
    const range = rangeOfDistance(distance, this.metric.neighbours);
    const margin = this.range.minus(range).plus(this.threshold);
    if (margin.numerator < 0n) return inMeasure(approx(Infinity, 1n), measure);
    const failure = range.equals(this.range) ? this.failure : failureOf(this.#terms, margin);
    const each = range.dividedBy(this.scale);
    if (measure === "approx") return approx(each.times(this.k), failure);
    if (this.noise === "gumbel") return zcdp(rhoOfRounds(each, "bounded-range", this.k), failure);
    return zcdp(rhoOfRounds(each.times(this.k), "pure"), failure);
  }
}

/** Counts are scanned as doubles, in units in which ⊥ is an integer. */
const LONGEST_UNIT = 10n ** 280n;

function refuseLong({ numerator, denominator }: Rational, threshold: Rational): void {
  if (numerator <= LONGEST_UNIT && denominator <= LONGEST_UNIT) return;
  const expected = "a rational that has at most 280 digits above and below after sensitivity is added";
  throw invalidParameter("threshold", expected, threshold);
}

/** Whether a loss is within a limit in ε, zCDP or (ε, δ); a concentrated loss is converted at the δ of the limit. */
export function fits(loss: Loss, limit: Loss): boolean {
  if (loss.measure !== "zcdp" || limit.measure !== "approx") return isWithin(loss, limit, []);
  const isLess = (loss.delta ?? Rational.ZERO).compare(limit.delta) < 0;
  return isLess && isWithin(convert(loss, { to: "approx", delta: limit.delta }), limit, []);
}

/** The largest |difference| of a count; Infinity where no individual can make it so. */
function largestChange(
  first: NamedCounts,
  second: NamedCounts,
  neighbours: Neighbours,
  itemsPerUser = Infinity,
): Extended {
  const [before, after] = [readHistogram(first), readHistogram(second)];
  let [largest, rising, falling] = [0n, 0, 0];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const change = BigInt(after.get(name) ?? 0) - BigInt(before.get(name) ?? 0);
    if (change > 0n) rising++;
    if (change < 0n) falling++;
    const size = change < 0n ? -change : change;
    if (size > largest) largest = size;
  }
  const isBothWays = rising > 0 && falling > 0 && neighbours === "add-remove";
  return isBothWays || Math.max(rising, falling) > itemsPerUser ? Infinity : Rational.of(largest);
}
