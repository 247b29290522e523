/**
 * A list may be computed: each look at it may give another value. So each element is read once, and what was checked is what is
 * used. Only the first may be looked at before, to tell pairs from numbers.
 */
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { ENTRY_POINTS } from "./support/entry-points.js";

/** A list that counts how often each of its elements is read, and from the second time on says something else. */
function counted(list: readonly unknown[], reads: Map<string, number>, path = ""): unknown {
  return new Proxy([...list], {
    get(target, key, receiver) {
      const value = Reflect.get(target, key, receiver);
      if (typeof key !== "string" || !/^\d+$/.test(key)) return value;
      const times = (reads.get(path + key) ?? 0) + 1;
      reads.set(path + key, times);
      if (Array.isArray(value)) return counted(value, reads, `${path}${key}.`);
      return times > (key === "0" && path === "" ? 2 : 1) ? "something else" : value;
    },
  });
}

const shown = (value: unknown) => inspect(value, { depth: 12, maxArrayLength: null });
/** What has no seed, what is changed in place, and outcomes, of which the one that was drawn is looked up. */
const EXEMPT = ["topKParallel", "shuffle", "base2Exponential, outcomes"];

describe.each(ENTRY_POINTS.filter(({ data, name }) => Array.isArray(data) && !EXEMPT.includes(name)))(
  "$name",
  ({ call, data }) => {
    it("reads each element of a list once, and answers as for a list that doesn't change", async () => {
      const reads = new Map<string, number>();
      const answer = await call(counted(data as unknown[], reads) as never);
      expect(shown(answer)).toBe(shown(await call(data as never)));
      expect(reads.size).toBeGreaterThan(0);
      for (const [place, times] of reads) expect(times, place).toBeLessThanOrEqual(place === "0" ? 2 : 1);
    });
  },
);
