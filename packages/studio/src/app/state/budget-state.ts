/**
 * The budget of the data set that is open: what was promised, what is spent, and what the question would cost. The ledger
 * itself is kept by the worker in this browser; here is only what it last said.
 * @module
 */
import { batch, effect, signal } from "@preact/signals";
import type { Asked, BudgetRequest, Cost, LedgerEntry, LedgerStatus } from "../../worker/api.js";
import { dataset } from "./data-state.js";
import { latest } from "./latest.js";
import { type Problem, problemOf } from "./problem.js";
import { asked, missing } from "./question-state.js";
import { studio } from "./studio.js";

const REST = 120;

export const status = signal<LedgerStatus>();
export const entries = signal<readonly LedgerEntry[]>([]);
export const knownDatasets = signal<readonly string[]>([]);
export const cost = signal<Cost>();
export const costProblem = signal<Problem>();
export const budgetProblem = signal<Problem>();

/** Asks the ledger again: another tab may have charged it. */
export async function refreshBudget(): Promise<void> {
  const name = dataset.peek().trim();
  if (name === "") return;
  try {
    const now = await studio.ledger.status(name);
    const log = now.state === "ready" ? await studio.ledger.log(name) : [];
    await listDatasets();
    if (name !== dataset.peek().trim()) return;
    batch(() => {
      status.value = now;
      entries.value = log;
      budgetProblem.value = undefined;
    });
  } catch (error) {
    batch(() => {
      status.value = undefined;
      budgetProblem.value = problemOf(error);
    });
  }
}

async function listDatasets(): Promise<void> {
  try {
    knownDatasets.value = await studio.ledger.datasets();
  } catch {
    knownDatasets.value = []; // the status of the data set itself says why
  }
}

export async function setBudget(request: BudgetRequest): Promise<void> {
  try {
    await studio.ledger.init(dataset.peek().trim(), request);
    await refreshBudget();
  } catch (error) {
    budgetProblem.value = problemOf(error);
  }
}

const pricing = latest<{ name: string; question: Asked }>(REST, async ({ name, question }, { current }) => {
  try {
    const answer = await studio.cost(name, question);
    if (!current()) return;
    batch(() => {
      cost.value = answer;
      costProblem.value = undefined;
    });
  } catch (error) {
    if (!current()) return;
    batch(() => {
      cost.value = undefined;
      costProblem.value = problemOf(error);
    });
  }
});

const looking = latest<undefined>(REST, refreshBudget);

/** From now on status and cost follow the data set, the question, and what other tabs have charged meanwhile. */
export function followBudget(): void {
  void listDatasets();
  addEventListener("focus", () => void refreshBudget());
  effect(() => {
    const name = dataset.value.trim();
    batch(() => {
      status.value = undefined;
      entries.value = [];
      budgetProblem.value = undefined;
    });
    if (name === "") looking.drop();
    else looking.ask(undefined);
  });
  effect(() => {
    const name = dataset.value.trim();
    if (name === "" || missing.value !== undefined || status.value === undefined) {
      pricing.drop();
      batch(() => {
        cost.value = undefined;
        costProblem.value = undefined;
      });
    } else pricing.ask({ name, question: asked.value });
  });
}
