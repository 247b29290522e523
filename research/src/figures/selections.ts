/**
 * Figures of the selections of one candidate or k: who comes out, how often, and how far ahead.
 * @module
 */

import { exponentialMechanismRound, peeledLaw, permuteAndFlipRound } from "winnow-audit";
import { type Entropy, reportNoisyMax, topK, topKWithGap } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { barChart } from "../bar-chart.js";
import { lineChart, PROPORTION } from "../line-chart.js";
import { largest, recall } from "../statistics.js";
import { frequencies, share } from "./frequencies.js";

const RUNS = 4000;
const VOTES = [12, 40, 33, 81, 8];
const EPSILONS = [0.02, 0.05, 0.1, 0.2, 0.5];
/** Counts of visitors that fall as such counts do. */
const VISITORS = Array.from({ length: 200 }, (_, rank) => Math.floor(3000 / (rank + 1)));

/** The exact laws of permute-and-flip and of the exponential mechanism at the same ε. */
export function permuteAndFlipFigure(): string {
  const laws = [
    { name: "permute-and-flip", round: permuteAndFlipRound },
    { name: "exponential mechanism", round: exponentialMechanismRound },
  ].map(({ name, round }) => {
    const law = peeledLaw(round, VOTES, { k: 1, scale: 20 });
    return { name, values: VOTES.map((_, i) => law.get(String(i))!.toNumber("down")) };
  });
  const text = { title: "Who is chosen, ε = 0.05 (exact)", x: "votes", y: "probability" };
  return barChart(text, VOTES.map(String), laws);
}

export function reportNoisyMaxFigure(): string {
  const noises = ["exponential", "gumbel", "laplace"] as const;
  const series = noises.map((noise) => ({
    name: noise,
    points: EPSILONS.map((epsilon) => {
      const isBest = (entropy: Entropy) =>
        reportNoisyMax(VOTES, { noise, epsilon, monotone: true, entropy }).index === 3;
      return { mean: share(`${noise} ${epsilon}`, RUNS, isBest), deviation: 0 };
    }),
  }));
  const text = { title: "How often the best of five is found", x: "ε", y: "share of 4000 runs" };
  return lineChart(text, EPSILONS.map(String), series);
}

/** Recall of the true top ten among 200 candidates. */
export function topKFigure(): string {
  const truth = largest(VISITORS, 10);
  const budgets = [0.05, 0.1, 0.2, 0.5, 1];
  const found = (name: string, run: (epsilon: number, entropy: Entropy) => readonly { index: number }[]) => ({
    name,
    points: budgets.map((epsilon) => {
      const entropy = seededEntropy(`${name} ${epsilon}`);
      const recalls = Array.from({ length: 400 }, () =>
        recall(
          run(epsilon, entropy).map(({ index }) => index),
          truth,
        ),
      );
      return { mean: recalls.reduce((sum, value) => sum + value, 0) / recalls.length, deviation: 0 };
    }),
  });
  const series = [
    found(
      "pure ε",
      (epsilon, entropy) => topK(VISITORS, { k: 10, epsilon, monotone: true, entropy }).winners,
    ),
    found(
      "ρ = ε²/2",
      (epsilon, entropy) =>
        topK(VISITORS, { k: 10, rho: (epsilon * epsilon) / 2, monotone: true, entropy }).winners,
    ),
  ];
  const text = { title: "Share of the true top ten of 200 that is found", x: "ε", y: "mean of 400 runs" };
  return lineChart(text, budgets.map(String), series, PROPORTION);
}

/** The first gap that is released, around the true one of 1500. */
export function topKWithGapFigure(): string {
  const gaps = Array.from({ length: 15 }, (_, i) => 1430 + 10 * i);
  const values = frequencies("gaps", RUNS, gaps, (entropy) => {
    const { winners } = topKWithGap(VISITORS, { k: 10, epsilon: 1, resolution: 10, monotone: true, entropy });
    return winners[0].gap.toNumber("down");
  });
  const text = {
    title: "The lead of the first over the second, truly 1500 (k = 10, ε = 1)",
    x: "released gap, rounded down to tens",
    y: "share of 4000 runs",
  };
  return barChart(text, gaps.map(String), [{ name: "gap", values }]);
}
