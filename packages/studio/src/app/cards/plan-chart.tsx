/**
 * What ε buys, as a chart that is the control: drag the handle, or move it with the arrow keys. One line for each
 * mechanism, the chosen one in the accent colour; hatched, how often it names no item; a mark at the smallest ε that
 * reaches the goal. The handle reads out what its ε buys. The numbers are in a table beside it.
 * @module
 */
import type { Signal } from "@preact/signals";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { EPSILON_STEPS, nearest } from "../parts/fields.js";
import { about } from "../parts/in-words.js";

/** Heights are from 0 at the bottom to 1 at the top. */
interface ChartPoint {
  readonly epsilon: string;
  readonly height: number;
}

/** A line over ε. */
export interface Curve {
  readonly name: string;
  readonly dashes: string;
  readonly points: readonly ChartPoint[];
}

interface PlanChartProps {
  /** The mechanism that was chosen, and the others. */
  readonly own: Curve;
  readonly others?: readonly Curve[];
  /** The upper edge of a hatched area; drawn where it is more than a trace. */
  readonly shade?: readonly ChartPoint[];
  readonly here: ChartPoint | undefined;
  readonly goal?: ChartPoint | undefined;
  readonly ticks: readonly { readonly height: number; readonly label: string }[];
  /** What the chart shows, for those who don't see it. */
  readonly label: string;
  /** What the chosen ε buys; empty while that is unknown. */
  readonly words: string;
  readonly epsilon: Signal<string>;
}

const HEIGHT = 280;
const EDGES = { top: 62, right: 16, bottom: 48, left: 44 };
const [LEAST, MOST] = [0.01, 10];
const TICKS = [0.01, 0.1, 1, 10];
const TRACE = 0.005;

export function PlanChart(props: PlanChartProps) {
  const { epsilon, words } = props;
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

/** The step that a key leads to, as in native sliders. */
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

function Picture({ own, others = [], shade = [], here, goal, ticks, label, width, x }: PictureProps) {
  const bottom = HEIGHT - EDGES.bottom;
  const y = (height: number) => bottom - height * (bottom - EDGES.top);
  const sorted = (all: readonly ChartPoint[]) =>
    [...all].sort((a, b) => (about(a.epsilon) ?? 0) - (about(b.epsilon) ?? 0));
  const path = (all: readonly ChartPoint[]) =>
    sorted(all)
      .map(({ epsilon, height }, index) => `${index === 0 ? "M" : "L"}${x(about(epsilon) ?? 0)} ${y(height)}`)
      .join("");
  const [first] = sorted(shade);
  return (
    <svg
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      class="plan-plot"
      role="img"
      aria-label={`${label}, against epsilon. The numbers are in the table below.`}
    >
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0v6" class="hatch-line" />
        </pattern>
      </defs>
      {ticks.map(({ height, label }) => (
        <g key={label}>
          <path class="grid-line" d={`M${EDGES.left} ${y(height)}H${width - EDGES.right}`} />
          <text x={EDGES.left - 8} y={y(height) + 4} text-anchor="end">
            {label}
          </text>
        </g>
      ))}
      {TICKS.map((tick) => (
        <text key={tick} x={x(tick)} y={bottom + 20} text-anchor="middle">
          {tick}
        </text>
      ))}
      <text class="axis-title" x={0} y={12}>
        {label}
      </text>
      <text class="axis-title" x={width - EDGES.right} y={bottom + 40} text-anchor="end">
        Epsilon (ε): more private to the left
      </text>
      {first !== undefined && shade.some(({ height }) => height > TRACE) && (
        <path class="hatched" d={`${path(shade)}V${bottom}H${x(about(first.epsilon) ?? 1)}Z`} />
      )}
      {others.map(({ name, points, dashes }) => (
        <path key={name} class="plan-line" d={path(points)} stroke-dasharray={dashes} />
      ))}
      {goal !== undefined && (
        <path
          class="goal-line"
          d={`M${EDGES.left} ${y(goal.height)}H${x(about(goal.epsilon) ?? 1)}V${bottom}`}
        />
      )}
      <path class="plan-line plan-own" d={path(own.points)} />
      {own.points.map(({ epsilon, height }) => (
        <circle key={epsilon} class="plan-dot" cx={x(about(epsilon) ?? 1)} cy={y(height)} r="2.6" />
      ))}
      {here !== undefined && (
        <circle class="plan-here" cx={x(about(here.epsilon) ?? 1)} cy={y(here.height)} r="6" />
      )}
    </svg>
  );
}
