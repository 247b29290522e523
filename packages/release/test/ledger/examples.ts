import type { LossJson } from "winnow-dp";
import { type ChainRow, chain, EMPTY_CHAIN, type NewEntry } from "../../src/index.js";
import type { RecordedBudget } from "../../src/ledger/budget.js";

export const SOFTWARE = { name: "winnow-test", version: "1.2.3" };
export const TIME = "2026-01-02T03:04:05.678Z";

export function exampleRelease(
  id: string,
  loss: LossJson = { measure: "pure", epsilon: "1" },
  dataset = "visits",
) {
  return {
    id,
    dataset,
    time: TIME,
    software: SOFTWARE,
    question: { k: 3 },
    loss,
    answer: { winners: ["é", "\ud800"] },
  };
}

export function releaseEntry(id: string, loss?: LossJson, dataset?: string) {
  return { kind: "release", release: exampleRelease(id, loss, dataset) } as const;
}

export function budgetEntry(budget: RecordedBudget, dataset = "visits") {
  return { kind: "budget", dataset, time: TIME, software: SOFTWARE, budget } as const;
}

/** The entries as a ledger stores them. */
export async function chained(...entries: readonly NewEntry[]): Promise<ChainRow[]> {
  const rows: ChainRow[] = [];
  for (const entry of entries) rows.push(await chain(entry, rows.at(-1) ?? EMPTY_CHAIN));
  return rows;
}
