/**
 * `topKWithCounts`: the names with the largest counts and, with a stated share of the budget, how many individuals each of
 * them has. The names come from `limitedTopK` or, for a public list, from `topK`; then each name that was released is
 * measured once with fresh noise (`measureCounts`).
 *
 *   count      the measurement, with an interval that holds the true count
 *   estimate   with gaps: the measurement combined with the leads, which cost nothing (`combineGaps`)
 *   fitted     the same made to fall in the order of the list, which costs nothing
 *
 * Guarantee: that of the two parts together. The noise of the counts is fixed for k names beforehand; names that are not
 * released are not measured and not charged. A quarter of the budget for the counts, a fifth where they share noise, is within
 * 0.5 % of the best split of the height that a name needs to be told and the width of its interval.
 *
 * Cost: that of the two parts. Proof: top-k-with-counts.proof.md.
 * @module
 */

import { compose } from "../accounting/compose.js";
import type { Loss, Measure } from "../accounting/loss.js";
import { type LossLike, readLoss } from "../accounting/loss-json.js";
import type { Spend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidData, invalidParameter } from "../errors.js";
import { ceilDiv } from "../exact/integers.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import {
  exactlyOneOf,
  integer,
  nonNegativeRational,
  oneOf,
  properProbability,
  readOptions,
} from "../options.js";
import type { NamedCounts, Winner } from "../race/candidates.js";
import { combineGaps } from "../select/combine-gaps.js";
import type { Measurement } from "../select/measurement.js";
import { NoisyTopK } from "../select/noisy-top-k.js";
import { withEntropy } from "../system-entropy.js";
import { type CountNoise, type IntervalOptions, levelFor } from "./count-noise.js";
import { type LooseCounted, publicSteps, unknownSteps } from "./counted-steps.js";
import { fits, type LimitedQuestion } from "./limited-losses.js";
import type { LimitedNoise } from "./limited-threshold.js";
import { LIMITED, type LimitedTopKMeasurement } from "./limited-top-k.js";
import {
  countsOf,
  type MeasuredCount,
  measured,
  nonIncreasingFit,
  type SharedNoise,
} from "./measure-counts.js";
import { countOf, nameOf, pairsOf } from "./named-counts.js";

/**
 * How many names, of which domain, a budget (exactly one of `epsilon` and `rho`), and which share of it is for the counts.
 *
 * @interface
 */
export type TopKWithCountsOptions = Spend<"epsilon" | "rho"> &
  Omit<LimitedQuestion, "maxCandidates"> &
  IntervalOptions & {
    /** The share of the budget for the counts, above 0 and below 1. Default 1/4, or 1/5 where they share noise. */
    readonly countShare?: RationalLike | undefined;
    /** Release gaps, rounded down to multiples of this; with exponential noise only, and for a public domain with `epsilon`. */
    readonly resolution?: RationalLike | undefined;
    /** Where the fair bits come from. Default: the system's cryptographic generator. */
    readonly entropy?: Entropy | undefined;
  } & (
    | {
        /** "unknown" if the names are private too, which is the default; "public" if the histogram lists a public domain, zeros included. */
        readonly domain?: "unknown" | undefined;
        /** The δ of the whole release, above 0 and below 1. */
        readonly delta: RationalLike;
        /** The law of the noise on the names. Default: Gumbel noise; with gaps, and for up to 3 names with `epsilon`, exponential. */
        readonly noise?: LimitedNoise | undefined;
        /** How many of the largest counts race, at least k; public. Default: 1,000, or 10·k if that is more. */
        readonly maxCandidates?: number | undefined;
      }
    | ({
        readonly domain: "public";
      } & { readonly [Name in "delta" | "noise" | "maxCandidates"]?: undefined })
  );

/**
 * A name with its count.
 *
 * @inline
 */
export type CountedWinner = Winner<string> &
  MeasuredCount & {
    /** The measurement and the leads combined; only with gaps. */
    readonly estimate?: Rational;
    /** The estimate, or the count where there is none, made to fall in the order of the list. */
    readonly fitted: Rational;
  };

/**
 * Names with their counts.
 *
 * @inline
 */
export type CountedAnswer = {
  /** Best first. */
  readonly winners: readonly CountedWinner[];
  /** Whether ⊥ ended the list; never for a public domain. */
  readonly stopped: boolean;
  /** Each true count is this near to its measured one, with the stated confidence. */
  readonly halfWidth: Rational;
  /** All of them are this near at once, with the stated confidence. */
  readonly simultaneous: Rational;
  /** What all counts share of their noise; only if they do. */
  readonly shared?: SharedNoise;
  /** What a ledger has to reserve, and what it may count for this answer instead. */
  readonly charge: {
    /** All rounds, all counts and δ. */
    readonly reserved: Loss;
    /** The rounds that were used, the counts that were measured, and all of δ. */
    readonly settled: Loss;
  };
};

/** Names with their counts, and what they cost. */
export interface TopKWithCounts extends CountedAnswer {
  /** What the release promises on its own, whatever the answer. */
  readonly privacy: Loss;
  /** The mechanism that the budget led to, with its noise and its parts: all of it public. */
  readonly measurement: TopKWithCountsMeasurement;
}

/** The readers of the parameters besides `k`. */
function readers() {
  const { scale: _, entropy: __, ...question } = LIMITED;
  const domain = oneOf("unknown", "public");
  return {
    ...question,
    domain,
    delta: properProbability,
    countShare: properProbability,
    confidence: properProbability,
    sharing: oneOf("auto", "shared", "independent"),
  };
}

/**
 * The names with the largest counts, and how many individuals each of them has.
 *
 * A share of the budget, a quarter or a fifth unless you say otherwise, measures the counts of the names that are released. See
 * docs/mechanisms/top-k-with-counts.md.
 *
 * Guarantee: with `rho`, ρ-zCDP; with `epsilon`, pure ε for a public domain; for an unknown domain δ-approximate ρ-zCDP and (ε, δ)-DP.
 *
 * @param histogram The count of each name: all names that anyone has, or a public list with zeros.
 * @param options How many names, the budget and its split, and how one individual can change counts.
 *
 * @example
 * ```ts
 * import { topKWithCounts } from "winnow-dp";
 *
 * const visits = { Alster: 91200, Bille: 83100, Dove: 75440, Elbe: 3 };
 * const answer = topKWithCounts(visits, { k: 3, rho: "0.1", delta: "1e-6" });
 * answer.winners.map(({ candidate }) => candidate); // → ["Alster", "Bille", "Dove"]
 * answer.halfWidth; // → 14
 * ```
 */
export function topKWithCounts(histogram: NamedCounts, options: TopKWithCountsOptions): TopKWithCounts {
  type Asked = LooseCounted & Pick<TopKWithCountsOptions, "entropy">;
  const optional = { ...readers(), entropy: anEntropy };
  const { entropy, ...read } = readOptions(options as Asked, { k: integer }, optional);
  const measurement = new TopKWithCountsMeasurement(read);
  return { ...measurement.invoke(histogram, entropy), privacy: measurement.privacy, measurement };
}

/**
 * `topKWithCounts` as a measurement, made by `makeTopKWithCounts`: the noise of names and counts and the most that a run can cost
 * are known before it runs, any number of times.
 *
 * See docs/mechanisms/top-k-with-counts.md.
 */
export class TopKWithCountsMeasurement
  implements Measurement<NamedCounts, CountedAnswer, Loss, "pure" | "zcdp" | "approx">
{
  /** The measure of `map` and of what is reserved. */
  readonly measure: Measure;
  /** The most names to tell. */
  readonly k: number;
  /** What chooses the names, with its noise and scale. */
  readonly names: LimitedTopKMeasurement | NoisyTopK;
  /** The noise of the counts: its law and size, what is shared of it, the width of intervals and the price of fewer names. */
  readonly countNoise: CountNoise;
  /** Each true count is this near to its measured one, with the stated confidence. */
  readonly halfWidth: Rational;
  /** How the budget is split. */
  readonly parts: {
    /** What the names cost. */
    readonly names: Loss;
    /** What k counts cost. */
    readonly counts: Loss;
  };
  /** What to reserve before a run: all rounds, all counts and δ. */
  readonly reservation: Loss;
  /** What a run promises on its own, whatever the answer, in the measure of the budget. */
  readonly privacy: Loss;
  readonly #level: Rational;

  /**
   * Made by `makeTopKWithCounts`.
   *
   * @internal
   */
  constructor(options: LooseCounted) {
    const { k, domain = "unknown", epsilon, rho, delta } = options;
    exactlyOneOf({ epsilon, rho });
    if ((domain === "unknown") !== (delta !== undefined))
      throw invalidParameter("delta", domain === "public" ? "absent for a public domain" : "given", delta);
    const { measurement, names, noise, report } = (domain === "public" ? publicSteps : unknownSteps)(options);
    const counts = noise.lossOf(k);
    this.k = k;
    this.names = measurement;
    this.parts = Object.freeze({ names, counts });
    this.reservation = compose(names, counts);
    this.measure = this.reservation.measure;
    this.privacy = report(this.reservation);
    this.countNoise = noise;
    this.#level = levelFor(options);
    this.halfWidth = Rational.of(ceilDiv(noise.halfWidth(this.#level), noise.factor));
    Object.freeze(this);
  }

  /**
   * The names with the largest counts, each with its count.
   *
   * @param histogram The count of each name: all names that anyone has, or a public list with zeros.
   * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
   */
  invoke(histogram: NamedCounts, entropy?: Entropy): CountedAnswer {
    // The counts are read twice and must stay the same in between.
    const held = new Map<string, number | bigint>();
    for (const pair of pairsOf(histogram)) {
      const name = nameOf(pair);
      if (held.has(name)) throw invalidData("histogram", "a list with each name once", "invalid-parameter");
      held.set(name, countOf(pair[1]));
    }
    return withEntropy(entropy, (bits) => {
      const { winners, stopped, charge } = this.#drawNames(held, bits);
      const listed = winners.map(({ candidate }) => candidate);
      const answer = measured(this.countNoise, listed, countsOf(held, listed), this.#level, bits);
      const { counts, privacy, ...widths } = answer;
      return {
        ...{ winners: columns(winners, counts, this.names, this.countNoise), stopped, ...widths },
        charge: { reserved: this.reservation, settled: compose(charge, privacy) },
      };
    });
  }

  /** The names, and what they are counted as. */
  #drawNames(held: ReadonlyMap<string, number | bigint>, entropy: Entropy) {
    const { names } = this.parts;
    if (this.names instanceof NoisyTopK) {
      const [listed, scores] = [[...held.keys()], [...held.values()]];
      const { winners } = this.names.invoke(scores, entropy); // refuses more winners than there are names
      const named = winners.map((winner) => ({ ...winner, candidate: listed[winner.candidate] }));
      return { winners: named, stopped: false, charge: names };
    }
    const { charge, ...answer } = this.names.invoke(held, entropy);
    return { ...answer, charge: names.measure === "zcdp" ? charge.zcdp : charge.approx };
  }

  /** The loss for data sets whose counts differ by at most `dIn`: that of the names and of k counts. */
  map(dIn: RationalLike): Loss {
    const distance = nonNegativeRational("dIn", dIn);
    return compose(this.names.map(distance), this.countNoise.lossOf(this.k, distance));
  }

  /**
   * Whether the loss for `dIn` is at most `dOut`.
   *
   * @param dIn How far one individual can move any count.
   * @param dOut A loss in ε, zCDP or (ε, δ).
   */
  check(dIn: RationalLike, dOut: LossLike<"pure" | "zcdp" | "approx">): boolean {
    const limit: Loss = readLoss(dOut, "dOut");
    if (limit.measure !== "pure" && limit.measure !== "zcdp" && limit.measure !== "approx")
      throw invalidParameter("dOut", "a pure, zcdp or approx loss", dOut);
    return fits(this.map(dIn), limit);
  }
}

/** The measured counts with what costs nothing beside them. */
function columns(
  winners: readonly Winner<string>[],
  counts: readonly MeasuredCount[],
  { scale, resolution }: LimitedTopKMeasurement | NoisyTopK,
  noise: CountNoise,
): CountedWinner[] {
  const raw = counts.map(({ count }) => count);
  const gaps = winners.flatMap(({ gap }) => (gap === undefined ? [] : [gap]));
  const isCombined = resolution !== undefined && raw.length > 0;
  const varianceRatio = isCombined ? scale.times(scale).dividedBy(noise.variance()) : Rational.ONE;
  const estimates = isCombined ? combineGaps(raw, gaps, { varianceRatio, resolution }).estimates : raw;
  const fitted = nonIncreasingFit(estimates);
  return winners.map((winner, i) => ({
    ...winner,
    ...counts[i],
    ...(isCombined && { estimate: estimates[i] }),
    fitted: fitted[i],
  }));
}

/**
 * The names with the largest counts and their counts as a measurement: its noise and its highest price are known before it runs.
 *
 * `reservation` is the most that a run can cost; reserve it, `invoke`, and settle for the answer's `charge.settled`. See
 * docs/mechanisms/top-k-with-counts.md.
 *
 * @param parameters How many names, the budget and its split, and how one individual can change counts.
 *
 * @example
 * ```ts
 * import { Budget, makeTopKWithCounts, zcdp } from "winnow-dp";
 *
 * const budget = new Budget(zcdp("0.3", "1e-5"));
 * const measurement = makeTopKWithCounts({ k: 3, rho: "0.1", delta: "1e-6" });
 * measurement.halfWidth; // → 14
 * const reservation = budget.reserve(measurement.reservation);
 * const { winners, charge } = measurement.invoke({ Alster: 91200, Bille: 83100, Elbe: 3 });
 * winners.map(({ candidate }) => candidate); // → ["Alster", "Bille"]
 * budget.settle(reservation, charge.settled).counted.measure; // → "zcdp"
 * ```
 */
export function makeTopKWithCounts(
  parameters: Omit<TopKWithCountsOptions, "entropy">,
): TopKWithCountsMeasurement {
  return new TopKWithCountsMeasurement(
    readOptions(parameters as LooseCounted, { k: integer }, readers(), "parameters"),
  );
}
