import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Ledger, MemoryStore, OutcomeUnknown, Refusal, type Store } from "../../src/index.js";
import { exampleRelease, refusal, SOFTWARE } from "./laws/place.js";

const TEN = Array.from({ length: 10 }, (_, at) => exampleRelease(`r${at}`));

/** A store in memory that counts transactions, and whose transactions may fail in some way. */
function watched(
  around: (
    mode: "reading" | "writing",
    run: () => Promise<unknown>,
    work: () => Promise<unknown>,
  ) => Promise<unknown>,
) {
  const inner = new MemoryStore();
  const counts = { reading: 0, writing: 0 };
  const through =
    (mode: "reading" | "writing") =>
    async <T>(work: () => Promise<T>): Promise<T> => {
      counts[mode]++;
      return (await around(mode, () => inner[mode](work), work)) as T;
    };
  const store: Store = new Proxy(inner, {
    get: (target, name) => {
      if (name === "reading" || name === "writing") return through(name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ledger: new Ledger(store, { software: SOFTWARE }), counts, inner };
}

describe("operations of a ledger that wait at the same time", () => {
  it("share one transaction of each kind", async () => {
    const { ledger, counts } = watched((_, run) => run());
    const reads = [ledger.account("visits"), ledger.find("r1"), ledger.datasets()];
    await Promise.all([...TEN.map((release) => ledger.record("visits", release)), ...reads]);
    expect(counts).toEqual({ reading: 1, writing: 1 });
    await ledger.verify();
    expect(counts).toEqual({ reading: 2, writing: 1 });
  });

  it("share it too if they come from several tasks, where the store waits for those of one moment", async () => {
    const asked = async (gather?: () => Promise<void>) => {
      const { ledger, counts, inner } = watched((_, run) => run());
      if (gather !== undefined) Object.assign(inner, { gather });
      await Promise.all(TEN.map((release) => setImmediate().then(() => ledger.record("visits", release))));
      return counts.writing;
    };
    expect(await asked(() => setImmediate())).toBe(1);
    expect(await asked()).toBe(10);
    const failing = () => Promise.reject(new Error("nothing is gathered"));
    expect(await asked(failing)).toBeGreaterThanOrEqual(1); // all ten are recorded all the same
  });

  it("each say that it isn't known whether they were recorded, with their own ids, if the store can't tell", async () => {
    const { ledger, counts, inner } = watched(async (mode, run) => {
      const result = await run();
      if (mode === "writing") throw new OutcomeUnknown();
      return result;
    });
    const settled = await Promise.allSettled(TEN.map((release) => ledger.record("visits", release)));
    for (const [at, one] of settled.entries()) {
      expect(one).toMatchObject({ status: "rejected", reason: refusal("charge-unknown") });
      if (one.status === "rejected") expect(one.reason.message).toContain(`r${at}`);
    }
    expect(counts.writing).toBe(1); // and none is tried again
    expect((await inner.tables()).rows).toHaveLength(10);
  });

  it("run again one by one if their transaction fails, and fail alone", async () => {
    let left = 2;
    const { ledger, counts, inner } = watched(async (mode, run, work) => {
      if (mode !== "writing" || left-- <= 0) return run();
      return inner.writing(async () => {
        await work();
        throw new Refusal("server-failed", "It failed.");
      });
    });
    const settled = await Promise.allSettled(TEN.map((release) => ledger.record("visits", release)));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", ...Array(9).fill("fulfilled")]);
    expect(counts.writing).toBe(11);
    expect((await ledger.verify()).findings).toEqual([]);
  });

  it("fail together if no transaction can begin, and none waits for the same again", async () => {
    const { ledger, counts } = watched(async (mode, run) => {
      if (mode === "writing" && counts.writing === 1) throw new Refusal("ledger-locked", "It is in use.");
      return run();
    });
    const ask = () => Promise.allSettled(TEN.map((release) => ledger.record("visits", release)));
    for (const one of await ask())
      expect(one).toMatchObject({ status: "rejected", reason: refusal("ledger-locked") });
    expect(counts.writing).toBe(1);
    expect((await ask()).map(({ status }) => status)).toEqual(Array(10).fill("fulfilled"));
    expect(counts.writing).toBe(2);
  });

  it("are recorded once when the store runs the work of a transaction twice", async () => {
    // The first attempt is taken back after all of its work, as after a lost connection.
    const { ledger, inner } = watched(async (mode, run, work) => {
      if (mode === "writing") {
        const lost = inner.writing(async () => {
          await work();
          throw new Error("lost");
        });
        await lost.catch(() => {});
      }
      return run();
    });
    const recorded = await Promise.all(TEN.map((release) => ledger.record("visits", release)));
    expect(recorded.map(({ ledger: { sequence } }) => sequence)).toEqual(TEN.map((_, at) => at + 1));
    expect((await inner.tables()).rows).toHaveLength(10);
    expect((await ledger.verify()).findings).toEqual([]);
  });
});
