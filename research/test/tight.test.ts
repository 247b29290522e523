import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Section } from "../src/experiment.js";
import { tight } from "../src/tight/index.js";

let sections: Section[];

const cells = (table = "") =>
  table
    .split("\n")
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
const rowsOf = (title: string) => cells(sections.find((section) => section.title.startsWith(title))?.table);

beforeAll(() => {
  sections = [...tight({ trials: 6, data: join(import.meta.dirname, "missing") })];
}, 300_000);

describe("the tables of gains", () => {
  it("have the largest ranges of k rounds that are certified", () => {
    const found = rowsOf("k rounds").map(([, , , , certified]) => Number(certified));
    const known = [
      ...[1.00159, 0.35034, 0.15335, 0.09523, 0.04734],
      ...[0.30102, 0.10763, 0.0494, 0.03086, 0.01538],
      ...[1.00005, 0.33625, 0.12394, 0.07433, 0.03652],
    ];
    for (const [i, eta] of known.entries())
      expect(Math.abs((found[i] as number) / eta - 1)).toBeLessThan(5e-4);
  });

  it("have the widths of counts that share noise", () => {
    const known = [1, 0.816, 0.775, 0.75, 0.717, 0.69, 0.656, 0.628, 0.6, 0.571, 0.55];
    expect(rowsOf("Counts that").map(([, , gaussian]) => Number(gaussian))).toEqual(known);
    // The continuous Laplace distribution, of which these are within 0.03.
    const laplace = [1, 0.707, 0.745, 0.707, 0.671, 0.639, 0.632, 0.596, 0.577, 0.548, 0.53];
    for (const [i, row] of rowsOf("Counts that").entries())
      expect(Math.abs(Number(row[4]) - (laplace[i] as number))).toBeLessThan(0.03);
  });

  it("have the people that a name needs, at most 0.62 of before at ten items a person, and 0.5 at thirty", () => {
    const names = rowsOf("Names only");
    const now = (epsilon: string) =>
      names.filter(([asked]) => asked === epsilon).map((row) => Number(row[5]));
    expect(now("1")).toEqual([14, 27, 32, 36, 39, 49, 71, 109]);
    expect(now("0.3")).toEqual([41, 80, 95, 106, 116, 147, 213, 329]);
    const ratio = (epsilon: string, m: string) =>
      Number(names.find(([asked, limit]) => asked === epsilon && limit === m)?.[6]);
    for (const epsilon of ["1", "0.3"]) {
      expect(ratio(epsilon, "10")).toBeLessThanOrEqual(0.62);
      expect(ratio(epsilon, "30")).toBeLessThanOrEqual(0.5);
    }
  });

  it("have the variances of counts in (ε, δ), through zCDP and by the exact sum", () => {
    const found = rowsOf("Counts in").map(([, , before, now]) => [Number(before), Number(now)]);
    const known = [
      [20.529, 17.9],
      [205.29, 178.49],
      [2052.9, 1784.8],
      [196.88, 168.73],
      [33.393, 30.249],
    ];
    for (const [i, [before, now]] of found.entries()) {
      expect(Math.abs((before as number) / (known[i]?.[0] as number) - 1)).toBeLessThan(1e-3);
      expect(Math.abs((now as number) / (known[i]?.[1] as number) - 1)).toBeLessThan(1e-3);
    }
    expect(found).toHaveLength(known.length);
  });

  it("have what a name in order needs without a list: by the curve of the rounds, and certified together", () => {
    const found = rowsOf("Names in order").map(([, , before, now]) => [Number(before), Number(now)]);
    const known = [
      [62.62, 61.79],
      [147.64, 144.65],
      [244.14, 233.04],
      [497.62, 468.27],
      [85.4, 84.1],
      [233.2, 232.3],
      [400.2, 389.1],
      [826.7, 792.1],
    ];
    for (const [i, [before, now]] of found.entries()) {
      expect(Math.abs((before as number) - (known[i]?.[0] as number))).toBeLessThan(1.5);
      expect(now).toBeLessThanOrEqual((known[i]?.[1] as number) * 1.005 + 1);
    }
    expect(found).toHaveLength(known.length);
  });

  it("have the least k for noise on a histogram", () => {
    expect(rowsOf("A public list").map(([, ...least]) => least)).toEqual([
      ["3", "7", "18", "45", "–"],
      ["3", "6", "17", "43", "122"],
      ["2", "6", "15", "40", "116"],
      ["2", "5", "14", "37", "110"],
    ]);
  });

  it("have the recall of sets beside that of orders", () => {
    const sets = rowsOf("The k largest as a set");
    expect(sets).toHaveLength(10);
    for (const [counts, k, epsilon, , , half] of sets) {
      const isCliff = ["25 0.3", "100 1", "100 0.3"].includes(`${k} ${epsilon}`) && Number(half) < 0.9;
      if (!isCliff) expect(Number(half), `${counts} ${k} ${epsilon}`).toBeGreaterThan(0.97);
    }
  });
});

describe("what is promised without looking", () => {
  it("has the least leads for sets and for orders", () => {
    expect(rowsOf("The least lead").map(([, , set, order]) => [Number(set), Number(order)])).toEqual([
      [56.9, 115],
      [117.3, 310],
      [790.4, 1842],
    ]);
  });

  it("has the costs of the best of K runs, by their curve and at most that by their profile", () => {
    const found = rowsOf("The best of K runs").map((row) =>
      row.slice(2, 5).map((cell) => cell.split(" → ").map(Number)),
    );
    const known = [
      [1.33, 1.15, 1.51, 1.21, 1.81, 1.29],
      [1.53, 1.36, 1.78, 1.48, 2.26, 1.71],
      [3.44, 3.02, 3.87, 3.17, 4.55, 3.38],
    ];
    for (const [i, row] of found.entries())
      for (const [j, value] of row.flat().entries())
        expect(Math.abs(value - (known[i]?.[j] as number))).toBeLessThan(0.03);
    const rest = rowsOf("The best of K runs").map((row) => row.slice(5).map(Number));
    for (const [i, [poisson, all]] of [
      [1.61, 3.13],
      [5.41, 11.7],
      [4.25, 8.85],
    ].entries()) {
      expect(Math.abs((rest[i]?.[0] ?? 0) - (poisson ?? 0))).toBeLessThan(0.05);
      expect(Math.abs((rest[i]?.[1] ?? 0) - (all ?? 0))).toBeLessThan(0.05);
    }
  });
});

describe("the error against ε", () => {
  it("is never worse than before by more than two standard errors, on generated data where there are no public ones", () => {
    const found = sections.filter(({ chart }) => chart !== undefined);
    expect(found.map(({ title }) => title.replace(/:.*/, ""))).toEqual([
      "generated (Zipf)",
      "cases by state (generated)",
      "Foursquare (generated stand-in)",
    ]);
    for (const { table, chart } of found) {
      expect(cells(table).map((row) => row.at(-1))).toEqual(["no", "no", "no", "no", "no"]);
      expect(chart?.svg).toContain("after: chosen");
    }
  });
});
