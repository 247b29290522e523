import { describe, expect, it } from "vitest";
import { type Question, readQuestion } from "winnow-release";
import { readConfig } from "../src/config.js";
import { Histograms } from "../src/histograms.js";
import type { Batch, DatasetRows } from "../src/host.js";
import type { Problem } from "../src/problems.js";
import { changedConfig } from "./support/service-folder.js";

/** Counts of one data set, over rows that the test makes up. */
function counts(maxAge: number, rows: Partial<DatasetRows> = {}) {
  const config = readConfig(changedConfig({ "datasets/unlisted/maxAge": maxAge })).datasets.unlisted!;
  const asked: unknown[] = [];
  const failures: unknown[] = [];
  const clock = { now: 1_000_000 };
  const stop = new AbortController();
  const histograms = new Histograms({
    config,
    list: [],
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
    onFailure: (cause) => failures.push(cause),
    now: () => clock.now,
  });
  return { histograms, asked, failures, clock, stop };
}

const adaptive = (k: number): Question =>
  readQuestion({ kind: "adaptive", k, domain: { kind: "unknown" }, epsilon: 1, delta: "1e-6", unit: "one" });

const itemsOf = (batches: readonly Batch[]) => batches.flatMap(({ items }) => items);

describe("counts in memory", () => {
  it("serve every k from one count, each with exactly the rows that it may see", async () => {
    const { histograms, asked } = counts(10);
    const [one, two] = await Promise.all([histograms.for(adaptive(1)), histograms.for(adaptive(2))]);
    expect(itemsOf(one.batches)).toEqual(["a", "b"]);
    expect(itemsOf(two.batches)).toEqual(["a", "b", "c"]);
    expect(asked).toEqual([[{ kind: "largest", rows: 1001 }, undefined]]);
    expect(one.notes).toEqual(["The rows were counted at 1970-01-01T00:16:40.000Z."]);
  });

  it("are counted anew when they are too old, and their age is that of the beginning", async () => {
    const { histograms, asked, clock } = counts(10);
    await histograms.for(adaptive(1));
    expect(histograms.began).toBe(1_000_000);
    clock.now += 10_000;
    await histograms.for(adaptive(1));
    expect(asked).toHaveLength(1);
    clock.now += 1;
    expect(histograms.began).toBeUndefined();
    await histograms.for(adaptive(1));
    expect(asked).toHaveLength(2);
    expect(histograms.began).toBe(1_010_001);
  });

  it("aren't kept where they may not be", async () => {
    const { histograms, asked } = counts(0);
    await histograms.countAhead();
    expect(asked).toEqual([]);
    await Promise.all([histograms.for(adaptive(1)), histograms.for(adaptive(1))]);
    expect(asked).toEqual(Array(2).fill([{ kind: "largest", rows: 2 }, undefined]));
    expect(histograms.began).toBeUndefined();
  });

  it("are made ahead in every form that an allowed question needs", async () => {
    const { histograms, asked } = counts(10);
    await histograms.countAhead();
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

  it("are those of no rows if counting failed on the rows, and stay so", async () => {
    const { histograms, failures } = counts(10, failing("source-limit"));
    expect((await histograms.for(adaptive(1))).batches).toEqual([]);
    expect((await histograms.for(adaptive(1))).batches).toEqual([]);
    expect(failures).toHaveLength(1);
  });

  it("aren't there if the source can't be reached, and are tried again", async () => {
    const { histograms, failures } = counts(10, failing("server-unreachable"));
    for (const _ of [1, 2]) {
      const error: Problem = await histograms.for(adaptive(1)).then(
        () => undefined as never,
        (each) => each,
      );
      expect(error.code).toBe("source-unavailable");
      expect(error.message).not.toContain("row");
    }
    expect(failures).toEqual([]);
  });

  it("end when the service stops", async () => {
    const { histograms, stop } = counts(10, failing("source-limit"));
    stop.abort();
    await expect(histograms.for(adaptive(1))).rejects.toMatchObject({ code: "shutting-down" });
  });
});
