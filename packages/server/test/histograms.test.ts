import { describe, expect, it } from "vitest";
import { type Question, type Refusal, readQuestion } from "winnow-release";
import { readConfig } from "../src/config.js";
import { Histograms } from "../src/histograms.js";
import type { Batch, DatasetRows } from "../src/host.js";
import { changedConfig } from "./support/service-folder.js";

/** Counts of one data set, over rows that the test makes up. */
function counts(maxAge: number, rows: Partial<DatasetRows> = {}, open?: () => Promise<DatasetRows>) {
  const config = readConfig(changedConfig({ "datasets/unlisted/maxAge": maxAge })).datasets.unlisted!;
  const asked: unknown[] = [];
  const failures: unknown[] = [];
  const clock = { now: 1_000_000 };
  const slow: number[] = [];
  const stop = new AbortController();
  const histograms = new Histograms({
    config,
    lists: { items: [] },
    open: async () => ({
      source: { item: "area", user: "user", dialect: {} },
      notes: [],
      async *count(wanted, { maxItemsPerUser }) {
        asked.push([wanted, maxItemsPerUser]);
        yield { items: ["a", "b"], users: [9, 8] };
        yield { items: ["c", "d"], users: [7, 6] };
      },
      close: async () => {},
      ...rows,
    }),
    signal: stop.signal,
    known: { source: { item: "area", user: "user", dialect: {} }, notes: [] },
    onFailure: (cause) => failures.push(cause),
    onSlow: () => slow.push(clock.now),
    tick: 500,
    now: () => clock.now,
    ...(open !== undefined && { open }),
  });
  const ask = (question: Question) => histograms.for(question, clock.now);
  return { histograms, ask, asked, failures, slow, clock, stop };
}

const adaptive = (k: number): Question =>
  readQuestion({ kind: "adaptive", k, domain: { kind: "unknown" }, epsilon: 1, delta: "1e-6", unit: "one" });

const bounded: Question = readQuestion({
  kind: "names",
  k: 3,
  domain: { kind: "unknown" },
  epsilon: 1,
  delta: "1e-6",
  maxItemsPerUser: 2,
  unit: "one",
});

const itemsOf = (batches: readonly Batch[]) => batches.flatMap(({ items }) => items);

describe("counts in memory", () => {
  it("serve every k from one count, each with exactly the rows that it may see", async () => {
    const { ask, asked } = counts(10);
    const [one, two] = await Promise.all([ask(adaptive(1)), ask(adaptive(2))]);
    expect(itemsOf(one.batches)).toEqual(["a", "b"]);
    expect(itemsOf(two.batches)).toEqual(["a", "b", "c"]);
    expect(asked).toEqual([[{ kind: "largest", rows: 1001 }, undefined]]);
    expect(one.notes).toEqual(["The rows were counted at 1970-01-01T00:16:40.000Z."]);
  });

  it("are counted anew when they are too old, and their age is that of the beginning", async () => {
    const { histograms, ask, asked, clock } = counts(10);
    await ask(adaptive(1));
    expect(histograms.began).toBe(1_000_000);
    clock.now += 10_000;
    await ask(adaptive(1));
    expect(asked).toHaveLength(1);
    clock.now += 1;
    expect(histograms.began).toBeUndefined();
    await ask(adaptive(1));
    expect(asked).toHaveLength(2);
    expect(histograms.began).toBe(1_010_001);
  });

  it("are kept for the newest 16 conditions only, and for the usual rows however many there are", async () => {
    const { ask, asked } = counts(10);
    const where = (i: number): Question => ({ ...adaptive(1), where: `country = 'x${i}'` });
    await ask(adaptive(1));
    for (let i = 0; i < 17; i++) await ask(where(i));
    expect(asked).toHaveLength(18);
    for (let i = 1; i < 17; i++) await ask(where(i));
    await ask(adaptive(1));
    expect(asked).toHaveLength(18);
    await ask(where(0));
    expect(asked).toHaveLength(19);
  });

  it("aren't kept where they may not be", async () => {
    const { histograms, ask, asked, clock } = counts(0);
    await histograms.countAhead(clock.now, Promise.resolve());
    expect(asked).toEqual([]);
    await Promise.all([ask(adaptive(1)), ask(adaptive(1))]);
    expect(asked).toEqual(Array(2).fill([{ kind: "largest", rows: 2 }, undefined]));
    expect(histograms.began).toBeUndefined();
  });

  it("are made ahead in every form that an allowed question needs", async () => {
    const { histograms, asked, clock } = counts(10);
    await histograms.countAhead(clock.now, Promise.resolve());
    expect(asked).toEqual([
      [{ kind: "largest", rows: 1001 }, undefined],
      [{ kind: "largest", rows: 1_000_000_000 }, 2],
    ]);
  });

  const failing = (code: string): Partial<DatasetRows> => ({
    // biome-ignore lint/correctness/useYield: it fails before its first batch
    async *count() {
      throw Object.assign(new Error("row 7"), { code });
    },
  });

  it.each(["source-limit", "server-unreachable", "server-refused", "no-permission", "unexpected"])(
    "have failed if counting failed on the rows with %s, and stay so",
    async (code) => {
      const { ask, failures } = counts(10, failing(code));
      for (const _ of [1, 2]) expect(await ask(adaptive(1))).toMatchObject({ batches: [], hasFailed: true });
      expect(failures).toHaveLength(1);
    },
  );

  const refusing = (code: string) => async () => {
    throw Object.assign(new Error("row 7"), { code });
  };

  it("have failed if the rows can't be read from their beginning, and say how they would have been read", async () => {
    const { ask, failures } = counts(10, {}, refusing("unreadable-source"));
    expect(await ask(adaptive(1))).toMatchObject({ hasFailed: true, source: { item: "area", user: "user" } });
    expect(failures).toHaveLength(1);
  });

  it("aren't there if the source can't be reached, and are tried again", async () => {
    const { ask, failures } = counts(10, {}, refusing("server-unreachable"));
    for (const _ of [1, 2]) {
      const error: Refusal = await ask(adaptive(1)).then(
        () => undefined as never,
        (each) => each,
      );
      expect(error.code).toBe("source-unavailable");
      expect(error.message).not.toContain("row");
    }
    expect(failures).toEqual([]);
  });

  it("end when the service stops", async () => {
    const { ask, stop } = counts(10, failing("source-limit"));
    stop.abort();
    await expect(ask(adaptive(1))).rejects.toMatchObject({ code: "shutting-down" });
  });

  /** Counting takes as long as the rows want. */
  const taking = (clock: { now: number }, milliseconds: number): Partial<DatasetRows> => ({
    async *count() {
      clock.now += milliseconds;
      yield { items: ["a"], users: [1] };
    },
  });

  it("are of one time, whatever the count before them took", async () => {
    const rows: { count?: DatasetRows["count"] } = {};
    const { histograms, ask, clock } = counts(1000, rows);
    rows.count = taking(clock, 700).count!;
    const start = clock.now;
    const ahead = histograms.countAhead(start, Promise.resolve());
    expect(histograms.began).toBe(start);
    await ahead;
    expect(clock.now).toBe(start + 1400);
    expect(histograms.began).toBe(start);
    const note = `The rows were counted at ${new Date(start).toISOString()}.`;
    expect((await ask(adaptive(1))).notes).toEqual([note]);
    expect((await ask(bounded)).notes).toEqual([note]);
  });

  it("are as old as the request that they were made for, whatever it waited for", async () => {
    const rows: { count?: DatasetRows["count"] } = {};
    const { histograms, clock } = counts(1, rows);
    rows.count = taking(clock, 900).count!;
    const arrived = clock.now;
    const [one, two] = await Promise.all([
      histograms.for(adaptive(1), arrived),
      histograms.for(bounded, arrived + 1),
    ]);
    expect([one.began, two.began]).toEqual([arrived, arrived + 1]);
  });

  it("that take longer than a tick are reported, each time", async () => {
    const rows: { count?: DatasetRows["count"] } = {};
    const { histograms, ask, slow, clock } = counts(0, rows);
    rows.count = taking(clock, 500).count!;
    await ask(adaptive(1));
    expect(slow).toHaveLength(0);
    rows.count = taking(clock, 501).count!;
    await ask(adaptive(1));
    await histograms.rehearse();
    expect(slow).toHaveLength(3);
  });
});
