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
 * released are not measured and not charged. A quarter of the budget for the counts is within 0.5 % of the best split of
 * the height that a name needs to be told and the width of its interval.
 *
 * Cost: that of the two parts. Proof: docs/proofs/top-k-with-counts.md.
 * @module
 */

import { type Entropy, withEntropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { rhoAtMost } from "../privacy/calibrate.js";
import { compose } from "../privacy/compose.js";
import { convert } from "../privacy/convert.js";
import { approx, isAtMost, type Loss, pure, type ZcdpLoss, zcdp } from "../privacy/loss.js";
import type { NamedCounts, NamedWinner } from "../race/candidates.js";
import { combineGaps } from "../select/combine-gaps.js";
import { NoisyTopK } from "../select/noisy-top-k.js";
import { chooseNoise } from "../select/options.js";
import { exactlyOneOf, integer, oneOf, properProbability, readOptions } from "../validate.js";
import { rangeFor } from "./limited-losses.js";
import {
  LIMITED,
  type LimitedTopKMeasurement,
  type LimitedTopKOptions,
  limitedFor,
} from "./limited-top-k.js";
import {
  CountNoise,
  countsOf,
  type IntervalOptions,
  levelFor,
  type MeasuredCount,
  measured,
  nonIncreasingFit,
} from "./measure-counts.js";
import { countOf, nameOf, pairsOf } from "./named-counts.js";

/**
 * How many names, of which domain, a budget (exactly one of `epsilon` and `rho`), and which share of it is for the counts.
 */
export interface TopKWithCountsOptions extends Omit<LimitedTopKOptions, "delta" | "scale">, IntervalOptions {
  /** Whether the names are private too, or the histogram lists a public domain, zeros included. Default "unknown". */
  readonly domain?: "unknown" | "public" | undefined;
  /** The δ of the whole release; needed for an unknown domain, and only there. */
  readonly delta?: RationalLike | undefined;
  /** The share of the budget for the counts, above 0 and below 1. Default 1/4. */
  readonly share?: RationalLike | undefined;
}

/** A name with its count. */
export interface CountedWinner extends NamedWinner<string>, MeasuredCount {
  /** The measurement and the leads combined; only with gaps. */
  readonly estimate?: Rational;
  /** The estimate, or the count where there is none, made to fall in the order of the list. */
  readonly fitted: Rational;
}

/** Names with their counts, and what they cost. */
export interface TopKWithCounts {
  /** Best first. */
  readonly winners: readonly CountedWinner[];
  /** Whether ⊥ ended the list; never for a public domain. */
  readonly stopped: boolean;
  /** Each true count is this near to its measured one, with the stated confidence. */
  readonly halfWidth: bigint;
  /** All of them are this near at once, with the stated confidence. */
  readonly simultaneous: bigint;
  /** What the release promises on its own, whatever the answer. */
  readonly privacy: Loss;
  /** How the budget was split. */
  readonly parts: {
    /** What the names cost. */
    readonly names: Loss;
    /** What k counts cost. */
    readonly counts: Loss;
  };
  /** What a ledger has to reserve, and what it may count for this answer instead. */
  readonly charge: {
    /** All rounds, all counts and δ. */
    readonly reserved: Loss;
    /** The rounds that were used, the counts that were measured, and all of δ. */
    readonly settled: Loss;
  };
  /** The law of the noise on each count; its size is σ² for Gaussian noise, else the scale. */
  readonly countNoise: { readonly law: "gaussian" | "laplace"; readonly size: Rational };
  /** The mechanism that chose the names, with its noise and scale: all of it public. */
  readonly measurement: LimitedTopKMeasurement | NoisyTopK;
}

const DEFAULT_SHARE = /* @__PURE__ */ Rational.of(1n, 4n);

/** The readers of the options. */
function readers() {
  const { scale: _, ...question } = LIMITED;
  const domain = oneOf("unknown", "public");
  return {
    ...question,
    domain,
    delta: properProbability,
    share: properProbability,
    confidence: properProbability,
  };
}

/**
 * The names with the largest counts, and how many individuals each of them has.
 *
 * A share of the budget, a quarter unless you say otherwise, measures the counts of the names that are released. See
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
 * answer.halfWidth; // → 15n
 * ```
 */
export function topKWithCounts(histogram: NamedCounts, options: TopKWithCountsOptions): TopKWithCounts {
  const read = readOptions(options, { k: integer }, readers());
  const { domain = "unknown", epsilon, rho, delta } = read;
  exactlyOneOf({ epsilon, rho });
  if ((domain === "unknown") !== (delta !== undefined))
    throw invalidParameter("delta", domain === "public" ? "absent for a public domain" : "given", delta);
  // What is read twice must stay the same in between.
  const held = new Map<string, number | bigint>();
  for (const pair of pairsOf(histogram)) {
    const name = nameOf(pair);
    if (held.has(name)) throw invalidParameter("histogram", "a list with each name once", "others");
    held.set(name, countOf(pair[1]));
  }
  const steps = domain === "public" ? publicSteps(held, read) : unknownSteps(held, read);
  return withEntropy(read.entropy, (bits) => countedAnswer(held, steps, read, bits));
}

/** The names, drawn when asked for, and the noise of their counts. */
interface Steps {
  readonly noise: CountNoise;
  /** What the names cost on their own. */
  readonly names: Loss;
  /** What draws the names; the scale of its noise weighs the gaps. */
  readonly measurement: LimitedTopKMeasurement | NoisyTopK;
  /** The loss of everything, in the measure of the budget. */
  readonly report: (all: Loss) => Loss;
  readonly draw: (entropy: Entropy) => {
    readonly winners: readonly NamedWinner<string>[];
    readonly stopped: boolean;
    /** What the names are counted as. */
    readonly charge: Loss;
  };
}

function countedAnswer(
  held: ReadonlyMap<string, number | bigint>,
  steps: Steps,
  options: TopKWithCountsOptions,
  entropy: Entropy,
): TopKWithCounts {
  const { k } = options;
  const counts = steps.noise.lossOf(k);
  const reserved = compose(steps.names, counts);
  const { winners, stopped, charge } = steps.draw(entropy);
  const names = winners.map(({ candidate }) => candidate);
  const answer = measured(steps.noise, names, countsOf(held, names), levelFor(options), entropy);
  return {
    winners: columns(winners, answer.counts, steps, options),
    stopped,
    halfWidth: answer.halfWidth,
    simultaneous: answer.simultaneous,
    privacy: steps.report(reserved),
    parts: { names: steps.names, counts },
    charge: { reserved, settled: compose(charge, answer.privacy) },
    countNoise: { law: steps.noise.law, size: steps.noise.size },
    measurement: steps.measurement,
  };
}

/** The measured counts with what costs nothing beside them. */
function columns(
  winners: readonly NamedWinner<string>[],
  counts: readonly MeasuredCount[],
  { noise, measurement: { scale } }: Steps,
  { resolution }: TopKWithCountsOptions,
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

/** The budget for the names, and that for the counts. */
function split(budget: Rational, { share = DEFAULT_SHARE }: TopKWithCountsOptions): [Rational, Rational] {
  const counts = budget.times(rational(share));
  return [budget.minus(counts), counts];
}

function unknownSteps(held: NamedCounts, options: TopKWithCountsOptions): Steps {
  const { epsilon, rho, k, resolution, share, confidence, domain, delta, ...rest } = options;
  const failure = rational(delta as RationalLike);
  const noise =
    rest.noise ?? (resolution !== undefined || (k <= 3 && rho === undefined) ? "exponential" : "gumbel");
  const limited = (budget: { epsilon?: Rational; rho?: Rational; delta: Rational }) =>
    limitedFor({ ...rest, k, resolution, noise, ...budget });
  const stepsFrom = (
    { measurement, privacy }: ReturnType<typeof limitedFor>,
    counts: CountNoise,
    report: Steps["report"],
  ): Steps => ({
    noise: counts,
    names: privacy,
    measurement,
    report,
    draw(entropy) {
      const { winners, stopped, charge } = measurement.invoke(held, entropy);
      return { winners, stopped, charge: privacy.measure === "zcdp" ? charge.zcdp : charge.approx };
    },
  });
  if (epsilon !== undefined && noise === "exponential") {
    const [names, counts] = split(rational(epsilon), options);
    const laplace = new CountNoise(k, { ...rest, epsilon: counts });
    return stepsFrom(limited({ epsilon: names, delta: failure }), laplace, (loss) => loss);
  }
  const half = failure.dividedBy(2n);
  const whole =
    rho === undefined ? rhoAtMost({ epsilon: epsilon as RationalLike, delta: half }) : rational(rho);
  const [names, counts] = split(whole, options);
  const gaussian = new CountNoise(k, { ...rest, rho: counts });
  if (rho !== undefined) return stepsFrom(limited({ rho: names, delta: failure }), gaussian, (loss) => loss);
  const report = (loss: Loss) => approximate(loss as ZcdpLoss, rational(epsilon as RationalLike), failure);
  return stepsFrom(limited({ rho: names, delta: half }), gaussian, report);
}

/** Rounded up, the conversion may end a digit above the target, which is met all the same. */
function approximate(loss: ZcdpLoss, epsilon: Rational, delta: Rational): Loss {
  const spent = convert(loss, { to: "approx", delta });
  return isAtMost(spent.epsilon, epsilon) ? spent : approx(epsilon, delta);
}

function publicSteps(held: ReadonlyMap<string, number | bigint>, options: TopKWithCountsOptions): Steps {
  const { epsilon, rho, k, resolution, neighbours = "add-remove", sensitivity = 1n } = options;
  if (resolution !== undefined && rho !== undefined)
    throw invalidParameter("resolution", "absent with rho for a public domain", resolution);
  for (const field of ["noise", "maxCandidates"] as const)
    if (options[field] !== undefined)
      throw invalidParameter(field, "absent for a public domain", options[field]);
  const [names, counts] = split(rational((epsilon ?? rho) as RationalLike), options);
  const monotone = neighbours === "add-remove";
  const budget = epsilon === undefined ? { rho: names } : { epsilon: names };
  const { measure, scale } = chooseNoise(budget, rangeFor(options), k);
  const measurement = new NoisyTopK({ k, measure, scale, monotone, resolution });
  const loss = measure === "pure" ? pure(measurement.map(sensitivity)) : zcdp(measurement.map(sensitivity));
  const listed = [...held.keys()];
  const scores = [...held.values()];
  measurement.sizeFor(scores.length); // refuses too many winners
  return {
    noise: new CountNoise(k, {
      ...{ neighbours, sensitivity, maxItemsPerUser: options.maxItemsPerUser },
      ...(epsilon === undefined ? { rho: counts } : { epsilon: counts }),
    }),
    names: loss,
    measurement,
    report: (all) => all,
    draw(entropy) {
      const winners = measurement
        .invoke(scores, entropy)
        .winners.map(({ index, ...rest }) => ({ candidate: listed[index], ...rest }));
      return { winners, stopped: false, charge: loss };
    },
  };
}
