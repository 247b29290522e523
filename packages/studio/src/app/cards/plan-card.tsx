/**
 * What ε buys. The mechanisms run on the true counts, so the chart and its table of numbers are private. It begins with
 * a verdict in words. If the answer would not be good, it offers better settings, one click each.
 * @module
 */
import { OPTIONS, visible } from "winnow-release";
import type { Mechanism, PlanPoint } from "../../worker/api.js";
import { isAboutTheQuestion } from "../../worker/studio-refusal.js";
import { Card, ItemName, ProblemNote } from "../parts/card.js";
import { TextField } from "../parts/fields.js";
import { about, epsilonInWords, percent, short } from "../parts/in-words.js";
import { trouble, view } from "../state/data-state.js";
import {
  detailsInWords,
  epsilonForGoal,
  fallsIn,
  GOAL,
  successInWords,
  successOf,
  VERDICTS,
} from "../state/expectation.js";
import { asksBest, asksNumbers } from "../state/kinds.js";
import { wordsOf } from "../state/mechanisms.js";
import {
  better,
  here,
  numberPlan,
  outlook,
  planning,
  planProblem,
  points,
  privacy,
  RUNS,
  take,
} from "../state/plan-state.js";
import {
  applicable,
  asked,
  epsilon,
  mechanism,
  missing,
  named,
  paysDelta,
  spendsDelta,
  wrong,
} from "../state/question-state.js";
import { NumberChart } from "./number-question.js";
import { type Curve, PlanChart } from "./plan-chart.js";

export function PlanCard() {
  const isNumbers = asksNumbers(asked.value.kind);
  const waiting = !isNumbers && (view.value === undefined || trouble.value !== undefined);
  return (
    <Card
      title="What it buys"
      ordinal={3}
      aside={planning.value && !isNumbers ? "running the mechanism…" : undefined}
    >
      <div class="epsilon">
        <TextField label={OPTIONS.epsilon.label} value={epsilon} numeric problem={wrong.value.epsilon} />
        <p class="hint">
          {epsilonInWords(about(epsilon.value), "the release")} <a href="#why">See what that means</a>
        </p>
      </div>
      {waiting ? (
        <p class="soft">Once people are counted, the mechanism runs here hundreds of times on your counts.</p>
      ) : (
        <>
          <ProblemNote problem={isAboutTheQuestion(planProblem.value) ? undefined : planProblem.value} />
          <VerdictNote />
          {isNumbers ? <NumberChart /> : <Plan />}
        </>
      )}
    </Card>
  );
}

const SHARES = [0, 0.25, 0.5, 0.75, 1];

function Plan() {
  const { kind } = asked.value;
  const question = asked.value;
  const at = (point: PlanPoint) => ({ epsilon: point.epsilon, height: successOf(point, question) });
  const curveOf = (name: Mechanism): Curve => {
    const own = points.value.filter(({ mechanism }) => mechanism === name);
    return { name, dashes: dashesOf(name), points: own.map(at) };
  };
  const names = [...new Set(points.value.map(({ mechanism }) => mechanism))];
  const shade = points.value.filter(({ mechanism }) => mechanism === named.value);
  const goal = asksBest(kind) ? epsilonForGoal(points.value, named.value, question) : undefined;
  const { falls } = wordsOf(named.value);
  const isFalling = falls !== undefined && fallsIn(curveOf(named.value).points);
  return (
    <>
      <PlanChart
        own={curveOf(named.value)}
        others={names.filter((name) => name !== named.value).map(curveOf)}
        shade={shade.map(({ epsilon, nothing }) => ({ epsilon, height: nothing }))}
        here={here.value && at(here.value)}
        goal={goal && { epsilon: goal.epsilon, height: GOAL }}
        ticks={SHARES.map((share) => ({ height: share, label: percent(share) }))}
        label={successInWords(kind)}
        words={outlook.value?.words ?? ""}
        epsilon={epsilon}
      />
      <PlanLegend />
      {isFalling && <p class="hint">{falls}</p>}
      <p class="hint">
        Choosing ε here is choosing by looking, and so is pressing a button under the verdict: both come from
        your counts and reveal a little about these people that no ε covers. The statement says so.
      </p>
      <PlanTable />
    </>
  );
}

/** The verdict, what it rests on, and what would do better. */
function VerdictNote() {
  const expected = outlook.value;
  return (
    <div class="verdict" data-verdict={expected?.verdict} role="status">
      {expected === undefined ? (
        <p>{waitingFor()}</p>
      ) : (
        <>
          <p>
            <AnswerVerdict details />
          </p>
          <GroupNote />
          <BetterChoices />
        </>
      )}
    </div>
  );
}

/** Which group the verdict is about. */
function GroupNote() {
  const name = asksNumbers(asked.value.kind) ? numberPlan.value?.group : here.value?.group;
  if (name === undefined) return null;
  return (
    <p>
      This is what the middle group by size gets, <ItemName name={name} />: larger groups get a better answer,
      smaller ones a worse one.
    </p>
  );
}

/** Two sentences that say the same wherever they stand: how strong the promise is, and what to expect. */
export function PrivacyVerdict({ brief = false }: { readonly brief?: boolean }) {
  const promise = privacy.value;
  if (promise === undefined) return null;
  return (
    <p data-verdict={toneOf(promise.strength)}>
      <strong>Privacy: {promise.strength}</strong> at ε = {epsilon}
      {paysDelta.value || spendsDelta.value ? <>, δ = {asked.value.delta}</> : ""}
      <span class={brief ? "roomy" : undefined}>: {promise.words}</span>.
    </p>
  );
}

/** Weak promises are as much of a warning as useless answers. */
export function toneOf(strength: string): string | undefined {
  return strength.includes("weak") ? "useless" : undefined;
}

export function AnswerVerdict({ details = false }: { readonly details?: boolean }) {
  const expected = outlook.value;
  if (expected === undefined) return null;
  const { verdict, words, isList } = expected;
  const isDoubtful = verdict === "check";
  return (
    <>
      {verdict && <strong>{VERDICTS[verdict]}.</strong>}{" "}
      {isDoubtful ? (
        visible(words)
      ) : (
        <>
          At ε = {epsilon}, {isList ? "expect " : ""}
          {words}. {details && here.value && detailsInWords(here.value, here.value.epsilon)}
        </>
      )}
    </>
  );
}

/** `onTake` runs after a choice was taken. */
export function BetterChoices({ onTake }: { readonly onTake?: () => void }) {
  if (better.value.length === 0) return null;
  return (
    <ul class="better">
      {better.value.map((choice) => (
        <li key={choice.label}>
          <button
            type="button"
            class="small-button"
            onClick={() => {
              take(choice);
              (onTake ?? goOn)();
            }}
          >
            {choice.label}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The button that was pressed is gone: the focus moves to what it changed. */
function goOn(): void {
  requestAnimationFrame(() => {
    const list = document.querySelector<HTMLElement>('textarea[aria-invalid="true"]');
    (list ?? document.querySelector<HTMLElement>(".plan-handle"))?.focus();
  });
}

function waitingFor(): string {
  if (missing.value !== undefined) return "Fix the highlighted fields first.";
  if (isAboutTheQuestion(planProblem.value)) return "Fix the highlighted fields first.";
  if (planProblem.value !== undefined) return "The mechanism could not run.";
  return asksNumbers(asked.value.kind)
    ? "Working out how far off the answer can be…"
    : "Running the mechanism on your counts…";
}

const DASHES = ["", "7 4", "2 3", "9 3 2 3"];

function dashesOf(mechanism: Mechanism): string {
  return DASHES[applicable.value.indexOf(mechanism)] ?? "";
}

function PlanLegend() {
  const drawn = applicable.value.filter((name) => points.value.some(({ mechanism }) => mechanism === name));
  const goal = epsilonForGoal(points.value, named.value, asked.value);
  const isHatched = points.value.some((point) => point.mechanism === named.value && point.nothing > 0.005);
  return (
    <ul class="legend-list">
      {drawn.map((name) => (
        <li key={name} data-chosen={name === named.value}>
          <svg width="26" height="8" viewBox="0 0 26 8" aria-hidden="true">
            <path d="M0 4h26" stroke="currentColor" stroke-width="2.2" stroke-dasharray={dashesOf(name)} />
          </svg>
          {name === named.value ? (
            wordsOf(name).title
          ) : (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                mechanism.value = name;
                goOn();
              }}
            >
              {wordsOf(name).title}
            </button>
          )}
        </li>
      ))}
      {isHatched && (
        <li>
          <span class="hatch-key" aria-hidden="true" /> names no item
        </li>
      )}
      {goal !== undefined && asksBest(asked.value.kind) && <li>good from ε = {goal.epsilon}</li>}
    </ul>
  );
}

interface Column {
  readonly title: string;
  readonly show: (point: PlanPoint) => string;
}

const EPSILON: Column = { title: "ε", show: ({ epsilon }) => epsilon };
const FOUND: Column = {
  title: "True winners",
  show: ({ recall, recallError }) => `${percent(recall)} ± ${percent(2 * recallError)}`,
};
const LENGTH: Column = { title: "Names", show: ({ length }) => short(length) };
const RIGHT: Column = { title: "Right", show: ({ right }) => short(right) };
const NO_ITEM: Column = { title: "Names no item", show: ({ nothing }) => percent(nothing) };
const COUNT: Column = {
  title: "Count off by",
  show: ({ countError, nothing }) => (countError === undefined || nothing === 1 ? "–" : short(countError)),
};
const LEAD: Column = {
  title: "Lead off by",
  show: ({ gapError }) => (gapError === undefined ? "–" : short(gapError)),
};
const CHARGED: Column = {
  title: "Share of the price charged",
  show: ({ charged = 1 }) => percent(charged),
};

function PlanTable() {
  const rows = points.value
    .filter(({ mechanism }) => mechanism === named.value)
    .sort((a, b) => (about(a.epsilon) ?? 0) - (about(b.epsilon) ?? 0));
  const others = points.value.length > rows.length;
  const has = (value: (point: PlanPoint) => unknown) => rows.some((point) => value(point) !== undefined);
  const columns = [
    EPSILON,
    ...(asksBest(asked.value.kind) ? [FOUND] : []),
    LENGTH,
    RIGHT,
    NO_ITEM,
    ...(has(({ countError }) => countError) ? [COUNT] : []),
    ...(has(({ gapError }) => gapError) ? [LEAD] : []),
    ...(has(({ charged }) => charged) ? [CHARGED] : []),
  ];
  return (
    <details>
      <summary>Show the numbers</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Numbers that may scroll sideways">
        <table>
          <caption class="visually-hidden">What ε buys, in numbers</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" class="number">
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((point) => (
              <tr key={`${point.mechanism} ${point.epsilon}`}>
                {columns.map((column) => (
                  <td key={column.title} class="number">
                    {column.show(point)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="hint">
        {wordsOf(named.value).title}: each row is {RUNS} runs of the mechanism itself on the true counts.
        {others && " Choose another mechanism beside the chart to see its numbers."}
      </p>
    </details>
  );
}
