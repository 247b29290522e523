import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { casesByDay, datasets, generatedCases } from "../src/datasets.js";
import type { Section } from "../src/experiment.js";
import { ADVANCED } from "../src/stable-topk/covid-panel.js";
import { gapOfExponential, gapOfLimitedDomain, gapOfTopStable } from "../src/stable-topk/gaps-by-method.js";
import { generatePictures, LABELS } from "../src/stable-topk/generated-pictures.js";
import { stableTopK } from "../src/stable-topk/index.js";
import { epsilonOf, rhoFor, rhoInSource } from "../src/stable-topk/label-baselines.js";
import { accuracyOf, learn, someOf } from "../src/stable-topk/logistic-regression.js";
import {
  failure,
  gaussianTail,
  laplaceTail,
  looseGaussianTail,
  neededGap,
  stableTail,
} from "../src/stable-topk/needed-gaps.js";
import { countsOf, recallsOf } from "../src/stable-topk/order-map.js";
import { smoothGap, smoothnessFor, smoothSensitivity } from "../src/stable-topk/smooth-sensitivity.js";

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
  it("are eight, and run without any public data", () => {
    expect(sections.map(({ title }) => title)).toHaveLength(8);
    expect(sections[0].table).toContain("generated (Zipf)");
    expect(sections[2].notes).toContain("cases are generated, a stand-in");
  });

  it("compose the baselines of Figure 1a as the paper does, with 0.00585 a day, and show that a tenth of ε is more", () => {
    expect(ADVANCED.epsilon).toBeCloseTo(0.00585, 5);
    expect(sections[2].notes).toContain("ε = 0.00585 a day");
    const cell = (name: string) => {
      const row = sections[2].table.split("\n").find((line) => line.startsWith(`| ${name} `));
      return Number.parseFloat(row!.split("|")[4]);
    };
    for (const other of [
      "stable top k",
      "LD, advanced composition",
      "TS, advanced composition, half, then EM",
    ])
      expect(cell("EM-CDP")).toBeGreaterThan(cell(other));
    expect(cell("TS, basic composition, half, then EM")).toBeGreaterThan(
      cell("TS, advanced composition, half, then EM"),
    );
  });

  it("have generated cases that rise as those of the file do, and a jurisdiction with about a third of them", () => {
    const days = generatedCases();
    expect([days.length, days[0].length]).toEqual([62, 55]);
    const totals = days.map((day) => day.reduce((sum, cases) => sum + cases, 0));
    for (const [day, real] of [
      [8, 5619],
      [16, 21_066],
      [20, 26_930],
    ])
      expect(Math.abs(Math.log(totals[day] / real))).toBeLessThan(0.5);
    expect(days[20][0] / totals[20]).toBeGreaterThan(0.15);
    expect(days[20][0] / totals[20]).toBeLessThan(0.5);
  });

  it("say where the paper's order of methods is not reproduced, and show on which histograms it holds", () => {
    expect(sections[0].notes).toContain("not reproduced here");
    expect(sections[0].table).toContain("stable top k, r = 0, unknown items");
    const order = sections[1].table.split("\n").map((line) => line.split("|")[7]?.trim());
    expect(order.filter((cell) => cell === "holds").length).toBeGreaterThan(0);
    expect(order.filter((cell) => cell === "does not").length).toBeGreaterThan(0);
  });

  it("hold the paper's order after a large drop, and not where counts fall evenly", () => {
    const own = "stable top k, r = 0, unknown items";
    const dropped = recallsOf(countsOf({ level: 150, fall: 0, drop: 60 }), 4, "dropped");
    expect(dropped[own]).toBeGreaterThan(0.6);
    expect(dropped[own]).toBeGreaterThan(Math.max(dropped.TS, dropped.LD));
    const even = recallsOf(countsOf({ level: 1100, fall: 0.5, drop: 0 }), 4, "even");
    expect(even[own]).toBeLessThan(Math.max(even.TS, even.LD));
  });

  it("print the paper's figures beside ours, and say whose data they are", () => {
    expect(sections[0].notes).toContain("stand-in");
    expect(sections[0].table).toMatch(
      /BrightKite \(the paper's\) +\| stable top k +\| 1\.00 +\| 0\.91 +\| 0\.61/,
    );
  });

  it("find all of many equal bins by their gap, where the exponential mechanism loses most", () => {
    const rows = sections[3].table.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    const [exponential, stable, tested, halved] = rows.slice(2).map((row) => row[7]);
    expect([stable, tested]).toEqual(["1.00 ± 0.00", "1.00 ± 0.00"]);
    expect(Number.parseFloat(halved)).toBeLessThan(0.3);
    expect(Number.parseFloat(exponential)).toBeLessThan(0.5);
    expect(sections[3].chart?.svg).toMatch(/^<svg .*<polyline.*<\/svg>\n$/s);
  });

  it("account for 600 queries as the bounds have it", () => {
    const { table } = sections[4];
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

  it("are printed beside stable top k and the paper's rows, and say that the pictures are generated", () => {
    const { notes, table } = sections[5];
    expect(notes).toContain("stand-in");
    expect(notes).toContain("short form");
    expect(table).toMatch(/PATE-τ, τ = 10 +\| 265\.2 +\| 7\.72 +\| 2\.26/);
    expect(table).toMatch(/stable top k, Gaussian noise \(the paper's\) +\| 50, 60 +\| 3\.60 +\| 51\.08/);
    expect(table).toMatch(/PATE-τ: the paper's, on faces .* 7\.7 .* 85\.1 ± 0\.2 %/);
  });

  it("train a student: near the teachers without noise, below one model of all pictures, and above a guess", () => {
    const accuracy = (name: string) => {
      const row = sections[5].table.split("\n").find((line) => line.startsWith(`| ${name}`));
      return Number.parseFloat(row!.split("|")[7]);
    };
    const [ceiling, student] = [accuracy("one model of all"), accuracy("student of the teachers")];
    expect(ceiling).toBeGreaterThan(student);
    expect(student).toBeGreaterThan(80); // no label at all is right for 74 %
    expect(accuracy("PATE, Gaussian noise")).toBeLessThan(student + 1);
  });
});

describe("the models of the labels", () => {
  const { examples, truth } = generatePictures(400, "pictures to learn from");
  const others = generatePictures(200, "other pictures");

  it("learn more from more pictures, and nothing from labels that have nothing to do with them", () => {
    const of = (count: number, labels: Uint8Array) =>
      accuracyOf(
        learn(someOf(examples, 0, count), labels.subarray(0, count * LABELS), 3),
        others.examples,
        others.truth,
      );
    const none = 1 - others.truth.reduce((sum, one) => sum + one, 0) / others.truth.length;
    expect(of(400, truth)).toBeGreaterThan(of(30, truth) + 0.02);
    expect(of(400, truth)).toBeGreaterThan(none + 0.08);
    const strangers = generatePictures(400, "strangers").truth;
    expect(of(400, strangers)).toBeLessThan(none + 0.01);
  });

  it("have about nine of forty labels, some written down wrong", () => {
    const set = (40 * truth.reduce((sum, one) => sum + one, 0)) / truth.length;
    expect(set).toBeGreaterThan(8);
    expect(set).toBeLessThan(12);
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

  it("is larger with Gaussian noise than with Laplace noise for one query, and smaller at the same zCDP [ZW22, Theorem 20]", () => {
    const [laplace, loose, same] = [laplaceTail(1), looseGaussianTail(1, "1e-6"), gaussianTail(1)];
    const gaps = [laplace, loose, same].map((tail) => neededGap(tail, "1e-6", "0.01"));
    expect(gaps).toEqual([19, 39, 9]);
    expect(sections[6].table).toMatch(/Gaussian for one query +\| 74\.68 +\| 39/);
  });
});

describe("the gap that each method needs [ZW22, after Theorem 11]", () => {
  const question = (k: number) => ({ k, candidates: 1000, rho: "0.1", delta: "1e-6" });
  const ratio = (gapOf: (asked: ReturnType<typeof question>) => number) =>
    gapOf(question(50)) / gapOf(question(3));

  it("does not depend on k for stable top k and hardly for TS, and grows with √k for EM and LD", () => {
    expect(ratio(gapOfExponential)).toBeGreaterThan(3);
    expect(ratio(gapOfExponential)).toBeLessThan(5);
    expect(ratio(gapOfLimitedDomain)).toBeGreaterThan(3);
    expect(ratio(gapOfTopStable)).toBeLessThan(1.2);
    for (const k of [3, 10, 50])
      for (const gapOf of [gapOfExponential, gapOfLimitedDomain, gapOfTopStable])
        expect(gapOf(question(k))).toBeGreaterThan(neededGap(stableTail("0.1"), "1e-6", "1e-6"));
  });

  it("is the least: at one less, EM fails more often", () => {
    const [k, gap, scale] = [3, gapOfExponential(question(3)), Math.sqrt(3 / 0.8)];
    const misses = (of: number) =>
      1 - [3, 2, 1].reduce((p, left) => p * (left / (left + 997 * Math.exp(-of / scale))), 1);
    expect(k).toBe(3);
    expect(misses(gap)).toBeLessThanOrEqual(1e-6);
    expect(misses(gap - 1)).toBeGreaterThan(1e-6);
  });

  it("is thousands of people by smooth sensitivity, and grows with the number of candidates", () => {
    expect(smoothGap(question(10))).toBeGreaterThan(10_000);
    expect(smoothGap({ ...question(10), candidates: 10_000 })).toBeGreaterThan(9 * smoothGap(question(10)));
  });
});

describe("the smooth sensitivity of the top k", () => {
  const topOf = (counts: readonly number[], k: number) =>
    counts.map((count, i) =>
      counts.filter((other, j) => other > count || (other === count && j < i)).length < k ? 1 : 0,
    );
  const distanceOf = (a: readonly number[], b: readonly number[]) =>
    Math.hypot(...a.map((value, i) => value - b[i]));
  /** All histograms of three counts up to 5, and those that one person more or less makes of one. */
  const all = Array.from({ length: 216 }, (_, i) => [i % 6, Math.floor(i / 6) % 6, Math.floor(i / 36)]);
  const neighboursOf = (counts: readonly number[]) =>
    Array.from({ length: 8 }, (_, set) => counts.map((count, i) => count + ((set >> i) & 1))).flatMap(
      (more) => [more, counts.map((count, i) => count - (more[i] - count))],
    );
  const local = (counts: readonly number[], k: number) =>
    Math.max(...neighboursOf(counts).map((other) => distanceOf(topOf(counts, k), topOf(other, k))));
  const falling = (counts: readonly number[]) => counts.toSorted((a, b) => b - a);

  it("is at least what one person does to the vector, on all small histograms", () => {
    for (const k of [1, 2])
      for (const counts of all)
        expect(smoothSensitivity(falling(counts), k, 0.3)).toBeGreaterThanOrEqual(local(counts, k) - 1e-12);
  });

  it("changes by a factor of e^β at most from one histogram to its neighbours", () => {
    for (const k of [1, 2])
      for (const counts of all)
        for (const other of neighboursOf(counts)) {
          const [one, two] = [counts, other].map((of) => smoothSensitivity(falling(of), k, 0.3));
          expect(one).toBeLessThanOrEqual(two * Math.exp(0.3) + 1e-12);
        }
  });

  it("would not be smooth with half of the exponent", () => {
    const sharp = (counts: readonly number[]) => smoothSensitivity(counts, 1, 0.6);
    expect(sharp([5, 2, 0]) * Math.exp(0.3)).toBeLessThan(sharp([4, 2, 0]));
    expect(smoothnessFor(10, 1, 1e-6)).toBeCloseTo(1 / (4 * (10 + Math.log(2e6))), 12);
  });
});
