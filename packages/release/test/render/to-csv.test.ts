import { describe, expect, it } from "vitest";
import { toCsv } from "../../src/index.js";
import { ask, listed, releaseOf } from "../support/ask.js";
import { release } from "../support/releases.js";

const lines = (text: string) => text.split("\r\n").slice(0, -1);

describe("a release as CSV", () => {
  it("has rank, item and gap with its interval", () => {
    const [header, ...rows] = lines(toCsv(release("gaps")));
    expect(header).toBe("rank,item,gap,gap_low,gap_high");
    expect(rows.map((row) => row.split(",").slice(0, 2).join())).toEqual([
      "1,search",
      "2,news",
      "3,maps",
      "4,mail",
    ]);
    for (const row of rows) expect(row).toMatch(/^\d,\w+,\d+,\d+,\d+$/);
  });

  it("has ranks alone where there are no gaps, and names alone where their order says nothing", () => {
    expect(lines(toCsv(release("concentrated")))[0]).toBe("rank,item");
    expect(lines(toCsv(release("unknown")))[0]).toBe("item");
    expect(toCsv(release("nothing"))).toBe("item\r\n");
  });

  it("has gaps as decimals: a fraction would be taken for a date", () => {
    for (const row of lines(toCsv(release("fine gaps, people replaced"))).slice(1)) {
      expect(row).not.toContain("/");
      expect(row.split(",").slice(2).map(Number)).not.toContain(Number.NaN);
    }
  });

  it("defuses formulas, quotes what needs it and keeps one line for each winner", async () => {
    const items = ["=cmd|' /C calc'!A0", 'a,"b"\n=1', "x;@sum(1)", "\u202e\u001b[2J"];
    const question = ask({ k: 3, domain: listed(4), epsilon: 1000, mechanism: "top-k" });
    const text = toCsv(await releaseOf(question, { items, users: [4000, 3000, 2000, 1000] }));
    expect(lines(text)).toEqual([
      "rank,item_escaped",
      "1,\"'=cmd|' /C calc'!A0\"",
      '2,"a,""b""\\u{a}=1"',
      '3,"x;\'@sum(1)"',
    ]);
  });
});
