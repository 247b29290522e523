/**
 * The last word before a charge: what it costs, what is left, and that it cannot be taken back. A native dialog, so that the
 * keyboard stays inside it and Escape leaves it.
 * @module
 */
import type { RefObject } from "preact";
import type { Cost } from "../../worker/api.js";
import { announce } from "../parts/announce.js";
import { ProblemNote } from "../parts/problem-note.js";
import { Terms } from "../parts/terms.js";
import { status } from "../state/budget-state.js";
import { dataset, unitInWords } from "../state/data-state.js";
import { cost } from "../state/price-state.js";
import { release, releaseProblem, releasing, show } from "../state/release-state.js";
import { moreLikeThis } from "./more-like-this.js";

export function ConfirmDialog({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
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
