/**
 * A line chart as SVG: some series over the same x, each with a band of one standard deviation.
 * @module
 */
import { type Axis, type ChartText, COLOURS, centreOf, framed, heightOf, PROPORTION } from "./chart-frame.js";
import type { Spread } from "./statistics.js";

export { type Axis, type ChartText, PROPORTION, powersOfTen } from "./chart-frame.js";

export interface Series {
  readonly name: string;
  readonly points: readonly Spread[];
}

/** A chart of the series at the places named by `labels`, which are evenly spaced. */
export function lineChart(
  text: ChartText,
  labels: readonly string[],
  series: readonly Series[],
  axis: Axis = PROPORTION,
): string {
  const names = series.map(({ name }) => name);
  const at = (i: number, value: number) =>
    `${centreOf(i, labels.length).toFixed(1)},${heightOf(axis, value).toFixed(1)}`;
  return framed(
    text,
    labels,
    names,
    axis,
    series.map((one, i) => curve(one, at, COLOURS[i])),
  );
}

/** The line of the means over the band of their deviations. */
function curve({ points }: Series, at: (i: number, value: number) => string, colour: string): string {
  const means = points.map(({ mean }, i) => at(i, mean));
  const upper = points.map(({ mean, deviation }, i) => at(i, mean + deviation));
  const lower = points.map(({ mean, deviation }, i) => at(i, mean - deviation));
  const band = [...upper, ...lower.reverse()].join(" ");
  return [
    `<polygon fill="${colour}" fill-opacity="0.15" points="${band}"/>`,
    `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${means.join(" ")}"/>`,
  ].join("\n");
}
