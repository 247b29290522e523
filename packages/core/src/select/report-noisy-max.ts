/**
 * `reportNoisyMax`: adds noise to every score and reports which candidate then has the largest, and nothing else: no noisy
 * score leaves. The noise is continuous and exact, in one of four kinds:
 *
 *   exponential  the law of permute-and-flip: the best for a pure ε
 *   gumbel       the law of the exponential mechanism: the best for a ρ
 *   laplace      as often used; worse than exponential at the same loss
 *   gaussian     no pure ε; for few candidates, or where its Rényi curve composes well
 *
 * Guarantee: as `noisyMaxLoss` has it for the noise that was used, in the measure of the budget; a scale is accounted for
 * as pure ε, a variance as ρ. Cost: little more than finding the largest score; Gaussian noise is drawn for everyone.
 * Proof: docs/proofs/report-noisy-max.md.
 * @module
 */
import { type Entropy, withEntropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import type { BudgetAs, Budgets, LooseBudget } from "../privacy/budget-as.js";
import { scaleAtLeast, varianceAtLeast } from "../privacy/calibrate.js";
import { boundedRangeCurve, gaussianMaxCurve, pureCurve } from "../privacy/curves.js";
import {
  isBounded,
  type PureLoss,
  pure,
  type RenyiLoss,
  renyi,
  type ZcdpLoss,
  zcdp,
} from "../privacy/loss.js";
import type { RenyiCurve } from "../privacy/renyi-curve.js";
import { raceOverArray } from "../race/array-race.js";
import {
  type ByIndex,
  type ByName,
  type ChoiceOf,
  type NamedScores,
  nameChoice,
  readCandidates,
} from "../race/candidates.js";
import { gaussianMax } from "../race/gaussian-max.js";
import { exponential, gumbel, laplace } from "../race/noise.js";
import { ScoreReader, type Scores } from "../race/scores.js";
import { boolean, exactlyOneOf, integer, oneOf, positiveRational, readOptions } from "../validate.js";
import { rangeOf, SELECTION, type SelectionOptions, usualScale } from "./options.js";

/**
 * What `reportNoisyMax` is asked: the law of the noise, how much of it (exactly one of `epsilon`, `rho`, `scale` and
 * `variance`), how one individual can move scores, and where the bits come from.
 *
 * @typeParam Budget The kinds of budget that it may be.
 */
export type ReportNoisyMaxOptions<Budget extends NoisyMaxBudget = NoisyMaxBudget> = SelectionOptions & Budget;

/**
 * The winner, and what it cost.
 *
 * @typeParam Choice The winner: its `index` if scores came in an array, its `candidate` if they came with names.
 * @typeParam Privacy The measure of the budget.
 */
export type NoisyMax<Choice = ByIndex, Privacy = PureLoss | ZcdpLoss> = Choice & {
  /** The loss that was incurred. */
  readonly privacy: Privacy;
};

/**
 * The candidate with the largest noisy score, differentially private; no noisy score leaves. Exponential noise is best
 * for a pure ε, Gumbel noise for a ρ.
 *
 * Guarantee: what `noisyMaxLoss` says of the noise that was used, in the measure of the budget. See
 * docs/mechanisms/report-noisy-max.md.
 *
 * @param scores The scores of a public list of candidates: an array gives an `index`; a `Map`, a record or pairs give a
 * `candidate`, the name of the winner.
 * @param options The noise or a budget for it, and how one individual can move scores.
 *
 * @example
 * ```ts
 * import { reportNoisyMax } from "winnow-dp";
 *
 * const { candidate, privacy } = reportNoisyMax({ tea: 900, coffee: 300 }, { noise: "gumbel", rho: "1/8" });
 * candidate; // → "tea"
 * privacy.rho; // → 0.125
 * ```
 */
export function reportNoisyMax<Given extends Scores | NamedScores>(
  scores: Given,
  options: ReportNoisyMaxOptions<PureNoiseBudget>,
): NoisyMax<ChoiceOf<Given>, PureLoss>;
export function reportNoisyMax<Given extends Scores | NamedScores>(
  scores: Given,
  options: ReportNoisyMaxOptions<ZcdpNoiseBudget>,
): NoisyMax<ChoiceOf<Given>, ZcdpLoss>;
export function reportNoisyMax<Given extends Scores | NamedScores>(
  scores: Given,
  options: ReportNoisyMaxOptions,
): NoisyMax<ChoiceOf<Given>>;
export function reportNoisyMax(
  given: Scores | NamedScores,
  options: SelectionOptions & LooseNoise,
): NoisyMax<ByIndex | ByName> {
  const read = readOptions(options, { noise: readNoise }, { ...SELECTION, ...NOISE_SIZES });
  const { rho, sensitivity, monotone, negate, entropy } = read;
  const { scores, names } = readCandidates(given);
  const reader = new ScoreReader(scores, { negate: negate ?? false });
  if (reader.length === 0) throw invalidParameter("scores", "a list of 1 or more candidates", reader.length);
  const noise = noiseWithin(read, rangeOf(read), reader.length);
  const loss = noisyMaxLoss({ ...noise, sensitivity, monotone });
  const privacy = rho === undefined ? (loss.pure ?? loss.zcdp) : loss.zcdp;
  const index = withEntropy(entropy, (bits) => drawIndex(reader, noise, bits));
  return { ...nameChoice(index, names), privacy };
}

const RACES = { exponential, gumbel, laplace };

function drawIndex(scores: ScoreReader, chosen: NoisyMaxNoise, entropy: Entropy): number {
  if (chosen.noise === "gaussian") return gaussianMax(scores, rational(chosen.variance), entropy);
  const terms = { noise: RACES[chosen.noise], scale: rational(chosen.scale) };
  return raceOverArray(scores, 1, terms, entropy).finish()[0].id;
}

/*
 * `noisyMaxLoss`: what it costs to report the index of the largest noisy score and nothing else, in every measure in which
 * the noise has a guarantee. With r = Δ if `monotone` and 2Δ if not, and m candidates:
 *
 *   noise              pure ε   zCDP ρ        Rényi curve
 *   exponential of β   r/β      (r/β)²/2      that of any ε-DP mechanism
 *   Laplace of b       r/b      (r/b)²/2      that of any ε-DP mechanism
 *   Gumbel of τ        r/τ      (r/τ)²/8      that of bounded range ε
 *   Gaussian of σ²     none     m·r²/(8σ²)    min(α·r²/(2σ²) + ln m/(α − 1), α·m·r²/(8σ²))
 *
 * Proof: docs/proofs/report-noisy-max.md.
 */

/** The noise, and how one individual can move scores. */
export type NoisyMaxLossOptions = NoisyMaxNoise & Pick<SelectionOptions, "sensitivity" | "monotone">;

/** One guarantee in up to three measures. */
export interface NoisyMaxLoss {
  /** As ε; not with Gaussian noise. */
  readonly pure?: PureLoss;
  /** As ρ. */
  readonly zcdp: ZcdpLoss;
  /** As a curve, which composes best where the noise is Gaussian. */
  readonly renyi: RenyiLoss;
}

/**
 * What `reportNoisyMax` costs with this noise, in every measure in which the noise has a guarantee.
 *
 * With r = Δ if `monotone` and 2Δ if not: noise of a scale b is r/b-DP and (r/b)²/2-zCDP, Gumbel noise (r/b)²/8-zCDP.
 * Proof: docs/proofs/report-noisy-max.md.
 *
 * @example
 * ```ts
 * import { noisyMaxLoss } from "winnow-dp";
 *
 * const { pure, zcdp } = noisyMaxLoss({ noise: "gumbel", scale: 2 });
 * pure?.epsilon; // → 1
 * zcdp.rho; // → 0.125
 * ```
 */
export function noisyMaxLoss(options: NoisyMaxLossOptions): NoisyMaxLoss {
  const read = readOptions<AllOptions>(options, { noise: readNoise }, READERS);
  const curve = curveOf(read as NoisyMaxNoise, rangeOf(read));
  const { epsilon, rho } = curve;
  return { ...(isBounded(epsilon) && { pure: pure(epsilon) }), zcdp: zcdp(rho), renyi: renyi(curve) };
}

type AllOptions = Pick<NoisyMaxNoise, "noise"> &
  Partial<ScaledNoise | GaussianNoise> &
  Pick<SelectionOptions, "sensitivity" | "monotone">;

const READERS = {
  sensitivity: positiveRational,
  monotone: boolean,
  scale: positiveRational,
  variance: positiveRational,
  candidates: integer,
};

function curveOf(options: NoisyMaxNoise, range: Rational): RenyiCurve {
  switch (options.noise) {
    case "exponential":
    case "laplace":
      return pureCurve(range.dividedBy(positiveRational("scale", options.scale)));
    case "gumbel":
      return boundedRangeCurve(range.dividedBy(positiveRational("scale", options.scale)));
    default: {
      const outcomes = integer("candidates", options.candidates);
      return gaussianMaxCurve({ range, outcomes, variance: positiveRational("variance", options.variance) });
    }
  }
}

/*
 * The noise of `reportNoisyMax`: of what kind, and from a budget how much of it.
 */

/** Noise of some kind and size. */
export type NoisyMaxNoise = ScaledNoise | GaussianNoise;

/** Noise that has a scale. */
export interface ScaledNoise extends Pick<Budgets, "scale"> {
  /** The law of the noise. */
  readonly noise: "exponential" | "gumbel" | "laplace";
}

/** Gaussian noise, whose cost depends on the number of candidates. */
export interface GaussianNoise extends Pick<Budgets, "variance"> {
  /** The law of the noise. */
  readonly noise: "gaussian";
  /** How many candidates there are. */
  readonly candidates: number;
}

/** A kind of noise and exactly one of `epsilon`, `rho`, `scale` and `variance`, which say how much of it. */
export type NoisyMaxBudget = PureNoiseBudget | ZcdpNoiseBudget;

/** Noise accounted for as pure ε: exponential, Gumbel or Laplace noise, and exactly one of `epsilon` and `scale`. */
export type PureNoiseBudget = Pick<ScaledNoise, "noise"> & BudgetAs<"epsilon" | "scale", "rho" | "variance">;

/** Noise accounted for as ρ: any noise with `rho`, or Gaussian noise with a `variance`. */
export type ZcdpNoiseBudget =
  | (Pick<NoisyMaxNoise, "noise"> & BudgetAs<"rho", "epsilon" | "scale" | "variance">)
  | (Pick<GaussianNoise, "noise"> & BudgetAs<"variance", "epsilon" | "rho" | "scale">);

/** A kind of noise and a budget for it, before it is known that just one is given. */
export type LooseNoise = Pick<NoisyMaxNoise, "noise"> & LooseBudget<"epsilon" | "rho" | "scale" | "variance">;

/** The noise for one selection among `candidates` whose scores move by `range` against each other. */
export function noiseWithin(budget: LooseNoise, range: Rational, candidates: number): NoisyMaxNoise {
  switch (budget.noise) {
    case "exponential":
    case "gumbel":
    case "laplace":
      return { noise: budget.noise, scale: usualScale(scaleWithin(budget, range)) };
    default:
      readNoise("noise", budget.noise);
      return { noise: "gaussian", variance: varianceWithin(budget, range, candidates), candidates };
  }
}

/** The reader of the law of the noise. */
export const readNoise = oneOf("exponential", "gumbel", "laplace", "gaussian");

/** The readers of what says how much noise there is. */
export const NOISE_SIZES = {
  epsilon: positiveRational,
  rho: positiveRational,
  scale: positiveRational,
  variance: positiveRational,
};

/** The reader of a budget for noise. */
export function noisyMaxBudget(field: string, value: LooseNoise): LooseNoise {
  return readOptions(value, { noise: readNoise }, NOISE_SIZES, field);
}

function scaleWithin({ noise, epsilon, rho, scale, variance }: LooseNoise, range: Rational): Rational {
  if (variance !== undefined)
    throw invalidParameter("variance", `absent with ${noise} noise, which has a scale`, variance);
  exactlyOneOf({ epsilon, rho, scale });
  if (scale !== undefined) return positiveRational("scale", scale);
  if (epsilon !== undefined) return scaleAtLeast(pure(positiveRational("epsilon", epsilon)), { range });
  const target = zcdp(positiveRational("rho", rho as RationalLike));
  return scaleAtLeast(target, { range, boundedRange: noise === "gumbel" });
}

/** m·r²/(8ρ): the noisy scores together, after a shift of all by half the range, which the index does not notice. */
function varianceWithin(
  { epsilon, rho, scale, variance }: LooseNoise,
  range: Rational,
  candidates: number,
): Rational {
  if (epsilon !== undefined)
    throw invalidParameter("epsilon", "absent with gaussian noise, which has no pure guarantee", epsilon);
  if (scale !== undefined)
    throw invalidParameter("scale", "absent with gaussian noise, which has a variance", scale);
  exactlyOneOf({ rho, variance });
  if (variance !== undefined) return positiveRational("variance", variance);
  const target = zcdp(positiveRational("rho", rho as RationalLike));
  return varianceAtLeast(target, { sensitivity: range.dividedBy(2n), times: candidates });
}
