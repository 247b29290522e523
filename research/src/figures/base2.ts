/**
 * Figures of the base-2 exponential mechanism and of noise on a grid.
 * @module
 */
import { base2Exponential, clampedLaplace, eta } from "winnow-dp";
import { barChart } from "../bar-chart.js";
import { frequencies } from "./frequencies.js";

const RUNS = 20_000;

/** Each unit of cost makes an outcome a constant factor less likely. */
export function base2ExponentialFigure(): string {
  const costs = [0, 1, 2, 3, 4, 5, 6, 7];
  const bounds = { lower: 0, upper: 7, maxCandidates: costs.length, mode: "optimised" } as const;
  const series = [
    { name: "η = 1: a half", parameter: eta(1, 1, 1) },
    { name: "η = log₂(4/3): three quarters", parameter: eta(3, 2, 1) },
  ].map(({ name, parameter }) => ({
    name,
    values: frequencies(
      name,
      RUNS,
      costs,
      (entropy) => base2Exponential(costs, (cost) => cost, { eta: parameter, ...bounds, entropy }).outcome,
    ),
  }));
  const text = { title: "Which of eight outcomes is drawn", x: "cost", y: "share of 20,000 runs" };
  return barChart(text, costs.map(String), series);
}

/** Noise piles up nowhere: the bounds of the grid are points like any other. */
export function clampedLaplaceFigure(): string {
  const points = Array.from({ length: 21 }, (_, i) => i);
  const values = frequencies("clamped", RUNS, points, (entropy) => {
    const options = { eta: eta(3, 2, 1), lower: 0, upper: 20, step: 1, entropy };
    return clampedLaplace(3, options).value.toNumber("down");
  });
  const text = {
    title: "The value 3 on the grid 0, 1, …, 20",
    x: "released value",
    y: "share of 20,000 runs",
  };
  return barChart(text, points.map(String), [{ name: "value", values }]);
}
