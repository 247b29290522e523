/**
 * Step four: the one button that lets something out.
 * @module
 */
import { useRef } from "preact/hooks";
import { Card } from "../parts/card.js";
import { ProblemNote } from "../parts/problem-note.js";
import { cost, costProblem } from "../state/budget-state.js";
import { view } from "../state/data-state.js";
import { isAboutTheQuestion } from "../state/problem.js";
import { obstacle, releaseProblem } from "../state/release-state.js";
import { ConfirmDialog } from "./confirm-dialog.js";
import { moreLikeThis } from "./more-like-this.js";

export function ReleaseCard() {
  const dialog = useRef<HTMLDialogElement>(null);
  const askToConfirm = () => {
    releaseProblem.value = undefined; // what went wrong the last time is over
    dialog.current?.showModal();
  };
  return (
    <Card title="Release" ordinal={4} waiting={view.value === undefined}>
      <ProblemNote problem={isAboutTheQuestion(costProblem.value) ? undefined : costProblem.value} />
      {cost.value && (
        <p class="words">
          This costs <strong>{cost.value.loss}</strong>. The budget has room for{" "}
          {moreLikeThis(cost.value).replace(" more", "")}.
        </p>
      )}
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
          {obstacle.value ?? "You will be asked once more before anything is spent."}
        </span>
      </div>
      <ConfirmDialog dialog={dialog} />
    </Card>
  );
}
