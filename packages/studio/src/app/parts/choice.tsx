/**
 * One of a few, as radio buttons with a line of explanation each.
 * @module
 */
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: ComponentChildren;
}

interface ChoiceProps<Value extends string> {
  readonly legend: string;
  readonly chosen: Signal<Value>;
  readonly options: readonly Option<Value>[];
}

export function Choice<Value extends string>({ legend, chosen, options }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {options.map(({ value, label, hint }) => (
        <div key={value} class="option" data-chosen={chosen.value === value}>
          <input
            type="radio"
            id={`${name}-${value}`}
            name={name}
            value={value}
            checked={chosen.value === value}
            aria-describedby={hint === undefined ? undefined : `${name}-${value}-hint`}
            onChange={() => {
              chosen.value = value;
            }}
          />
          <label for={`${name}-${value}`}>{label}</label>
          {hint !== undefined && (
            <p id={`${name}-${value}-hint`} class="hint">
              {hint}
            </p>
          )}
        </div>
      ))}
    </fieldset>
  );
}
