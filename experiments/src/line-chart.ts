/**
 * A line chart as SVG: some series over the same x, each with a band of one standard deviation.
 * @module
 */
import type { Spread } from "./statistics.js";

export interface Series {
  readonly name: string;
  readonly points: readonly Spread[];
}

export interface ChartText {
  readonly title: string;
  readonly x: string;
  readonly y: string;
}

/** What is marked upwards, and where a value stands between the bottom (0) and the top (1). */
export interface Axis {
  readonly ticks: readonly number[];
  place(value: number): number;
}

export const PROPORTION: Axis = { ticks: [0, 0.25, 0.5, 0.75, 1], place: (value) => value };

/** Powers of ten around the values, evenly spaced. */
export function powersOfTen(values: readonly number[]): Axis {
  const positive = values.filter((value) => value > 0);
  const [low, high] = [
    Math.floor(Math.log10(Math.min(...positive))),
    Math.ceil(Math.log10(Math.max(...positive))),
  ];
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => Number(`1e${low + i}`));
  return { ticks, place: (value) => (Math.log10(value) - low) / (high - low) };
}

const [WIDTH, HEIGHT] = [640, 400];
const PLOT = { left: 60, right: 620, top: 50, bottom: 340 };
/** Told apart by lightness too, for those who do not see colours. */
const COLOURS = ["#08306b", "#cc6600", "#7fa8d1", "#5a9e6f"];

/** A chart of the series at the places named by `labels`, which are evenly spaced. */
export function lineChart(
  text: ChartText,
  labels: readonly string[],
  series: readonly Series[],
  axis = PROPORTION,
): string {
  const y = (value: number) =>
    PLOT.bottom - (PLOT.bottom - PLOT.top) * Math.min(Math.max(axis.place(value), 0), 1);
  const x = (i: number) => PLOT.left + ((PLOT.right - PLOT.left) * (i + 0.5)) / labels.length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>${escaped(text.title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    label(WIDTH / 2, 24, text.title, 'font-size="15" text-anchor="middle"'),
    ...axis.ticks.map((tick) => gridLine(tick, y(tick))),
    ...labels.map((name, i) => label(x(i), PLOT.bottom + 18, name, CENTRED)),
    label((PLOT.left + PLOT.right) / 2, PLOT.bottom + 38, text.x, CENTRED),
    label(16, MIDDLE, text.y, `${CENTRED} transform="rotate(-90 16 ${MIDDLE})"`),
    ...series.flatMap((one, i) => [curve(one, x, y, COLOURS[i]), legend(one.name, i)]),
    "</svg>\n",
  ].join("\n");
}

const CENTRED = 'text-anchor="middle"';
const MIDDLE = (PLOT.top + PLOT.bottom) / 2;

function gridLine(tick: number, height: number): string {
  const line = `<path stroke="#ddd" d="M${PLOT.left} ${height.toFixed(1)}H${PLOT.right}"/>`;
  return line + label(PLOT.left - 8, height + 4, String(tick), 'text-anchor="end"');
}

/** The line of the means over the band of their deviations. */
function curve(
  { points }: Series,
  x: (i: number) => number,
  y: (value: number) => number,
  colour: string,
): string {
  const at = (i: number, value: number) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`;
  const means = points.map(({ mean }, i) => at(i, mean));
  const upper = points.map(({ mean, deviation }, i) => at(i, mean + deviation));
  const lower = points.map(({ mean, deviation }, i) => at(i, mean - deviation));
  const band = [...upper, ...lower.reverse()].join(" ");
  return [
    `<polygon fill="${colour}" fill-opacity="0.15" points="${band}"/>`,
    `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${means.join(" ")}"/>`,
  ].join("\n");
}

function legend(name: string, i: number): string {
  const left = PLOT.left + i * 190;
  const mark = `<path stroke="${COLOURS[i]}" stroke-width="3" d="M${left} ${HEIGHT - 12}h18"/>`;
  return mark + label(left + 24, HEIGHT - 8, name, "");
}

function label(x: number, y: number, text: string, attributes: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
