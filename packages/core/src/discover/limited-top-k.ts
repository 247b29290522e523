/**
 * `limitedTopK`: the names with the largest counts, best first, where no one knows beforehand which names there are
 * [DR19]. The `maxCandidates` largest counts race with noise, and with them one candidate ⊥, whose score is the count of
 * the next name + r + T. Names that come before ⊥ are published, at most k of them. T is so large that a name which one
 * individual could bring in beats ⊥ with a probability of at most δ.
 *
 * Guarantee, with r = Δ for people who are added or removed and 2Δ for people who are replaced:
 *   Gumbel noise        δ-approximate k·(r/scale)²/8-zCDP, and (k·r/scale, δ)-DP
 *   exponential noise   (k·r/scale, δ)-DP, gaps included
 * "Nothing can be named" is an answer and costs the same on its own; `charge` says what a ledger may count instead.
 *
 * The rows must be complete: all names with their final counts, or the `maxCandidates` + 1 first rows of an engine that
 * counted all of them. A row that is lost, merged or filtered after the counting breaks the promise.
 *
 * Only the answer leaves: not the next count, not the number of candidates, no key, no runner-up.
 *
 * Cost: about one random word per candidate; 1,000 candidates take about 0.1 ms. Proof: limited-top-k.proof.md.
 * @module
 */

import type { LossOf } from "../accounting/loss.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidData, invalidParameter } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import {
  exactlyOneOf,
  integer,
  iterable,
  nonNegativeRational,
  oneOf,
  positiveRational,
  properProbability,
  readOptions,
} from "../options.js";
import { raceOverArray } from "../race/array-race.js";
import { byBytes, type NamedCount, type NamedCounts, type Winner } from "../race/candidates.js";
import { gapInUnits } from "../race/contender.js";
import { exponential, gumbel } from "../race/noise.js";
import { ScoreReader } from "../race/scores.js";
import type { Measurement } from "../select/measurement.js";
import { usualResolution } from "../select/options.js";
import { withEntropy } from "../system-entropy.js";
import {
  type LimitedCharge,
  LimitedLosses,
  type LimitedLossTerms,
  type LimitedQuestion,
  newcomersOf,
  rangeFor,
} from "./limited-losses.js";
import { type LimitedPlan, planFor } from "./limited-plan.js";
import type { LimitedNoise } from "./limited-threshold.js";
import {
  countOf,
  hasUniqueNames,
  invalidHistogram,
  LargestRows,
  type Leaders,
  nameOf,
  pairsOf,
  refuseLarge,
} from "./named-counts.js";

/**
 * How many names, a budget (exactly one of `epsilon`, `rho` and `scale`, with a `delta`), and how one individual can
 * change counts.
 *
 * @interface
 */
export type LimitedTopKOptions = Spend<"epsilon" | "rho" | "scale"> &
  LimitedQuestion & {
    /** The δ of the whole release, above 0 and below 1. */
    readonly delta: RationalLike;
    /** The law of the noise. Default: the one with the lower threshold; with `scale` and with gaps, exponential. */
    readonly noise?: LimitedNoise | undefined;
    /** Release gaps, rounded down to multiples of this; with exponential noise only. */
    readonly resolution?: RationalLike | undefined;
    /** Where the fair bits come from. Default: the system's cryptographic generator. */
    readonly entropy?: Entropy | undefined;
  };

/** The same before it is known that just one budget is given. */
type Loose = LooseOptions<LimitedTopKOptions>;

/**
 * The names that could be told, and how the list ended.
 *
 * @inline
 */
export type LimitedAnswer = {
  /**
   * The names, best first: k of them, or fewer if the list was stopped. The last lead is over ⊥ if that ended the list, else
   * over the best of all others, which isn't named.
   */
  readonly winners: readonly Winner<string>[];
  /** Whether ⊥ ended the list: the next name could not be published safely. */
  readonly stopped: boolean;
  /** How many rounds were used: one for each name, and one for ⊥ if it ended the list. */
  readonly rounds: number;
  /** What a ledger that reserved all k rounds may count for this answer. */
  readonly charge: LimitedCharge;
};

/** The names, and what they cost. */
export interface LimitedTopK extends LimitedAnswer {
  /** What the release promises on its own, whatever the answer. */
  readonly privacy: LossOf<Rational>["zcdp" | "approx"];
  /** The mechanism that the budget led to, with its noise, scale and threshold: all of it public. */
  readonly measurement: LimitedTopKMeasurement;
}

/** The readers of what a limited-domain top k may be given besides `k` and `delta`. */
export const LIMITED = {
  maxCandidates: integer,
  maxItemsPerUser: integer,
  neighbours: /* @__PURE__ */ oneOf("add-remove", "replace"),
  sensitivity: positiveRational,
  epsilon: positiveRational,
  rho: positiveRational,
  scale: positiveRational,
  noise: /* @__PURE__ */ oneOf("gumbel", "exponential"),
  resolution: positiveRational,
  entropy: anEntropy,
};

/**
 * The names with the largest counts, best first, where no one knows beforehand which names there are.
 *
 * The list ends early where the next name cannot be published safely: one individual might have brought it in. Names with equal
 * counts are cut by the bytes of their names, so every engine and every order of the rows leads to the same law.
 *
 * Guarantee: with `rho`, δ-approximate ρ-zCDP; with `epsilon`, (ε, δ)-DP. See docs/mechanisms/limited-top-k.md.
 *
 * @param histogram The count of each name, all of them: a `Map`, a plain object or pairs of name and count.
 * @param options How many names, the budget, and how one individual can change counts.
 *
 * @example
 * ```ts
 * import { limitedTopK } from "winnow-dp";
 *
 * const visits = { Alster: 9120, Bille: 8310, Dove: 7544, Elbe: 3 };
 * const answer = limitedTopK(visits, { k: 3, epsilon: 1, delta: "1e-6" });
 * answer.winners.map(({ candidate }) => candidate); // → ["Alster", "Bille", "Dove"]
 * answer.stopped; // → false
 * answer.rounds; // → 3
 * ```
 */
export function limitedTopK(histogram: NamedCounts, options: LimitedTopKOptions): LimitedTopK {
  const { measurement, entropy } = limitedFor(options);
  return { ...measurement.invoke(histogram, entropy), privacy: measurement.privacy, measurement };
}

/** The measurement that a budget leads to. */
export function limitedFor(options: LimitedTopKOptions) {
  const { entropy, ...read } = readOptions(
    options as Loose,
    { k: integer, delta: properProbability },
    LIMITED,
  );
  return { ...limitedWithin(read), entropy };
}

/** The measurement of a budget that was read, and what was asked besides the budget and its noise. */
function limitedWithin(read: Omit<Loose, "entropy">): {
  readonly measurement: LimitedTopKMeasurement;
  readonly stated: object;
} {
  const { epsilon, rho, scale, delta, noise, ...asked } = read;
  const { resolution, ...question } = asked;
  const plan = planFor(
    { epsilon, rho, scale },
    {
      k: question.k,
      range: rangeFor(question),
      newcomers: newcomersOf(question),
      delta: rational(delta),
      noise: resolution === undefined ? noise : (noise ?? "exponential"),
    },
  );
  return { measurement: measurementFor(plan, asked), stated: { ...UNSTATED, ...asked } };
}

/** What counts where it isn't said. */
const UNSTATED = { maxItemsPerUser: Infinity, neighbours: "add-remove", sensitivity: Rational.ONE };

/** The measurements of a plan, which are made once: nothing of them depends on data. */
const made = new WeakMap<LimitedPlan, Map<string, LimitedTopKMeasurement>>();

function measurementFor(
  plan: LimitedPlan,
  question: LimitedQuestion & Pick<LimitedTopKOptions, "resolution">,
): LimitedTopKMeasurement {
  const { k, maxCandidates, maxItemsPerUser, neighbours, sensitivity, resolution } = question;
  const name = [k, maxCandidates, maxItemsPerUser, neighbours, sensitivity, resolution].join(" ");
  const known = made.get(plan) ?? new Map<string, LimitedTopKMeasurement>();
  const terms = { ...question, ...plan, threshold: Rational.of(plan.threshold) };
  const measurement = known.get(name) ?? new LimitedTopKMeasurement(terms, plan.privacy);
  if (known.size >= MOST_MADE) known.clear();
  made.set(plan, known.set(name, measurement));
  return measurement;
}

const MOST_MADE = 16;

/**
 * What a limited-domain top k is made from: a budget (exactly one of `epsilon`, `rho` and `scale`) with its `delta`, or the
 * `scale` of its noise and the `threshold` itself.
 *
 * @inline
 */
export type LimitedTopKParameters = LimitedQuestion & {
  /** The law of the noise. Default: the one with the lower threshold; with `scale` and with gaps, exponential. */
  readonly noise?: LimitedNoise | undefined;
  /** Release gaps, rounded down to multiples of this; with exponential noise only. */
  readonly resolution?: RationalLike | undefined;
} & (
    | (Spend<"epsilon" | "rho" | "scale"> & {
        /** The δ of the whole release, above 0 and below 1. */
        readonly delta: RationalLike;
      } & { readonly [Name in "threshold"]?: undefined })
    | (Spend<"scale"> & {
        /** T: how far ⊥ stands above the counts that one individual could bring in, a rational ≥ 0. */
        readonly threshold: RationalLike;
      } & { readonly [Name in "delta"]?: undefined })
  );

/** The same before it is known that just one of each is given. */
type LooseParameters = Omit<Loose, "delta" | "entropy"> & {
  readonly delta?: RationalLike | undefined;
  readonly threshold?: RationalLike | undefined;
};

/**
 * `limitedTopK` as a measurement, made by `makeLimitedTopK`: its noise, its threshold and the most it can cost are known before
 * it runs, any number of times.
 *
 * See docs/mechanisms/limited-top-k.md.
 */
export class LimitedTopKMeasurement
  extends LimitedLosses
  implements Measurement<NamedCounts, LimitedAnswer, LossOf["zcdp" | "approx"]>
{
  /** Gaps are multiples of this; undefined if none are released. */
  readonly resolution: Rational | undefined;
  /** What a run promises on its own, whatever the answer, in the measure of the budget. */
  readonly privacy: LossOf<Rational>["zcdp" | "approx"];

  /**
   * Made by `makeLimitedTopK`.
   *
   * @internal
   */
  constructor(
    { resolution, ...terms }: LimitedLossTerms & Pick<LimitedTopKOptions, "resolution">,
    privacy?: LossOf<Rational>["zcdp" | "approx"],
  ) {
    super(terms);
    this.privacy = privacy ?? (this.map(terms.sensitivity ?? 1n) as LossOf<Rational>["zcdp" | "approx"]);
    this.resolution =
      resolution === undefined
        ? undefined
        : usualResolution(positiveRational("resolution", resolution), this.scale);
    if (this.resolution !== undefined && this.noise === "gumbel")
      throw invalidParameter(
        "resolution",
        "absent with Gumbel noise, because only exponential noise covers gaps",
        resolution,
      );
    Object.freeze(this); // one is used again by later calls with the same options
  }

  /**
   * The names that come before ⊥, best first.
   *
   * @param histogram The count of each name, all of them.
   * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
   */
  invoke(histogram: NamedCounts, entropy?: Entropy): LimitedAnswer {
    const rows = new LargestRows(this.maxCandidates);
    rows.pushAll(pairsOf(histogram));
    return this.race(rows.leaders(hasUniqueNames(histogram)), entropy);
  }

  /**
   * The names that come before ⊥, from an engine that counted all names and returns its first rows by falling count and rising bytes of the
   * name: `ORDER BY n DESC, item LIMIT maxCandidates + 1`, without a collation. Rows in another order are refused, and so
   * are more of them.
   *
   * Fewer rows than that mean that there are no more names. If anything was dropped or merged after the counting (a filter
   * behind the LIMIT, a client's row limit, names that decode alike), don't call this.
   *
   * @param rows The first `maxCandidates` + 1 rows, or all if there are fewer.
   * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
   */
  invokeRows(rows: Iterable<NamedCount>, entropy?: Entropy): LimitedAnswer {
    const names: string[] = [];
    const counts: (number | bigint)[] = [];
    for (const pair of iterable("rows", rows)) {
      const [name, count] = [nameOf(pair), countOf(pair[1])];
      const at = names.length - 1;
      const isNext = at < 0 || counts[at] > count || (counts[at] === count && byBytes(names[at], name) < 0);
      if (count <= 0 || !isNext || names.length > this.maxCandidates) throw invalidRows();
      names.push(name);
      counts.push(count);
    }
    if (new Set(names).size < names.length) throw invalidHistogram();
    const next = names.length > this.maxCandidates ? counts[this.maxCandidates] : 0;
    const first = <T>(list: readonly T[]) => list.slice(0, this.maxCandidates);
    return this.race({ names: first(names), counts: first(counts), next }, entropy);
  }

  /**
   * The race of the first rows and ⊥. Callers answer for the rows: see `invoke` and `invokeRows`.
   *
   * @internal
   */
  race({ names, counts, next }: Leaders, entropy: Entropy | undefined): LimitedAnswer {
    // In units of 1/denominator, in which the score of ⊥ is an integer.
    const { numerator, denominator } = this.range.plus(this.threshold);
    const bot = BigInt(next) * denominator + numerator;
    const stop = names.length; // the index of ⊥, which no name has
    const scores = scoresOf(counts, bot, denominator);
    const hasGaps = this.resolution !== undefined;
    const places = Math.min(hasGaps ? this.k + 1 : this.k, stop + 1);
    const noise = this.noise === "gumbel" ? gumbel : exponential;
    const terms = { noise, scale: this.scale.times(denominator) };
    return withEntropy(entropy, (bits) => {
      const order = raceOverArray(new ScoreReader(scores), places, terms, bits).finish();
      const place = order.findIndex(({ id }) => id === stop);
      const stopped = place >= 0 && place < this.k;
      const winners = order.slice(0, stopped ? place : this.k).map(({ id }) => ({ candidate: names[id] }));
      const rounds = winners.length + (stopped ? 1 : 0);
      const charge = this.chargeFor(rounds);
      if (this.resolution === undefined) return { winners, stopped, rounds, charge };
      const unit = this.resolution.times(denominator);
      const unitNumber = unit.toNumber();
      const withGaps = winners.map((winner, i) => {
        const units = gapInUnits(terms, order[i], order[i + 1], unit, unitNumber);
        return { ...winner, gap: (this.resolution as Rational).times(BigInt(units)) };
      });
      return { winners: withGaps, stopped, rounds, charge };
    });
  }
}

/** The counts and, last, ⊥: as doubles where these are exact. */
function scoresOf(
  counts: readonly (number | bigint)[],
  bot: bigint,
  unit: bigint,
): Float64Array | (number | bigint)[] {
  const isSafe = unit === 1n && bot <= Number.MAX_SAFE_INTEGER && counts.every((c) => typeof c === "number");
  if (!isSafe) return refuseLarge([...counts.map((count) => BigInt(count) * unit), bot]);
  const scores = new Float64Array(counts.length + 1);
  scores.set(counts as readonly number[]);
  scores[counts.length] = Number(bot);
  return scores;
}

function invalidRows() {
  return invalidData(
    "rows",
    "at most maxCandidates + 1 rows with counts > 0, by falling count and rising bytes of the name",
    "invalid-parameter",
  );
}

/**
 * The names with the largest counts as a measurement: its noise and its highest price are known before it runs.
 *
 * `reservation` is the most that a run can cost, in each measure; reserve it, `invoke`, and settle for the answer's `charge`.
 * See docs/mechanisms/limited-top-k.md.
 *
 * @param parameters How many names, and a budget with its δ; or the scale of the noise and how ⊥ is placed.
 *
 * @example
 * ```ts
 * import { approx, Budget, makeLimitedTopK } from "winnow-dp";
 *
 * const budget = new Budget(approx(3, "1e-5"));
 * const measurement = makeLimitedTopK({ k: 2, epsilon: 1, delta: "1e-6" });
 * String(measurement.threshold); // → "41"
 * const reservation = budget.reserve(measurement.reservation.approx);
 * const { rounds, charge } = measurement.invoke([["Alster", 912], ["Elbe", 3]]);
 * rounds; // → 2
 * budget.settle(reservation, charge.approx).counted.measure; // → "approx"
 * ```
 */
export function makeLimitedTopK(parameters: LimitedTopKParameters): LimitedTopKMeasurement {
  const { entropy: _, ...optional } = LIMITED;
  const { delta, threshold, ...asked } = readOptions(
    parameters as LooseParameters,
    { k: integer },
    { ...optional, delta: properProbability, threshold: nonNegativeRational },
    "parameters",
  );
  exactlyOneOf({ delta, threshold });
  if (delta !== undefined) return limitedWithin({ ...asked, delta }).measurement;
  const { epsilon, rho, scale, noise = "exponential", ...question } = asked;
  exactlyOneOf({ epsilon, rho, scale });
  if (scale === undefined) throw invalidParameter("threshold", "absent without a scale", threshold);
  return new LimitedTopKMeasurement({
    ...{ ...question, noise, scale: rational(scale) },
    threshold: rational(threshold as RationalLike),
  });
}
