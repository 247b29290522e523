/**
 * The bar that stays in sight: ε, what to expect, the cost, the remaining budget, and the one button that releases. Before
 * a charge the page asks for confirmation, and warns if the answer is likely useless, with what would do better.
 * @module
 */

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { unitInWords, visible } from "winnow-release";
import type { Cost } from "../../worker/api.js";
import { isAboutTheQuestion } from "../../worker/studio-refusal.js";
import { Agreement, announce, Confirm, ignoreRepeats, ProblemNote, Terms } from "../parts/card.js";
import { moreLikeThis } from "../parts/in-words.js";
import { cost, costProblem, status } from "../state/budget-state.js";
import { dataset, unitAsked } from "../state/data-state.js";
import { nothingInWords, VERDICTS } from "../state/expectation.js";
import { here, outlook } from "../state/plan-state.js";
import { epsilon, neighbours } from "../state/question-state.js";
import { obstacle, release, releaseProblem, releasing, show } from "../state/release-state.js";
import { BUDGET } from "./budget-card.js";
import { BetterChoices } from "./plan-card.js";

export function ReleaseBar() {
  const dialog = useRef<HTMLDialogElement>(null);
  const askToConfirm = () => {
    if (obstacle.value !== undefined) return; // the button may be updated a moment later
    releaseProblem.value = undefined; // the last problem is over
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
          {visible(obstacle.value ?? warning() ?? "You confirm before anything is spent.")}{" "}
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

/** Shown at the button if an answer is likely useless. */
function warning(): string | undefined {
  if (outlook.value?.verdict !== "useless") return undefined;
  const nothing = here.value === undefined ? "" : nothingInWords(here.value);
  return `Likely useless: ${nothing || outlook.value.words}.`;
}

function ConfirmRelease({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  const agreed = useSignal("");
  const concern = cost.value?.concern;
  // Browsers let Escape through when it is pressed twice. The dialog opens again to show the problem.
  const askAgain = () => {
    if (dialog.current?.open === false) dialog.current.showModal();
  };
  const confirm = async () => {
    const answer = await release(agreed.value);
    if (answer === undefined) return askAgain();
    // Closed first: nothing behind an open dialog can take the focus.
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
      disabled={concern !== undefined && agreed.value !== concern}
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
      <Agreement concern={concern} agreed={agreed} />
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
        ["Unit of privacy", unitInWords({ unit: unitAsked.value, neighbours: neighbours.value })],
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
