/**
 * Step four: the one button that lets something out.
 * @module
 */
import { useRef } from "preact/hooks";
import { visible } from "winnow-release";
import type { Cost } from "../../worker/api.js";
import { BUDGET } from "../budget/budget-card.js";
import { Card } from "../parts/card.js";
import { ProblemNote } from "../parts/problem-note.js";
import { status } from "../state/budget-state.js";
import { view } from "../state/data-state.js";
import { cost, costProblem } from "../state/price-state.js";
import { isAboutTheQuestion } from "../state/problem.js";
import { obstacle, releaseProblem } from "../state/release-state.js";
import { ConfirmDialog } from "./confirm-dialog.js";
import { moreLikeThis } from "./more-like-this.js";

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
