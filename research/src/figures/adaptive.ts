/**
 * Figures of what looks for gaps: which k is chosen, and when a set is released.
 * @module
 */
import { type Entropy, largestGap, proposeTestRelease, stableTopK, TeacherRun } from "winnow-dp";
import { barChart } from "../bar-chart.js";
import { lineChart } from "../line-chart.js";
import { frequencies, share } from "./frequencies.js";

const RUNS = 2000;
/** Three that stand out, five that follow, and a tail. */
const STEPS = [900, 880, 870, 610, 600, 590, 585, 580, 300, 280, 255, 230];

export function largestGapFigure(): string {
  const sizes = Array.from({ length: 11 }, (_, i) => i + 1);
  const values = frequencies(
    "largest gap",
    RUNS,
    sizes,
    (entropy) => largestGap(STEPS, { maxK: 11, epsilon: "1/10", monotone: true, entropy }).k,
  );
  const text = {
    title: "Where counts fall by 260 after the 3rd and by 280 after the 8th, ε = 0.1",
    x: "chosen k",
    y: `share of ${RUNS} runs`,
  };
  return barChart(text, sizes.map(String), [{ name: "k", values }]);
}

export function stableTopKFigure(): string {
  const sizes = Array.from({ length: 11 }, (_, i) => i + 1);
  const none = "none";
  const values = frequencies("stable", RUNS, [none, ...sizes], (entropy) => {
    const options = { rho: "0.02", delta: "1e-6", maxK: 11, monotone: true, entropy } as const;
    const answer = stableTopK(STEPS, options);
    return answer.released ? answer.k : none;
  });
  const text = {
    title: "Sets that are released: 900, 880, 870 · 610 … 580 · 300 …, ρ = 0.02, δ = 10^−6",
    x: "size of the released set",
    y: `share of ${RUNS} runs`,
  };
  return barChart(text, [none, ...sizes.map(String)], [{ name: "size", values }]);
}

export function proposeTestReleaseFigure(): string {
  const gaps = [0, 5, 10, 15, 20, 25, 30, 40];
  const series = ["1e-6", "1e-3"].map((delta) => ({
    name: `δ = ${delta}`,
    points: gaps.map((gap) => {
      const isReleased = (entropy: Entropy) =>
        proposeTestRelease([500 + gap, 500], { k: 1, epsilon: 1, delta, monotone: true, entropy }).released;
      return { mean: share(`${delta} ${gap}`, RUNS, isReleased), deviation: 0 };
    }),
  }));
  const text = { title: "How often the first is released, ε = 1", x: "its lead", y: `share of ${RUNS} runs` };
  return lineChart(text, gaps.map(String), series);
}

/** 250 teachers, of whom some agree on the first of ten classes and the others are spread evenly. */
export function labelByTeachersFigure(): string {
  const agreeing = [10, 20, 30, 40, 60, 80];
  const series = ["0.001", "0.01", "0.1"].map((rho) => {
    const run = new TeacherRun({
      task: "multi-class",
      teachers: 250,
      labels: 10,
      choose: { noise: "gumbel", rho },
    });
    const points = agreeing.map((agree) => {
      const votes = Uint8Array.from({ length: 250 }, (_, teacher) => (teacher < agree ? 0 : teacher % 10));
      const isRight = (entropy: Entropy) => {
        const answer = run.answer(votes, entropy);
        return answer?.released === true && answer.labels[0] === 0;
      };
      return { mean: share(`${rho} ${agree}`, RUNS, isRight), deviation: 0 };
    });
    return { name: `ρ = ${rho} a label`, points };
  });
  const text = {
    title: "How often the label is the one that most teachers agree on",
    x: "teachers of 250 that agree, beside the evenly spread",
    y: `share of ${RUNS} runs`,
  };
  return lineChart(text, agreeing.map(String), series);
}
