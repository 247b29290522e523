/**
 * What the question would cost, and whether the budget has room for it. The price follows every keystroke a moment later.
 * Until then the page knows that it belongs to another question, and asks no one to agree to it.
 * @module
 */
import { batch, computed, effect, signal } from "@preact/signals";
import type { Asked, Cost } from "../../worker/api.js";
import { status } from "./budget-state.js";
import { studio } from "./connect-studio.js";
import { dataset } from "./data-state.js";
import { latest } from "./latest.js";
import { type Problem, problemOf } from "./problem.js";
import { asked, missing } from "./question-state.js";

const REST = 120;

export const cost = signal<Cost>();
export const costProblem = signal<Problem>();

interface ToPrice {
  readonly name: string;
  readonly question: Asked;
}

/** What the price depends on. */
function keyOf({ name, question: { unit: _, ...question } }: ToPrice): string {
  return JSON.stringify([name, question]);
}

const toPrice = computed<ToPrice>(() => ({ name: dataset.value.trim(), question: asked.value }));
const priced = signal("");

/** Whether the cost is that of the question as it stands, and not of the one before the last keystroke. */
export const costIsCurrent = computed(() => priced.value === keyOf(toPrice.value));

const pricing = latest<ToPrice>(REST, async (request, { current }) => {
  const answer = await price(request);
  if (!current()) return;
  batch(() => {
    priced.value = keyOf(request);
    cost.value = answer.cost;
    costProblem.value = answer.problem;
  });
});

async function price({ name, question }: ToPrice): Promise<{ cost?: Cost; problem?: Problem }> {
  try {
    return { cost: await studio.cost(name, question) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function forgetPrice(): void {
  pricing.drop();
  batch(() => {
    priced.value = "";
    cost.value = undefined;
    costProblem.value = undefined;
  });
}

/** From now on the price follows the data set, the question, and what is spent. */
export function followPrice(): void {
  effect(() => {
    const isReady = dataset.value.trim() !== "" && missing.value === undefined && status.value !== undefined;
    if (isReady) pricing.ask(toPrice.value);
    else forgetPrice();
  });
}
