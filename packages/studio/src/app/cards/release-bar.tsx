/**
 * The bar that stays in sight: ε, what to expect, what it costs, what remains, and the one button that lets something
 * out. Before a charge one is asked once more, and told if the answer is likely useless, with what would do better.
 * @module
 */

import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { visible } from "winnow-release";
import type { Cost } from "../../worker/api.js";
import { announce, ProblemNote, Terms } from "../parts/card.js";
import { Confirm, ignoreRepeats } from "../parts/confirm.js";
import { moreLikeThis } from "../parts/in-words.js";
import { status } from "../state/budget-state.js";
import { dataset, unitInWords } from "../state/data-state.js";
import { nothingInWords, VERDICTS } from "../state/expectation.js";
import { here, outlook } from "../state/plan-state.js";
import { cost, costProblem } from "../state/price-state.js";
import { isAboutTheQuestion } from "../state/problem.js";
import { epsilon } from "../state/question-state.js";
import { obstacle, release, releaseProblem, releasing, show } from "../state/release-state.js";
import { BUDGET } from "./budget-card.js";
import { BetterChoices } from "./plan-card.js";

export function ReleaseBar() {
  const dialog = useRef<HTMLDialogElement>(null);
  const askToConfirm = () => {
    if (obstacle.value !== undefined) return; // the button may learn of it a moment later
    releaseProblem.value = undefined; // what went wrong the last time is over
    dialog.current?.showModal();
  };
  return (
    <section class="release-bar" aria-label="Release">
      <ProblemNote problem={isAboutTheQuestion(costProblem.value) ? undefined : costProblem.value} />
      <dl class="bar-terms">
        <BarTerm name="ε" value={epsilon.value} />
        <BarTerm name="Expect" value={outlook.value?.short ?? "–"} tone={outlook.value?.verdict} />
        <BarTerm name="Costs" value={cost.value?.loss ?? "–"} />
        <BarTerm name="Remains" value={remains(cost.value)} />
      </dl>
      <div class="bar-action">
        <button
          type="button"
          class="primary large crossing"
          disabled={obstacle.value !== undefined}
          aria-describedby="release-obstacle"
          onKeyDown={ignoreRepeats}
          onClick={askToConfirm}
        >
          Release…
        </button>
        <span
          id="release-obstacle"
          class="soft small"
          data-quiet={obstacle.value === undefined && warning() === undefined}
        >
          {visible(obstacle.value ?? warning() ?? "You are asked once more before anything is spent.")}{" "}
          {status.value?.state === "absent" && <a href={`#${BUDGET}`}>Go to the budget</a>}
        </span>
      </div>
      <ConfirmRelease dialog={dialog} />
    </section>
  );
}

interface BarTermProps {
  readonly name: string;
  readonly value: string;
  readonly tone?: string | undefined;
}

function BarTerm({ name, value, tone }: BarTermProps) {
  return (
    <div data-verdict={tone}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function remains(cost: Cost | undefined): string {
  if (cost?.left !== undefined) return cost.left;
  return status.value?.state === "ready" ? status.value.remaining : "–";
}

/** Said at the button where an answer is likely useless. */
function warning(): string | undefined {
  if (outlook.value?.verdict !== "useless") return undefined;
  const nothing = here.value === undefined ? "" : nothingInWords(here.value);
  return `Likely useless: ${nothing || outlook.value.words}.`;
}

function ConfirmRelease({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
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
    <Confirm
      dialog={dialog}
      title={`Spend ${cost.value?.loss ?? ""} on this answer?`}
      safe="Not now"
      action={releasing.value ? "Releasing…" : "Charge and release"}
      busy={releasing.value}
      onConfirm={() => void confirm()}
    >
      {outlook.value?.verdict && (
        <div class="verdict" data-verdict={outlook.value.verdict}>
          <p>
            <strong>{VERDICTS[outlook.value.verdict]}:</strong> {outlook.value.words}.
          </p>
          {outlook.value.verdict === "useless" && <BetterChoices onTake={() => dialog.current?.close()} />}
        </div>
      )}
      <Consequences />
      <ProblemNote problem={releaseProblem.value} />
    </Confirm>
  );
}

function Consequences() {
  const left = status.value?.state === "ready" ? status.value.remaining : "unknown";
  return (
    <Terms
      terms={[
        ["Data set", dataset.value],
        ["Unit of privacy", unitInWords.value],
        ["Cost", `${cost.value?.loss ?? "unknown"}${isPaidByRound() ? ", or less for a short list" : ""}`],
        ["Left before it", left],
        ["Left after it", leftAfter(cost.value)],
        ["Can it be undone?", "No. The charge stays whatever the answer is."],
      ]}
    />
  );
}

function isPaidByRound(): boolean {
  return here.value?.charged !== undefined;
}

function leftAfter(cost: Cost | undefined): string {
  return cost?.left === undefined ? "unknown" : `${cost.left}: ${moreLikeThis(cost, 1)}`;
}
