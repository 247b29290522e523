/**
 * The promises of the selections with noise on scores, each checked on all neighbours of small instances. The stated loss comes
 * from the mechanism's own privacy map, the laws from their closed forms.
 * @module
 */
import { type Rational, rational } from "../../exact/rational.js";
import { makeNoisyTopK } from "../../select/make-noisy-top-k.js";
import { noisyMaxLoss } from "../../select/noisy-max-loss.js";
import { exponentialMechanismRound } from "../exponential-mechanism-round.js";
import { exponentialTopKLaw } from "../exponential-top-k-law.js";
import type { Law } from "../law.js";
import { neighboursOf } from "../neighbours.js";
import { noisyMaxLaw } from "../noisy-max-law.js";
import { peeledLaw } from "../peeled-law.js";
import { permuteAndFlipRound } from "../permute-and-flip-round.js";
import { topKWithGapLaw } from "../top-k-with-gap-law.js";
import { checkPure, checkZcdp } from "./check-pairs.js";
import { type ExactClaim, pairsOf } from "./exact-claim.js";

interface Instance {
  readonly scores: readonly number[];
  readonly k: number;
  readonly monotone: boolean;
}

type LawFor = (scores: readonly Rational[], k: number, scale: Rational) => Law;

/** Enough for a loss to 20 digits, and much faster than more. */
const PRECISION = 128;

const withGaps: LawFor = (scores, k, scale) =>
  topKWithGapLaw(scores, { k, scale, resolution: 1, largestGap: 2, precision: PRECISION });
const oneShot: LawFor = (scores, k, scale) => exponentialTopKLaw(scores, { k, scale, precision: PRECISION });
const peeled: LawFor = (scores, k, scale) =>
  peeledLaw(permuteAndFlipRound, scores, { k, scale, precision: PRECISION });
const gumbel: LawFor = (scores, k, scale) =>
  peeledLaw(exponentialMechanismRound, scores, { k, scale, precision: PRECISION });

const MONOTONE: Instance = { scores: [2, 1, 0], k: 1, monotone: true };
const GENERAL: Instance = { scores: [2, 1, 0], k: 1, monotone: false };
const TWO_OF_THREE: Instance = { scores: [1, 1, 0], k: 2, monotone: false };
const TWO_OF_FOUR: Instance = { scores: [2, 1, 1, 0], k: 2, monotone: true };
const THREE_OF_FOUR: Instance = { scores: [2, 1, 1, 0], k: 3, monotone: true };
const FAR: Instance = { scores: [0, 30], k: 1, monotone: false };

function pairs({ scores, k, monotone }: Instance, law: LawFor, scale: Rational) {
  const exact = scores.map((score) => rational(score));
  const neighbours = (of: readonly Rational[]) => neighboursOf(of, { monotone });
  return pairsOf<readonly Rational[]>([exact], neighbours, (of) => law(of, k, scale));
}

function instanceName({ scores, k, monotone }: Instance): string {
  return `scores ${scores.join(", ")}, k = ${k}, ${monotone ? "monotone" : "any direction"}`;
}

/** Pure ε of k winners with noise of scale k, which makes ε = 1 or 2. */
function pureClaim(mechanism: string, law: LawFor, instance: Instance): ExactClaim {
  const { k, monotone } = instance;
  const scale = rational(k);
  const epsilon = makeNoisyTopK({ k, measure: "pure", scale, monotone }).map(1);
  return {
    mechanism,
    instance: instanceName(instance),
    promise: `pure ε = ${epsilon}`,
    unit: "ε",
    check: () => checkPure(pairs(instance, law, scale), epsilon),
  };
}

function zcdpClaim(instance: Instance): ExactClaim {
  const { k, monotone } = instance;
  const scale = rational(2);
  const rho = makeNoisyTopK({ k, measure: "zcdp", scale, monotone }).map(1);
  return {
    mechanism: "topK with rho",
    instance: instanceName(instance),
    promise: `ρ = ${rho}`,
    unit: "ρ",
    check: () => checkZcdp(pairs(instance, gumbel, scale), rho),
  };
}

function noisyMaxClaim(noise: "exponential" | "gumbel" | "laplace", scores: readonly number[]): ExactClaim {
  const scale = rational(2);
  const { pure } = noisyMaxLoss({ noise, scale, sensitivity: 1, monotone: false });
  const law: LawFor = (of) => noisyMaxLaw(of, noise, scale);
  const instance = { scores, k: 1, monotone: false };
  return {
    mechanism: `reportNoisyMax, ${noise}`,
    instance: instanceName(instance),
    promise: `pure ε = ${pure?.epsilon}`,
    unit: "ε",
    check: () => checkPure(pairs(instance, law, scale), pure?.epsilon ?? 0),
  };
}

function gaussianMaxClaim(): ExactClaim {
  const variance = rational(4);
  const { zcdp } = noisyMaxLoss({
    noise: "gaussian",
    variance,
    candidates: 2,
    sensitivity: 1,
    monotone: false,
  });
  const instance = { scores: [1, 0], k: 1, monotone: false };
  const law: LawFor = (of) => noisyMaxLaw(of, "gaussian", variance);
  return {
    mechanism: "reportNoisyMax, gaussian",
    instance: instanceName(instance),
    promise: `ρ = ${zcdp.rho}`,
    unit: "ρ",
    check: () => checkZcdp(pairs(instance, law, variance), zcdp.rho),
  };
}

export function selectionClaims(): readonly ExactClaim[] {
  return [
    ...[GENERAL, MONOTONE, TWO_OF_THREE, TWO_OF_FOUR, THREE_OF_FOUR].map((instance) =>
      pureClaim("topKWithGap", withGaps, instance),
    ),
    ...[TWO_OF_THREE, TWO_OF_FOUR].map((instance) => pureClaim("topK with epsilon", oneShot, instance)),
    pureClaim('topK, method "peel"', peeled, TWO_OF_FOUR),
    ...[TWO_OF_THREE, TWO_OF_FOUR].map(zcdpClaim),
    ...[GENERAL, FAR].map((instance) => pureClaim("permuteAndFlip", oneShot, instance)),
    noisyMaxClaim("exponential", [2, 1, 0]),
    noisyMaxClaim("gumbel", [2, 1, 0]),
    noisyMaxClaim("laplace", [1, 0]),
    gaussianMaxClaim(),
  ];
}
