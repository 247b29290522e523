/**
 * The lead for free: the same ε, once spent on naming the winners with their leads, once split between naming and
 * measuring. The library runs both live on invented counts.
 * @module
 */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useId } from "preact/hooks";
import { EpsilonSlider } from "../parts/fields.js";
import { short, whole } from "../parts/in-words.js";
import { AREAS, type GapErrors, gapErrors, type Lead, WINNERS } from "./gap-errors.js";

export function FreeGap() {
  const id = useId();
  const epsilon = useSignal("0.1");
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
          To name the top {WINNERS} of {AREAS.length} privately, noise decides close calls. How far one noisy
          winner is ahead of the next is then known already, and can be published at no extra cost. Measuring
          the leads in a second step would have to share the same ε, and everything gets noisier.
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
      {errors.value && <Picture errors={errors.value} />}
    </section>
  );
}

function Picture({ errors: { draw, free, paid, runs } }: { readonly errors: GapErrors }) {
  const most = Math.max(...draw.map(({ released, truth }) => Math.max(released, truth)));
  return (
    <div class="stack">
      <dl class="bars">
        {draw.map((lead) => (
          <LeadBar key={lead.area} lead={lead} most={most} />
        ))}
      </dl>
      <p class="hint">One draw. The dashed line is the true lead, which only invented data can show.</p>
      <p class="words" role="status">
        Over {runs} draws, a lead that comes free is off by <strong>{short(free)}</strong> people on average;
        with half of ε to name and half to measure, by <strong>{short(paid)}</strong>.
      </p>
    </div>
  );
}

function LeadBar({ lead: { area, released, truth }, most }: { readonly lead: Lead; readonly most: number }) {
  return (
    <div class="lead-bar">
      <dt>{area}</dt>
      <dd>
        <span class="lead-picture" aria-hidden="true">
          <span class="bar" style={{ inlineSize: `${(100 * released) / most}%` }} />
          <span class="limit" style={{ insetInlineStart: `${(100 * truth) / most}%` }} />
        </span>
        <span>
          {whole(released)} <span class="soft small">(true {whole(truth)})</span>
        </span>
      </dd>
    </div>
  );
}
