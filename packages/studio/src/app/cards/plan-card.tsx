/**
 * Step three: what ε buys. The mechanisms run on the true counts, so the charts and their table of numbers are
 * private. The legend tells the lines apart by their dashes, so that they can be told apart without colours.
 * @module
 */
import type { Mechanism, PlanPoint } from "../../worker/api.js";
import { Card, ProblemNote } from "../parts/card.js";
import { about, percent, short } from "../parts/in-words.js";
import { view } from "../state/data-state.js";
import { MECHANISMS } from "../state/mechanisms.js";
import { here, planning, planProblem, points, RUNS } from "../state/plan-state.js";
import { isAboutTheQuestion } from "../state/problem.js";
import { applicable, asked, epsilon, missing, named } from "../state/question-state.js";
import { type Mean, PlanChart } from "./plan-chart.js";

export function PlanCard() {
  const waiting = view.value === undefined;
  return (
    <Card
      title="What it buys"
      ordinal={3}
      waiting={waiting}
      aside={planning.value ? "running the mechanism…" : undefined}
    >
      {waiting ? (
        <p>
          Once people are counted, the mechanism is run hundreds of times here, to see how good its answers
          are.
        </p>
      ) : (
        <Plan />
      )}
    </Card>
  );
}

function Plan() {
  const chosen = { mechanism: named.value, epsilon: about(epsilon.value) };
  const shared = { chosen, dashes: dashesOf };
  const leads = points.value.flatMap(leadOf);
  return (
    <>
      <ProblemNote problem={isAboutTheQuestion(planProblem.value) ? undefined : planProblem.value} />
      <p class="words" role="status">
        {inWords(here.value)}
      </p>
      <div class="charts">
        <PlanChart
          {...shared}
          unit="share"
          means={points.value.map(recallOf)}
          title="True winners found"
          description="The expected share of true winners that is found, against epsilon. The numbers are in the table below."
        />
        {leads.length > 0 && (
          <PlanChart
            {...shared}
            unit="people"
            means={leads}
            title="Error of a lead, in people"
            description="The expected error of a released lead, in people, against epsilon. The numbers are in the table below."
          />
        )}
      </div>
      <PlanLegend />
      <p class="hint">
        Each point is {RUNS} runs of the mechanism itself on the true counts. An ε that was chosen by looking
        here says a little about them.
      </p>
      <PlanTable />
    </>
  );
}

function inWords(point: PlanPoint | undefined): string {
  if (missing.value !== undefined) return missing.value;
  if (isAboutTheQuestion(planProblem.value)) return "Mend the question first.";
  if (planProblem.value !== undefined) return "The mechanism could not be run.";
  if (point === undefined) return "Running the mechanism on your counts…";
  const { kind, k } = asked.value;
  const winners =
    kind === "top" ? `${short(point.recall * k)} of the true top ${k}` : `${percent(point.recall)} of them`;
  const found = `At ε = ${point.epsilon}, expect to find about ${winners}`;
  if (point.gapError === undefined) return `${found}.`;
  return `${found}; a lead is off by about ${short(point.gapError)} people.`;
}

function recallOf({ mechanism, epsilon, recall, recallError }: PlanPoint): Mean {
  return { mechanism, epsilon: about(epsilon) ?? 0, mean: recall, error: recallError };
}

function leadOf({ mechanism, epsilon, gapError, gapErrorError = 0 }: PlanPoint): Mean[] {
  return gapError === undefined
    ? []
    : [{ mechanism, epsilon: about(epsilon) ?? 0, mean: gapError, error: gapErrorError }];
}

const DASHES = ["", "7 4", "2 3", "9 3 2 3"];

function dashesOf(mechanism: Mechanism): string {
  return DASHES[applicable.value.indexOf(mechanism)] ?? "";
}

function PlanLegend() {
  const drawn = applicable.value.filter((name) => points.value.some(({ mechanism }) => mechanism === name));
  return (
    <ul class="legend-list">
      {drawn.map((name) => (
        <li key={name} data-chosen={name === named.value}>
          <svg width="26" height="8" viewBox="0 0 26 8" aria-hidden="true">
            <path d="M0 4h26" stroke="currentColor" stroke-width="2.2" stroke-dasharray={dashesOf(name)} />
          </svg>
          {MECHANISMS[name].title}
        </li>
      ))}
    </ul>
  );
}

interface Column {
  readonly title: string;
  readonly show: (point: PlanPoint) => string;
}

const MECHANISM: Column = { title: "Mechanism", show: ({ mechanism }) => MECHANISMS[mechanism].title };
const EPSILON: Column = { title: "ε", show: ({ epsilon }) => epsilon };
const FOUND: Column = {
  title: "Winners found",
  show: ({ recall, recallError }) => `${percent(recall)} ± ${percent(2 * recallError)}`,
};
const LEAD: Column = {
  title: "Lead off by",
  show: ({ gapError }) => (gapError === undefined ? "–" : short(gapError)),
};

function PlanTable() {
  const rows = [...points.value].sort(
    (a, b) => a.mechanism.localeCompare(b.mechanism) || (about(a.epsilon) ?? 0) - (about(b.epsilon) ?? 0),
  );
  const several = new Set(rows.map(({ mechanism }) => mechanism)).size > 1;
  const leads = rows.some(({ gapError }) => gapError !== undefined);
  const columns = [...(several ? [MECHANISM] : []), EPSILON, FOUND, ...(leads ? [LEAD] : [])];
  return (
    <details>
      <summary>Show the numbers</summary>
      <table>
        <caption class="visually-hidden">What ε buys, in numbers</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={alignment(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((point) => (
            <tr key={`${point.mechanism} ${point.epsilon}`}>
              {columns.map((column) => (
                <td key={column.title} class={alignment(column)}>
                  {column.show(point)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function alignment(column: Column): string | undefined {
  return column === MECHANISM ? undefined : "number";
}
