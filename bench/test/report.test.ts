import { describe, expect, it } from "vitest";
import { goals, page, pythonTable, type Result, table } from "../src/report.js";

const RESULT: Result = {
  suite: "sample",
  name: "discreteLaplace",
  unit: "sample",
  subject: { name: "ours", nanoseconds: 10, milliseconds: 1, bytes: 0 },
  rivals: [
    {
      name: "slow",
      nanoseconds: 20,
      milliseconds: 2,
      bytes: 0,
      goal: 0.75,
      ratio: { lower: 0.4, median: 0.5, upper: 0.6 },
    },
    {
      name: "quick",
      nanoseconds: 5,
      milliseconds: 0.5,
      bytes: 0,
      goal: 1.1,
      ratio: { lower: 1.9, median: 2, upper: 2.1 },
    },
    {
      name: "other",
      nanoseconds: 5,
      milliseconds: 0.5,
      bytes: 0,
      ratio: { lower: 1.9, median: 2, upper: 2.1 },
    },
  ],
};

const MACHINE = {
  date: "2020-02-02",
  processor: "Abacus",
  cores: 1,
  system: "wood 1",
  node: "20.0.0",
  v8: "11",
};

describe("the report", () => {
  it("has a row for each rival, with a missed goal in bold", () => {
    const [, , slow, quick, other] = table([RESULT]).split("\n");
    expect(slow).toMatch(
      /^\| discreteLaplace \| slow +\| 0.75 × \| 0.500 \(0.400–0.600\) +\| 10.0 ns\/sample/,
    );
    expect(quick).toContain("**2.00 (1.90–2.10)**");
    expect(other).toContain("| 2.00 (1.90–2.10) ");
  });

  it("counts the goals and those that were met", () => {
    expect(goals([RESULT])).toEqual({ met: 1, all: 2 });
  });

  it("says on its page what was measured where, shows the pictures and has each table on request", () => {
    const python = [
      { k: 3, name: "Slow", version: "1.2", milliseconds: 50, subject: { name: "topK", milliseconds: 0.5 } },
    ];
    const pictures = [{ name: "growth", alt: "Growth", svg: "<svg/>" }];
    const text = page([RESULT], MACHINE, { pictures, python });
    expect(text).toContain("![Growth](./public/growth.svg)");
    expect(text).toMatch(/\| Slow +\| 1.2 +\| 3 \| 50.0 ms +\| topK \| 0.500 ms \| 0.01 +\|/);
    expect(text).toMatch(/^# Benchmarks\n\nExact sampling [\s\S]*^## How it is measured$/m);
    expect(text).toContain("2020-02-02: Abacus, 1 cores, wood 1, Node 20.0.0 (V8 11). 1 of 2 goals met.");
    expect(text).toContain(
      `## sample\n\n<details>\n<summary>1 piece of work, 1 of 2 goals met</summary>\n\n${table([RESULT])}\n\n</details>\n`,
    );
  });

  it("says so when there is no rival in Python", () => {
    expect(pythonTable([])).toContain("absent");
  });
});
