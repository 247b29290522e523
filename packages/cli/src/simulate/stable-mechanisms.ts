/**
 * The mechanisms with a data-dependent k, prepared once for many runs: from a loss, split as the library does, or from the
 * scale of each noise.
 * @module
 */

import {
  makeStableTopK,
  makeStableTopKFixed,
  type Rational,
  rational,
  rhoAtMost,
  type StableTopKFixedOptions,
  type StableTopKFixedParameters,
  type StableTopKOptions,
  type StableTopKParameters,
  stableTopK,
  stableTopKFixed,
} from "winnow-dp";
import { Refusal } from "winnow-release";
import { optionName } from "../command-options.js";
import type { Draw } from "./mechanisms.js";
import { type Parameters, readTerms, readWholeSensitivity } from "./parameters.js";

type Counts = readonly (number | bigint)[];

export function prepareStable(counts: Counts, parameters: Parameters): Draw {
  const { chooseScale, testVariance, regulariser } = parameters;
  const shared = {
    ...common(parameters),
    maxK: largestK(parameters, counts),
    regulariser: readTerms(regulariser),
  };
  const { noise, ...settings } = shared;
  if (areSizesGiven(parameters, ["chooseScale", "testVariance"])) {
    const sized = { choose: { noise, scale: chooseScale }, test: { variance: testVariance } };
    const measurement = makeStableTopK({ ...settings, ...sized } as StableTopKParameters);
    return (entropy) => told(measurement.invoke(counts, entropy), measurement.zcdp);
  }
  const { privacy } = stableTopK([], { ...shared, ...lossOf(parameters) } as StableTopKOptions);
  const { rho, failure } = budgetOf(parameters);
  const half = { rho: rho.dividedBy(2n) };
  const measurement = makeStableTopK({ ...settings, delta: failure, choose: { noise, ...half }, test: half });
  return (entropy) => told(measurement.invoke(counts, entropy), privacy);
}

/** Over a public domain: the scores are all of its candidates. */
export function prepareStableFixed(counts: Counts, parameters: Parameters): Draw {
  const { chooseScale, testVariance, roundsScale, k = 1, maxK, penalty, gapCap } = parameters;
  const limits = { k, maxK, penalty, gapCap: gapCap === 0 ? Infinity : gapCap, domain: "public" } as const;
  const shared = { ...common(parameters), ...limits };
  const { noise, ...settings } = shared;
  if (areSizesGiven(parameters, ["chooseScale", "testVariance", "roundsScale"])) {
    const sized = { choose: { noise, scale: chooseScale }, test: { variance: testVariance } };
    const measurement = makeStableTopKFixed({
      ...settings,
      ...sized,
      rounds: { scale: roundsScale },
    } as StableTopKFixedParameters);
    const { zcdp: privacy } = measurement;
    return (entropy) => ({ outcome: { indices: measurement.invoke(counts, entropy).indices }, privacy });
  }
  const { privacy } = stableTopKFixed(new Uint8Array(k), {
    ...shared,
    ...lossOf(parameters),
  } as StableTopKFixedOptions);
  const { rho, failure } = budgetOf(parameters);
  const quarter = { rho: rho.dividedBy(4n) };
  const measurement = makeStableTopKFixed({
    ...settings,
    delta: failure,
    choose: { noise, ...quarter },
    test: quarter,
    rounds: { rho: rho.dividedBy(2n) },
  });
  return (entropy) => ({ outcome: { indices: measurement.invoke(counts, entropy).indices }, privacy });
}

function common({ noise = "gumbel", thresholdRule, monotone, sensitivity, delta }: Parameters) {
  if (delta === undefined)
    throw new Refusal(
      "usage",
      "--delta must be a probability such as 1e-6: the test of a set may fail with it.",
    );
  return { noise, thresholdRule, monotone, delta, sensitivity: readWholeSensitivity(sensitivity) };
}

/** Whether the noise is given by its scales: then all of them must be given, and no loss. */
function areSizesGiven(parameters: Parameters, sizes: readonly (keyof Parameters)[]): boolean {
  const given = sizes.filter((size) => parameters[size] !== undefined);
  if (given.length === 0) return false;
  const hasLoss = parameters.epsilon !== undefined || parameters.rho !== undefined;
  if (given.length < sizes.length || hasLoss) {
    const all = sizes.map(optionName).join(", ");
    throw new Refusal("usage", `The noise needs --epsilon or --rho, or instead all of ${all}.`);
  }
  return true;
}

function lossOf({ epsilon, rho }: Parameters) {
  return { epsilon, rho };
}

/** For (ε, δ), half of δ goes to the test and half to the conversion from ρ. */
function budgetOf({ epsilon, rho, delta = "" }: Parameters): { rho: Rational; failure: Rational } {
  if (epsilon === undefined) return { rho: rational(rho ?? "", "rho"), failure: rational(delta, "delta") };
  const half = rational(delta, "delta").dividedBy(2n);
  return { rho: rhoAtMost({ epsilon, delta: half }), failure: half };
}

/** Default: the number of scores minus one, because the last has no lead. */
export function largestK({ maxK }: Parameters, { length }: Counts): number {
  return maxK ?? Math.max(1, length - 1);
}

type Stable = { readonly k: number } & ({ released: true; indices: readonly number[] } | { released: false });

function told(release: Stable, privacy: ReturnType<Draw>["privacy"]): ReturnType<Draw> {
  const { released, k } = release;
  return { outcome: { indices: release.released ? release.indices : [], released, k }, privacy };
}
