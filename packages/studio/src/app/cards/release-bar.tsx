/**
 * The bar that stays in sight: ε, what to expect, the cost, the remaining budget, and the one button that releases. Before
 * a charge the page asks for confirmation, and warns if the answer is likely useless, with what would do better.
 * @module
 */

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { unitInWords, visible } from "winnow-release";
import type { AskedGroups, Cost } from "../../worker/api.js";
import { isAboutTheQuestion } from "../../worker/studio-refusal.js";
import { Agreement, announce, Confirm, ignoreRepeats, ProblemNote, Terms } from "../parts/card.js";
import { Choice } from "../parts/fields.js";
import { about, counted, moreLikeThis, percent } from "../parts/in-words.js";
import { cost, costProblem, status } from "../state/budget-state.js";
import { dataset, itemColumn, unitAsked } from "../state/data-state.js";
import { nothingInWords, VERDICTS } from "../state/expectation.js";
import { takes, titleOf } from "../state/kinds.js";
import { here, outlook, privacy } from "../state/plan-state.js";
import { asked, candidates, epsilon, epsilonFrom, groups, neighbours } from "../state/question-state.js";
import { obstacle, release, releaseProblem, releasing, show } from "../state/release-state.js";
import { BUDGET } from "./budget-card.js";
import { AnswerVerdict, BetterChoices, PrivacyVerdict, toneOf } from "./plan-card.js";

/** The focus is never under the bar: the page keeps as much room below it as the bar takes. */
function keepClear(bar: HTMLElement): () => void {
  const room = () => (getComputedStyle(bar).position === "sticky" ? bar.offsetHeight + GAP : 0);
  const observer = new ResizeObserver(() => {
    document.documentElement.style.scrollPaddingBlockEnd = `${room()}px`;
    const focused = document.activeElement; // what came in above it may have moved it
    if (
      !isPointing &&
      focused?.matches(":focus-visible") &&
      focused.getBoundingClientRect().top < innerHeight
    )
      clear(focused);
  });
  // A page that moves between press and release would lose the click.
  let isPointing = false;
  const point = ({ type }: Event) => {
    isPointing = type === "pointerdown";
  };
  const lift = ({ target }: FocusEvent) => {
    if (!isPointing && target instanceof Element) clear(target);
  };
  const clear = (target: Element) => {
    if (bar.contains(target) || target.closest("dialog")) return;
    const { bottom, top } = target.getBoundingClientRect();
    const edge = bar.getBoundingClientRect().top;
    const under = bottom - (edge - GAP);
    if (room() > 0 && under > 0 && edge < innerHeight) scrollBy(0, Math.min(under, Math.max(top, 0)));
  };
  observer.observe(bar);
  observer.observe(document.body);
  const listeners = [
    ["focusin", lift],
    ["pointerdown", point],
    ["pointerup", point],
    ["pointercancel", point],
  ] as const;
  for (const [name, listen] of listeners) document.addEventListener(name, listen as EventListener);
  return () => {
    observer.disconnect();
    for (const [name, listen] of listeners) document.removeEventListener(name, listen as EventListener);
    document.documentElement.style.scrollPaddingBlockEnd = "";
  };
}

const GAP = 12;

export function ReleaseBar() {
  const dialog = useRef<HTMLDialogElement>(null);
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => (bar.current ? keepClear(bar.current) : undefined), []);
  const askToConfirm = () => {
    if (obstacle.value !== undefined) return; // the button may be updated a moment later
    releaseProblem.value = undefined; // the last problem is over
    dialog.current?.showModal();
  };
  return (
    <section ref={bar} class="release-bar" aria-label="Release">
      <ProblemNote problem={isAboutTheQuestion(costProblem.value) ? undefined : costProblem.value} />
      <div class="bar-words">
        <PrivacyVerdict brief />
        <p data-verdict={outlook.value?.verdict}>
          {outlook.value === undefined ? "Answer: not known yet." : <BarAnswer />}
        </p>
        <p class="soft small">
          {cost.value === undefined ? "" : `Charges ${chargedInWords(cost.value)}. `}
          {status.value?.state === "ready" && `Left now: ${status.value.remaining}.`}
        </p>
      </div>
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

/** The verdict and what comes out; on a narrow bar the verdict alone. */
function BarAnswer() {
  const { verdict, words } = outlook.value!;
  return (
    <>
      <strong>Answer{verdict === undefined ? "" : `: ${lower(VERDICTS[verdict])}`}</strong>:{" "}
      {verdict === "check" ? "the rows or the list may not be what you think." : `${words}.`}
    </>
  );
}

function lower(words: string): string {
  return `${words.slice(0, 1).toLowerCase()}${words.slice(1)}`;
}

/** The charge, and why it may be a little less than the ε that was typed. */
function chargedInWords({ loss, inRho }: Cost): string {
  const also = inRho === undefined ? "" : `, or ${inRho} in a budget in ρ`;
  const charged = /^ε = ([^,]+)/.exec(loss)?.[1];
  const isLess = charged !== undefined && about(charged) !== about(epsilon.value);
  const why = isLess
    ? ` of the ε = ${epsilon.value} you typed: the noise is chosen to fit within it, and its own loss is charged`
    : "";
  return `${loss}${also}${why}`;
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
      <div class="verdict" data-verdict={toneOf(privacy.value?.strength ?? "")}>
        <PrivacyVerdict />
      </div>
      {outlook.value?.verdict && (
        <div class="verdict" data-verdict={outlook.value.verdict}>
          <p>
            <AnswerVerdict />
          </p>
          {outlook.value.verdict !== "good" && <BetterChoices onTake={() => dialog.current?.close()} />}
        </div>
      )}
      <Consequences />
      <Choice
        legend="How was ε chosen? The statement says it."
        chosen={epsilonFrom}
        options={[
          { value: "private-rows", label: "By looking at these predictions" },
          { value: "before", label: "Before anyone looked" },
          { value: "public-twin", label: "On a public twin" },
        ]}
      />
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
        ["Question", questionInWords()],
        ["Data set", dataset.value],
        ["Unit of privacy", unitInWords({ unit: unitAsked.value, neighbours: neighbours.value })],
        ["Charged", `${cost.value === undefined ? "unknown" : chargedInWords(cost.value)}${shortList()}`],
        ["Left now", left],
        ["Left after it", leftAfter(cost.value)],
        ["Can it be undone?", "No. The charge stays whatever the answer is."],
      ]}
    />
  );
}

/** Towards an (ε, δ) budget, a short list costs less only where the names are all that is paid. */
function shortList(): string {
  const charged = here.value?.charged;
  if (charged === undefined || charged >= 0.995) return "";
  return `; on average ${percent(charged)} of it, because a list that ends early may cost less`;
}

/** The question once more, as it will be asked: what, among which candidates, with which limit. */
function questionInWords(): string {
  const { kind, k, domain, quantiles, range, maxItemsPerUser, counts, resolution, where } = asked.value;
  const list = candidates.value;
  const isAmong = domain === "listed" && list !== undefined;
  return [
    k === undefined ? titleOf(kind) : `${titleOf(kind)}, ${takes("maxK", kind) ? "at most " : "k = "}${k}`,
    `column ${itemColumn.value}`,
    isAmong ? `a public list of ${counted(list.size, "candidate", "candidates")}` : "",
    asked.value.groups === undefined ? "" : groupsAsked(asked.value.groups),
    quantiles === undefined ? "" : `quantiles ${quantiles.join(", ")}`,
    range === undefined ? "" : `values from ${range.lower} to ${range.upper}`,
    maxItemsPerUser === undefined ? "" : `at most ${maxItemsPerUser} per person`,
    counts ? "with counts" : resolution === undefined ? "" : "with leads",
    where === undefined ? "" : `only rows for which ${where}`,
  ]
    .filter((part) => part !== "")
    .join("; ");
}

function groupsAsked({ by, list, maxGroupsPerUser }: AskedGroups): string {
  const size = groups.value?.size ?? 0;
  const which =
    list === "listed"
      ? `a public list of ${counted(size, "group", "groups")}`
      : "the groups that enough people are in";
  return `by ${by.join(" and ")}: ${which}, each person in at most ${maxGroupsPerUser}`;
}

function leftAfter(cost: Cost | undefined): string {
  return cost?.left === undefined ? "unknown" : `${cost.left}: ${moreLikeThis(cost, 1)}`;
}
