/**
 * Entries of every kind that a ledger can hold, written through its own methods, so that their bytes can be compared with those
 * that were frozen.
 * @module
 */
import { vi } from "vitest";
import { lossOf, readQuestion, releaseLoss } from "winnow-release";

const SOFTWARE = { name: "winnow-test", version: "1.2.3" };

/** Reserved in full and counted for its rounds. */
const LIMITED = readQuestion({
  k: 3,
  domain: { kind: "unknown" },
  rho: "1/10",
  delta: "1e-6",
  unit: "one person",
});
const LISTED = readQuestion({
  k: 1,
  domain: { kind: "listed", size: 3, hash: "ab".repeat(32) },
  epsilon: "1/2",
  unit: "one person",
});

/** A release as it is before it has a place. */
function releaseOf(id: string, question: object, loss: object, more: object = {}) {
  const time = "2026-01-02T03:04:05.678Z";
  return { id, dataset: "visits", time, software: SOFTWARE, question, loss, ...more };
}

function limited(id: string, rounds: number, stopped: boolean) {
  const winners = Array.from({ length: rounds }, (_, rank) => ({ item: `item ${rank}` }));
  const answer = { released: rounds > 0, k: 3, winners, ordered: true, stopped };
  return releaseOf(id, LIMITED, releaseLoss(lossOf(LIMITED)), { answer });
}

/** The methods of a ledger that write. */
interface Writer {
  setBudget(dataset: string, budget: object, options?: { replace?: boolean }): Promise<unknown>;
  reserve(dataset: string, id: string, question: typeof LIMITED, options?: object): Promise<unknown>;
  record(dataset: string, release: never, options?: object): Promise<unknown>;
}

/** Releases of a listed and an unknown domain, labels of teachers, analysts, reservations, replaced budgets, strange names. */
export async function writeEveryKind(writer: object): Promise<void> {
  const ledger = writer as Writer;
  const record = (dataset: string, release: object, options = {}) =>
    ledger.record(dataset, release as never, options);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-01-02T03:00:00.000Z") });
  try {
    await ledger.setBudget("visits", { measure: "zcdp", rho: "2", delta: "1e-2" });
    await record(
      "visits",
      releaseOf("listed", LISTED, releaseLoss(lossOf(LISTED)), { source: { name: "v" } }),
    );
    await record("visits", limited("all rounds", 3, false), { mark: "ab12" });
    await record("visits", limited("fewer rounds", 1, true));
    await ledger.reserve("visits", "reserved", LIMITED);
    await ledger.reserve("visits", "never used", LIMITED, { spender: { analyst: "ann" } });
    await record("visits", limited("reserved", 2, true));
    const cap = { measure: "zcdp", rho: "1", delta: "1e-2" } as const;
    await record("visits", limited("hers", 0, true), { spender: { analyst: "ann", cap } });
    vi.setSystemTime(Date.parse("2026-01-02T03:30:00.000Z")); // before the time of the last entry, which it takes over
    await ledger.setBudget("visits", { measure: "approx", epsilon: "20", delta: "1/10" }, { replace: true });
    vi.setSystemTime(Date.parse("2026-01-03T00:00:00.000Z"));
    await ledger.setBudget("labels", { measure: "renyi", order: "8", epsilon: "3", delta: "1e-6" });
    const labels = {
      schema: "winnow-labels/1",
      answer: { labels: ["7", null] },
      parameters: { teachers: 50 },
    };
    await record(
      "labels",
      releaseOf("labels", { kind: "pate" }, { measure: "pure", epsilon: "1/4" }, labels),
    );
    const names = { answer: { winners: ["é\u2028", "\ud800", '"\\'] }, analyst: "bob" };
    await record("\ud800 '", releaseOf("ü", { k: 1 }, { measure: "base2", eta: "1/3" }, names), {
      isNewDataset: true,
    });
  } finally {
    vi.useRealTimers();
  }
}
