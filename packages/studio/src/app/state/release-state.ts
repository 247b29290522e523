/**
 * The last step: one release, charged before it is shown. The id is chosen when the button is pressed and kept until the
 * worker has answered, so that trying again after an error can never charge twice.
 * @module
 */
import { batch, computed, effect, signal } from "@preact/signals";
import type { Published } from "../../worker/api.js";
import { type Problem, problemOf } from "../../worker/studio-refusal.js";
import { budgetProblem, cost, costIsCurrent, refreshBudget, status } from "./budget-state.js";
import { studio } from "./connect-studio.js";
import { dataset, shape, trouble, view } from "./data-state.js";
import { asked, epsilonFrom, missing } from "./question-state.js";

export const published = signal<Published>();
export const releasing = signal(false);
export const releaseProblem = signal<Problem>();

/** Why nothing can be released yet; undefined if it can. */
export const obstacle = computed<string | undefined>(() => {
  if (view.value === undefined) return "Count your data first.";
  if (trouble.value !== undefined) return trouble.value.sentence;
  if (missing.value !== undefined) return missing.value;
  if (dataset.value.trim() === "") return "Name the data set, so that the page can keep its budget.";
  if (status.value?.state === "absent") return "Set a budget first.";
  if (status.value?.state === "unknown") return "The budget is unknown, so nothing can be released.";
  if (budgetProblem.value !== undefined) return "The budget cannot be read, so nothing can be released.";
  if (!costIsCurrent.value) return "Working out the cost…";
  if (cost.value === undefined) return "Fix the highlighted fields first.";
  if (!cost.value.admitted) return cost.value.why ?? "The budget has no room for this. A smaller ε may fit.";
  return undefined;
});

let pending: { readonly id: string; readonly key: string } | undefined;

/** The id of a release that was asked for and not answered, if it is the same again; otherwise a new one. */
function idFor(key: string): string {
  if (pending?.key !== key) pending = { id: crypto.randomUUID(), key };
  return pending.id;
}

/** Charges the budget; resolves to the answer, or to nothing if there was a problem, once the budget shows the charge. */
export async function release(agreed: string): Promise<Published | undefined> {
  const request = {
    dataset: dataset.peek().trim(),
    asked: asked.peek(),
    epsilonFrom: epsilonFrom.peek(),
  };
  batch(() => {
    releasing.value = true;
    releaseProblem.value = undefined;
  });
  try {
    const answer = await studio.release({ ...request, agreed, id: idFor(JSON.stringify(request)) });
    pending = undefined;
    return answer;
  } catch (error) {
    releaseProblem.value = problemOf(error);
    if (releaseProblem.value.code === "release-id-taken") pending = undefined;
    return undefined;
  } finally {
    await refreshBudget();
    releasing.value = false; // last: until the answer is shown, the same press must not become another release
  }
}

/**
 * From now on an answer is taken down when another file is opened; the log still has it. The last release of this
 * browser is shown from the start, so a reload loses nothing.
 */
export function followFile(): void {
  effect(() => {
    if (shape.value !== undefined) published.value = undefined;
  });
  void showLast();
}

async function showLast(): Promise<void> {
  try {
    const last = await studio.ledger.last();
    if (shape.peek() === undefined && published.peek() === undefined) published.value = last;
  } catch {
    // the budget of its data set says why it cannot be read
  }
}

/** Shows an answer of the log; nothing is charged. */
export async function showAgain(id: string): Promise<void> {
  try {
    show(await studio.ledger.show(dataset.peek().trim(), id));
  } catch (error) {
    budgetProblem.value = problemOf(error);
  }
}

/** Shows an answer; nothing is charged. */
export function show(answer: Published): void {
  published.value = answer;
}
