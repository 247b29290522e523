/**
 * The promises of the selections with noise on scores, each checked on all neighbours of small instances, and those of
 * the base-2 mechanisms, over grids of utilities with fractions, where rounding is random too. The stated loss comes
 * from the mechanism's own privacy map, the laws from their closed forms.
 * @module
 */
import {
  approx,
  base2LossOf,
  boundedRangeDelta,
  convert,
  eta,
  makeNoisyTopK,
  noisyMaxLoss,
  type Rational,
  rational,
  scaleAtLeast,
} from "winnow-dp";
import { base2ExponentialLaw, clampedLaplaceLaw } from "../laws/base2-laws.js";
import type { Law } from "../laws/law.js";
import {
  exponentialMechanismRound,
  noisyMaxLaw,
  peeledLaw,
  permuteAndFlipRound,
} from "../laws/noisy-max-laws.js";
import { exponentialTopKLaw, topKWithGapLaw } from "../laws/top-k-laws.js";
import { neighboursOf } from "../likelihood-ratio.js";
import { checkApprox, checkPure, checkZcdp, type ExactClaim, pairsOf } from "./check-claim.js";

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

const MEASUREMENT = "[Sho25, Theorem 2.1]";

/** Pure ε of k winners with noise of scale k, which makes ε = 1 or 2. */
function pureClaim(mechanism: string, law: LawFor, instance: Instance, source: string): ExactClaim {
  const { k, monotone } = instance;
  const scale = rational(k);
  const { epsilon } = makeNoisyTopK({ k, measure: "pure", scale, monotone }).map(1);
  return {
    mechanism,
    instance: instanceName(instance),
    promise: `pure ε = ${epsilon}`,
    source,
    unit: "ε",
    check: () => checkPure(pairs(instance, law, scale), epsilon),
  };
}

/** (ε, δ) with the least Gumbel noise for it; δ as it is certified for that noise. */
function approxClaim(instance: Instance, epsilon: string, delta: string): ExactClaim {
  const { k, monotone } = instance;
  const distance = monotone ? 1 : 2;
  const target = approx(epsilon, delta);
  const scale = scaleAtLeast(target, { distance, rounds: k, class: "bounded-range" });
  const range = rational(distance).dividedBy(scale);
  const spent = approx(epsilon, boundedRangeDelta({ epsilon, range, rounds: k }));
  return {
    mechanism: "topK with delta",
    instance: instanceName(instance),
    promise: `ε = ${epsilon}, δ = ${delta}`,
    source: "[DDR20]",
    unit: "δ",
    check: () => checkApprox(pairs(instance, gumbel, scale), spent),
  };
}

function zcdpClaim(instance: Instance): ExactClaim {
  const { k, monotone } = instance;
  const scale = rational(2);
  const { rho } = makeNoisyTopK({ k, measure: "zcdp", scale, monotone }).map(1);
  return {
    mechanism: "topK with rho",
    instance: instanceName(instance),
    promise: `ρ = ${rho}`,
    source: MEASUREMENT,
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
    maxCandidates: 2,
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
      pureClaim("topKWithGap", withGaps, instance, "[Ding23, Theorem 4.3]"),
    ),
    ...[TWO_OF_THREE, TWO_OF_FOUR].map((instance) =>
      pureClaim("topK with epsilon", oneShot, instance, MEASUREMENT),
    ),
    pureClaim('topK, method "peel"', peeled, TWO_OF_FOUR, MEASUREMENT),
    ...[TWO_OF_THREE, TWO_OF_FOUR].map(zcdpClaim),
    approxClaim(MONOTONE, "1", "1/20"),
    approxClaim(TWO_OF_THREE, "1/2", "1/20"),
    approxClaim(THREE_OF_FOUR, "1", "1/20"),
    ...[GENERAL, FAR].map((instance) =>
      pureClaim("permuteAndFlip", oneShot, instance, "[Ding23, Lemma 4.1]"),
    ),
    noisyMaxClaim("exponential", [2, 1, 0]),
    noisyMaxClaim("gumbel", [2, 1, 0]),
    noisyMaxClaim("laplace", [1, 0]),
    gaussianMaxClaim(),
  ];
}

const UTILITIES = [
  ["1", "3/2", "5/2"],
  ["8/5", "2", "7/5"],
  ["2", "2", "2"],
];

function base2Claim(x: number, y: number, monotone: boolean): ExactClaim {
  const parameter = eta(x, y, 1);
  const { epsilon } = convert(base2LossOf(parameter, { monotone }), { to: "pure" });
  const options = { eta: parameter, lower: 0, upper: 4 };
  const inputs = UTILITIES.map((utilities) => utilities.map((utility) => rational(utility)));
  const neighbours = (of: readonly Rational[]) => neighboursOf(of, { monotone });
  return {
    mechanism: "base2Exponential",
    instance: `utilities with fractions, b = ${x}/${1 << y}, ${monotone ? "monotone" : "any direction"}`,
    promise: `ε = ${monotone ? "" : "2 "}ln(${1 << y}/${x})`,
    source: "[Ilv20, Proposition 3.3, Lemma 3.5] [Ilv20p, Lemma 6.2, Proposition 8.1]",
    unit: "ε",
    check: () =>
      checkPure(
        pairsOf<readonly Rational[]>(inputs, neighbours, (of) => base2ExponentialLaw(of, options)),
        epsilon,
      ),
  };
}

const LAST_POINT = 6;

function clampedLaplaceClaim(): ExactClaim {
  const parameter = eta(1, 1, 1);
  const { epsilon } = convert(base2LossOf(parameter), { to: "pure" });
  const points = Array.from({ length: LAST_POINT + 1 }, (_, point) => point);
  const next = (point: number) => [point - 1, point + 1].filter((to) => to >= 0 && to <= LAST_POINT);
  return {
    mechanism: "clampedLaplace",
    instance: `every value of a grid from 0 to ${LAST_POINT}`,
    promise: "ε = 2 ln 2",
    source: "[Ilv20, Mechanism 1]",
    unit: "ε",
    check: () =>
      checkPure(
        pairsOf(points, next, (point) => clampedLaplaceLaw(point, LAST_POINT, parameter)),
        epsilon,
      ),
  };
}

export function base2Claims(): readonly ExactClaim[] {
  return [base2Claim(1, 1, false), base2Claim(1, 1, true), base2Claim(3, 2, false), clampedLaplaceClaim()];
}
