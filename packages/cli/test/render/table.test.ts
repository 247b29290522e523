import { describe, expect, it } from "vitest";
import { barOf, table, tableOrList } from "../../src/render/table.js";

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

describe("a table on a terminal that is too narrow for it", () => {
  const columns = [
    { name: "name", title: "data set" },
    { name: "left", title: "left" },
    { name: "note", title: "that is" },
  ];
  const rows = [
    { name: "visits", left: "ε = 1.593, δ = 0.000005", note: "about 20 more releases" },
    { name: "clicks", left: "ε = 1", note: "" },
  ];
  const shown = (isTerminal: boolean, width: number) =>
    tableOrList(rows, columns, { isTerminal, columns: width, faint: (text) => text });

  it("is a list that says the same, without what is empty", () => {
    expect(shown(true, 40)).toBe(
      [
        "  data set  visits",
        "  left      ε = 1.593, δ = 0.000005",
        "  that is   about 20 more releases",
        "",
        "  data set  clicks",
        "  left      ε = 1",
      ].join("\n"),
    );
  });

  it("stays a table where there is room, and in a pipe", () => {
    for (const wide of [shown(true, 200), shown(false, 40)]) expect(wide).toBe(table(rows, columns));
  });
});
