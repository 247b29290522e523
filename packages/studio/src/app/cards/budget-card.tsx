/**
 * The budget of the data set: the promise, the spent part, and every charge, newest first. It holds parameters only,
 * so it may be shown. Each release can be read again at no cost.
 *
 * A budget is set once and can't be raised later: that makes it a promise. So typing errors are caught before it is
 * set. Data sets with a budget in this browser are offered to choose from: the same people under another name would
 * have a second budget, and neither would be the promise that it seems to be.
 * @module
 */

import { useSignal } from "@preact/signals";
import type { LedgerEntry, LedgerStatus } from "../../worker/api.js";
import { Card, ItemName, ProblemNote, Terms } from "../parts/card.js";
import { TextField } from "../parts/fields.js";
import { about, epsilonInWords, moreLikeThis, percent } from "../parts/in-words.js";
import { budgetProblem, entries, knownDatasets, setBudget, status } from "../state/budget-state.js";
import { dataset } from "../state/data-state.js";
import { cost } from "../state/price-state.js";
import { show } from "../state/release-state.js";

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

function BudgetForm() {
  const epsilon = useSignal("3");
  const delta = useSignal("1e-5");
  const missing = missingOf(epsilon.value, delta.value);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const failure = delta.value.trim();
        void setBudget({ epsilon: epsilon.value.trim(), ...(failure === "" ? {} : { delta: failure }) });
      }}
    >
      <p>
        How much may ever be spent on these people? All releases together stay below it, and it cannot be
        raised later.
      </p>
      <div class="pair">
        <TextField label="Budget, epsilon" value={epsilon} numeric />
        <TextField
          label="Budget, delta"
          value={delta}
          numeric
          hint="Leave it empty if all your questions have a public list."
        />
      </div>
      <p class="words" role="status">
        {missing ?? epsilonInWords(about(epsilon.value), "all releases together")}
      </p>
      <div class="row">
        <button type="submit" class="primary" disabled={missing !== undefined}>
          Set the budget
        </button>
      </div>
    </form>
  );
}

/** What is missing before a budget can be set, in words; undefined if nothing is. */
function missingOf(epsilon: string, delta: string): string | undefined {
  if (about(epsilon) === undefined) return "Give ε a number above zero: 3, 0.5 or 1/3.";
  if (delta.trim() !== "" && !((about(delta) ?? 1) < 1))
    return "Give δ a small number above zero, 1e-5, say, or nothing.";
  return undefined;
}

function KnownDatasets({ words }: { readonly words: string }) {
  if (knownDatasets.value.length === 0) return null;
  return (
    <div class="row">
      <span class="soft small">{words}</span>
      {knownDatasets.value.map((name) => (
        <button
          key={name}
          type="button"
          class="small-button"
          onClick={() => {
            dataset.value = name;
          }}
        >
          <ItemName name={name} />
        </button>
      ))}
    </div>
  );
}

function BudgetLog({ entries }: { readonly entries: readonly LedgerEntry[] }) {
  if (entries.length === 0) return <p class="soft small">Nothing was released yet.</p>;
  return (
    <details>
      <summary>Log of releases</summary>
      <ol class="log" reversed>
        {entries.toReversed().map(({ sequence, time, loss, question, head, published }) => (
          <li key={sequence}>
            <strong>{loss}</strong>
            <span>{question}</span>
            <span class="soft small">
              <time dateTime={time}>{time.slice(0, 16).replace("T", " ")}</time>, record {sequence},{" "}
              <code title={head}>{head.slice(0, 12)}</code>
            </span>
            {published && (
              <button type="button" class="quiet" onClick={() => show(published)}>
                Show again<span class="visually-hidden"> record {sequence}</span>
              </button>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}
