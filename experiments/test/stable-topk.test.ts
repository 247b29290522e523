import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { casesByDay, datasets } from "../src/datasets.js";
import type { Section } from "../src/experiment.js";
import { stableTopK } from "../src/stable-topk/index.js";
import { epsilonOf, rhoFor, rhoInSource } from "../src/stable-topk/label-baselines.js";
import { failure, gaussianTail, laplaceTail, neededGap, stableTail } from "../src/stable-topk/needed-gaps.js";

let folder: string;
let sections: Section[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "experiments-"));
  writeFileSync(join(folder, "msweb_item_user_counts.csv"), "item,label,count\n0,a,900\n1,b,400\n2,c,3\n");
  sections = [...stableTopK({ trials: 2, data: join(folder, "missing") })];
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("the data", () => {
  it("may be one's own, named with how many people they are of", () => {
    const own = join(folder, "own");
    mkdirSync(own);
    writeFileSync(join(own, "check-ins.51406.counts.csv"), "place,people\nstation,700\npark,12\n");
    writeFileSync(join(own, "notes.csv"), "a,b\n1,2\n");
    const [set, ...others] = datasets(own);
    expect(set).toEqual({ name: "check-ins", people: 51_406, counts: Float64Array.of(700, 12) });
    expect(others.map(({ name }) => name)).toEqual(["generated (Zipf)"]);
  });

  it("are those that are present, and a generated histogram always", () => {
    expect(datasets(folder).map(({ name }) => name)).toEqual(["web", "generated (Zipf)"]);
    expect([...datasets(folder)[0].counts]).toEqual([900, 400, 3]);
    expect(datasets(join(folder, "missing"))).toHaveLength(1);
  });

  it("have no negative counts", () => {
    const file = "covid19_us_states_new_cases_2020-03-12_2020-05-12.csv";
    writeFileSync(join(folder, file), "date,state,new\n2020-03-13,A,5\n2020-03-12,A,-2\n2020-03-12,B,4\n");
    expect(casesByDay(folder)?.map((day) => [...day])).toEqual([[0, 4], [5]]);
    expect(casesByDay(join(folder, "missing"))).toBeUndefined();
  });
});

describe("the experiments on stable top k", () => {
  it("are six, and run without any public data", () => {
    expect(sections.map(({ title }) => title)).toHaveLength(6);
    expect(sections[0].table).toContain("generated (Zipf)");
    expect(sections[1].notes).toBe("The data are not here.");
  });

  it("print the paper's figures beside ours, and say whose data they are", () => {
    expect(sections[0].notes).toContain("stand-in");
    expect(sections[0].table).toMatch(
      /BrightKite \(the paper's\) +\| stable top k +\| 1\.00 +\| 0\.91 +\| 0\.61/,
    );
  });

  it("find all of many equal bins by their gap, where the exponential mechanism loses most", () => {
    const rows = sections[2].table.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    const [exponential, stable, tested, halved] = rows.slice(2).map((row) => row[7]);
    expect([stable, tested]).toEqual(["1.00 ± 0.00", "1.00 ± 0.00"]);
    expect(Number.parseFloat(halved)).toBeLessThan(0.3);
    expect(Number.parseFloat(exponential)).toBeLessThan(0.5);
    expect(sections[2].chart?.svg).toMatch(/^<svg .*<polyline.*<\/svg>\n$/s);
  });

  it("account for 600 queries as the bounds have it", () => {
    const { table } = sections[3];
    for (const figure of ["71.42 | 71.34", "21.52 | 20.48", "3.66  | 3.28", "52.56 | 51.08", "9.26  | 8.58"])
      expect(table).toContain(figure);
  });
});

describe("the baselines of the labels", () => {
  it("are accounted for as in the source and as can be proven", () => {
    expect([rhoInSource(40, 50), rhoInSource(10, 50)]).toEqual([384, 24]);
    expect([rhoFor(40, 50), rhoFor(20, 50)]).toEqual([4.8, 2.4]);
    expect([4.8, 2.4].map((rho) => epsilonOf(rho).toFixed(2))).toEqual(["21.09", "13.92"]);
    expect(epsilonOf(rhoInSource(10, 265.2)).toFixed(2)).toBe("7.72");
    expect([rhoFor(20, 265.2), rhoFor(40, 265.2)].map((rho) => epsilonOf(rho).toFixed(2))).toEqual([
      "2.26",
      "3.24",
    ]);
  });

  it("are printed beside stable top k, and say that the votes are generated", () => {
    expect(sections[4].notes).toContain("stand-in");
    expect(sections[4].table).toMatch(/PATE-τ, τ = 10 +\| 265\.2 +\| 7\.72 +\| 2\.26/);
    expect(sections[4].table).toMatch(/stable top k +\| 50, 60 +\| 3\.60 +\| 51\.08/);
  });
});

describe("the gap that an answer needs", () => {
  it("is the least one by the exact tail, below the paper's [ZW22, Theorem 20]", () => {
    for (const [tail, delta, beta, least] of [
      [laplaceTail(1), "1e-6", "0.01", 19],
      [gaussianTail(1), "1e-6", "0.01", 9],
      [laplaceTail("0.1"), "1e-6", "0.05", 156],
      [gaussianTail("0.1"), "1e-6", "0.05", 66],
    ] as const) {
      expect(neededGap(tail, delta, beta)).toBe(least);
      expect(failure(tail, delta, least)).toBeLessThanOrEqual(Number(beta));
      expect(failure(tail, delta, least - 1)).toBeGreaterThan(Number(beta));
    }
  });

  it("is 2 + 2λ for stable top k, below the paper's for continuous noise [ZW22, Theorem 11]", () => {
    const gaps = [
      [1, "1e-6", 12],
      ["0.1", "1e-6", 32],
      ["0.02", "1e-9", 86],
    ] as const;
    for (const [rho, delta, least] of gaps) {
      expect(neededGap(stableTail(rho), delta, delta)).toBe(least);
      expect(failure(stableTail(rho), delta, least)).toBeLessThanOrEqual(Number(delta));
      expect(least).toBeLessThan(2 + 2 * Math.sqrt((2 * Math.log(1 / Number(delta))) / Number(rho)));
    }
  });

  it("is not the paper's with its threshold and integer noise: a gap of 12 fails with 1.49·10⁻⁶ at δ = 10⁻⁶", () => {
    const passes = stableTail(1)(6 - 11); // λ = ⌈√(2·ln 10⁶)⌉ = 6
    expect(1 - passes.toNumber("down")).toBeCloseTo(1.4928e-6, 10);
  });
});
