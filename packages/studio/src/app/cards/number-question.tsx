/**
 * The question about numbers: the fields of quantiles and of frequencies, and how far off the answer can be at each ε. The bounds
 * follow from public values alone, so the chart is there before any data. Only the share of the values is private: it says how
 * many there are.
 * @module
 */
import { forTerminal, OPTIONS } from "winnow-release";
import type { NumberPoint } from "../../worker/api.js";
import { ItemName } from "../parts/card.js";
import { FieldProblem, TextField } from "../parts/fields.js";
import { about, counted, percent, whole } from "../parts/in-words.js";
import { chooseColumn, columnsChosen, countPeople, itemColumn, shape } from "../state/data-state.js";
import { errorShare } from "../state/expectation.js";
import { asksValues } from "../state/kinds.js";
import { highest, lowest, mostValues, perPerson, quantiles, step } from "../state/number-state.js";
import { numberHere, numberPlan, outlook } from "../state/plan-state.js";
import { asked, epsilon, kind, wrong } from "../state/question-state.js";
import { PlanChart } from "./plan-chart.js";

/** What every such question needs. */
export function NumberFields() {
  return asksValues(kind.value) ? <QuantileFields /> : <PerPerson what="Items" />;
}

function QuantileFields() {
  const problem = wrong.value.range;
  const shared = { problem, describedBy: "range-problem range-hint" }; // a keypad of digits may have no minus
  return (
    <>
      {shape.value !== undefined && <NumberColumn />}
      <TextField
        label={OPTIONS.quantiles.label}
        value={quantiles}
        problem={wrong.value.quantiles}
        hint="0.5 is the median, and 90 % of the values are below the quantile 0.9. Separate several with commas."
      />
      <fieldset class="plain stack-tight">
        <legend>Which values can be published?</legend>
        <div class="ends">
          <TextField label="Lowest" value={lowest} {...shared} />
          <TextField label="Highest" value={highest} {...shared} />
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
      hint={`Someone with more counts for so many, chosen by a keyed hash. The noise grows with each ${one}.`}
    />
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
        {skippedInWords() ?? "Decimal numbers such as 12, -0.5 or 1e3. Other values are skipped."}
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
    ? "How many ranks a value can be off, at most"
    : "About how many people noise adds to the list";
  return (
    <>
      <p class="hint">{label}, at each ε. The lower, the better.</p>
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
