/**
 * Where one kind of ledger is kept, as the laws use it: stores on the same ledger, and a hand that changes what is stored.
 * @module
 */
import { expect, onTestFinished } from "vitest";
import type { LossJson } from "winnow-dp";
import { type ChainHead, type ChainRow, Ledger, type Store } from "winnow-release";
import type { LedgerOptions } from "../../../src/ledger/ledger.js";

/** What a store holds, to be changed around Winnow. */
export interface Tables {
  rows: ChainRow[];
  head: ChainHead | undefined;
  summarised: ChainHead | undefined;
  /** Keys with their summaries, in the order of their first entry. */
  accounts: [key: string, summary: string][];
  places: [key: string, sequence: number][];
}

/** One ledger, empty at first. */
export interface Place {
  /** A connection of its own, as another run has it. `patience`, in milliseconds, is how long it waits for others. */
  store(patience: number): Promise<Store>;
  /** Changes what is stored, with whatever refuses that out of the way. */
  tamper(change: (tables: Tables) => void): Promise<void>;
}

export type MakePlace = () => Promise<Place>;

/** As entries of every kind were frozen with it. */
export const SOFTWARE = { name: "winnow-cli", version: "0.1.0" };

/** Closed after the test. */
export async function openedLedger(
  place: Pick<Place, "store">,
  options: Omit<LedgerOptions, "software"> & { patience?: number } = {},
): Promise<Ledger> {
  const { patience = 300, ...rest } = options;
  const ledger = new Ledger(await place.store(patience), { software: SOFTWARE, ...rest });
  onTestFinished(() => ledger.close());
  return ledger;
}

/** An error with this code, whatever its class: a command line has refusals of its own. */
export const refusal = (code: string) => expect.objectContaining({ code });

/** All that is read piece by piece. */
export async function all<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const piece of pieces) list.push(piece);
  return list;
}

export function exampleRelease(
  id: string,
  { dataset = "visits", loss = { measure: "pure", epsilon: "1" } as LossJson, k = 3 } = {},
) {
  return {
    id,
    dataset,
    time: "2026-01-02T03:04:05.678Z",
    software: { name: "winnow-test", version: "1.2.3" },
    question: { k },
    loss,
    answer: { winners: ["é", "\u001b[31m", "\ud800"] },
  };
}
