/**
 * The mechanisms that release numbers, or a set without noise, prepared for many runs on public scores. For these an outcome
 * is what is released: every score with its noise, a point of a grid, or the k largest if they are stable.
 * @module
 */

import {
  type ClampedLaplaceOptions,
  clampedLaplace,
  type MeasureCountsOptions,
  measureCounts,
  type ProposeTestReleaseOptions,
  proposeTestRelease,
  pure,
  type Rational,
  rational,
} from "winnow-dp";
import { geometric } from "winnow-dp/sample";
import { Refusal } from "winnow-release";
import { gridOf } from "../release/request.js";
import type { Draw } from "./mechanisms.js";
import { type Parameters, readEta, readScale, readWholeSensitivity } from "./parameters.js";

/** Counts by names in the order of the scores. */
type NamedScores = readonly (readonly [name: string, count: number | bigint])[];

/** The Laplace mechanism [Ding23, Theorem 3.3] on counts: each with discrete Laplace noise. */
export function prepareLaplace(rows: NamedScores, parameters: Parameters): Draw {
  const { epsilon, scale, sensitivity, maxItemsPerUser, monotone } = parameters;
  const neighbours = monotone ? "add-remove" : "replace";
  const chosen = { epsilon, scale, sensitivity, maxItemsPerUser, neighbours };
  const names = rows.map(([name]) => name);
  return (entropy) => {
    const { counts, privacy } = measureCounts(rows, names, { ...chosen, entropy } as MeasureCountsOptions);
    return { outcome: { indices: [], values: counts.map(({ count }) => String(count)) }, privacy };
  };
}

/** Rounded exponential noise [Ding23, Lemma 5.4] on each score. It has one sign, so numbers with it aren't private. */
export function prepareGeometric(scores: readonly Rational[], { scale }: Parameters): Draw {
  const rate = rational(1n).dividedBy(readScale(scale));
  const privacy = pure(Number.POSITIVE_INFINITY);
  return (entropy) => {
    const values = scores.map((score) => String(score.plus(geometric(rate, entropy))));
    return { outcome: { indices: [], values }, privacy };
  };
}

/** One value on a public grid [Ilv20, Mechanism 1 and §4.1]. */
export function prepareClampedLaplace(scores: readonly Rational[], parameters: Parameters): Draw {
  const { epsilon, eta, sensitivity, step = "1" } = parameters;
  const [value] = scores;
  if (scores.length > 1)
    throw new Refusal("usage", `clamped-laplace needs a file with one value; got ${scores.length}.`);
  const { lower, upper } = gridOf(parameters);
  const base = eta === undefined ? undefined : readEta(eta);
  const chosen = { epsilon, eta: base, sensitivity, lower, upper, step };
  return (entropy) => {
    const answer = clampedLaplace(value, { ...chosen, entropy } as ClampedLaplaceOptions);
    return { outcome: { indices: [], values: [String(answer.value)] }, privacy: answer.privacy };
  };
}

/** The k largest counts, or nothing: with Gaussian or Laplace noise on their lead [ZW22, Alg 4, 5]. */
export function prepareProposal(counts: readonly (number | bigint)[], parameters: Parameters): Draw {
  const { k = 1, epsilon, rho, scale, variance, delta, thresholdRule, monotone, sensitivity } = parameters;
  const size = { epsilon, rho, scale, variance };
  const chosen = {
    ...size,
    k,
    delta,
    thresholdRule,
    monotone,
    sensitivity: readWholeSensitivity(sensitivity),
  };
  return (entropy) => {
    const release = proposeTestRelease(counts, { ...chosen, entropy } as ProposeTestReleaseOptions);
    const { released, privacy } = release;
    return { outcome: { indices: release.released ? release.indices : [], released }, privacy };
  };
}
