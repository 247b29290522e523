import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Section } from "../src/experiment.js";
import { columns, incomes } from "../src/quantiles/columns.js";
import { quantileComparison, rankDistance } from "../src/quantiles/index.js";

let folder: string;
let sections: Section[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "experiments-"));
  const python = process.env.PYTHON;
  process.env.PYTHON = "no-such-python"; // a test doesn't measure other languages
  sections = [...quantileComparison({ trials: 5, data: join(folder, "missing") })];
  if (python === undefined) delete process.env.PYTHON;
  else process.env.PYTHON = python;
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("the columns", () => {
  it("are items a person where people are there, and generated incomes always", () => {
    writeFileSync(join(folder, "retail.dat.gz"), gzipSync("7 8 7 \n8 \n"));
    const [retail, generated, ...others] = columns(folder);
    expect(retail).toMatchObject({ name: "retail: items a person", upper: 500 });
    expect([...retail.values]).toEqual([2, 1]);
    expect([generated.name, others]).toEqual(["incomes (generated)", []]);
  });

  it("stay within their public range", () => {
    const { values, lower, upper } = incomes();
    expect(values).toHaveLength(20_000);
    expect(values.every((value) => Number.isInteger(value) && value >= lower && value <= upper)).toBe(true);
    expect(values.toSorted()[10_000] / 32_000).toBeCloseTo(1, 1);
  });
});

describe("the distance in ranks", () => {
  const sorted = Float64Array.of(1, 2, 2, 2, 9);
  it.each([
    [0.5, 2, 0],
    [0.5, 3, 1.5],
    [0.5, 1, 1.5],
    [1, 9, 0],
    [0, 0, 0],
    [0.9, 2, 0.5],
  ])("of the %d-quantile from %d is %d", (p, value, distance) => {
    expect(rankDistance(sorted, p, value)).toBeCloseTo(distance, 12);
  });
});

describe("the comparison of quantiles", () => {
  it("runs without public data and without Python, and says so", () => {
    expect(sections.map(({ title }) => title)).toEqual(["Quantiles of incomes (generated)"]);
    expect(sections[0].notes).toContain("not installed here");
    expect(sections[0].table.split("\n")).toHaveLength(7);
  });

  it("is off by few people, and by fewer with more ε", () => {
    const [little, much] = sections[0].table
      .split("\n")
      .slice(2, 4)
      .map((line) => Number.parseFloat(line.split("|")[3]));
    expect(much).toBeLessThan(30);
    expect(little).toBeLessThan(300);
    expect(much).toBeLessThan(little);
  });
});
