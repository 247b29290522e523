import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Section } from "../src/experiment.js";
import { unknownDomains } from "../src/unknown-domains/index.js";
import { peopleItems } from "../src/unknown-domains/people-items.js";
import { simulated } from "../src/unknown-domains/simulated.js";

let folder: string;
let sections: Section[];

const cells = (table: string) =>
  table
    .split("\n")
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim()));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "experiments-"));
  sections = [...unknownDomains({ trials: 3, data: join(folder, "missing") })];
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("people and their items", () => {
  it("are read from pairs and from baskets, each pair once, and generated ones come last", () => {
    writeFileSync(join(folder, "msweb_user_item_pairs.csv.gz"), gzipSync("user,item\n1,a\n1,b\n2,b\n"));
    writeFileSync(join(folder, "retail.dat.gz"), gzipSync("7 8 7 \n8 \n"));
    const [web, retail, generated] = peopleItems(folder);
    expect([...web.counts]).toEqual([
      ["b", 2],
      ["a", 1],
    ]);
    expect(retail).toMatchObject({
      name: "retail",
      people: 2,
      rows: [
        ["0", "7"],
        ["0", "8"],
        ["1", "8"],
      ],
    });
    expect(generated.people).toBe(4000);
    expect(Math.max(...generated.counts.values())).toBe([...generated.counts.values()][0]);
  });
});

describe("the experiment on unknown domains", () => {
  it("compares five columns, counts rounds and draws a chart for each k, without any public data", () => {
    expect(sections.map(({ chart }) => chart?.name)).toEqual([
      ...[undefined, undefined],
      ...["recall-10", "recall-25", "recall-100"],
    ]);
    expect(cells(sections[0].table)).toHaveLength(9);
    expect(sections[0].notes).toContain("0 of 0 are within");
    expect(sections[2].chart?.svg).toMatch(/^<svg .*<polyline.*<\/svg>\n$/s);
  });

  it("finds what the theory leads to expect", () => {
    const recall = (k: number, epsilon: number) =>
      cells(sections[0].table)
        .find((row) => row[2] === String(k) && row[3] === String(epsilon))!
        .slice(4, -1)
        .map(Number);
    const [stable, gumbel, exponential, threshold, known] = recall(25, 1);
    expect(gumbel).toBeGreaterThan(stable);
    expect(gumbel).toBeGreaterThan(exponential);
    expect(known).toBeGreaterThan(gumbel);
    expect(threshold).toBeGreaterThan(gumbel); // k > 2m, and few people have more than ten items
    expect(recall(10, 3)[1]).toBe(1);
  });

  it("charges a hopeless question for little", () => {
    const row = cells(sections[1].table).find((one) => one[2] === "100" && one[3] === "0.3")!;
    expect(Number.parseFloat(row[4])).toBeLessThan(10);
    expect(row[4]).toMatch(/^\d\.\d \(\d %\)$/);
  });

  it("knows what was simulated", () => {
    expect(simulated("retail", 100, 1, "limited, Gumbel")).toBe(0.97);
    expect(simulated("retail", 100, 10, "stable")).toBeUndefined();
    expect(simulated("generated (Zipf)", 10, 1, "stable")).toBeUndefined();
  });
});
