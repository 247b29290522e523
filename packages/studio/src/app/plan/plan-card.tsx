/**
 * Step three: what ε buys. The mechanisms are run on the true counts, so the charts are private.
 * @module
 */
import type { PlanPoint } from "../../worker/api.js";
import { Card } from "../parts/card.js";
import { about, percent, short } from "../parts/numbers.js";
import { ProblemNote } from "../parts/problem-note.js";
import { view } from "../state/data-state.js";
import { here, planning, planProblem, points, RUNS } from "../state/plan-state.js";
import { isAboutTheQuestion } from "../state/problem.js";
import { asked, epsilon, missing, named } from "../state/question-state.js";
import type { Mean } from "./draw-plan.js";
import { PlanChart } from "./plan-chart.js";
import { dashesOf, PlanLegend } from "./plan-legend.js";
import { PlanTable } from "./plan-table.js";

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
