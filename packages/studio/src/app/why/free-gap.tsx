/**
 * The gap for free: the same ε, once spent on naming the winners with their leads, once split between naming and measuring. Both
 * are run live, by the library itself, on invented counts that everybody may see.
 * @module
 */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useId } from "preact/hooks";
import { short } from "../parts/numbers.js";
import { EpsilonSlider } from "../question/epsilon-slider.js";
import { COUNTS, type GapErrors, gapErrors, WINNERS } from "./gap-errors.js";

export function FreeGap() {
  const id = useId();
  const epsilon = useSignal("1");
  const again = useSignal(0);
  const errors = useSignal<GapErrors>();
  useSignalEffect(() => {
    void again.value;
    errors.value = gapErrors(epsilon.value);
  });
  return (
    <section class="story" aria-labelledby={id}>
      <div class="story-words">
        <h2 id={id}>The lead comes free</h2>
        <p>
          To name the top {WINNERS} of {COUNTS.length} privately, noise decides close calls. How far one noisy
          winner is ahead of the next is then known already, and may be told at no extra cost. Measuring the
          leads in a second step would have to share the same ε, and everything gets noisier.
        </p>
        <div class="field">
          <span class="label">ε for all of it: {epsilon}</span>
          <EpsilonSlider label="Epsilon for all of it" chosen={epsilon} />
        </div>
        <div class="row">
          <button
            type="button"
            onClick={() => {
              again.value += 1;
            }}
          >
            Draw again
          </button>
        </div>
      </div>
      {errors.value && <Comparison errors={errors.value} />}
    </section>
  );
}

function Comparison({ errors: { free, paid, runs } }: { readonly errors: GapErrors }) {
  const most = Math.max(free, paid);
  return (
    <div class="stack">
      <p class="words" role="status">
        A released lead is off by {short(free)} people on average, and by {short(paid)} where it is measured
        separately.
      </p>
      <dl class="bars">
        {[
          { name: "Leads that come free", value: free, kind: "bar" },
          { name: "Half of ε to name, half to measure", value: paid, kind: "bar bar-private" },
        ].map(({ name, value, kind }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span class={kind} aria-hidden="true" style={{ inlineSize: `${(75 * value) / most}%` }} />
              {short(value)}
            </dd>
          </div>
        ))}
      </dl>
      <p class="hint">Average distance from the true lead, in people, over {runs} draws of each kind.</p>
    </div>
  );
}
