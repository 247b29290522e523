import { describe, expect, it } from "vitest";
import {
  type AccountPromise,
  countedHashes,
  periodNamed,
  periodsOf,
  readPeriod,
  readPromise,
  startOf,
} from "../../src/question/period.js";

const weeks: AccountPromise = {
  unit: "person",
  period: "week",
  first: "2026-11-16",
  horizon: 52,
  maxPeriodsPerUser: 8,
};

describe("The periods of a horizon", () => {
  it("are weeks by ISO 8601, also over the turn of a year", () => {
    const names = periodsOf(weeks).map(({ name }) => name);
    expect(names.slice(0, 9)).toEqual([
      "2026-W47",
      "2026-W48",
      "2026-W49",
      "2026-W50",
      "2026-W51",
      "2026-W52",
      "2026-W53",
      "2027-W01",
      "2027-W02",
    ]);
    expect(periodNamed(weeks, "2026-W53")).toEqual({
      name: "2026-W53",
      index: 6,
      from: "2026-12-28",
      until: "2027-01-04",
    });
    expect(periodNamed(weeks, "2027-01-03").name).toBe("2026-W53");
  });

  it("follow each other without a gap", () => {
    for (const [period, first] of [
      ["day", "2024-02-27"],
      ["week", "2026-11-16"],
      ["month", "2026-11-01"],
    ] as const) {
      const all = periodsOf({ unit: "person", period, first, horizon: 400 });
      expect(all.slice(1).map(({ from }) => from)).toEqual(all.slice(0, -1).map(({ until }) => until));
      expect(new Set(all.map(({ name }) => name)).size).toBe(400);
    }
    expect(periodNamed({ ...weeks, period: "month", first: "2026-11-01" }, "2027-02")).toMatchObject({
      from: "2027-02-01",
      until: "2027-03-01",
    });
  });

  it("start where a day is", () => {
    expect(startOf("week", "2026-11-19")).toBe("2026-11-16");
    expect(startOf("week", "2026-11-22")).toBe("2026-11-16");
    expect(startOf("month", "2024-02-29")).toBe("2024-02-01");
    expect(startOf("day", "2026-02-30")).toBeUndefined();
  });

  it("count every person in exactly as many periods as the promise says, whatever their hash is", () => {
    for (const [horizon, most] of [
      [8, 3],
      [52, 8],
      [52, 51],
      [7, 1],
      [1000, 999],
    ] as const) {
      const promise = { ...weeks, horizon, maxPeriodsPerUser: most };
      const edges = Array.from({ length: horizon }, (_, part) =>
        ((BigInt(part) * (1n << 256n) + BigInt(horizon) - 1n) / BigInt(horizon))
          .toString(16)
          .padStart(64, "0"),
      );
      const hashes = ["0".repeat(64), "f".repeat(64), ...edges.slice(0, 20), "7".padEnd(64, "3")];
      const ranges = Array.from({ length: horizon }, (_, index) => countedHashes(promise, index));
      for (const hash of hashes) {
        const counted = ranges.filter((each) =>
          each.some(([from, until]) => hash >= from && (until === undefined || hash < until)),
        );
        expect(counted.length).toBe(most);
      }
    }
  });

  it.each([
    [{ ...weeks, unit: "people" }, "promise must be"],
    [{ ...weeks, period: "hour" }, "period must be"],
    [{ ...weeks, first: "2026-11-17" }, "first must be the first day of a period"],
    [{ ...weeks, horizon: 1 }, "horizon must be an integer from 2"],
    [{ ...weeks, maxPeriodsPerUser: 53 }, "maxPeriodsPerUser must be an integer from 1 to 52"],
    [{ ...weeks, unit: "person-period" }, "maxPeriodsPerUser must be absent"],
    [{ ...weeks, more: 1 }, "promise must be without other fields"],
    [undefined, "promise must be"],
  ])("refuse a promise that says nothing: %#", (given, message) => {
    expect(() => readPromise(given)).toThrow(message);
  });

  it("refuse a question about another week, or without the mark of the key", () => {
    const key = "0123456789abcdef0123456789abcdef";
    expect(readPeriod({ name: "2026-W47", promise: weeks, key })).toEqual({
      name: "2026-W47",
      promise: weeks,
      key,
    });
    expect(() => readPeriod({ name: "2026-W46", promise: weeks, key })).toThrow("one of the 52 weeks");
    expect(() => readPeriod({ name: "2026-W47", promise: weeks })).toThrow("with a key exactly where");
    expect(() => readPeriod({ name: "2026-W47", promise: weeks, key: "x" })).toThrow(
      "with the mark of a key",
    );
    const { maxPeriodsPerUser: _, ...all } = weeks;
    expect(readPromise({ ...all, maxPeriodsPerUser: 52 })).toEqual(all);
    expect(() => readPeriod({ name: "2026-W47", promise: all, key })).toThrow("with a key exactly where");
  });
});
