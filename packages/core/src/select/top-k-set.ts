/**
 * `topKSet`: which k candidates have the largest scores, as a set. The score of a set S is
 *   q(S) = (1 − λ)·(smallest score inside S) − λ·(largest score outside S),
 * and S is released with probability proportional to e^(q(S)/τ), or to b^(−q(S)·n) with `eta` (n the denominator of λ).
 * That is the exponential mechanism over all C(n, k) sets, and one individual moves q by no more than a single score.
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not, whatever k is: bounded range r/τ, so
 *   epsilon   τ = r/ε: pure ε           rho   τ = r/√(8ρ): ρ-zCDP
 *   scale     pure r/τ                  eta   n·⌈Δ⌉·η in base 2 if monotone, twice that if not
 *
 * All or nothing: either the true set wins almost surely, or a random one of very many does, whose first members are right.
 * The answer doesn't show which. Within the set there is no order, and no lead: sorting it by the scores would be another
 * release.
 *
 * Cost: a sort of the scores near the k-th, and a scan of the k·(n − k) classes of sets, most of which one bound skips.
 * Proof: top-k-set.proof.md. Improves on the truncated score of [SL22], whose weight of the true set is smaller.
 * @module
 */

import { type Base2Parameter, base2LossOf, eta as readEta } from "../accounting/base2-parameter.js";
import { base2, type LossOf } from "../accounting/loss.js";
import type { LooseOptions, LooseSpend, Spend } from "../accounting/spend.js";
import { invalidData, invalidKind, invalidParameter } from "../errors.js";
import { lnOf, roundedDown } from "../exact/certified.js";
import { bitLength } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { exactlyOneOf, integer, probability, readOptions } from "../options.js";
import {
  type CandidateOf,
  type ChosenSet,
  type NamedCounts,
  nameSet,
  readNamedCounts,
} from "../race/candidates.js";
import { ScoreReader, type Scores } from "../race/scores.js";
import { withEntropy } from "../system-entropy.js";
import { lossOf } from "./noisy-winners.js";
import { chooseNoise, rangeOf, SELECTION, type SelectionOptions } from "./options.js";
import { RankedScores } from "./ranked-scores.js";
import { drawSet, MOST_CANDIDATES, reachOf, SetClasses, type Weighing } from "./set-classes.js";

/**
 * What `topKSet` is asked: the settings, and exactly one of `epsilon`, `rho`, `scale` and `eta`.
 *
 * @typeParam Names Those that it may be.
 *
 * @interface
 */
export type TopKSetOptions<
  Names extends "epsilon" | "rho" | "scale" | "eta" = "epsilon" | "rho" | "scale" | "eta",
> = Spend<Names> &
  SelectionOptions & {
    /** How many winners, from 1 to one less than the number of candidates. */
    readonly k: number;
    /**
     * λ, from 0 to 1: how much a large score that is left out counts, against a small one that is let in. Default 1/2, which is
     * the surest to find the true set; 1 fails more gently where no choice is sure.
     */
    readonly outsiderShare?: RationalLike | undefined;
  };

/**
 * The set, and what it cost.
 *
 * @typeParam Candidate A position or a name.
 * @typeParam Privacy The measure of the budget.
 *
 * @inline
 */
export type TopKSet<
  Candidate = number,
  Privacy = LossOf<Rational>["pure" | "zcdp" | "base2"],
> = ChosenSet<Candidate> & {
  /** The loss that was incurred. */
  readonly privacy: Privacy;
};

const TOP_K_SET = {
  ...SELECTION,
  outsiderShare: probability,
  eta: (field: string, given: Base2Parameter) => {
    if (typeof given !== "object" || given === null)
      throw invalidKind(field, "a parameter made by eta", given);
    return readEta(given.x, given.y, given.z);
  },
};

/** The classes of sets must be scanned, so there are limits to their number. */
const MOST_CLASSES = 0x1_0000_0000; // 2^32

/**
 * The k candidates with the largest scores as a set, differentially private, at a loss that doesn't grow with k.
 *
 * Guarantee, with r = Δ if `monotone` and 2Δ if not: with `epsilon`, pure ε; with `rho`, ρ-zCDP; with `scale`, pure r/scale;
 * with `eta` and integer scores, a multiple of η in base 2. All or nothing: plan first, because an answer that went wrong can't
 * be told from one that didn't. See docs/mechanisms/top-k-set.md.
 *
 * @param scores The scores of a public list of candidates: an array gives positions; a `Map`, a record or pairs
 * give names, whatever the order in which they came.
 * @param options How many winners, the budget, and how one individual can move scores.
 *
 * @example
 * ```ts
 * import { topKSet } from "winnow-dp";
 *
 * const visitors = { news: 41_200, sport: 30_900, weather: 120, chess: 80 };
 * const { candidates, privacy } = topKSet(visitors, { k: 2, epsilon: 1, monotone: true });
 * candidates; // → ["news", "sport"]
 * privacy.epsilon; // → 1
 * ```
 */
export function topKSet<Given extends Scores | NamedCounts>(
  scores: Given,
  options: TopKSetOptions<"epsilon" | "scale">,
): TopKSet<CandidateOf<Given>, LossOf<Rational>["pure"]>;

export function topKSet<Given extends Scores | NamedCounts>(
  scores: Given,
  options: TopKSetOptions<"rho">,
): TopKSet<CandidateOf<Given>, LossOf<Rational>["zcdp"]>;

export function topKSet<Given extends Scores | NamedCounts>(
  scores: Given,
  options: TopKSetOptions<"eta">,
): TopKSet<CandidateOf<Given>, LossOf<Rational>["base2"]>;

export function topKSet<Given extends Scores | NamedCounts>(
  scores: Given,
  options: TopKSetOptions,
): TopKSet<CandidateOf<Given>>;

export function topKSet(
  given: Scores | NamedCounts,
  options: LooseOptions<TopKSetOptions>,
): TopKSet<number | string> {
  const read = readOptions(options, { k: integer }, TOP_K_SET);
  const { epsilon, rho, scale, eta, k, negate = false, entropy } = read;
  exactlyOneOf({ epsilon, rho, scale, eta });
  const { scores, names } = readNamedCounts(given, "scores");
  const reader = new ScoreReader(scores, { negate });
  refuseSizes(reader.length, k);
  if (eta !== undefined) refuseFractions(reader);
  const settings = { ...read, outsiderShare: rational(read.outsiderShare ?? HALF) };
  const { weighing, privacy } = eta === undefined ? natural(settings) : inBase2(settings, eta);
  const ranked = new RankedScores(reader, k, reachOf(reader.length, k, weighing));
  const classes = new SetClasses(ranked, k, weighing);
  const positions = withEntropy(entropy, (bits) => drawSet(k, classes.draw(bits), bits));
  const indices = ranked.candidates(positions).sort((a, b) => a - b);
  return { ...nameSet(indices, names), privacy };
}

function refuseSizes(candidates: number, k: number): void {
  if (candidates < 2) throw invalidParameter("scores", "a list of 2 or more candidates", candidates);
  if (candidates > MOST_CANDIDATES)
    throw invalidParameter("scores", `a list of at most ${MOST_CANDIDATES} candidates`, candidates);
  integer("k", k, 1, candidates - 1);
  if (k * (candidates - k) > MOST_CLASSES)
    throw invalidParameter("k", `such that k·(candidates − k) is at most ${MOST_CLASSES}`, k);
}

/** A score that isn't an integer would be rounded by another mechanism; nothing is said about which it is. */
function refuseFractions(reader: ScoreReader): void {
  for (let index = 0; index < reader.length; index++) {
    const score = reader.exact(index);
    if (!(typeof score === "number" ? Number.isInteger(score) : score.isInteger()))
      throw invalidData("scores", "integers throughout, with eta");
  }
}

/** How penalties weigh, and what that costs. */
interface Spending {
  readonly weighing: Weighing;
  readonly privacy: LossOf<Rational>["pure" | "zcdp" | "base2"];
}

interface Settings extends SelectionOptions {
  readonly outsiderShare: Rational;
}

/** Weights e^(−p/τ). */
function natural(read: Settings & LooseSpend): Spending {
  const range = rangeOf(read);
  const draw = { k: 1, ...chooseNoise(read, range, 1) };
  if (draw.scale.numerator === 0n) throw invalidParameter("scale", "a rational > 0", draw.scale);
  const rate = Rational.ONE.dividedBy(draw.scale);
  const weight = (penalty: Rational, precision: number) =>
    Interval.from(penalty.times(rate).negated(), precision).exp();
  const { outsiderShare } = read;
  return {
    weighing: { outsiderShare, rate: rate.toNumber("down"), weight },
    privacy: lossOf(draw, range) as LossOf<Rational>["pure" | "zcdp"],
  };
}

/** Weights (x/2^y)^(z·n·p), where n·p is an integer for the denominator n of λ. */
function inBase2(read: Settings, parameter: Base2Parameter): Spending {
  const { outsiderShare, sensitivity, monotone } = read;
  const parts = outsiderShare.denominator;
  const ratio = Rational.of(parameter.x, 1n << parameter.y);
  const steps = parts * parameter.z;
  const rate = roundedDown((precision) => lnOf(ratio, precision).times(-steps)).toNumber("down");
  if (!(rate >= LEAST_RATE && rate <= LARGEST_RATE))
    throw invalidParameter("eta", "from 1e-270 to 1e270", parameter.eta);
  const weight = (penalty: Rational, precision: number) => {
    const exponent = penalty.times(steps).floor();
    return Interval.from(ratio, precision + bitLength(exponent))
      .power(exponent)
      .withPrecision(precision);
  };
  const once = base2LossOf(parameter, { sensitivity, monotone });
  return { weighing: { outsiderShare, rate, weight }, privacy: base2((once.eta as Rational).times(parts)) };
}

const HALF = /* @__PURE__ */ Rational.of(1n, 2n);
const LEAST_RATE = 1e-270;
const LARGEST_RATE = 1e270;
