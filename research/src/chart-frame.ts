/**
 * What all charts share: the sheet, its labels, the grid and the legend.
 * @module
 */

export interface ChartText {
  readonly title: string;
  readonly x: string;
  readonly y: string;
}

/** The ticks of the vertical axis, and where a value stands between its bottom (0) and top (1). */
export interface Axis {
  readonly ticks: readonly number[];
  place(value: number): number;
}

export const PROPORTION: Axis = { ticks: [0, 0.25, 0.5, 0.75, 1], place: (value) => value };

/** From 0 to a round number above the values. */
export function fromZero(values: readonly number[]): Axis {
  const most = Math.max(...values);
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [0.2, 0.5, 1, 2].map((part) => part * power).find((width) => most / width <= 5)!;
  const top = Math.ceil(most / step) * step;
  const count = Math.round(top / step);
  return {
    ticks: Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(6))),
    place: (value) => value / top,
  };
}

/** Powers of ten around the values, evenly spaced. */
export function powersOfTen(values: readonly number[]): Axis {
  const positive = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...positive)));
  const high = Math.max(Math.ceil(Math.log10(Math.max(...positive))), low + 1);
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => Number(`1e${low + i}`));
  return { ticks, place: (value) => (Math.log10(value) - low) / (high - low) };
}

export const [WIDTH, HEIGHT] = [640, 400];
export const PLOT = { left: 70, right: 620, top: 50, bottom: 330 };
/** Told apart by lightness too, for those who do not see colours. */
export const COLOURS = ["#08306b", "#cc6600", "#7fa8d1", "#5a9e6f", "#8c6bb1"];
const CENTRED = 'text-anchor="middle"';
const MIDDLE = (PLOT.top + PLOT.bottom) / 2;

/** The whole picture around what is drawn in it. */
export function framed(
  text: ChartText,
  labels: readonly string[],
  names: readonly string[],
  axis: Axis,
  drawn: readonly string[],
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>${escaped(text.title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    label(WIDTH / 2, 24, text.title, `font-size="15" ${CENTRED}`),
    ...axis.ticks.map((tick) => gridLine(tick, heightOf(axis, tick))),
    ...labels.map((name, i) => label(centreOf(i, labels.length), PLOT.bottom + 18, name, CENTRED)),
    label((PLOT.left + PLOT.right) / 2, PLOT.bottom + 38, text.x, CENTRED),
    label(16, MIDDLE, text.y, `${CENTRED} transform="rotate(-90 16 ${MIDDLE})"`),
    ...drawn,
    ...names.map(legend),
    "</svg>\n",
  ].join("\n");
}

/** The middle of the i-th of `places` places. */
export function centreOf(i: number, places: number): number {
  return PLOT.left + ((PLOT.right - PLOT.left) * (i + 0.5)) / places;
}

/** Where a value stands on the sheet. */
export function heightOf(axis: Axis, value: number): number {
  return PLOT.bottom - (PLOT.bottom - PLOT.top) * Math.min(Math.max(axis.place(value), 0), 1);
}

function gridLine(tick: number, height: number): string {
  const line = `<path stroke="#ddd" d="M${PLOT.left} ${height.toFixed(1)}H${PLOT.right}"/>`;
  return line + label(PLOT.left - 8, height + 4, String(tick), 'text-anchor="end"');
}

function legend(name: string, i: number, names: readonly string[]): string {
  const left = 20 + i * (names.length > 4 ? 122 : names.length > 3 ? 152 : 205);
  const bottom = HEIGHT - 8;
  const mark = `<path stroke="${COLOURS[i]}" stroke-width="3" d="M${left} ${bottom - 4}h16"/>`;
  return mark + label(left + 22, bottom, name, "");
}

export function label(x: number, y: number, text: string, attributes: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
