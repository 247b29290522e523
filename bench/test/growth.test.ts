import { describe, expect, it } from "vitest";
import { growthCharts } from "../src/growth.js";
import type { Result } from "../src/report.js";
import { CANDIDATES, ITEMS, SIZES, select, selectionName } from "../src/suites/select.js";

function measured(name: string, milliseconds: number): Result {
  const time = { nanoseconds: 1, bytes: 0 };
  const ratio = { lower: 1, median: 1, upper: 1 };
  return {
    suite: "select",
    name,
    unit: "candidate",
    subject: { ...time, name: "ours", milliseconds },
    rivals: [{ ...time, name: "theirs", milliseconds: 3 * milliseconds, ratio }],
  };
}

describe("the growth curves", () => {
  const byCandidates = CANDIDATES.map((n) => measured(selectionName(n, 100), n / 1e6));

  it("are drawn of what the selections measure", () => {
    const names = select.works.map(({ name }) => name);
    for (const n of CANDIDATES) expect(names).toContain(selectionName(n, 100));
    for (const k of SIZES) expect(names).toContain(selectionName(ITEMS, k));
  });

  it("show every contender at every size, on powers of ten", () => {
    const [{ name, svg }] = growthCharts(byCandidates);
    expect(name).toBe("growth-candidates");
    expect(svg.match(/<polyline/g)).toHaveLength(2);
    for (const text of ["ours", "theirs", "10,000,000", ">0.001<", ">100<"]) expect(svg).toContain(text);
    expect(svg).not.toContain("NaN");
  });

  it("are left out where something was not measured", () => {
    expect(growthCharts(byCandidates.slice(1))).toEqual([]);
  });
});
