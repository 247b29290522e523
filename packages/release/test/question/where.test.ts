import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  columnsOf,
  fits,
  type Operand,
  type Predicate,
  predicateText,
  readPredicate,
  readTypes,
} from "../../src/question/where.js";

const row = (values: Readonly<Record<string, string>>) => (column: string) => values[column];
const isTrue = (text: string, values: Readonly<Record<string, string>>) =>
  fits(readPredicate(text), row(values));

describe("A condition on rows", () => {
  it.each([
    ["country = 'DE' AND day >= '2026-10-01'", "country = 'DE' and day >= '2026-10-01'"],
    ["a = '1' or b = '2' and not c != '3'", "a = '1' or (b = '2' and not c <> '3')"],
    ["((a = '1')) and (b = '2' and c = '3')", "a = '1' and b = '2' and c = '3'"],
    ["not not a is null", "a is null"],
    ["not (a is not null or b like '%x%')", "not (a is not null or b like '%x%')"],
    ["a not between 'b' and 'c'", "not (a >= 'b' and a <= 'c')"],
    ["date(d) < date '2026-03-31' - interval '1' month", "date(d) < '2026-02-28'"],
    ["date(d) < '2024-02-29' + interval '1' year + 1", "date(d) < '2025-03-01'"],
    ["date(d) > '2026-01-01' - 1 + interval '2' weeks", "date(d) > '2026-01-14'"],
    ["decimal(price) in (007, -0, 1.50)", "decimal(price) in ('7', '0', '1.5')"],
    ["lower(trim(Name)) = 'x' -- a comment", `lower(trim("Name")) = 'x'`],
    [`"a ""b""" = 'it''s'`, `"a ""b""" = 'it''s'`],
    ["\"and\" = 'or'", "\"and\" = 'or'"],
  ])("has one text: %s", (text, canonical) => {
    expect(predicateText(readPredicate(text))).toBe(canonical);
    expect(predicateText(readPredicate(canonical))).toBe(canonical);
  });

  it("takes the types of columns from a list", () => {
    const types = readTypes("day:date, price : decimal,name:text");
    const text = predicateText(readPredicate("day >= '2026-10-01' and price > 3 and name = '3'", types));
    expect(text).toBe("date(day) >= '2026-10-01' and decimal(price) > '3' and name = '3'");
    expect(predicateText(readPredicate("constructor = 'x'", types))).toBe("constructor = 'x'");
    for (const wrong of ["", "day", "day:time", "day:date,day:text", "day:date,"])
      expect(() => readTypes(wrong)).toThrow("types must be columns with their types");
  });

  it("makes a comparison false where the value can't be read, whatever the comparison is", () => {
    for (const text of [
      "d = '2026-10-01'",
      "d <> '2026-10-01'",
      "d not in ('2026-10-01')",
      "d < '2030-01-01'",
    ])
      for (const d of ["", "2026-02-30", "soon", "2026-10-01x"])
        expect(isTrue(text.replace("d ", "date(d) "), { d }), `${text} ${d}`).toBe(false);
    expect(isTrue("not date(d) <> '2026-10-01'", { d: "soon" })).toBe(true);
    expect(isTrue("x not like '%a%'", {})).toBe(false);
    expect(isTrue("x is null", {})).toBe(true);
  });

  it("orders texts by their bytes", () => {
    expect(isTrue("x > '\ue000'", { x: "\u{1f600}" })).toBe(true);
    expect(isTrue("x > '\uffee'", { x: "\u{1f600}" })).toBe(true);
    expect(isTrue("x > '\ud7ff'", { x: "\u{10000}" })).toBe(true);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (x, y) => {
        fc.pre(![x, y].some((text) => /[\0\\]|[\ud800-\udfff]/u.test(text)) && y !== "" && x !== "");
        const expected = Buffer.compare(Buffer.from(x), Buffer.from(y)) < 0;
        expect(isTrue(`x < '${y.replaceAll("'", "''")}'`, { x })).toBe(expected);
      }),
    );
  });

  it("compares numbers exactly", () => {
    expect(isTrue("decimal(x) = 0.1", { x: "0.100" })).toBe(true);
    expect(isTrue("decimal(x) > 9007199254740992", { x: "9007199254740993" })).toBe(true);
    expect(isTrue("decimal(x) < -0.5", { x: "-0.500000000000000001" })).toBe(true);
  });

  it("reads its own text as the same condition", () => {
    const name = fc.string({ minLength: 1 }).filter((text) => !/[\0\\]/.test(text));
    const value = fc.string().filter((text) => !/[\0\\]/.test(text));
    const operand: fc.Arbitrary<Operand> = fc.record({
      column: name,
      type: fc.constant("text" as const),
      functions: fc.array(fc.constantFrom("lower" as const, "trim" as const), { maxLength: 3 }),
    });
    const { whole } = fc.letrec<{ whole: Predicate; leaf: Predicate; inner: Predicate }>((tie) => ({
      leaf: fc.oneof(
        fc.record({
          kind: fc.constant("compare" as const),
          operand,
          operator: fc.constantFrom("=" as const, "<>" as const, "<" as const, "<=" as const, ">" as const),
          value,
        }),
        fc.record({
          kind: fc.constant("in" as const),
          operand,
          values: fc.array(value, { minLength: 1 }),
          isNot: fc.boolean(),
        }),
        fc.record({
          kind: fc.constant("like" as const),
          operand,
          parts: fc.array(
            value.filter((text) => !/[%_]/.test(text)),
            { minLength: 1 },
          ),
          isNot: fc.boolean(),
        }),
      ),
      inner: fc.record({ kind: fc.constant("not" as const), part: tie("leaf") }),
      whole: fc.oneof(
        tie("leaf"),
        tie("inner"),
        fc.record({
          kind: fc.constant("and" as const),
          parts: fc.array(fc.oneof(tie("leaf"), tie("inner")), { minLength: 2, maxLength: 4 }),
        }),
        fc.record({
          kind: fc.constant("not" as const),
          part: fc.record({
            kind: fc.constant("or" as const),
            parts: fc.array(tie("leaf"), { minLength: 2, maxLength: 3 }),
          }),
        }),
      ),
    }));
    fc.assert(
      fc.property(whole, (predicate) => {
        expect(readPredicate(predicateText(predicate))).toEqual(predicate);
      }),
    );
  });

  it("names its columns, each once", () => {
    expect(columnsOf(readPredicate("a = '1' and (not b is null or lower(a) = '2')"))).toEqual(["a", "b"]);
  });

  it.each([
    ["", "a condition that ends too early"],
    ["a", "a condition that ends too early"],
    ["a = 1", "1"],
    ["a = b", "b"],
    ["a = '1' garbage", "garbage"],
    ["a = '1'; drop table x", ";"],
    ["exists (select 1)", "functions lower, trim, date and decimal"],
    ["sleep(10) = '1'", "functions lower, trim, date and decimal"],
    ["select = '1'", "select"],
    ["a = 'back\\slash'", "the character"],
    ["a like 'x_y'", "_ isn't a wildcard"],
    ["date(a) like '2026%'", "like of a text"],
    ["date(a) >= '2026-02-30'", "days such as"],
    ["date(a) >= '9999-12-31' + 1", "intervals in day, week, month or year"],
    ["date(a) >= '2026-01-01' + interval '1' hour", "intervals in day, week, month or year"],
    ["decimal(a) = '1e5'", "numbers of at most 18 digits"],
    ["date(decimal(a)) = '2026-01-01'", "one type for each column"],
    ["lower(date(a)) = '2026-01-01'", "lower of a text"],
    ["date(a) is null", "is null of a column as it is"],
    [`${"(".repeat(200)}a = '1'${")".repeat(200)}`, "less than 100 conditions within each other"],
    ["x".repeat(10_001), "a text of at most 10000 characters"],
    [`a in (${"'x', ".repeat(1000)}'y')`, "at most 1000 values"],
  ])("refuses %s", (text, words) => {
    expect(() => readPredicate(text)).toThrow(words);
  });
});
