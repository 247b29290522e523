/**
 * Figures of releases that come again.
 * @module
 */
import { renewList } from "winnow-dp";
import { fromZero } from "../chart-frame.js";
import { lineChart } from "../line-chart.js";

/** How wrong a list must be to be renewed, and may be to be kept, in all weeks together, against their number. */
export function renewListFigure(): string {
  const renewal = renewList({ k: 10, renewals: 4, tolerance: 400, epsilon: 1, monotone: true });
  const weeks = [4, 8, 13, 26, 39, 52, 78, 104, 156];
  const bounds = weeks.map((count) => renewal.bounds("19/20", count));
  const series = [
    { name: "wrong by this: renewed", values: bounds.map(({ miss }) => miss.toNumber("up")) },
    { name: "wrong by this: kept", values: bounds.map(({ falseAlarm }) => falseAlarm.toNumber("down")) },
  ];
  const text = {
    title: "A list renewed at most 4 times at ε = 1, tolerance 400 (exact bounds, 95 %)",
    x: "weeks, all of them at once",
    y: "people",
  };
  const points = series.map(({ name, values }) => ({
    name,
    points: values.map((mean) => ({ mean, deviation: 0 })),
  }));
  return lineChart(text, weeks.map(String), points, fromZero(series.flatMap(({ values }) => values)));
}
