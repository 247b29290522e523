/**
 * What the header said, which columns count, what one person is, and under which name the budget is kept.
 * @module
 */
import { useLayoutEffect, useRef } from "preact/hooks";
import { ItemName } from "../parts/item-name.js";
import { leadFocus } from "../parts/lead-focus.js";
import { bytes } from "../parts/numbers.js";
import { TextField } from "../parts/text-field.js";
import { knownDatasets } from "../state/budget-state.js";
import {
  columnsChosen,
  countPeople,
  dataset,
  forgetFile,
  phase,
  shape,
  suggestedUnit,
  unit,
} from "../state/data-state.js";
import { ColumnField } from "./column-field.js";

export function FileForm() {
  const top = useRef<HTMLParagraphElement>(null);
  const count = useRef<HTMLButtonElement>(null);
  const counting = useRef(false);
  useLayoutEffect(() => leadFocus(top.current), []);
  useLayoutEffect(() => {
    if (counting.current && phase.value === "opened") leadFocus(count.current);
    counting.current = phase.value === "counting";
  });
  const file = shape.value;
  if (file === undefined) return null;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void countPeople();
      }}
    >
      <p ref={top} tabIndex={-1} class="file-line">
        <strong>
          <ItemName name={file.name} />
        </strong>
        <span class="soft small">{describeFile(file.format, file.bytes)}</span>
        <button type="button" class="quiet" onClick={forgetFile}>
          Choose another
        </button>
      </p>
      <p class="hint">{file.guess.why}</p>
      <fieldset class="pair plain" disabled={phase.value === "counting"}>
        <legend class="visually-hidden">Columns</legend>
        <ColumnField plays="item" label="Item column" hint="What is being ranked: pages, products, areas." />
        <ColumnField
          plays="user"
          label="Person column"
          hint="Whose row it is: an id, an account, a device."
        />
      </fieldset>
      <div class="pair">
        <TextField
          label="What is one person?"
          value={unit}
          placeholder={suggestedUnit.value}
          hint="The promise is made to each of these, and printed in every release. Two accounts are two."
        />
        <TextField
          label="Name of the data set"
          value={dataset}
          suggestions={knownDatasets.value}
          hint="The budget is kept under it: the same people, the same name, whatever the file."
        />
      </div>
      <div class="row">
        <button
          ref={count}
          type="submit"
          class={phase.value === "counted" ? "" : "primary"}
          disabled={!columnsChosen.value || phase.value === "counting"}
        >
          {phase.value === "counted" ? "Count again" : "Count people"}
        </button>
        <span class="soft small">
          {columnsChosen.value
            ? "Each person counts once per item, however many rows there are."
            : "Choose the two columns first; they must differ."}
        </span>
      </div>
    </form>
  );
}

function describeFile(format: string, size: number): string {
  return format === "generated"
    ? "invented visitors, made on this machine"
    : `${format.toUpperCase()}, ${bytes(size)}`;
}
