/**
 * A line of text with its label and a hint, tied together for screen readers.
 * @module
 */
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface TextFieldProps {
  readonly label: string;
  readonly value: Signal<string>;
  readonly hint?: ComponentChildren;
  readonly placeholder?: string;
  readonly numeric?: boolean;
  readonly suggestions?: readonly string[];
}

export function TextField({ label, value, hint, placeholder, numeric = false, suggestions }: TextFieldProps) {
  const id = useId();
  return (
    <div class={numeric ? "field field-short" : "field"}>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode={numeric ? "decimal" : "text"}
        autoComplete="off"
        spellcheck={false}
        value={value}
        placeholder={placeholder}
        list={suggestions && `${id}-list`}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
      />
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
