import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { casesByDay, datasets } from "../src/datasets.js";
import type { Section } from "../src/experiment.js";
import { stableTopK } from "../src/stable-topk/index.js";

let folder: string;
let sections: Section[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "experiments-"));
  writeFileSync(join(folder, "msweb_item_user_counts.csv"), "item,label,count\n0,a,900\n1,b,400\n2,c,3\n");
  sections = [...stableTopK({ trials: 2, data: join(folder, "missing") })];
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("the data", () => {
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
  it("are four, and run without any public data", () => {
    expect(sections.map(({ title }) => title)).toHaveLength(4);
    expect(sections[0].table).toContain("generated (Zipf)");
    expect(sections[1].notes).toBe("The data are not here.");
  });

  it("print the paper's figures beside ours, and say whose data they are", () => {
    expect(sections[0].notes).toContain("stand-ins");
    expect(sections[0].table).toMatch(
      /BrightKite \(the paper's\) +\| stable top k +\| 1\.00 +\| 0\.91 +\| 0\.61/,
    );
  });

  it("find all of many equal bins by their gap, where the exponential mechanism loses most", () => {
    const rows = sections[2].table.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    const [exponential, stable] = rows.slice(2).map((row) => row[7]);
    expect(stable).toBe("1.00 ± 0.00");
    expect(Number.parseFloat(exponential)).toBeLessThan(0.5);
    expect(sections[2].chart?.svg).toMatch(/^<svg .*<polyline.*<\/svg>\n$/s);
  });

  it("account for 600 queries as the bounds have it", () => {
    const { table } = sections[3];
    for (const figure of ["71.42 | 71.34", "21.52 | 20.48", "3.66  | 3.28", "52.56 | 51.08", "9.26  | 8.58"])
      expect(table).toContain(figure);
  });
});
