/**
 * What most people never change, behind one click.
 * @module
 */
import { useId } from "preact/hooks";
import type { Mechanism } from "../../worker/api.js";
import { Choice } from "../parts/choice.js";
import { TextField } from "../parts/text-field.js";
import { MECHANISMS } from "../state/mechanisms.js";
import {
  applicable,
  chosenMechanism,
  givesGaps,
  mechanism,
  named,
  neighbours,
  resolution,
} from "../state/question-state.js";

export function AdvancedFields() {
  return (
    <details class="advanced">
      <summary>Advanced</summary>
      <div class="stack">
        <MechanismField />
        {givesGaps.value && (
          <TextField
            label="Resolution of the leads"
            value={resolution}
            numeric
            hint="Leads are given in multiples of this many people. Finer is not less private."
          />
        )}
        <Choice
          legend="Which data sets count as neighbours?"
          chosen={neighbours}
          options={[
            {
              value: "add-remove",
              label: "One person more or less",
              hint: "All counts then move the same way (they are monotone), which halves the noise.",
            },
            {
              value: "replace",
              label: "One person replaced by another",
              hint: "Some counts may rise while others fall. For when the number of people is public.",
            },
          ]}
        />
      </div>
    </details>
  );
}

function MechanismField() {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Mechanism</label>
      <select
        id={id}
        value={chosenMechanism.value}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          mechanism.value = currentTarget.value as Mechanism | "automatic";
        }}
      >
        <option value="automatic">Automatic: {MECHANISMS[applicable.value[0]].title}</option>
        {applicable.value.map((name) => (
          <option key={name} value={name}>
            {MECHANISMS[name].title}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} class="hint">
        {MECHANISMS[named.value].gives}
      </p>
    </div>
  );
}
