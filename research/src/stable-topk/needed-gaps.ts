/**
 * Which gap a stability test passes with probability 1 − β [ZW22, Theorem 20], and from which gap on stable top k releases the set except with
 * probability δ [ZW22, Theorem 11]: the least ones by the exact tails of integer noise, beside the paper's.
 *
 * A test releases if max(1, gap) − 1 + N > λ, where λ is the least integer with P(N > λ) ≤ δ. So the least gap that fails with
 * at most β is 1 + λ + t, t being the least integer with P(N ≥ t) ≤ β, and the least that fails with at most δ is 2 + 2λ.
 * @module
 */
import { discreteGaussianTail, discreteLaplaceTail, type Tail } from "winnow-audit";
import { type RationalLike, rational } from "winnow-dp";
import type { Section } from "../experiment.js";
import { table } from "../table.js";

/** The least integer bound ≥ 0 with P(noise > bound) ≤ p. */
function leastBound(tail: Tail, p: RationalLike): number {
  let bound = 0;
  while (tail(bound).upper().compare(p) > 0) bound++;
  return bound;
}

/** The least gap that is released with probability 1 − β or more. */
export function neededGap(tail: Tail, delta: RationalLike, beta: RationalLike): number {
  return 1 + leastBound(tail, delta) + leastBound(tail, beta) + 1;
}

/** P(a set with this gap is not released). */
export function failure(tail: Tail, delta: RationalLike, gap: number): number {
  const passes = tail(leastBound(tail, delta) - Math.max(0, gap - 1));
  return passes.negated().plus(1n).toNumber("up");
}

interface Question {
  readonly epsilon: RationalLike;
  readonly delta: RationalLike;
  readonly beta: RationalLike;
}

export function laplaceTail(epsilon: RationalLike): Tail {
  return discreteLaplaceTail(rational(1).dividedBy(epsilon));
}

/** σ = 1/ε: the zCDP of Laplace noise for the same ε. */
export function gaussianTail(epsilon: RationalLike): Tail {
  return discreteGaussianTail(rational(1).dividedBy(rational(epsilon).times(epsilon)));
}

/** σ² = 2·ln(1.25/δ)/ε²: the calibration of Theorem 20 as it is stated, for one (ε, δ)-DP query; its last digit rounded up. */
export function looseGaussianTail(epsilon: RationalLike, delta: RationalLike): Tail {
  const e = rational(epsilon).toNumber();
  const variance = (2 * Math.log(1.25 / rational(delta).toNumber())) / (e * e);
  return discreteGaussianTail(rational(variance.toPrecision(12)));
}

/** σ² = 1/ρ: half of ρ is for the test. */
export function stableTail(rho: RationalLike): Tail {
  return discreteGaussianTail(rational(1).dividedBy(rho));
}

const QUESTIONS: readonly Question[] = [
  { epsilon: 1, delta: "1e-6", beta: "0.01" },
  { epsilon: "0.1", delta: "1e-6", beta: "0.05" },
  { epsilon: "0.5", delta: "1e-9", beta: "0.01" },
];
const BUDGETS = [
  { rho: 1, delta: "1e-6" },
  { rho: "0.1", delta: "1e-6" },
  { rho: "0.02", delta: "1e-9" },
] as const;

export function neededGaps(): Section {
  const ln = (p: RationalLike) => Math.log(1 / rational(p).toNumber());
  const tested = QUESTIONS.flatMap(({ epsilon, delta, beta }) => {
    const e = rational(epsilon).toNumber();
    const question = `ε = ${epsilon}, δ = ${delta}, β = ${beta}`;
    const [laplace, gaussian] = [laplaceTail(epsilon), gaussianTail(epsilon)];
    return [
      [question, "test, Laplace", 1 + (ln(delta) + ln(beta)) / e, neededGap(laplace, delta, beta)],
      [
        question,
        "test, Gaussian for one query",
        1 + (ln(delta) + ln(beta)) / (e / 4),
        neededGap(looseGaussianTail(epsilon, delta), delta, beta),
      ],
      [
        question,
        "test, Gaussian of the same zCDP",
        1 + (Math.sqrt(2 * ln(delta)) + Math.sqrt(2 * ln(beta))) / e,
        neededGap(gaussian, delta, beta),
      ],
    ] as const;
  });
  const stable = BUDGETS.map(({ rho, delta }) => {
    const paper = 1 + 2 * Math.sqrt((2 * ln(delta)) / rational(rho).toNumber());
    const least = neededGap(stableTail(rho), delta, delta);
    return [`ρ = ${rho}, δ = ${delta}`, "stable top k, all but δ", paper, least] as const;
  });
  return {
    title: "[ZW22, Theorems 11 and 20] The gap that an answer needs",
    notes:
      "The paper's gaps suffice for continuous noise, and it calls them needed. The least ones for integer noise follow from its exact tails; at one less, a test fails more often than that. For one query, where Gaussian noise gets σ = √(2 ln(1.25/δ))/ε, Laplace is better, as the paper remarks; with noise of the same zCDP, which is what composition asks for, Gaussian is.",
    table: table(
      ["budget", "mechanism", "the paper's", "least"],
      [...tested, ...stable].map(([question, mechanism, paper, least]) => [
        question,
        mechanism,
        paper.toFixed(2),
        String(least),
      ]),
    ),
  };
}
