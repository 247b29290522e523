/**
 * Times against the size of the problem, as a table and a chart.
 * @module
 */
import type { Section } from "../experiment.js";
import { lineChart, powersOfTen } from "../line-chart.js";
import { milliseconds } from "../stopwatch.js";
import { table } from "../table.js";

export interface Times {
  readonly name: string;
  /** In milliseconds, one for each size; undefined where it was not run. */
  readonly values: readonly (number | undefined)[];
}

/** The section of some times that were measured at some sizes. */
export function timesSection(
  text: Pick<Section, "title" | "notes"> & { readonly file: string; readonly size: string },
  sizes: readonly string[],
  times: readonly Times[],
): Section {
  const cell = (value: number | undefined) => (value === undefined ? "–" : milliseconds(value));
  const all = times.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const series = times.map(({ name, values }) => ({
    name,
    points: values.filter((value) => value !== undefined).map((mean) => ({ mean, deviation: 0 })),
  }));
  const words = { title: text.title, x: text.size, y: "milliseconds" };
  return {
    title: text.title,
    notes: text.notes,
    table: table(
      [text.size, ...times.map(({ name }) => `${name}, ms`)],
      sizes.map((size, i) => [size, ...times.map(({ values }) => cell(values[i]))]),
    ),
    chart: { name: text.file, svg: lineChart(words, sizes, series, powersOfTen(all)) },
  };
}
