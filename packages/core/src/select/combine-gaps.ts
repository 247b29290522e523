/**
 * `combineGaps`: better estimates of the winners' scores for nothing. Who has the gaps of a top k and then measures each
 * winner's score with fresh noise knows the differences of the scores twice. The best linear unbiased estimate
 * takes the mean from the measurements and each winner's distance from the mean from both, weighted by precision
 * [Ding23]:
 *
 *     estimate_i = m̄ + (λ·(m_i − m̄) + (s_i − s̄))/(1 + λ),   s_i = gap_i + … + gap_(k−1),
 *
 * where λ is the variance of the selection's noise in units of that of a measurement. Each estimate has (1 + λk)/(k + λk)
 * of a measurement's variance.
 *
 * Only what was released is used, so nothing is lost. Unbiased for given winners: who wins a near tie tends to have lucky
 * noise, and its gap is then too large. Cost: k additions. Proof: combine-gaps.proof.md.
 * @module
 */

import { invalidData } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { arrayLike, nonNegativeRational, rationalDatum, readOptions } from "../options.js";

/**
 * How precise the gaps are beside the measurements.
 *
 * @inline
 */
export type CombineGapsOptions = {
  /** λ: the variance of the selection's noise (the square of its scale) divided by that of a measurement. */
  readonly varianceRatio: RationalLike;
  /** The resolution that the gaps were rounded down to: half of it is added to each. Default 0. */
  readonly resolution?: RationalLike | undefined;
};

/**
 * The estimates, and how precise they are.
 *
 * @inline
 */
export type CombinedGaps = {
  /** The winners' scores, best first. */
  readonly estimates: readonly Rational[];
  /** The variance of an estimate divided by that of a measurement. */
  readonly relativeVariance: Rational;
};

/**
 * Better estimates of the winners' scores for nothing, from their gaps and fresh measurements.
 *
 * Who has the gaps of a top k and then measures each winner's score with fresh noise knows the differences of the
 * scores twice. This is the best linear unbiased estimate from both [Ding23]. Only what was released is used, so
 * nothing is lost. See docs/mechanisms/combine-gaps.md.
 *
 * @param measurements The measured scores, best winner first.
 * @param gaps The winners' gaps, in the same order; that of the last winner is of no use.
 * @param options The variance of the selection's noise in units of that of a measurement.
 *
 * @example
 * ```ts
 * import { combineGaps } from "winnow-dp";
 *
 * const measured = ["101.2", "95.7", "90.1"]; // the winners' scores with fresh noise
 * const { estimates } = combineGaps(measured, ["4.5", "6.25"], { varianceRatio: 2 });
 * estimates.map((estimate) => estimate.toNumber().toFixed(2)); // → ["101.05", "95.88", "90.07"]
 * ```
 */
export function combineGaps(
  measurements: readonly RationalLike[],
  gaps: readonly RationalLike[],
  options: CombineGapsOptions,
): CombinedGaps {
  const measured = rationals("measurements", measurements);
  const released = rationals("gaps", gaps);
  const k = measured.length;
  const read = readOptions(
    options,
    { varianceRatio: nonNegativeRational },
    { resolution: nonNegativeRational },
  );
  const lambda = rational(read.varianceRatio);
  const half = rational(read.resolution ?? 0n).dividedBy(2n);
  if (k === 0) throw invalidData("measurements", "a list of at least one", "invalid-parameter");
  if (released.length !== k && released.length !== k - 1)
    throw invalidData("gaps", `a list of ${k} or ${k - 1} for ${k} measurements`, "invalid-parameter");

  const leads = leadsOverLast(released.slice(0, k - 1).map((gap) => gap.plus(half)));
  const [measuredMean, leadMean] = [mean(measured), mean(leads)];
  const whole = lambda.plus(1n);
  const estimates = measured.map((value, i) => {
    const byMeasurement = value.minus(measuredMean).times(lambda);
    const byGaps = leads[i].minus(leadMean);
    return measuredMean.plus(byMeasurement.plus(byGaps).dividedBy(whole));
  });
  const relativeVariance = lambda.times(k).plus(1n).dividedBy(lambda.times(k).plus(k));
  return { estimates, relativeVariance };
}

function rationals(field: string, given: readonly RationalLike[]): Rational[] {
  return arrayLike(field, given).map((each) => rationalDatum(field, each));
}

/** By how much each winner leads the last: the sum of its gap and those behind it. */
function leadsOverLast(gaps: readonly Rational[]): Rational[] {
  const leads = [Rational.ZERO];
  for (const gap of [...gaps].reverse()) leads.unshift(leads[0].plus(gap));
  return leads;
}

function mean(values: readonly Rational[]): Rational {
  return values.reduce((sum, value) => sum.plus(value)).dividedBy(values.length);
}
