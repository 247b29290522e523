/**
 * What ε means for one person: how far the belief of an observer about her can move, whatever is released. If the observer
 * believed p before, the odds change by a factor between e^−ε and e^ε, so the belief ends between the two ends drawn here.
 * @module
 */
import { useComputed, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { about } from "../parts/numbers.js";
import { EpsilonSlider } from "../question/epsilon-slider.js";
import { HundredDots } from "./hundred-dots.js";

export function OnePerson() {
  const id = useId();
  const epsilon = useSignal("1");
  const before = useSignal(50);
  const range = useComputed(() => beliefs(before.value / 100, about(epsilon.value) ?? 1));
  const [low, high] = [Math.floor(range.value[0] * 100), Math.ceil(range.value[1] * 100)]; // a bound, in whole dots
  return (
    <section class="story" aria-labelledby={`${id}-title`}>
      <div class="story-words">
        <h2 id={`${id}-title`}>What ε means for one person</h2>
        <p>
          Somebody suspects that Ada is in your data. However clever they are, and whatever else they know,
          reading a release with this ε moves their belief no further than the striped dots.
        </p>
        <div class="field">
          <label for={id}>Their belief before: {before} in 100</label>
          <input
            id={id}
            type="range"
            min={1}
            max={99}
            value={before}
            onInput={({ currentTarget }) => {
              before.value = currentTarget.valueAsNumber;
            }}
          />
        </div>
        <div class="field">
          <span class="label">ε of the release: {epsilon}</span>
          <EpsilonSlider label="Epsilon of the release" chosen={epsilon} />
        </div>
        <p class="words" role="status">
          Before: {before} in 100. After: between {low} and {high} in 100.
        </p>
      </div>
      <HundredDots low={low} high={high} before={before.value} />
    </section>
  );
}

function beliefs(before: number, epsilon: number): readonly [low: number, high: number] {
  const odds = before / (1 - before);
  const after = (factor: number) => (odds * factor) / (1 + odds * factor);
  return [after(Math.exp(-epsilon)), after(Math.exp(epsilon))];
}
