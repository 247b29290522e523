/**
 * Figures of the selections of one candidate or k: who comes out, how often, and how far ahead.
 * @module
 */

import { exponentialMechanismRound, peeledLaw, permuteAndFlipRound, setUtility } from "winnow-audit";
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
        reportNoisyMax(VOTES, { noise, epsilon, monotone: true, entropy }).candidate === 3;
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
  const found = (
    name: string,
    run: (epsilon: number, entropy: Entropy) => readonly { candidate: number }[],
  ) => ({
    name,
    points: budgets.map((epsilon) => {
      const entropy = seededEntropy(`${name} ${epsilon}`);
      const recalls = Array.from({ length: 400 }, () =>
        recall(
          run(epsilon, entropy).map(({ candidate }) => candidate),
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

/** The expected recall of the true top ten as a set (exact), beside a ranked top ten. */
export function topKSetFigure(): string {
  const truth = largest(VISITORS, 10);
  const budgets = [0.02, 0.05, 0.1, 0.2, 0.5, 1];
  const exact = budgets.map((epsilon) => {
    const { recall: share } = setUtility(VISITORS, { k: 10, scale: String(1 / epsilon), precision: 64 });
    return { mean: share.toNumber("down"), deviation: 0 };
  });
  const ranked = budgets.map((epsilon) => ({ mean: meanRecall(truth, epsilon), deviation: 0 }));
  const series = [
    { name: "as a set (exact)", points: exact },
    { name: "ranked, exponential noise", points: ranked },
  ];
  const text = { title: "Share of the true top ten of 200 that is found", x: "ε", y: "expected share" };
  return lineChart(text, budgets.map(String), series, PROPORTION);
}

/** The mean share of a true top that is found, over 400 seeded runs. */
function meanRecall(truth: ReadonlySet<number>, epsilon: number): number {
  const entropy = seededEntropy(`ranked ${truth.size} ${epsilon}`);
  let sum = 0;
  for (let run = 0; run < 400; run++) {
    const { winners } = topK(VISITORS, { k: truth.size, epsilon, monotone: true, entropy });
    sum += recall(
      winners.map(({ candidate }) => candidate),
      truth,
    );
  }
  return sum / 400;
}

/** One release for all groups, whose share of ε is 1/g whatever their number, and a release for each of them. */
export function topKInGroupsFigure(): string {
  const truth = largest(VISITORS, 5);
  const groups = [2, 5, 10, 20, 50, 100];
  const at = (epsilon: number) => ({ mean: meanRecall(truth, epsilon), deviation: 0 });
  const series = [
    { name: "one release in groups, g = 2", points: groups.map(() => at(1 / 2)) },
    { name: "a release for each group", points: groups.map((count) => at(1 / count)) },
  ];
  const text = {
    title: "Share of the true top five of a group that is found, ε = 1 in all",
    x: "groups",
    y: "mean of 400 runs",
  };
  return lineChart(text, groups.map(String), series, PROPORTION);
}

/** How likely it is that a result which one run in ten has is found. The loss hardly depends on the number of runs. */
export function selectPrivateCandidateFigure(): string {
  const means = [1, 2, 5, 10, 20, 50, 100];
  const missed = 0.9;
  const point = (mean: number) => ({ mean, deviation: 0 });
  const series = [
    {
      name: "geometric (η = 1)",
      points: means.map((mean) => point(1 - missed / mean / (1 - (1 - 1 / mean) * missed))),
    },
    { name: "Poisson", points: means.map((mean) => point(1 - Math.exp(-mean * (1 - missed)))) },
  ];
  const text = {
    title: "How often a result is found that one run in ten has (exact)",
    x: "runs on average",
    y: "probability",
  };
  return lineChart(text, means.map(String), series, PROPORTION);
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
