/**
 * A chart of what ε buys that follows its data and its width, drawn with Observable Plot: one line for each mechanism,
 * the chosen one in the accent colour, bars for the error of the simulation, a rule at the chosen ε. For a screen
 * reader it is one picture with a sentence; the numbers are in the table beside it.
 *
 * Plot puts a style element into its picture, which the page's content security policy would refuse. It is removed,
 * and the style sheet of the page does the same.
 * @module
 */

import { dot, line, plot, ruleX } from "@observablehq/plot";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Mechanism } from "../../worker/api.js";
import { percent } from "../parts/in-words.js";

interface PlanChartProps extends Omit<Drawing, "width"> {
  readonly title: string;
  readonly description: string;
}

export function PlanChart({ title, description, ...picture }: PlanChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useSignal(0);

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      width.value = Math.round(entry?.contentRect.width ?? 0);
    });
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, [width]);

  useEffect(() => {
    if (width.value > 0) frame.current?.replaceChildren(drawPlan({ ...picture, width: width.value }));
  });

  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div ref={frame} class="chart-frame" role="img" aria-label={description} />
      <p class="axis-name" aria-hidden="true">
        ε, smaller is more private
      </p>
    </figure>
  );
}

export interface Mean {
  readonly mechanism: Mechanism;
  readonly epsilon: number;
  readonly mean: number;
  readonly error: number;
}

interface Drawing {
  readonly means: readonly Mean[];
  readonly chosen: { readonly mechanism: Mechanism; readonly epsilon: number | undefined };
  readonly dashes: (mechanism: Mechanism) => string;
  readonly width: number;
  readonly unit: "share" | "people";
}

const TICKS = [0.01, 0.1, 1, 10];
const HEIGHT = 210;

function drawPlan({ means, chosen, dashes, width, unit }: Drawing): Element {
  const colour = ({ mechanism }: Mean) =>
    mechanism === chosen.mechanism ? "var(--accent)" : "var(--line-strong)";
  const isChosen = ({ mechanism }: Mean) => Number(mechanism === chosen.mechanism);
  // By ε for the lines; the chosen mechanism last, so that it lies on top.
  const ordered = [...means].sort((a, b) => isChosen(a) - isChosen(b) || a.epsilon - b.epsilon);
  const mechanisms = [...new Set(ordered.map(({ mechanism }) => mechanism))];
  const figure = plot({
    width,
    height: HEIGHT,
    marginTop: 14,
    marginRight: 12,
    marginBottom: 26,
    marginLeft: 46,
    className: "plan-plot",
    style: { background: "transparent", fontFamily: "inherit", fontSize: "12px" },
    x: { type: "log", label: null, ticks: TICKS, tickFormat: String, tickSize: 4 },
    y: unit === "share" ? SHARES : peopleScale(means),
    marks: [
      ruleX(chosen.epsilon === undefined ? [] : [chosen.epsilon], {
        stroke: "var(--ink-soft)",
        strokeDasharray: "2 3",
      }),
      ...mechanisms.map((mechanism) =>
        line(
          ordered.filter((mean) => mean.mechanism === mechanism),
          {
            x: "epsilon",
            y: "mean",
            stroke: mechanism === chosen.mechanism ? "var(--accent)" : "var(--line-strong)",
            strokeWidth: mechanism === chosen.mechanism ? 2.5 : 1.6,
            strokeDasharray: dashes(mechanism),
          },
        ),
      ),
      ruleX(ordered, { x: "epsilon", y1: low, y2: high, stroke: colour }),
      dot(ordered, { x: "epsilon", y: "mean", r: 2.6, fill: colour }),
      dot(
        ordered.filter(
          ({ mechanism, epsilon }) => mechanism === chosen.mechanism && epsilon === chosen.epsilon,
        ),
        { x: "epsilon", y: "mean", r: 5.5, fill: "var(--accent)", stroke: "var(--surface)", strokeWidth: 2 },
      ),
    ],
  });
  figure.querySelector("style")?.remove();
  figure.setAttribute("aria-hidden", "true"); // its frame has the words
  return figure;
}

const SHARES = {
  domain: [0, 1],
  label: null,
  ticks: [0, 0.25, 0.5, 0.75, 1],
  tickFormat: (share: number) => percent(share),
  tickSize: 0,
  grid: true,
} as const;

const DECADES = [0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6];

/** Errors span many sizes: the scale is logarithmic, from one person up, with a decade at least. */
function peopleScale(means: readonly Mean[]) {
  const least = Math.min(1, ...means.map((mean) => low(mean)));
  const most = Math.max(10, ...means.map((mean) => high(mean)));
  return {
    type: "log",
    domain: [least, most],
    label: null,
    ticks: DECADES.filter((decade) => decade >= least && decade <= most),
    tickFormat: "~s",
    tickSize: 0,
    grid: true,
    clamp: true,
  } as const;
}

function low({ mean, error }: Mean): number {
  return Math.max(mean - 2 * error, mean / 10);
}

function high({ mean, error }: Mean): number {
  return mean + 2 * error;
}
