/**
 * A chart that follows its data and its width. For a screen reader it is one picture with a sentence; the numbers are in the
 * table beside it.
 * @module
 */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Drawing, drawPlan } from "./draw-plan.js";

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
