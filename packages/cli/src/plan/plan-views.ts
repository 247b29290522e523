/**
 * A plan to look at: as a table and as a picture, grouped by mechanism.
 *
 * For each mechanism and ε the table shows the share of the true winners that are named, with a bar on a terminal; the number
 * of names where there can be fewer; how often there are none; the errors of released leads and counts; and the counted
 * share of the price where only used rounds are charged. Estimates come with two standard errors.
 *
 * The picture shows recall over ε, with a curve for each mechanism and two standard errors. The SVG is self-contained: no
 * script, no external references, light or dark like the reader's system.
 * @module
 */
import { rational } from "winnow-dp";
import {
  asSentence,
  type EpsilonForRecall,
  type Estimate,
  forXml,
  kindOf,
  mechanismFor,
  type PlanRow,
  type Question,
  visible,
} from "winnow-release";
import { barOf, type Column, decimal, percent, table } from "../render/table.js";
import type { Style } from "../render/terminal.js";
import type { PlanRequest } from "./plan-request.js";

interface Curve {
  readonly mechanism: string;
  readonly candidates: string;
  /** By ε, ascending as requested. */
  readonly points: readonly PlanRow[];
}

function curvesOf(rows: readonly PlanRow[]): Curve[] {
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

function candidatesInWords({ domain, delta }: Question): string {
  if (domain.kind === "unknown") return "unknown";
  return delta === undefined ? "public" : "public, with δ";
}

const WIDEST_BAR = 30;
const NARROWEST_BAR = 6;
/** The width of the other columns. */
const TEXT_WIDTH = 96;

export function planTable(rows: readonly PlanRow[], request: PlanRequest, style: Style): string {
  const room = Math.min(WIDEST_BAR, style.columns - TEXT_WIDTH);
  const cells = grouped(rows).map(({ mechanism, epsilon, question, utility }) => ({
    mechanism,
    candidates: candidatesInWords(question),
    epsilon,
    recall: percent(utility.recall.mean),
    error: uncertainty(utility.recall),
    bar: style.accent(barOf(utility.recall.mean, room)),
    names: question.domain.kind === "unknown" ? decimal(utility.winners.mean, 1) : "",
    nothing: question.domain.kind === "unknown" ? percent(1 - utility.released.mean) : "",
    gaps: utility.gapError === undefined ? "" : decimal(utility.gapError.mean, 1),
    counts: utility.countError === undefined ? "" : decimal(utility.countError.mean, 1),
    charged: utility.charged === undefined ? "" : percent(utility.charged.mean),
  }));
  const isShown = (name: keyof (typeof cells)[number]) => cells.some((row) => row[name] !== "");
  const columns: Column[] = [
    { name: "mechanism", title: "mechanism" },
    { name: "candidates", title: "candidates" },
    { name: "epsilon", title: request.symbol, alignment: "right" },
    { name: "recall", title: "recall", alignment: "right" },
    { name: "error", title: "", alignment: "right" },
    ...OPTIONAL_COLUMNS.filter(({ name }) => isShown(name)),
    ...(style.isTerminal && room >= NARROWEST_BAR ? [{ name: "bar", title: "" }] : []),
  ];
  const body = table(withoutRepeats(cells), columns);
  return framed(body, request, rows[0].utility.runs, style, [
    ...(isShown("charged") ? COUNTED : []),
    ...caveatsOf(rows),
  ]);
}

const OPTIONAL_COLUMNS = [
  { name: "names", title: "names", alignment: "right" },
  { name: "nothing", title: "none at all", alignment: "right" },
  { name: "gaps", title: "lead off by", alignment: "right" },
  { name: "counts", title: "count off by", alignment: "right" },
  { name: "charged", title: "counted", alignment: "right" },
] as const satisfies readonly Column[];

export function goalTable(
  rows: readonly EpsilonForRecall[],
  goal: number,
  request: PlanRequest,
  style: Style,
): string {
  const cells = rows.map(({ epsilon, recall, question }) => ({
    mechanism: question.mechanism,
    candidates: candidatesInWords(question),
    epsilon: epsilon === undefined ? "more than 100" : style.strong(epsilon),
    recall: percent(recall.mean),
    error: uncertainty(recall),
  }));
  const columns: Column[] = [
    { name: "mechanism", title: "mechanism" },
    { name: "candidates", title: "candidates" },
    { name: "epsilon", title: `ε for a recall of ${goal}`, alignment: "right" },
    { name: "recall", title: "recall", alignment: "right" },
    { name: "error", title: "", alignment: "right" },
  ];
  return framed(table(cells, columns), request, rows[0].runs, style);
}

/** What everyone must know about a mechanism of the plan. */
function caveatsOf(rows: readonly PlanRow[]): string[] {
  const names = [...new Set(rows.map(({ mechanism }) => mechanism))];
  return names.flatMap((mechanism) => {
    const { caveat } = mechanismFor({ mechanism }).words;
    return caveat === undefined ? [] : [`${mechanism}: ${caveat}`];
  });
}

const COUNTED = [
  "counted: the share of the price that counts towards a budget, on average; never more than all of it.",
];

function framed(
  body: string,
  request: PlanRequest,
  runs: number,
  style: Style,
  more: readonly string[] = [],
): string {
  const { origin, counts, inputs, note } = request;
  const [{ kind, k = 0 }] = inputs;
  const asked = asSentence(kindOf({ kind }).asked(k)).slice(0, -1);
  const about = [
    `${asked} of ${counts.length.toLocaleString("en")} on ${visible(origin)}.`,
    `${runs} exact simulations each, ± two standard errors.`,
    ...more,
    ...(note === undefined ? [] : [note]),
  ];
  return `\n${body}\n\n${about.map((line) => `  ${style.faint(line)}\n`).join("")}`;
}

/** By mechanism, then in the given order. */
function grouped(rows: readonly PlanRow[]): PlanRow[] {
  return curvesOf(rows).flatMap(({ points }) => points);
}

/** A name is shown only where it changes. */
function withoutRepeats<T extends { mechanism: string; candidates: string }>(rows: readonly T[]): T[] {
  return rows.map((row, i) => {
    const before = rows[i - 1];
    const isRepeat = before?.mechanism === row.mechanism && before.candidates === row.candidates;
    return isRepeat ? { ...row, mechanism: "", candidates: "" } : row;
  });
}

/** Two standard errors: right 95 times out of 100. If all runs agree, they don't show how large the error is. */
function uncertainty({ standardError }: Estimate): string {
  return standardError === 0 ? "in all runs" : `± ${percent(2 * standardError)}`;
}

const [WIDTH, HEIGHT] = [720, 430];
const FIELD = { left: 64, right: 24, top: 86, bottom: 116 };
const [RIGHT, BOTTOM] = [WIDTH - FIELD.right, HEIGHT - FIELD.bottom];
const SHARES = [0, 0.25, 0.5, 0.75, 1];
/** Distinguishable in light and dark themes, also for colour-blind readers. */
const COLOURS = ["#2a9273", "#2f7fb8", "#c9821a", "#b5508a", "#8a6fc4"];
const LEGEND_WIDTH = 224;

export function planChart(rows: readonly PlanRow[], { inputs, origin, symbol }: PlanRequest): string {
  const curves = curvesOf(rows);
  const scale = scaleFor(rows);
  const [{ kind, k }] = inputs;
  const which = kindOf({ kind }).defaults.k === undefined ? `top ${k}` : "items";
  const title = `What ${symbol} buys: the share of the true ${which} that are named`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="winnow-plan-title winnow-plan-description">`,
    `<title id="winnow-plan-title">${forXml(title)}</title>`,
    `<desc id="winnow-plan-description">${forXml(curves.map((curve) => inWords(curve, symbol)).join(" "))}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}" rx="12"/>`,
    text(title, 28, 36, "title"),
    text(`on ${origin}, ${rows[0].utility.runs} exact simulations each`, 28, 58, "quiet"),
    ...SHARES.map(shareLine),
    ...scale.ticks.map((epsilon) => text(epsilon, scale.place(epsilon), BOTTOM + 20, "quiet middle")),
    text(symbol, RIGHT, BOTTOM + 38, "quiet end"),
    ...curves.map((curve, i) => drawn(curve, COLOURS[i % COLOURS.length], scale.place)),
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

function drawn({ points }: Curve, colour: string, place: Scale["place"]): string {
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
function legend({ mechanism, candidates }: Curve, i: number): string {
  const x = 28 + (i % 3) * LEGEND_WIDTH;
  const y = BOTTOM + 62 + Math.floor(i / 3) * 38;
  const dot = `<circle cx="${x + 5}" cy="${y - 4}" r="5" fill="${COLOURS[i % COLOURS.length]}"/>`;
  return dot + text(mechanism, x + 18, y) + text(`candidates: ${candidates}`, x + 18, y + 15, "small quiet");
}

function inWords({ mechanism, candidates, points }: Curve, symbol: string): string {
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
