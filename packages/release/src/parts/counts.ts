/**
 * Counts beside released names: the noise, fixed for k names before anything is drawn, the interval that holds the true
 * count, and the cost of any number of names. Discrete Gaussian noise is paid in ρ, discrete Laplace noise in ε. A quarter of
 * the budget is for the counts: within 0.5 % of the best split between how many people a name needs to be told and how
 * wide the interval of its count is (docs/mechanisms/top-k-with-counts.md).
 *
 * The columns that cost nothing are made from released numbers alone. `fittedCounts` makes counts fall in the order of
 * the list; with leads, the counts are combined with them first.
 * @module
 */
import {
  combineGaps,
  type Entropy,
  type Loss,
  type MeasureCountsOptions,
  measureCounts,
  nonIncreasingFit,
  pure,
  type Rational,
  rational,
  zcdp,
} from "winnow-dp";
import { discreteGaussian, discreteLaplace } from "winnow-dp/sample";
import type { RunAnswer } from "../question/answer.js";

/** The share of the budget that is for the counts. */
export const COUNT_SHARE = rational("1/4");

/** The law of the noise on each count. */
interface CountNoise {
  readonly law: "gaussian" | "laplace";
  /** σ², or the scale. */
  readonly size: Rational;
}

export interface CountPlan extends CountNoise {
  /** The true count is so near to the released one, with the stated confidence. */
  readonly halfWidth: bigint;
  /** The variance of the noise, to weigh leads against counts. */
  readonly variance: Rational;
  /** The cost of the counts of `names` names. */
  lossOf(names: number): Loss;
}

/** With which probability an interval holds the true count. */
export const COUNT_CONFIDENCE = "0.95";

/** `mostMoved` is how many of the counts one person can move, if fewer than there are names. */
export function countPlan(noise: CountNoise, k: number, mostMoved = Infinity): CountPlan {
  const { law, size } = noise;
  const { halfWidth } = measureCounts([], [], { ...noiseOptions(noise), k, confidence: COUNT_CONFIDENCE });
  return {
    ...noise,
    halfWidth: halfWidth.floor(),
    // 2·scale² is within 1/6 of the variance of discrete Laplace noise; it steers weights only.
    variance: law === "gaussian" ? size : size.times(size).times(2n),
    lossOf(names) {
      const moved = rational(Math.min(mostMoved, names));
      return law === "gaussian" ? zcdp(moved.dividedBy(size.times(2n))) : pure(moved.dividedBy(size));
    },
  };
}

/** For `measureCounts`. */
export function noiseOptions({ law, size }: CountNoise): MeasureCountsOptions {
  return law === "gaussian" ? { variance: size } : { scale: size };
}

export function countParameters({ law, size, halfWidth }: CountPlan): Record<string, string> {
  return {
    countNoise: `discrete ${law}`,
    ...(law === "gaussian" ? { countVariance: String(size) } : { countScale: String(size) }),
    countHalfWidth: String(halfWidth),
    countConfidence: COUNT_CONFIDENCE,
  };
}

/** Leads that belong to counts. */
interface Leads {
  readonly gaps: readonly string[];
  /** The scale of the noise on the names. */
  readonly scale: Rational;
  readonly resolution: string;
}

/** The counts, combined with leads if there are some, made to fall in the order of the list. */
export function fittedCounts(
  counts: readonly string[],
  { variance }: Pick<CountPlan, "variance">,
  leads?: Leads,
): Rational[] {
  if (leads === undefined || counts.length === 0) return nonIncreasingFit(counts);
  const { gaps, scale, resolution } = leads;
  const varianceRatio = scale.times(scale).dividedBy(variance);
  return nonIncreasingFit(combineGaps(counts, gaps, { varianceRatio, resolution }).estimates);
}

/** What adds noisy counts of the winners to an answer, where they are released: as `measureCounts` does, without its intervals. */
export function prepareCounts(
  plan: CountPlan | undefined,
  scores: Float64Array,
): (winners: readonly number[], entropy?: Entropy) => Pick<RunAnswer, "counts"> {
  if (plan === undefined) return () => ({});
  const { law, size } = plan;
  const draw = law === "gaussian" ? discreteGaussian : discreteLaplace;
  return (winners, entropy) => ({
    counts: winners.map((index) => (scores[index] ?? 0) + Number(draw(size, entropy))),
  });
}
