import { expect, it } from "vitest";
import { Ledger, MemoryStore, OutcomeUnknown, type Store } from "../../src/index.js";
import { ledgerLaws } from "./laws/ledger-laws.js";
import { exampleRelease, openedLedger, refusal, SOFTWARE } from "./laws/place.js";

ledgerLaws("the ledger in memory", async () => {
  const store = new MemoryStore();
  return {
    store: async () => store,
    tamper: async (change) => {
      const { rows, head, summarised, accounts, places, marks } = await store.tables();
      const tables = { rows: [...rows], head, summarised, accounts: pairs(accounts), places: pairs(places) };
      change(tables);
      await store.restore({
        ...tables,
        accounts: new Map(tables.accounts),
        places: new Map(tables.places),
        marks,
      });
    },
  };
});

function pairs<V>(map: ReadonlyMap<string, V>): [string, V][] {
  return [...map].map(([key, value]) => [key, value]);
}

it("is refused by a ledger that has seen more if an older copy is restored", async () => {
  const store = new MemoryStore();
  const ledger = await openedLedger({ store: async () => store });
  await ledger.record("visits", exampleRelease("a"));
  const older = await store.tables();
  await ledger.record("visits", exampleRelease("b"));
  await store.restore(older);
  await expect(ledger.record("visits", exampleRelease("c"))).rejects.toThrow(refusal("ledger-replaced"));
});

it("says so when a store can't tell whether it recorded", async () => {
  const store = new MemoryStore("a store");
  const lost: Store = Object.assign(Object.create(store), {
    reading: (work: () => Promise<unknown>) => store.reading(work),
    writing: () => Promise.reject(new OutcomeUnknown()),
    refusal: (error: unknown) => error,
  });
  const ledger = new Ledger(lost, { software: SOFTWARE });
  await expect(ledger.record("visits", exampleRelease("a"))).rejects.toThrow(refusal("charge-unknown"));
});
