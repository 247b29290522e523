/**
 * The picture of a plan: recall over ε, with a curve for each mechanism and two standard errors. The SVG is self-contained: no script, no
 * external references, light or dark like the reader's system.
 * @module
 */
import { rational } from "winnow-dp";
import { kindOf } from "../kinds/kinds.js";
import type { PlanRow } from "../plan/plan.js";
import type { Question } from "../question/question.js";
import { forXml } from "../words/neutralise.js";
import { percent } from "../words/sentences.js";

/**
 * What one mechanism gives at each price.
 *
 * @inline
 */
export interface PlanCurve {
  readonly mechanism: string;
  readonly candidates: string;
  /** By ε, ascending as requested. */
  readonly points: readonly PlanRow[];
}

/** The rows of a plan as curves, one for each mechanism. */
export function curvesOf(rows: readonly PlanRow[]): PlanCurve[] {
  const curves = new Map<string, { mechanism: string; candidates: string; points: PlanRow[] }>();
  for (const row of rows) {
    const candidates = candidatesInWords(row.question);
    const key = `${row.mechanism}, ${candidates}`;
    const curve = curves.get(key) ?? { mechanism: row.mechanism, candidates, points: [] };
    curve.points.push(row);
    curves.set(key, curve);
  }
  return [...curves.values()];
}

/** Where a plan's candidates come from, as a phrase. */
export function candidatesInWords({ domain, delta }: Question): string {
  if (domain.kind === "unknown") return "unknown";
  return delta === undefined ? "public" : "public, with δ";
}

const [WIDTH, HEIGHT] = [720, 430];
const FIELD = { left: 64, right: 24, top: 86, bottom: 116 };
const [RIGHT, BOTTOM] = [WIDTH - FIELD.right, HEIGHT - FIELD.bottom];
const SHARES = [0, 0.25, 0.5, 0.75, 1];
/** Distinguishable in light and dark themes, also for colour-blind readers. */
const COLOURS = ["#2a9273", "#2f7fb8", "#c9821a", "#b5508a", "#8a6fc4"];
const LEGEND_WIDTH = 224;

function colourOf(curve: number): string {
  return COLOURS[curve % COLOURS.length] ?? "";
}

/**
 * What the rows of a plan are about.
 *
 * @inline
 */
export interface PlanSubject {
  readonly kind?: string | undefined;
  readonly k?: number | undefined;
  /** The origin of the counts, in words. */
  readonly origin: string;
  /** The measure of the prices. */
  readonly symbol: "ε" | "ρ";
}

/** A plan as an SVG chart. */
export function planChart(rows: readonly PlanRow[], { kind, k, origin, symbol }: PlanSubject): string {
  const curves = curvesOf(rows);
  const scale = scaleFor(rows);
  const which = kindOf({ kind }).defaults.k === undefined ? `top ${k}` : "items";
  const title = `What ${symbol} buys: the share of the true ${which} that are named`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="winnow-plan-title winnow-plan-description">`,
    `<title id="winnow-plan-title">${forXml(title)}</title>`,
    `<desc id="winnow-plan-description">${forXml(curves.map((curve) => inWords(curve, symbol)).join(" "))}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}" rx="12"/>`,
    text(title, 28, 36, "title"),
    text(`on ${origin}, ${rows[0]?.utility.runs ?? 0} exact simulations each`, 28, 58, "quiet"),
    ...SHARES.map(shareLine),
    ...scale.ticks.map((epsilon) => text(epsilon, scale.place(epsilon), BOTTOM + 20, "quiet middle")),
    text(symbol, RIGHT, BOTTOM + 38, "quiet end"),
    ...curves.map((curve, i) => drawn(curve, colourOf(i), scale.place)),
    ...curves.map(legend),
    "</svg>\n",
  ].join("\n");
}

interface Scale {
  readonly ticks: readonly string[];
  /** The position of an ε, in pixels. */
  readonly place: (epsilon: string) => number;
}

/** Equal ratios of ε are equal distances. */
function scaleFor(rows: readonly PlanRow[]): Scale {
  const size = (epsilon: string) => Math.log(rational(epsilon).toNumber());
  const ticks = [...new Set(rows.map(({ epsilon }) => epsilon))].sort((a, b) => size(a) - size(b));
  const [least, most] = [size(ticks[0]), size(ticks[ticks.length - 1])];
  const room = RIGHT - FIELD.left - 40;
  const place = (epsilon: string) =>
    round(FIELD.left + 20 + (most === least ? 0.5 : (size(epsilon) - least) / (most - least)) * room);
  return { ticks, place };
}

function shareLine(share: number): string {
  const y = heightOf(share);
  return (
    `<line class="grid" x1="${FIELD.left}" x2="${RIGHT}" y1="${y}" y2="${y}"/>` +
    text(`${share * 100} %`, FIELD.left - 10, y + 4, "quiet end")
  );
}

function drawn({ points }: PlanCurve, colour: string, place: Scale["place"]): string {
  const dots = points.map(({ epsilon, utility: { recall } }) => {
    const [x, y] = [place(epsilon), heightOf(recall.mean)];
    const [low, high] = [-2, 2].map((errors) =>
      heightOf(clamped(recall.mean + errors * recall.standardError)),
    );
    return {
      x,
      y,
      mark: `<path d="M${x} ${low}V${high}"/><circle cx="${x}" cy="${y}" r="4" fill="${colour}"/>`,
    };
  });
  const line = dots.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${x} ${y}`).join("");
  const marks = dots.map(({ mark }) => mark).join("");
  return `<g stroke="${colour}" stroke-width="2" fill="none"><path d="${line}"/>${marks}</g>`;
}

/** The legend: three entries in a row below the axis. */
function legend({ mechanism, candidates }: PlanCurve, i: number): string {
  const x = 28 + (i % 3) * LEGEND_WIDTH;
  const y = BOTTOM + 62 + Math.floor(i / 3) * 38;
  const dot = `<circle cx="${x + 5}" cy="${y - 4}" r="5" fill="${colourOf(i)}"/>`;
  return dot + text(mechanism, x + 18, y) + text(`candidates: ${candidates}`, x + 18, y + 15, "small quiet");
}

function inWords({ mechanism, candidates, points }: PlanCurve, symbol: string): string {
  const told = points.map(
    ({ epsilon, utility }) => `${percent(utility.recall.mean)} at ${symbol} = ${epsilon}`,
  );
  return `${mechanism} (candidates: ${candidates}) names ${told.join(", ")}.`;
}

function heightOf(share: number): number {
  return round(BOTTOM - share * (BOTTOM - FIELD.top));
}

function clamped(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

function text(content: string, x: number, y: number, look?: string): string {
  return `<text x="${x}" y="${y}"${look === undefined ? "" : ` class="${look}"`}>${forXml(content)}</text>`;
}

const STYLE =
  "text{font-family:ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:14px;fill:#1b211e}" +
  ".title{font-size:19px;font-weight:650}.small{font-size:12px}.end{text-anchor:end}.middle{text-anchor:middle}" +
  ".paper{fill:#fffefc}.quiet{fill:#545d58}.grid{stroke:#dedacf}" +
  "@media (prefers-color-scheme:dark){text{fill:#edeae2}.paper{fill:#1b1f1d}.quiet{fill:#a9b0ab}.grid{stroke:#343b37}}";
