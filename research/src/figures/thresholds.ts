/**
 * Figures of sparse vector, quantiles and frequency lists.
 * @module
 */
import { aboveThresholdLaw, quantileLaw } from "winnow-audit";
import { eta, integerPartition, rational } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { lineChart, powersOfTen } from "../line-chart.js";

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

/** The exact law of a median for two budgets: 200 values in two humps. */
export function quantileFigure(): string {
  const values = Array.from({ length: 25 }, (_, i) => i);
  const counts = values.map((value): [number, number] => [
    value,
    Math.round(18 * Math.exp(-((value - 7) ** 2) / 18) + 9 * Math.exp(-((value - 17) ** 2) / 8)),
  ]);
  const series = ["1", "1/10"].map((epsilon) => {
    const law = quantileLaw(counts, {
      lower: 0,
      upper: 24,
      quantile: "1/2",
      scale: rational(1).dividedBy(epsilon),
      precision: 64,
    });
    const points = values.map((value) => ({
      mean: law.get(String(value))?.toNumber("down") ?? 0,
      deviation: 0,
    }));
    return { name: `median, ε = ${epsilon}`, points };
  });
  const people = counts.reduce((sum, [, count]) => sum + count, 0);
  const text = {
    title: `The median of ${people} values on 25 points (exact)`,
    x: "answer",
    y: "probability",
  };
  return lineChart(text, values.map(String), series);
}

/** A list of 1,200 people and two private ones (seeded), at ranks that double. */
export function integerPartitionFigure(): string {
  const counts = Array.from({ length: 64 }, (_, i) => Math.floor(300 / (i + 1)));
  const ranks = [1, 2, 4, 8, 16, 32, 64];
  const lists = [
    { name: "true list (private)", list: counts },
    ...[
      [3, 2],
      [7, 3],
    ].map(([x, y]) => ({
      name: `private, b = ${x}/${2 ** y}`,
      list: integerPartition(counts, { eta: eta(x, y), entropy: seededEntropy("a list") }).frequencies,
    })),
  ];
  const series = lists.map(({ name, list }) => ({
    name,
    points: ranks.map((rank) => ({ mean: Math.max(list[rank - 1] ?? 0, 0.1), deviation: 0 })),
  }));
  const text = {
    title: "A frequency list and two private ones (seeded)",
    x: "rank of the item",
    y: "people",
  };
  return lineChart(text, ranks.map(String), series, powersOfTen([1, 400]));
}
