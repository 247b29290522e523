/**
 * Figures of sparse vector, quantiles and frequency lists.
 * @module
 */
import { aboveThresholdLaw } from "winnow-audit";
import { lineChart } from "../line-chart.js";

/** P(above) of one query by its distance from the threshold, exponential noise against Laplace noise of the same scales. */
export function aboveThresholdFigure(): string {
  const distances = Array.from({ length: 25 }, (_, i) => 2 * i - 24);
  const scales = { thresholdScale: "2.6", queryScale: "3.25", precision: 64 }; // ε = 1 for one answer, about the best split
  const series = (["exponential", "laplace"] as const).map((noise) => ({
    name: `${noise === "laplace" ? "Laplace" : "exponential"} noise`,
    points: distances.map((distance) => ({
      mean:
        aboveThresholdLaw([distance], { ...scales, noise })
          .get("above")
          ?.toNumber("down") ?? 0,
      deviation: 0,
    })),
  }));
  const text = {
    title: "One query against a threshold, ε = 1 for the first above (exact)",
    x: "value − threshold",
    y: "probability of above",
  };
  return lineChart(text, distances.map(String), series);
}
