/**
 * Step four: the one button that lets something out, and the last word before a charge: what it costs, what remains,
 * and that it can't be taken back. The dialog is a native one, so the keyboard stays inside it and Escape leaves it.
 * @module
 */

import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { visible } from "winnow-release";
import type { Cost } from "../../worker/api.js";
import { announce, Card, ProblemNote, Terms } from "../parts/card.js";
import { moreLikeThis } from "../parts/in-words.js";
import { status } from "../state/budget-state.js";
import { dataset, unitInWords, view } from "../state/data-state.js";
import { cost, costProblem } from "../state/price-state.js";
import { isAboutTheQuestion } from "../state/problem.js";
import { obstacle, release, releaseProblem, releasing, show } from "../state/release-state.js";
import { BUDGET } from "./budget-card.js";

export function ReleaseCard() {
  const dialog = useRef<HTMLDialogElement>(null);
  const askToConfirm = () => {
    if (obstacle.value !== undefined) return; // the button may learn of it a moment later
    releaseProblem.value = undefined; // what went wrong the last time is over
    dialog.current?.showModal();
  };
  return (
    <Card title="Release" ordinal={4} waiting={view.value === undefined}>
      <ProblemNote problem={isAboutTheQuestion(costProblem.value) ? undefined : costProblem.value} />
      {cost.value && <Price cost={cost.value} />}
      <div class="row">
        <button
          type="button"
          class="primary large crossing"
          disabled={obstacle.value !== undefined}
          aria-describedby="release-obstacle"
          onClick={askToConfirm}
        >
          Release…
        </button>
        <span id="release-obstacle" class="soft small">
          {visible(obstacle.value ?? "You will be asked once more before anything is spent.")}{" "}
          {status.value?.state === "absent" && <a href={`#${BUDGET}`}>Go to the budget</a>}
        </span>
      </div>
      <ConfirmDialog dialog={dialog} />
    </Card>
  );
}

function Price({ cost }: { readonly cost: Cost }) {
  return (
    <p class="words">
      This costs <strong>{cost.loss}</strong>. {roomFor(cost)}
    </p>
  );
}

function roomFor(cost: Cost): string {
  if (cost.times === undefined) return "";
  if (cost.times === 0) return "The budget has no room for it.";
  return `The budget has room for ${moreLikeThis(cost).replace(" more", "")}.`;
}

function ConfirmDialog({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  // A browser lets Escape through when it is pressed twice: what went wrong is said here all the same.
  const askAgain = () => {
    if (dialog.current?.open === false) dialog.current.showModal();
  };
  const confirm = async () => {
    const answer = await release();
    if (answer === undefined) return askAgain();
    // Closed first: nothing behind an open dialog can take the keyboard.
    dialog.current?.close();
    show(answer);
    announce("Released. The answer is on the safe-to-publish side.");
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="confirm-title"
      onCancel={(event) => {
        if (releasing.value) event.preventDefault();
      }}
    >
      <div class="stack">
        <h2 id="confirm-title">Spend {cost.value?.loss} on this answer?</h2>
        <Consequences />
        <ProblemNote problem={releaseProblem.value} />
        <div class="row">
          <button type="button" class="primary" disabled={releasing.value} onClick={() => void confirm()}>
            {releasing.value ? "Releasing…" : "Charge and release"}
          </button>
          <button type="button" disabled={releasing.value} onClick={() => dialog.current?.close()}>
            Not now
          </button>
        </div>
      </div>
    </dialog>
  );
}

function Consequences() {
  const left = status.value?.state === "ready" ? status.value.remaining : "unknown";
  return (
    <Terms
      terms={[
        ["Data set", dataset.value],
        ["One person is", unitInWords.value],
        ["Cost", cost.value?.loss ?? "unknown"],
        ["Left before it", left],
        ["Left after it", leftAfter(cost.value)],
        ["Can it be undone?", "No. The charge is written first, and stays whatever the answer is."],
      ]}
    />
  );
}

function leftAfter(cost: Cost | undefined): string {
  return cost?.left === undefined ? "unknown" : `${cost.left}: ${moreLikeThis(cost, 1)}`;
}
