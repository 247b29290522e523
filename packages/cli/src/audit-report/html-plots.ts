/**
 * The report's plots as SVG without a script: success rates with their intervals, losses as shares of the
 * promised loss, and times in standard errors. Colours are classes, so one drawing serves light and dark.
 * @module
 */
import { forXml } from "winnow-release";
import type { AttackEntry, GameEntry, TimingEntry } from "./audit-report.js";
import { FLAGGED } from "./timing-checks.js";

const WIDTH = 400;

function svg(height: number, label: string, parts: readonly string[]): string {
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${forXml(label)}">${parts.join("")}</svg>`;
}

function text(x: number, y: number, words: string, attributes = 'text-anchor="middle"'): string {
  return `<text x="${place(x)}" y="${y}" ${attributes}>${forXml(words)}</text>`;
}

function place(x: number): string {
  return x.toFixed(1);
}

/** The axis of success rates starts here and ends at 1. */
const LEAST_RATE = 0.3;
const MARGIN = 14;

function rateAt(rate: number): number {
  const share = (Math.max(rate, LEAST_RATE) - LEAST_RATE) / (1 - LEAST_RATE);
  return MARGIN + share * (WIDTH - 2 * MARGIN);
}

/** An attack: its success rate against textbook code and against ours, and the highest rate that the promise allows. */
export function successPlot({ title, mostSuccess, textbook, ours }: AttackEntry): string {
  const bound = rateAt(mostSuccess);
  const ticks = [0.5, 0.75, 1].map(
    (rate) =>
      `<path class="grid" d="M${place(rateAt(rate))} 18V62"/>${text(rateAt(rate), 76, `${rate * 100} %`)}`,
  );
  return svg(80, `${title}: success rates`, [
    `<rect class="zone" x="${MARGIN}" y="18" width="${place(bound - MARGIN)}" height="44" rx="4"/>`,
    ...ticks,
    `<path class="bound" d="M${place(bound)} 14V62"/>`,
    text(bound, 10, "allowed", 'class="bound" text-anchor="middle"'),
    interval(textbook, 30, "theirs"),
    interval(ours, 50, "ours"),
  ]);
}

function interval({ rate, lower, upper }: GameEntry, y: number, side: string): string {
  const line = `<path class="${side}" stroke-width="3" stroke-linecap="round" opacity="0.45" d="M${place(rateAt(lower))} ${y}H${place(rateAt(upper))}"/>`;
  return `${line}<circle class="${side}" cx="${place(rateAt(rate))}" cy="${y}" r="6"/>`;
}

const BAR = { width: 200, height: 10 };

/** A loss as a share of the promised loss: the bar may fill the track, but not exceed it. */
export function shareBar(found: number, claimed: number): string {
  const share = Math.min(1.25, found / claimed);
  const side = found <= claimed * (1 + 1e-9) ? "ours" : "theirs";
  const [end, whole] = [(share / 1.25) * BAR.width, BAR.width / 1.25];
  return `<svg viewBox="0 0 ${BAR.width} ${BAR.height + 6}" role="img" aria-label="${Math.round(share * 100)} % of the promise"><rect class="track" x="0" y="3" width="${place(whole)}" height="${BAR.height}" rx="5"/><rect class="${side}" stroke="none" x="0" y="3" width="${place(end)}" height="${BAR.height}" rx="5"/><path class="bound" d="M${place(whole)} 0V${BAR.height + 6}"/></svg>`;
}

/** A loss on a scale from 0 to the largest, with a mark at the promised loss: ours is below it, the planted fault above. */
export function lossPlot(claimed: number, ours: number, faulty: number): string {
  const most = Math.max(claimed, ours, faulty) * 1.1;
  const at = (loss: number) => (loss / most) * BAR.width;
  return `<svg viewBox="0 0 ${BAR.width} 26" role="img" aria-label="losses shown"><path class="grid" d="M0 13H${BAR.width}"/><path class="bound" d="M${place(at(claimed))} 2V24"/><circle class="ours" cx="${place(Math.max(5, at(ours)))}" cy="13" r="5"/><circle class="theirs" cx="${place(at(faulty))}" cy="13" r="5"/></svg>`;
}

/** Larger values of t are drawn at the end of the scale. */
const MOST_T = 20;

/** A difference of times in standard errors; between the marks it counts as no difference. */
export function timingPlot({ t, expected }: TimingEntry): string {
  const middle = BAR.width / 2;
  const at = (value: number) =>
    middle + (Math.max(-MOST_T, Math.min(MOST_T, value)) / MOST_T) * (middle - MARGIN);
  const side = expected === "same" ? "ours" : "theirs";
  const zone = `<rect class="zone" x="${place(at(-FLAGGED))}" y="2" width="${place(at(FLAGGED) - at(-FLAGGED))}" height="22"/>`;
  const marks = [-FLAGGED, FLAGGED].map((value) => `<path class="bound" d="M${place(at(value))} 2V24"/>`);
  const line = `<path class="${side}" stroke-width="2" d="M${middle} 13H${place(at(t))}"/>`;
  const dot = `<circle class="${side}" cx="${place(at(t))}" cy="13" r="5"/>`;
  return `<svg viewBox="0 0 ${BAR.width} 26" role="img" aria-label="t = ${t.toFixed(1)}"><path class="grid" d="M0 13H${BAR.width}"/>${zone}${marks.join("")}${line}${dot}</svg>`;
}
