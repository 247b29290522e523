/**
 * Who could win: a public list, or nobody knows.
 * @module
 */
import { Choice } from "../parts/choice.js";
import { domain } from "../state/question-state.js";
import { CandidateList } from "./candidate-list.js";

export function DomainField() {
  return (
    <div class="stack">
      <Choice
        legend="Which candidates could there be?"
        chosen={domain}
        options={[
          {
            value: "unknown",
            label: "Unknown",
            hint: "Names come from the rows themselves. A name that only few people have stays hidden; that costs a small δ.",
          },
          {
            value: "listed",
            label: "A public list",
            hint: "Everybody may know the list: a catalogue, a map. Best answers, and how far each winner leads the next comes free.",
          },
        ]}
      />
      {domain.value === "listed" && <CandidateList />}
    </div>
  );
}
