/**
 * The budget of the data set: the promise, what is spent of it, and every charge. It holds parameters only, so it may be shown.
 * @module
 */
import type { LedgerStatus } from "../../worker/api.js";
import { Card } from "../parts/card.js";
import { ItemName } from "../parts/item-name.js";
import { percent } from "../parts/numbers.js";
import { ProblemNote } from "../parts/problem-note.js";
import { Terms } from "../parts/terms.js";
import { moreLikeThis } from "../release/more-like-this.js";
import { budgetProblem, entries, status } from "../state/budget-state.js";
import { dataset } from "../state/data-state.js";
import { cost } from "../state/price-state.js";
import { BudgetForm } from "./budget-form.js";
import { BudgetLog } from "./budget-log.js";
import { KnownDatasets } from "./known-datasets.js";

/** Where the card is, for a link to it. */
export const BUDGET = "budget";

export function BudgetCard() {
  const name = dataset.value.trim();
  return (
    <Card
      title="Budget"
      place={BUDGET}
      aside={name === "" ? undefined : <ItemName name={name} />}
      waiting={name === ""}
    >
      {name === "" ? (
        <NoDataset />
      ) : (
        <>
          <ProblemNote problem={budgetProblem.value} />
          {status.value && <Account status={status.value} />}
        </>
      )}
    </Card>
  );
}

function NoDataset() {
  return (
    <>
      <p class="soft">
        Each data set has one budget: the most that may ever be learned about a person in it.
      </p>
      <KnownDatasets words="Kept in this browser:" />
    </>
  );
}

function NoBudget() {
  return (
    <div class="stack">
      <KnownDatasets words="The same people as in one of these? Then choose it:" />
      <BudgetForm />
    </div>
  );
}

function Account({ status }: { readonly status: LedgerStatus }) {
  if (status.state === "absent") return <NoBudget />;
  if (status.state === "unknown")
    return (
      <div class="problem" role="alert">
        <p>
          <strong>The budget is unknown, so nothing can be released.</strong>
        </p>
        <p>{status.why}</p>
        <p>What was spent cannot be told, and a guess could break the promise.</p>
      </div>
    );
  return (
    <div class="stack">
      <div class="meter-line">
        <meter aria-label="Share of the budget that is spent" min={0} max={1} value={status.share}>
          {percent(status.share)}
        </meter>
        <Terms
          terms={[
            ["Promised", status.budget],
            ["Spent", status.spent],
            ["Left", status.remaining],
          ]}
        />
      </div>
      {cost.value?.times !== undefined && <p class="words">Room for {moreLikeThis(cost.value)}.</p>}
      <BudgetLog entries={entries.value} />
    </div>
  );
}
