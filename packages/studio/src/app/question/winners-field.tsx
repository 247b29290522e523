/**
 * How many winners: a number, or as many as stand out.
 * @module
 */
import { Choice } from "../parts/choice.js";
import { TextField } from "../parts/text-field.js";
import { kind, mostWinners, winners } from "../state/question-state.js";

export function WinnersField() {
  return (
    <div class="stack">
      <Choice
        legend="How many winners?"
        chosen={kind}
        options={[
          { value: "top", label: "A fixed number", hint: "For a top ten you ask for ten." },
          {
            value: "adaptive",
            label: "Let the data decide",
            hint: "Stops where a wide gap follows, so the list ends where it is clear.",
          },
        ]}
      />
      {kind.value === "top" ? (
        <TextField label="Number of winners" value={winners} numeric />
      ) : (
        <TextField label="At most" value={mostWinners} numeric />
      )}
    </div>
  );
}
