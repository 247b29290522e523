/**
 * What ε buys, as a chart that is the control: drag the handle, or move it with the arrow keys. One line for each
 * mechanism, the chosen one in the accent colour; hatched, how often it names nobody; a mark at the smallest ε that
 * reaches the goal. The handle reads out what its ε buys. The numbers are in a table beside it.
 * @module
 */
import type { Signal } from "@preact/signals";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Asked, Mechanism, PlanPoint } from "../../worker/api.js";
import { EPSILON_STEPS, nearest } from "../parts/fields.js";
import { about, percent } from "../parts/in-words.js";
import { epsilonForGoal, expectedInWords, GOAL, successOf } from "../state/expectation.js";

interface PlanChartProps {
  readonly points: readonly PlanPoint[];
  readonly question: Pick<Asked, "kind" | "k">;
  readonly chosen: Mechanism;
  readonly here: PlanPoint | undefined;
  readonly epsilon: Signal<string>;
  readonly dashes: (mechanism: Mechanism) => string;
}

const HEIGHT = 236;
const EDGES = { top: 30, right: 16, bottom: 30, left: 44 };
const [LEAST, MOST] = [0.01, 10];
const TICKS = [0.01, 0.1, 1, 10];
const SHARES = [0, 0.25, 0.5, 0.75, 1];

export function PlanChart(props: PlanChartProps) {
  const { epsilon, here, question } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      width.value = Math.round(entry?.contentRect.width ?? 0);
    });
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, [width]);
  const x = (size: number) =>
    EDGES.left + (Math.log(clamped(size) / LEAST) / Math.log(MOST / LEAST)) * room(width.value);
  const at = about(epsilon.value);
  const follow = (event: PointerEvent) => {
    const left = frame.current?.getBoundingClientRect().left ?? 0;
    const share = (event.clientX - left - EDGES.left) / room(width.value);
    const size = LEAST * (MOST / LEAST) ** Math.min(Math.max(share, 0), 1);
    epsilon.value = EPSILON_STEPS[nearest(size)] ?? epsilon.value;
  };
  const words = here === undefined ? "" : expectedInWords(here, question);
  return (
    <div
      ref={frame}
      class="plan-frame"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event);
      }}
    >
      {width.value > 0 && <Picture {...props} width={width.value} x={x} />}
      {width.value > 0 && at !== undefined && (
        <div
          class="plan-handle"
          style={{ insetInlineStart: `${x(at)}px` }}
          role="slider"
          tabIndex={0}
          aria-label="Epsilon, slider"
          aria-valuemin={LEAST}
          aria-valuemax={MOST}
          aria-valuenow={at}
          aria-valuetext={`ε = ${epsilon.value}${words && `: ${words}`}`}
          onKeyDown={(event) => {
            const step = stepAfter(event.key, nearest(at));
            if (step === undefined) return;
            event.preventDefault();
            epsilon.value = EPSILON_STEPS[step] ?? epsilon.value;
          }}
        >
          <span class="plan-readout" data-side={x(at) > width.value / 2 ? "start" : "end"} aria-hidden="true">
            ε = {epsilon}
          </span>
        </div>
      )}
    </div>
  );
}

function clamped(size: number): number {
  return Math.min(Math.max(size, LEAST), MOST);
}

function room(width: number): number {
  return Math.max(width - EDGES.left - EDGES.right, 1);
}

/** Where a key leads to, as native sliders have it. */
function stepAfter(key: string, step: number): number | undefined {
  const last = EPSILON_STEPS.length - 1;
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: step + 1,
    ArrowUp: step + 1,
    ArrowLeft: step - 1,
    ArrowDown: step - 1,
    PageUp: step + 3,
    PageDown: step - 3,
    Home: 0,
    End: last,
  };
  const to = moves[key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), last);
}

interface PictureProps extends PlanChartProps {
  readonly width: number;
  readonly x: (epsilon: number) => number;
}

function Picture({ points, question, chosen, here, dashes, width, x }: PictureProps) {
  const bottom = HEIGHT - EDGES.bottom;
  const y = (share: number) => bottom - share * (bottom - EDGES.top);
  const { kind } = question;
  const lines = new Map<Mechanism, PlanPoint[]>();
  for (const point of points) lines.set(point.mechanism, [...(lines.get(point.mechanism) ?? []), point]);
  const goal = epsilonForGoal(points, chosen, kind);
  const sorted = (all: readonly PlanPoint[]) =>
    [...all].sort((a, b) => (about(a.epsilon) ?? 0) - (about(b.epsilon) ?? 0));
  const path = (all: readonly PlanPoint[], share: (point: PlanPoint) => number) =>
    sorted(all)
      .map((point, index) => `${index === 0 ? "M" : "L"}${x(about(point.epsilon) ?? 0)} ${y(share(point))}`)
      .join("");
  const own = sorted(lines.get(chosen) ?? []);
  const ends = [own[0], own.at(-1)].map((point) => x(about(point?.epsilon ?? "1") ?? 1));
  const others = [...lines].filter(([name]) => name !== chosen);
  return (
    <svg
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      class="plan-plot"
      role="img"
      aria-label={`${kind === "top" ? "The expected share of true winners that is found" : "How often anything is named"}, against epsilon. The numbers are in the table below.`}
    >
      <defs>
        <pattern id="nobody" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0v6" class="nobody-line" />
        </pattern>
      </defs>
      {SHARES.map((share) => (
        <g key={share}>
          <path class="grid-line" d={`M${EDGES.left} ${y(share)}H${width - EDGES.right}`} />
          <text x={EDGES.left - 8} y={y(share) + 4} text-anchor="end">
            {percent(share)}
          </text>
        </g>
      ))}
      {TICKS.map((tick) => (
        <text key={tick} x={x(tick)} y={bottom + 20} text-anchor="middle">
          {tick}
        </text>
      ))}
      {own.some(({ nothing }) => nothing > 0.005) && (
        <path class="nobody" d={`${path(own, ({ nothing }) => nothing)}V${bottom}H${ends[0]}Z`} />
      )}
      {others.map(([name, all]) => (
        <path
          key={name}
          class="plan-line"
          d={path(all, (point) => successOf(point, kind))}
          stroke-dasharray={dashes(name)}
        />
      ))}
      {goal !== undefined && kind === "top" && (
        <path class="goal-line" d={`M${EDGES.left} ${y(GOAL)}H${x(about(goal.epsilon) ?? 1)}V${bottom}`} />
      )}
      <path class="plan-line plan-own" d={path(own, (point) => successOf(point, kind))} />
      {own.map((point) => (
        <circle
          key={point.epsilon}
          class="plan-dot"
          cx={x(about(point.epsilon) ?? 1)}
          cy={y(successOf(point, kind))}
          r="2.6"
        />
      ))}
      {here !== undefined && (
        <circle class="plan-here" cx={x(about(here.epsilon) ?? 1)} cy={y(successOf(here, kind))} r="6" />
      )}
    </svg>
  );
}
