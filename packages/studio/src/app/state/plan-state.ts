/**
 * What ε buys, by running the mechanisms on the private counts in the worker. One ε after the other, the chosen one
 * first; when only ε moves, the points that are there already stay. If the count is in
 * trouble, there is no plan.
 * @module
 */
import { batch, computed, effect, signal } from "@preact/signals";
import { type Rational, rational } from "winnow-dp";
import { type PrivacyVerdict, privacyVerdict } from "winnow-release";
import type { Alternative, Asked, Mechanism, NumberPlan, PlanPoint, PrivateView } from "../../worker/api.js";
import { type Problem, problemOf } from "../../worker/studio-refusal.js";
import { about } from "../parts/in-words.js";
import { cost, costIsCurrent } from "./budget-state.js";
import { studio } from "./connect-studio.js";
import { trouble, view } from "./data-state.js";
import {
  type Better,
  betterChoices,
  betterNumbers,
  nameOutlook,
  numberOutlook,
  type Outlook,
  verdictOf,
} from "./expectation.js";
import { asksNumbers } from "./kinds.js";
import { latest, type Turn } from "./latest.js";
import { perPerson } from "./number-state.js";
import {
  asked,
  candidates,
  domain,
  epsilon,
  groups,
  kind,
  mechanism,
  missing,
  mostItems,
  named,
  winners,
} from "./question-state.js";

const GRID = ["0.01", "0.03", "0.1", "0.2", "0.3", "0.5", "0.7", "1", "1.5", "2", "3", "5", "10"];
/** Runs of each mechanism at each ε. */
export const RUNS = 200;
const REST = 180;

export const points = signal<readonly PlanPoint[]>([]);
export const planning = signal(false);
export const planProblem = signal<Problem>();

/** What the mechanism that was chosen does at the ε that was chosen. */
export const here = computed(() =>
  points.value.find((point) => point.mechanism === named.value && isSame(point.epsilon, epsilon.value)),
);

/** How far off quantiles or frequencies can be; undefined for other questions. */
export const numberPlan = signal<NumberPlan>();

export const numberHere = computed(() =>
  numberPlan.value?.points.find((point) => isSame(point.epsilon, epsilon.value)),
);

/** What to expect of an answer; undefined while that is unknown. */
export const outlook = computed<Outlook | undefined>(() => {
  const expected = expectation.value;
  if (expected === undefined || doubt.value === undefined) return expected;
  return { verdict: "check", words: doubt.value };
});

const expectation = computed<Outlook | undefined>(() => {
  const { kind } = asked.value;
  if (asksNumbers(kind)) return numberHere.value && numberOutlook(numberHere.value, numberPlan.value!, kind);
  return here.value && nameOutlook(here.value, asked.value);
});

/** Why a plan says little: the rows may be read wrong, or the list may not be theirs. A release asks the same. */
const doubt = computed(() => (costIsCurrent.value ? cost.value?.doubt : undefined));

/** How strong the promise of this one release is, in words. */
export const privacy = computed<PrivacyVerdict | undefined>(() => {
  const size = sizeOf(asked.value.epsilon);
  if (size === undefined) return undefined;
  return privacyVerdict({ epsilon: size, delta: sizeOf(asked.value.delta), people: view.value?.users });
});

/** How strong the promise of a budget is, if all of it is spent. */
export function budgetPrivacy(epsilon: string, delta: string): PrivacyVerdict | undefined {
  const size = sizeOf(epsilon);
  return size && privacyVerdict({ epsilon: size, delta: sizeOf(delta), people: view.value?.users });
}

/** The number that was typed, exactly; undefined while it isn't one. */
function sizeOf(text: string | undefined): Rational | undefined {
  try {
    return text === undefined || about(text) === undefined ? undefined : rational(text.replaceAll(" ", ""));
  } catch {
    return undefined;
  }
}

/** What other settings would do, where the answer isn't good. */
export const others = signal<readonly Alternative[]>([]);

/** What would do better, where the answer is not good. */
export const better = computed<readonly Better[]>(() => {
  if (outlook.value?.verdict === "check") return [];
  if (asksNumbers(asked.value.kind))
    return numberHere.value ? betterNumbers(numberHere.value, numberPlan.value!, asked.value.kind) : [];
  return here.value === undefined ? [] : betterChoices(points.value, here.value, asked.value, others.value);
});

export function take({ change }: Better): void {
  if ("epsilon" in change) epsilon.value = change.epsilon;
  else if ("k" in change) winners.value = String(change.k);
  else if ("maxItemsPerUser" in change) takeLimit(change.maxItemsPerUser, change.mechanism);
  else if ("mechanism" in change) mechanism.value = change.mechanism;
  else domain.value = change.domain;
}

function takeLimit(most: number, limited: Mechanism | undefined): void {
  batch(() => {
    if (asksNumbers(kind.value)) perPerson.value = String(most);
    else mostItems.value = String(most);
    if (limited !== undefined) mechanism.value = limited;
  });
}

/** The worker writes 0.5 where 1/2 was typed. */
function isSame(one: string, other: string): boolean {
  return about(one) === about(other);
}

/** The question that the points answer, whatever its ε; empty where there is none. */
let answered = "";

const plan = latest<Asked>(REST, compute);

async function compute(question: Asked, turn: Turn): Promise<void> {
  try {
    const add = asksNumbers(question.kind) ? addNumberPoint : addPoints;
    for (const value of wantedFor(question)) {
      await add(question, value, turn);
      if (isSame(value, question.epsilon ?? "")) await compare(question, turn);
    }
    await compare(question, turn);
  } catch (error) {
    if (turn.current()) planProblem.value = problemOf(error);
  }
  if (turn.current()) planning.value = false;
}

/** The question that the others were tried for. */
let compared = "";

/** Tries other settings where the answer isn't good. */
async function compare(question: Asked, turn: Turn): Promise<void> {
  const key = JSON.stringify([question, candidates.peek()?.hash, groups.peek()?.hash]);
  const point = here.peek();
  if (!turn.current() || key === compared || asksNumbers(question.kind) || point === undefined) return;
  compared = key;
  others.value = [];
  if (verdictOf(point, question) === "good") return;
  const found = await studio.alternatives(question).catch(() => []);
  if (turn.current()) others.value = found;
}

/** Each ε that is not there yet, the chosen one first. */
function wantedFor({ epsilon = "" }: Asked): string[] {
  const known = [...points.peek(), ...(numberPlan.peek()?.points ?? [])];
  return [...new Set([epsilon, ...GRID])].filter(
    (value) => !known.some((point) => isSame(point.epsilon, value)),
  );
}

/** All mechanisms at one ε, or none, so that the points of an ε are complete. */
async function addPoints(asked: Asked, epsilon: string, turn: Turn): Promise<void> {
  if (!turn.current()) return;
  const found = await studio.plan({ asked, epsilons: [epsilon], runs: RUNS }, () => {});
  if (turn.current()) points.value = [...points.value, ...found];
}

async function addNumberPoint(asked: Asked, epsilon: string, turn: Turn): Promise<void> {
  if (!turn.current()) return;
  const found = await studio.planNumbers({ asked, epsilons: [epsilon] });
  const before = numberPlan.peek()?.points ?? [];
  if (turn.current())
    numberPlan.value = { ...numberPlan.peek(), ...found, points: [...before, ...found.points] };
}

/** The parts of the question, except ε, that the points depend on. */
function keyOf({ epsilon: _, mechanism: __, unit: ___, ...rest }: Asked): string {
  return JSON.stringify([rest, candidates.peek()?.hash, groups.peek()?.hash]);
}

/** The count this plan was made for. */
let counted: PrivateView | undefined;

/**
 * From now on the plan follows the question. The points of another question are gone at once, before new ones come. How far off
 * numbers can be is public, so that plan needs no data; once people are counted, it says beside how many values there are.
 */
export function followQuestion(): void {
  effect(() => {
    const isCounted = view.value !== undefined && trouble.value === undefined;
    const isReady = missing.value === undefined && (isCounted || asksNumbers(asked.value.kind));
    const question = isReady ? asked.value : undefined;
    const key = question === undefined ? "" : keyOf(question);
    batch(() => {
      if (key !== answered || view.value !== counted) {
        points.value = [];
        others.value = [];
        compared = "";
        numberPlan.value = undefined;
      }
      planProblem.value = undefined;
      planning.value = question !== undefined && wantedFor(question).length > 0;
    });
    answered = key;
    counted = view.value;
    if (question === undefined) plan.drop();
    else plan.ask(question);
  });
}
