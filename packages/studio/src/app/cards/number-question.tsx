/**
 * The question about numbers: the fields of quantiles and of frequencies, and how far off the answer can be at each ε. The bounds
 * follow from public values alone, so the chart is there before any data. Only the share of the values is private: it says how
 * many there are.
 * @module
 */
import {
  forTerminal,
  likelyStyle,
  NUMBER_STYLES,
  type NumberStyle,
  OPTIONS,
  STYLE_RULES,
} from "winnow-release";
import type { NumberPoint } from "../../worker/api.js";
import { ItemName } from "../parts/card.js";
import { FieldProblem, TextField } from "../parts/fields.js";
import { about, counted, percent, whole } from "../parts/in-words.js";
import { chooseColumn, columnsChosen, countPeople, itemColumn, shape, view } from "../state/data-state.js";
import { errorShare } from "../state/expectation.js";
import { asksValues } from "../state/kinds.js";
import {
  highest,
  lowest,
  mostValues,
  perPerson,
  quantiles,
  rangeTouched,
  step,
  style,
} from "../state/number-state.js";
import { numberHere, numberPlan, outlook } from "../state/plan-state.js";
import { asked, epsilon, kind, wrong } from "../state/question-state.js";
import { PlanChart } from "./plan-chart.js";

/** What every such question needs. */
export function NumberFields() {
  return asksValues(kind.value) ? <QuantileFields /> : <PerPerson what="Items" />;
}

function QuantileFields() {
  const isEmpty = lowest.value.trim() === "" || highest.value.trim() === "";
  const problem = isEmpty && !rangeTouched.value ? undefined : wrong.value.range;
  const touch = () => {
    rangeTouched.value = true;
  };
  const shared = { problem, describedBy: "range-problem range-hint" }; // a keypad of digits may have no minus
  return (
    <>
      {shape.value !== undefined && <NumberColumn />}
      <NumberStyleField />
      <TextField
        label={OPTIONS.quantiles.label}
        value={quantiles}
        problem={wrong.value.quantiles}
        hint="0.5 is the median, and 90 % of the values are below the quantile 0.9. Separate several with commas."
      />
      <fieldset class="plain stack-tight">
        <legend>Which values can be published?</legend>
        <div class="ends">
          <TextField label="Lowest" value={lowest} {...shared} onLeave={touch} />
          <TextField label="Highest" value={highest} {...shared} onLeave={touch} />
        </div>
        <FieldProblem id="range-problem" problem={problem} />
        <p id="range-hint" class="hint">
          Take the range from what the column means, never from the rows. A value outside counts as the
          nearest end.
        </p>
      </fieldset>
      <PerPerson what="Values" />
    </>
  );
}

function PerPerson({ what }: { readonly what: "Values" | "Items" }) {
  const one = what === "Values" ? "value" : "item";
  return (
    <TextField
      label={`${what} per person, at most`}
      value={perPerson}
      numeric
      problem={wrong.value.perPerson}
      hint={`People with more ${one}s count for this many of them, picked by a keyed hash. The noise grows with each ${one}.`}
    />
  );
}

const STYLES: Readonly<Record<NumberStyle, string>> = {
  plain: "1234.5, as programs write them",
  point: "1,234.50, perhaps with a currency",
  comma: "1.234,50, perhaps with a currency",
};

/** How numbers are written: said, never guessed from the rows. */
function NumberStyleField() {
  const { items = 0, numbers } = view.value ?? {};
  const skipped = items - (numbers?.[style.value] ?? 0);
  const likely = style.value === "plain" ? likelyStyle(view.value?.written, skipped) : undefined;
  return (
    <div class="field">
      <label for="number-style">How numbers are written</label>
      <select
        id="number-style"
        value={style.value}
        aria-describedby="number-style-hint"
        onChange={({ currentTarget }) => {
          style.value = currentTarget.value as NumberStyle;
        }}
      >
        {NUMBER_STYLES.map((name) => (
          <option key={name} value={name}>
            {STYLES[name]}
          </option>
        ))}
      </select>
      <p id="number-style-hint" class="hint">
        {likely === undefined
          ? "The rule is public and recorded. What doesn’t follow it is skipped."
          : `${whole(view.value?.written[likely] ?? 0)} of the values that are skipped look like ${STYLE_RULES[likely].example}.`}
      </p>
      {likely !== undefined && (
        <p>
          <button
            type="button"
            class="small-button"
            onClick={() => {
              style.value = likely;
            }}
          >
            Read them as {STYLE_RULES[likely].example}
          </button>
        </p>
      )}
    </div>
  );
}

/** The column of the file that is counted, to change without a way back; another column is another count. */
function NumberColumn() {
  const columns = shape.value?.columns ?? [];
  const problem = wrong.value.column;
  const shared = {
    id: "number-column",
    value: itemColumn.value,
    "aria-describedby": "number-column-problem number-column-hint",
    "aria-invalid": problem === undefined ? undefined : ("true" as const),
  };
  const choose = (name: string) => {
    chooseColumn("item", name);
    if (columnsChosen.peek()) void countPeople();
  };
  return (
    <div class="field">
      <label for="number-column">Column of numbers</label>
      {columns.length === 0 ? (
        <input {...shared} type="text" onChange={({ currentTarget }) => choose(currentTarget.value)} />
      ) : (
        <select {...shared} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="">Choose a column…</option>
          {columns.map((name) => (
            <option key={name} value={name}>
              {forTerminal(name)}
            </option>
          ))}
        </select>
      )}
      <FieldProblem id="number-column-problem" problem={problem} />
      <p id="number-column-hint" class="hint">
        {skippedInWords() ?? "Values that aren’t numbers are skipped, and you are told how many."}
      </p>
    </div>
  );
}

function skippedInWords(): string | undefined {
  const skipped = numberPlan.value?.skipped ?? 0;
  if (skipped === 0 || wrong.value.column !== undefined) return undefined;
  const values = counted(skipped, "different value is not a number", "different values are not numbers");
  return `${values} and ${skipped === 1 ? "is" : "are"} skipped.`;
}

/** What most people never change. */
export function AdvancedNumberFields() {
  if (!asksValues(kind.value)) return null;
  return (
    <>
      <TextField
        label={OPTIONS.step.label}
        value={step}
        numeric
        problem={wrong.value.step}
        hint="Answers are multiples of it, counted from the lowest value. Empty: 1, or finer for a short range."
      />
      <TextField
        label={OPTIONS.atMost.label}
        value={mostValues}
        numeric
        problem={wrong.value.mostValues}
        hint="A public bound, such as the size of the population. Only many quantiles need it. Empty: none."
      />
    </>
  );
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact" });

/** The error over ε, both in powers of ten. */
export function NumberChart() {
  const points = numberPlan.value?.points ?? [];
  const most = Math.max(1, ...points.map(({ error }) => error));
  const powers = Math.max(1, Math.ceil(Math.log10(most)));
  const at = ({ epsilon, error }: NumberPoint) => ({
    epsilon,
    height: Math.log10(Math.max(error, 1)) / powers,
  });
  const isQuantile = asksValues(asked.value.kind);
  const label = isQuantile
    ? "Ranks off, at most (lower is better)"
    : "People that noise adds (lower is better)";
  return (
    <>
      <PlanChart
        own={{ name: asked.value.kind, dashes: "", points: points.map(at) }}
        here={numberHere.value && at(numberHere.value)}
        ticks={Array.from({ length: powers + 1 }, (_, power) => ({
          height: power / powers,
          label: COMPACT.format(10 ** power),
        }))}
        label={label}
        words={outlook.value?.words ?? ""}
        epsilon={epsilon}
      />
      <NumberTable isQuantile={isQuantile} />
    </>
  );
}

function NumberTable({ isQuantile }: { readonly isQuantile: boolean }) {
  const plan = numberPlan.value;
  if (plan === undefined) return null;
  const rows = [...plan.points].sort((a, b) => (about(a.epsilon) ?? 0) - (about(b.epsilon) ?? 0));
  return (
    <details>
      <summary>Show the numbers</summary>
      <table>
        <caption class="visually-hidden">What ε buys, in numbers</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              ε
            </th>
            <th scope="col" class="number">
              {isQuantile ? "Ranks, at most" : "People added, about"}
            </th>
            {plan.counted !== undefined && (
              <th scope="col" class="number">
                Of your {whole(plan.counted)}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((point) => (
            <tr key={point.epsilon}>
              <td class="number">{point.epsilon}</td>
              <td class="number">
                {whole(Math.ceil(point.error))}
                {point.share > 0 && ` + ${percent(point.share, 1)}`}
              </td>
              {plan.counted !== undefined && (
                <td class="number">{percent(errorShare(point, plan) ?? 0, 1)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        {isQuantile
          ? "95 times out of 100 all ranks are this near, whatever the data. Nothing is run for it."
          : "In a list without any items, mostly at its end, whatever the data. Nothing is run for it."}
        {shape.value !== undefined && plan.counted !== undefined && (
          <>
            {" "}
            How many there are in <ItemName name={shape.value.name} /> is private.
          </>
        )}
      </p>
    </details>
  );
}
