/**
 * The budget of the data set, and the spent part of it. A budget is set once and can't be raised later, which makes
 * it a promise. So typing errors are caught before it is set, and the curator confirms it. Data sets with a budget in this
 * browser are offered to choose from: the same people under another name would have a second budget, and neither would
 * be the promise that it seems to be. Where the ledger is lost, the page says for which data sets, and how to restore it.
 * @module
 */

import { useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Kin, LedgerStatus } from "../../worker/api.js";
import {
  Agreement,
  Card,
  Confirm,
  ItemName,
  ignoreRepeats,
  leadFocus,
  ProblemNote,
  Terms,
} from "../parts/card.js";
import { TextField } from "../parts/fields.js";
import { about, epsilonInWords, moreLikeThis, percent } from "../parts/in-words.js";
import {
  budgetProblem,
  concernAboutBudget,
  cost,
  kin,
  knownDatasets,
  setBudget,
  status,
} from "../state/budget-state.js";
import { dataset, isExample } from "../state/data-state.js";
import { budgetPrivacy, outlook } from "../state/plan-state.js";
import { LostNote } from "./ledger-card.js";
import { AnswerVerdict, toneOf } from "./plan-card.js";

/** Where the card is, for a link to it. */
export const BUDGET = "budget";

export function BudgetCard() {
  const name = dataset.value.trim();
  return (
    <Card
      title="What it costs"
      ordinal={4}
      place={BUDGET}
      aside={name === "" ? undefined : <ItemName name={name} />}
      waiting={name === ""}
    >
      <LostNote />
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
        Each data set has one budget: the most that releases may ever reveal about a person in it.
      </p>
      <KnownDatasets words="Kept in this browser:" />
    </>
  );
}

function NoBudget() {
  return (
    <div class="stack">
      {kin.value ? (
        <SamePeople kin={kin.value} />
      ) : (
        !isExample.value && <KnownDatasets words="The same people as in one of these? Then choose it:" />
      )}
      <BudgetForm />
    </div>
  );
}

/** The same rows, or nearly the same name: a second budget for the same people would break both promises. */
function SamePeople({ kin: { name, why } }: { readonly kin: Kin }) {
  return (
    <div class="problem" role="alert">
      <p>
        <strong>
          {why === "rows" ? "These rows were charged to " : "There is a budget with nearly this name: "}
          <ItemName name={name} />
          {why === "rows" ? " before." : "."}
        </strong>
      </p>
      <p>A second budget for the same people would promise more than either of them keeps.</p>
      <p>
        <button
          type="button"
          class="small-button"
          onClick={() => {
            dataset.value = name;
          }}
        >
          Use the budget of <ItemName name={name} />
        </button>
      </p>
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
        <p>A guess could break the promise. Restore the ledger from a file, or treat the budget as spent.</p>
      </div>
    );
  return <Remaining status={status} />;
}

function Remaining({ status }: { readonly status: Extract<LedgerStatus, { state: "ready" }> }) {
  const top = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => leadFocus(top.current), []); // the button that set it is gone
  return (
    <div ref={top} tabIndex={-1} class="stack">
      <div class="meter-line">
        <meter aria-label="Share of the budget that is spent" min={0} max={1} value={status.share}>
          {percent(status.share)}
        </meter>
        <Terms
          terms={[
            ["Budget", status.budget],
            ["Spent", status.spent],
            ["Remaining", status.remaining],
          ]}
        />
      </div>
      {cost.value && (
        <p class="words">
          This question costs <strong>{cost.value.loss}</strong>
          {cost.value.times !== undefined && <>. Room for {moreLikeThis(cost.value)}</>}.
        </p>
      )}
      {status.isUnspent && (
        <details>
          <summary>Correct this budget</summary>
          <p class="hint">Nothing is spent of it yet, so a typing error can still be corrected.</p>
          <BudgetForm isCorrection />
        </details>
      )}
    </div>
  );
}

function BudgetForm({ isCorrection = false }: { readonly isCorrection?: boolean }) {
  const epsilon = useSignal("3");
  const delta = useSignal("1e-5");
  const isOther = useSignal("");
  const related = isCorrection ? undefined : kin.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const concern = useSignal<string | undefined>(undefined);
  const agreed = useSignal("");
  const wrong = wrongIn(epsilon.value, delta.value);
  const isWrong = wrong.epsilon !== undefined || wrong.delta !== undefined;
  const wanted = () => {
    const failure = delta.value.trim();
    return { epsilon: epsilon.value.trim(), ...(failure === "" ? {} : { delta: failure }) };
  };
  // Known before the dialog opens; the worker asks itself too, so an answer that is late lets nothing through.
  useSignalEffect(() => {
    const asked = wanted();
    void concernAboutBudget(asked).then((found) => {
      if (JSON.stringify(asked) === JSON.stringify(wanted())) concern.value = found;
    });
  });
  const set = () => {
    dialog.current?.close();
    void setBudget({
      ...wanted(),
      agreed: agreed.value === concern.value,
      isNewDataset: related !== undefined && isOther.value !== "",
    });
  };
  return (
    <form
      class="stack"
      onKeyDown={ignoreRepeats}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) dialog.current?.showModal();
      }}
    >
      <p>How much may ever be spent on these people? All releases together stay within it.</p>
      <div class="pair">
        <TextField label="Budget, epsilon" value={epsilon} numeric problem={wrong.epsilon} />
        <TextField
          label="Budget, delta"
          value={delta}
          numeric
          problem={wrong.delta}
          hint="Empty: public lists and numbers only."
        />
      </div>
      {!isWrong && <p class="hint">{epsilonInWords(about(epsilon.value), "all releases together")}</p>}
      <div class="row">
        <button type="submit" class="primary" disabled={isWrong}>
          Set the budget…
        </button>
      </div>
      <Confirm
        dialog={dialog}
        title={`Never spend more than ε = ${epsilon.value.trim()} on these people?`}
        safe="Not yet"
        action="Set the budget"
        disabled={
          (concern.value !== undefined && agreed.value !== concern.value) ||
          (related !== undefined && isOther.value === "")
        }
        onConfirm={set}
      >
        <Terms
          terms={[
            ["Data set", dataset.value],
            ["Budget, ε", epsilon.value],
            ["Budget, δ", delta.value.trim() === "" ? "none: public lists and numbers only" : delta.value],
            ["Can it be raised?", "Only while nothing is spent of it. After that a budget is a promise."],
          ]}
        />
        <TotalPrivacy epsilon={epsilon.value} delta={delta.value} />
        <Agreement concern={concern.value} agreed={agreed} />
        {related && (
          <Agreement
            concern={`These may be the people of ${related.name}, who have a budget already. Go on only if they are others.`}
            agreed={isOther}
          />
        )}
      </Confirm>
    </form>
  );
}

/** What the whole budget promises, if all of it is spent. */
function TotalPrivacy({ epsilon, delta }: { readonly epsilon: string; readonly delta: string }) {
  const promise = budgetPrivacy(epsilon, delta);
  if (promise === undefined) return null;
  return (
    <div class="verdict" data-verdict={toneOf(promise.strength)}>
      <p>
        <strong>Privacy, if all of it is spent: {promise.strength}.</strong> {promise.words}.
      </p>
      {outlook.value && (
        <p data-verdict={outlook.value.verdict}>
          <AnswerVerdict />
        </p>
      )}
    </div>
  );
}

/** The problem with each number, if any. */
function wrongIn(epsilon: string, delta: string): { readonly epsilon?: string; readonly delta?: string } {
  const size = about(delta) ?? 1;
  const isFine = delta.trim() === "" || (size < 1 && size >= 1e-30);
  return {
    ...(about(epsilon) === undefined && { epsilon: "Enter a number greater than 0: 3, 0.5 or 1/3." }),
    ...(!isFine && { delta: "Enter a small number such as 1e-5, or leave it empty." }),
  };
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
