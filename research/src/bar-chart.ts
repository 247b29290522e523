/**
 * A bar chart as SVG: at each place a bar for every series, side by side.
 * @module
 */
import {
  type Axis,
  type ChartText,
  COLOURS,
  centreOf,
  framed,
  fromZero,
  heightOf,
  PLOT,
} from "./chart-frame.js";

export interface Bars {
  readonly name: string;
  readonly values: readonly number[];
}

export function barChart(
  text: ChartText,
  labels: readonly string[],
  series: readonly Bars[],
  axis?: Axis,
): string {
  const scale = axis ?? fromZero(series.flatMap(({ values }) => values));
  const width = (0.8 * (PLOT.right - PLOT.left)) / labels.length / series.length;
  const bars = series.flatMap(({ values }, which) =>
    values.map((value, place) => {
      const left = centreOf(place, labels.length) + (which - series.length / 2) * width;
      const top = heightOf(scale, value);
      const size = `width="${(0.92 * width).toFixed(1)}" height="${(PLOT.bottom - top).toFixed(1)}"`;
      return `<rect fill="${COLOURS[which]}" x="${left.toFixed(1)}" y="${top.toFixed(1)}" ${size}/>`;
    }),
  );
  const names = series.length > 1 ? series.map(({ name }) => name) : [];
  return framed(text, labels, names, scale, bars);
}
