/**
 * A slider over sensible values of ε. What it sets is the text of the value, so nothing is rounded on the way.
 * @module
 */
import type { Signal } from "@preact/signals";
import { about } from "../parts/numbers.js";

const STEPS = [
  "0.01",
  "0.02",
  "0.03",
  "0.05",
  "0.07",
  "0.1",
  "0.15",
  "0.2",
  "0.3",
  "0.4",
  "0.5",
  "0.7",
  "1",
  "1.5",
  "2",
  "2.5",
  "3",
  "4",
  "5",
  "7",
  "10",
];

export function EpsilonSlider({
  label,
  chosen,
}: {
  readonly label: string;
  readonly chosen: Signal<string>;
}) {
  return (
    <div class="slider">
      <input
        type="range"
        aria-label={`${label}, slider`}
        min={0}
        max={STEPS.length - 1}
        step={1}
        value={nearest(about(chosen.value) ?? 1)}
        aria-valuetext={`epsilon ${chosen.value}`}
        onInput={({ currentTarget }) => {
          chosen.value = STEPS[currentTarget.valueAsNumber] ?? chosen.value;
        }}
      />
      <span class="slider-ends" aria-hidden="true">
        <span>more private</span>
        <span>more accurate</span>
      </span>
    </div>
  );
}

function nearest(value: number): number {
  const distance = (step: string) => Math.abs(Math.log(Number(step) / value));
  return STEPS.reduce(
    (best, step, index) => (distance(step) < distance(STEPS[best] ?? "") ? index : best),
    0,
  );
}
