import { describe, expect, it } from "vitest";
import { isItemExpression, itemText, readItems } from "../../src/index.js";
import { itemOf } from "../../src/question/items.js";
import { ask, grid, listed } from "../support/ask.js";

const row = (texts: Readonly<Record<string, string>>) => (column: string) => texts[column];

describe("What is counted in a row", () => {
  it("is a column, some functions of its text, or several of these", () => {
    const parts = readItems(["name", "LOWER( trim(name) )", "date_trunc('Month', day)", '"odd, (name)"']);
    expect(parts.map(itemText)).toEqual([
      "name",
      "lower(trim(name))",
      "date_trunc('month', day)",
      '"odd, (name)"',
    ]);
    const texts = row({ name: " Mail ", day: "2026-11-18 08:30", "odd, (name)": "x" });
    expect(parts.map((part) => itemOf(part, texts))).toEqual([" Mail ", "mail", "2026-11-01", "x"]);
    expect(readItems(parts.map(itemText))).toEqual(parts);
  });

  it("is nothing where a value is missing or can't be read", () => {
    const [lowered, year] = readItems(["lower(trim(a))", "date_trunc('year', a)"]);
    for (const a of [{}, { a: "" }, { a: "  " }]) expect(itemOf(lowered!, row(a))).toBeUndefined();
    for (const a of ["2026-02-29", "2026-1-1", "soon", "2026-10-01x"])
      expect(itemOf(year!, row({ a }))).toBeUndefined();
    expect(itemOf(year!, row({ a: "2024-02-29T00:00" }))).toBe("2024-01-01");
    expect(itemOf(lowered!, row({ a: "\u00a0\u0130A " }))).toBe("\u00a0\u0130a"); // ASCII only
  });

  it("is the name of a column, whatever its signs are, unless a function is called", () => {
    expect(["name", "a, b", "sum (EUR)", "x(y)"].map(isItemExpression)).toEqual([false, false, false, false]);
    expect(["lower(x)", " Date_Trunc('day', x)", '"lower(x)"'].map(isItemExpression)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each([
    "lower(",
    "lower(a) or b",
    "upper(a)",
    "date_trunc('week', a)",
    "date_trunc(month, a)",
    "lower(date_trunc('day', a))",
    "a b",
    "'a'",
    "1",
    "and",
    "",
  ])("is refused: %s", (text) => {
    expect(() => readItems([text])).toThrow("item must be a column, or lower(x)");
  });

  it("is part of a question, where names are counted", () => {
    const base = { k: 1, domain: listed(3), epsilon: 1 } as const;
    const map = { size: 2, hash: "ab".repeat(32) };
    expect(ask({ ...base, items: ["Lower( a )", "b"], map })).toMatchObject({
      items: ["lower(a)", "b"],
      map,
    });
    expect(() => ask({ ...base, items: ["a", " a"] })).toThrow("items must be different items");
    expect(() => ask({ ...base, items: [] })).toThrow("items must be a list of 1 to 20 items");
    expect(() => ask({ ...base, map: { size: 0, hash: "x" } })).toThrow("map must be the size and the hash");
    const values = { kind: "quantile", quantiles: ["1/2"], domain: grid(0, 9), epsilon: 1 } as const;
    expect(() => ask({ ...values, items: ["lower(a)"] })).toThrow(
      "items must be absent where numbers are counted",
    );
  });
});
