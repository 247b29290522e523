/**
 * Growth curves, drawn from what was measured: time against the number of candidates, and against k.
 * @module
 */
import { lineChart, powersOfTen } from "winnow-research/line-chart";
import type { Result } from "./report.js";
import { CANDIDATES, ITEMS, SIZES, selectionName } from "./suites/select.js";

export interface Picture {
  /** The file's name. */
  readonly name: string;
  readonly alt: string;
  readonly svg: string;
}

/** The pictures for which everything was measured. */
export function growthCharts(results: readonly Result[]): Picture[] {
  return [
    picture(results, "growth-candidates", "candidates (k = 100)", CANDIDATES, (n) => selectionName(n, 100)),
    picture(results, "growth-k", `k (${ITEMS.toLocaleString("en")} candidates)`, SIZES, (k) =>
      selectionName(ITEMS, k),
    ),
  ].filter((one) => one !== undefined);
}

function picture(
  results: readonly Result[],
  name: string,
  x: string,
  sizes: readonly number[],
  nameOf: (size: number) => string,
): Picture | undefined {
  const measured = sizes.map((size) => results.find((result) => result.name === nameOf(size)));
  if (measured.some((result) => result === undefined)) return undefined;
  const times = measured.map(
    (result) => new Map([result!.subject, ...result!.rivals].map((t) => [t.name, t.milliseconds])),
  );
  const names = [...times[0].keys()].filter((contender) => times.every((time) => time.has(contender)));
  const series = names.map((contender) => ({
    name: contender,
    points: times.map((time) => ({ mean: time.get(contender)!, deviation: 0 })),
  }));
  const title = `topKWithGap against ${x}`;
  const axis = powersOfTen(series.flatMap(({ points }) => points.map(({ mean }) => mean)));
  const labels = sizes.map((size) => size.toLocaleString("en"));
  return { name, alt: title, svg: lineChart({ title, x, y: "milliseconds" }, labels, series, axis) };
}
