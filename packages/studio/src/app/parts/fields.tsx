/**
 * The fields of the forms, each tied to its label and hint for screen readers: a line of text, one of a few as radio
 * buttons, and a slider over sensible values of ε, which sets the text of the value, so nothing is rounded on the way.
 * @module
 */
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { about } from "./in-words.js";

interface TextFieldProps {
  readonly label: string;
  readonly value: Signal<string>;
  readonly hint?: ComponentChildren;
  readonly placeholder?: string;
  readonly numeric?: boolean;
  readonly suggestions?: readonly string[];
  /** The problem with the value, in words. */
  readonly problem?: string | undefined;
  /** Where several fields share what is said about them, problems too: its ids. */
  readonly describedBy?: string;
  /** With Enter too, where something was typed. */
  readonly onLeave?: () => void;
}

export function TextField({
  label,
  value,
  hint,
  placeholder,
  numeric = false,
  suggestions,
  problem,
  describedBy,
  onLeave,
}: TextFieldProps) {
  const id = useId();
  const described = [...(problem === undefined ? [] : ["problem"]), ...(hint === undefined ? [] : ["hint"])];
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
        aria-invalid={problem === undefined ? undefined : "true"}
        aria-describedby={describedBy ?? (described.map((part) => `${id}-${part}`).join(" ") || undefined)}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
        onBlur={onLeave}
        onChange={onLeave}
      />
      {describedBy === undefined && <FieldProblem id={`${id}-problem`} problem={problem} />}
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

/** The problem with a field, shown under it and read out. */
export function FieldProblem({ id, problem }: { readonly id: string; readonly problem: string | undefined }) {
  return (
    <p id={id} class="field-problem" role="status">
      {problem}
    </p>
  );
}

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
    <fieldset class="choice" data-plain={options.every(({ hint }) => hint === undefined)}>
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

export const EPSILON_STEPS = [
  "0.01",
  "0.02",
  "0.03",
  "0.05",
  "0.07",
  "0.1",
  "0.15",
  "0.2",
  "0.3",
  "0.4",
  "0.5",
  "0.7",
  "1",
  "1.5",
  "2",
  "2.5",
  "3",
  "4",
  "5",
  "7",
  "10",
];

export function EpsilonSlider({
  label,
  chosen,
}: {
  readonly label: string;
  readonly chosen: Signal<string>;
}) {
  return (
    <div class="slider">
      <input
        type="range"
        aria-label={`${label}, slider`}
        min={0}
        max={EPSILON_STEPS.length - 1}
        step={1}
        value={nearest(about(chosen.value) ?? 1)}
        aria-valuetext={`ε = ${chosen.value}`}
        onInput={({ currentTarget }) => {
          chosen.value = EPSILON_STEPS[currentTarget.valueAsNumber] ?? chosen.value;
        }}
      />
      <span class="slider-ends" aria-hidden="true">
        <span>more private</span>
        <span>more accurate</span>
      </span>
    </div>
  );
}

/** The place of the step that is nearest. */
export function nearest(value: number): number {
  const distance = (step: string) => Math.abs(Math.log(Number(step) / value));
  return EPSILON_STEPS.reduce(
    (best, step, index) => (distance(step) < distance(EPSILON_STEPS[best] ?? "") ? index : best),
    0,
  );
}
