/**
 * Tables of what can be promised without looking: the least lead with which a set is the true one, and what the best of K runs
 * of Gaussian noise costs, by its Rényi curve and by its profile.
 * @module
 */
import {
  convert,
  gaussianToApprox,
  pure,
  type Rational,
  rational,
  scaleAtLeast,
  selectPrivateCandidate,
  zcdp,
} from "winnow-dp";
import type { Section } from "../experiment.js";
import { table } from "../table.js";

/** ln C(n, k). */
function lnChoose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log((n - k + i) / i);
  return sum;
}

/** The least lead of the k-th over the next for the true set with probability 95 %, whatever the other counts are. */
export function leads(): Section {
  const rows = [
    [1_000, 10],
    [1_000, 25],
    [100_000, 100],
  ].map(([n = 0, k = 0]) => {
    const tau = scaleAtLeast(pure(1), { distance: 1, rounds: 1, class: "bounded-range" }).toNumber();
    // P(T) ≥ 1/(1 + (C(n,k) − 1)·e^(−g/τ)), with equality for counts of two levels.
    const set = tau * (lnChoose(n, k) + Math.log(0.95 / 0.05));
    // One shot: noise of scale k/ε on each count; each of the k(n − k) pairs changes places with probability e^(−g/scale)/2.
    const order = k * Math.log((k * (n - k)) / (2 * 0.05));
    return [n.toLocaleString("en"), String(k), set.toFixed(1), order.toFixed(0)];
  });
  return {
    title: "The least lead for the true set, ε = 1",
    notes:
      "Sets: with this lead of the k-th count over the next the answer is the true set with probability 95 %, whatever all other counts are. One shot: the same by the union bound for exponential noise of scale k/ε.",
    table: table(["items", "k", "set", "one shot"], rows),
  };
}

/** The ε at δ = 10⁻⁶ of the best of K runs, each with Gaussian noise on a value that moves by 1. */
export function runsOfGaussians(): Section {
  const delta = "1e-6";
  const settings = [
    [5, 10],
    [5, 100],
    [2, 10],
  ] as const;
  const rows = settings.map(([sigma, mean]) => {
    const run = zcdp(rational(1).dividedBy(2 * sigma * sigma));
    const costs = (["-1/2", "0", "1"] as const).map((eta) => {
      const gamma = gammaFor(eta, mean);
      const runs = { law: "truncated-negative-binomial", eta, gamma } as const;
      const { privacy } = selectPrivateCandidate(() => ({ output: 0, score: 0 }), { loss: run, runs });
      const byCurve = (convert(privacy, { to: "approx", delta }).epsilon as Rational).toNumber();
      return `${byCurve.toFixed(2)} → ${byProfile(run.rho, { eta, gamma, mean }).toFixed(2)}`;
    });
    const byPoisson = poissonCost(run.rho, mean);
    const all = convert(zcdp(rational(mean).dividedBy(2 * sigma * sigma)), { to: "approx", delta });
    return [
      ...[String(sigma), String(mean), ...costs],
      ...[byPoisson.toFixed(2), (all.epsilon as Rational).toNumber().toFixed(2)],
    ];
  });
  return {
    title: "The best of K runs of Gaussian noise: ε at δ = 10⁻⁶",
    notes:
      "Runs of a value that moves by 1, noise of standard deviation σ, K with this mean. By the Rényi curve (`selectPrivateCandidate`), then by the exact profile of Gaussian noise, in doubles, as for a Poisson number; the last column pays for K runs one by one, by their ρ.",
    table: table(["σ", "E[K]", "η = −1/2", "η = 0", "η = 1", "Poisson", "K runs"], rows),
  };
}

const DELTA = 1e-6;

/** δ(ε) of one run, for any ε. */
function profileOf(rho: Rational): (epsilon: number) => number {
  const known = new Map<number, number>();
  return (epsilon) => {
    const value = known.get(epsilon) ?? gaussianToApprox(rho, { epsilon }).delta.toNumber();
    known.set(epsilon, value);
    return value;
  };
}

/** The least x from 0 to 60 with the property, which larger ones have too. */
function least(isEnough: (x: number) => boolean): number {
  let [low, high] = [0, 60];
  for (let step = 0; step < 34; step++) {
    const middle = (low + high) / 2;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** ε₁ + (1 + η)·ε̂ with E[K]·δ(ε₁) ≤ δ and (1 − γ)·δ(ε̂) ≤ γ(e^ε̂ − 1). */
function byProfile(rho: Rational, law: { eta: string; gamma: string; mean: number }): number {
  const profile = profileOf(rho);
  const gamma = Number(law.gamma);
  const first = least((epsilon) => law.mean * profile(epsilon) <= DELTA);
  const other = least((epsilon) => (1 - gamma) * profile(epsilon) <= gamma * Math.expm1(epsilon));
  return first + (1 + rational(law.eta).toNumber()) * other;
}

/** The best order of ln(e^−μ + μ·e^((α − 1)(ρα + μ·δ̂)))/(α − 1), δ̂ = δ(ln(α/(α − 1))), and its conversion. */
function poissonCost(rho: Rational, mean: number): number {
  const profile = profileOf(rho);
  let cost = Number.POSITIVE_INFINITY;
  for (let less = 0.2; less < 400; less *= 1.03) {
    const alpha = 1 + less;
    const exponent = less * (rho.toNumber() * alpha + mean * profile(Math.log(alpha / less)));
    const curve = (exponent + Math.log(mean + Math.exp(-mean - exponent))) / less;
    const epsilon = curve + Math.log(less / alpha) - (Math.log(DELTA) + Math.log(alpha)) / less;
    cost = Math.min(cost, epsilon);
  }
  return cost;
}

/** The γ for which the truncated negative binomial law has this mean, by bisection, rounded to a rational. */
function gammaFor(eta: "-1/2" | "0" | "1", mean: number): string {
  const shape = rational(eta).toNumber();
  const meanOf = (gamma: number) =>
    shape === 0
      ? (1 / gamma - 1) / Math.log(1 / gamma)
      : (shape * (1 - gamma)) / (gamma * (1 - gamma ** shape));
  let [low, high] = [1e-12, 1];
  for (let step = 0; step < 80; step++) {
    const middle = Math.sqrt(low * high);
    if (meanOf(middle) > mean) low = middle;
    else high = middle;
  }
  return low.toPrecision(12);
}
