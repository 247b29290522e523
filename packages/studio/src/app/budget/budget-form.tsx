/**
 * Sets the budget of a data set, once. It cannot be raised later: that is what makes it a promise. So a slip of the pen is
 * caught before it becomes one.
 * @module
 */
import { useSignal } from "@preact/signals";
import { epsilonInWords } from "../parts/in-words.js";
import { about } from "../parts/numbers.js";
import { TextField } from "../parts/text-field.js";
import { setBudget } from "../state/budget-state.js";

export function BudgetForm() {
  const epsilon = useSignal("3");
  const delta = useSignal("1e-5");
  const missing = missingOf(epsilon.value, delta.value);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const failure = delta.value.trim();
        void setBudget({ epsilon: epsilon.value.trim(), ...(failure === "" ? {} : { delta: failure }) });
      }}
    >
      <p>
        How much may ever be spent on these people? All releases together stay below it, and it cannot be
        raised later.
      </p>
      <div class="pair">
        <TextField label="Budget, epsilon" value={epsilon} numeric />
        <TextField
          label="Budget, delta"
          value={delta}
          numeric
          hint="Leave it empty if all your questions have a public list."
        />
      </div>
      <p class="words" role="status">
        {missing ?? epsilonInWords(about(epsilon.value), "all releases together")}
      </p>
      <div class="row">
        <button type="submit" class="primary" disabled={missing !== undefined}>
          Set the budget
        </button>
      </div>
    </form>
  );
}

/** What is missing before a budget can be set, in words; undefined if nothing is. */
function missingOf(epsilon: string, delta: string): string | undefined {
  if (about(epsilon) === undefined) return "Give ε a number above zero: 3, 0.5 or 1/3.";
  if (delta.trim() !== "" && !((about(delta) ?? 1) < 1))
    return "Give δ a small number above zero, 1e-5, say, or nothing.";
  return undefined;
}
