import { describe, expect, it } from "vitest";
import { barOf, table } from "../../src/render/table.js";

describe("a table", () => {
  it("aligns columns by their width on a terminal, not by their characters", () => {
    const columns = [
      { name: "item", title: "item" },
      { name: "n", title: "n", alignment: "right" as const },
    ];
    const rows = [
      { item: "日本", n: "1" },
      { item: "abcd", n: "10" },
    ];
    expect(table(rows, columns)).toBe("  item    n\n ───────────\n  日本    1\n  abcd   10");
  });

  it("shows the columns that it has and nothing else of a row", () => {
    expect(table([{ a: "1", b: "2" }], [{ name: "a", title: "a" }])).toBe("  a\n ───\n  1");
  });
});

describe("a bar", () => {
  it.each([
    [0, ""],
    [1, "████"],
    [0.5, "██"],
    [1 / 32, "▏"],
    [7 / 32, "▉"],
    [-1, ""],
    [2, "████"],
  ])("of %d of four is %j", (share, bar) => {
    expect(barOf(share, 4)).toBe(bar);
  });

  it("is empty where there is no room for it", () => {
    expect(barOf(1, 0)).toBe("");
    expect(barOf(1, -3)).toBe("");
  });
});
