/**
 * Bars for the gaps of ranked winners, one below the other, each with a whisker over the interval in which the true lead
 * lies with 90 % confidence.
 * @module
 */
import { rational } from "winnow-dp";
import type { GapRow } from "./gap-rows.js";
import { type Drawing, MARGIN, WIDTH } from "./svg-layout.js";
import { fitted, moreElement, shortNumber, textElement } from "./svg-text.js";

const ROW = 34;
const BAR = 16;
const NAME_LETTERS = 20;
const LEFT = 248;
const RIGHT = 84;
const AXIS = 26;
const SMALLEST_POWER = 1e-9;
const MOST_ROWS = 50;

export function gapBars(all: readonly GapRow[]): Drawing {
  const rows = all.slice(0, MOST_ROWS);
  const most = Math.max(...rows.map(({ gap }) => numberOf(gap?.high)));
  const { step, end } = niceScale(most);
  const x = (value: number) => round(LEFT + (value / end) * (WIDTH - LEFT - RIGHT));
  const height = rows.length * ROW;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, i) => i * step);
  const content = [
    ...ticks.map((tick) => `<path class="grid" d="M${x(tick)} 0V${height}"/>`),
    ...ticks.map((tick) =>
      textElement(shortNumber(tick), { x: x(tick), y: height + 18, look: "small quiet middle" }),
    ),
    ...rows.map((row, i) => rowElements(row, i * ROW, x)),
  ];
  const more = moreElement(all.length - rows.length, height + AXIS + 14);
  return { content: content.join("") + more.content, height: height + AXIS + more.height };
}

function rowElements({ rank, item, gap }: GapRow, y: number, x: (value: number) => number): string {
  const [value, low, high] = [gap?.value, gap?.low, gap?.high].map(numberOf);
  const [middle, top] = [y + ROW / 2, y + (ROW - BAR) / 2];
  const baseline = middle + 5;
  return (
    textElement(String(rank), { x: MARGIN + 16, y: baseline, look: "quiet end" }) +
    textElement(fitted(item, NAME_LETTERS), { x: MARGIN + 28, y: baseline, look: "name" }) +
    `<rect class="bar" x="${LEFT}" y="${top}" width="${round(x(value) - LEFT)}" height="${BAR}" rx="3"/>` +
    `<path class="whisker" d="M${x(low)} ${middle}H${x(high)}M${x(low)} ${middle - 4}v8M${x(high)} ${middle - 4}v8"/>` +
    textElement(shortNumber(value), { x: WIDTH - MARGIN, y: baseline, look: "end" })
  );
}

/** Steps of 1, 2 or 5 times a power of ten, six of them at most. */
function niceScale(most: number): { step: number; end: number } {
  let power = 1;
  while (power * 10 <= most) power *= 10;
  while (power > most && power > SMALLEST_POWER) power /= 10;
  const factor = [0.2, 0.5, 1, 2].find((factor) => most / (power * factor) <= 6) ?? 2;
  return scaleOf(power * factor, most);
}

function scaleOf(step: number, most: number): { step: number; end: number } {
  return { step, end: Math.max(1, Math.ceil(most / step)) * step };
}

function numberOf(text: string | undefined): number {
  return rational(text ?? "0").toNumber();
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
