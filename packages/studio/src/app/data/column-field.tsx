/**
 * Which column plays a role. Where the format has no header the name is typed, because rows may not be looked at for it.
 * @module
 */
import { useId } from "preact/hooks";
import { forTerminal } from "winnow-release";
import { chooseColumn, itemColumn, shape, userColumn } from "../state/data-state.js";

interface ColumnFieldProps {
  readonly plays: "item" | "user";
  readonly label: string;
  readonly hint: string;
}

export function ColumnField({ plays, label, hint }: ColumnFieldProps) {
  const id = useId();
  const columns = shape.value?.columns ?? [];
  const value = (plays === "item" ? itemColumn : userColumn).value;
  const shared = { id, value, "aria-describedby": `${id}-hint` };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {columns.length === 0 ? (
        <input
          {...shared}
          type="text"
          autoComplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => chooseColumn(plays, currentTarget.value)}
        />
      ) : (
        <select {...shared} onChange={({ currentTarget }) => chooseColumn(plays, currentTarget.value)}>
          <option value="">Choose a column…</option>
          {columns.map((name) => (
            <option key={name} value={name}>
              {forTerminal(name)}
            </option>
          ))}
        </select>
      )}
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
    </div>
  );
}
