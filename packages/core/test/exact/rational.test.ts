import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { WinnowError } from "../../src/errors.js";
import { Rational, type RationalLike, rational } from "../../src/exact/rational.js";

describe("rational", () => {
  it.each<[RationalLike, bigint, bigint]>([
    ["1/3", 1n, 3n],
    [" 1/3 ", 1n, 3n],
    ["-6/4", -3n, 2n],
    ["+6/4", 3n, 2n],
    ["0/7", 0n, 1n],
    ["0.1", 1n, 10n],
    [".5", 1n, 2n],
    ["5.", 5n, 1n],
    ["-.25", -1n, 4n],
    ["1e-6", 1n, 1_000_000n],
    ["1.5E+3", 1500n, 1n],
    ["-0", 0n, 1n],
    [7n, 7n, 1n],
    [0.1, 1n, 10n],
    [-0, 0n, 1n],
    [1e21, 10n ** 21n, 1n],
    [5e-324, 1n, 2n * 10n ** 323n],
    [2 ** 53 + 2, 9007199254740994n, 1n],
  ])("reads %s exactly", (value, numerator, denominator) => {
    const { numerator: n, denominator: d } = rational(value);
    expect([n, d]).toEqual([numerator, denominator]);
  });

  it("reads a number as the decimal that it prints as, not as the double", () => {
    expect(rational(0.1).equals("1/10")).toBe(true);
    expect(rational(0.1).times(3).equals("3/10")).toBe(true);
  });

  it("reads fractions of 200 digits", () => {
    const denominator = 10n ** 199n + 153n;
    const third = rational(`${denominator - 1n}/${denominator}`);
    expect(third.denominator).toBe(denominator);
    expect(third.plus(`1/${denominator}`).equals(1)).toBe(true);
  });

  it.each([
    "",
    " ",
    ".",
    "-",
    "/",
    "1/",
    "/3",
    "1/0",
    "0/0",
    "1/-3",
    "1 / 3",
    "1/3/5",
    "1.5/2",
    "0x10",
    "0b1",
    "1_000",
    "1,5",
    "1e",
    "e5",
    "1e1.5",
    "1e10001",
    "1e-10001",
    "1e999999999",
    "NaN",
    "Infinity",
    "-Infinity",
    "½",
    "١",
    "1n",
    "1\u00002",
    "--1",
    "9".repeat(25_001),
    `${"1".repeat(9_999)}x`,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    null,
    undefined,
    true,
    {},
    { numerator: 1n, denominator: 0n },
    [["1/3"]],
    () => 1,
    Symbol("1"),
  ])("refuses what is not a rational, case %#", (value) => {
    const read = () => rational(value as RationalLike, "epsilon");
    expect(read).toThrow(WinnowError);
    expect(read).toThrow(/^epsilon must be a rational number/);
  });

  it("accepts texts of up to 25,000 characters, and of numbers that print no longer", () => {
    expect(rational("9".repeat(25_000)).numerator).toBe(10n ** 25_000n - 1n);
    expect(() => rational("9".repeat(25_001))).toThrow(WinnowError);
    expect(rational("1".padStart(25_000, "0"))).toEqual(Rational.ONE);
    expect(() => rational("1".padStart(25_001, "0"))).toThrow(WinnowError);
    expect(() => rational(`${"9".repeat(14_998)}e-10000`)).not.toThrow();
    expect(() => rational(`${"9".repeat(14_999)}e-10000`)).toThrow(WinnowError);
  });

  it("gives a Rational back as it is", () => {
    const third = rational("1/3");
    expect(rational(third)).toBe(third);
  });

  it("accepts exponents up to 10,000", () => {
    expect(rational("1e10000").numerator).toBe(10n ** 10_000n);
    expect(rational("1e-10000").denominator).toBe(10n ** 10_000n);
  });
});

describe("Rational", () => {
  it("keeps lowest terms and a positive denominator", () => {
    const value = Rational.of(6n, -4n);
    expect([value.numerator, value.denominator]).toEqual([-3n, 2n]);
  });

  it("has a 0 and a 1 that no one can replace", () => {
    for (const name of ["ZERO", "ONE"])
      expect(() => Object.assign(Rational, { [name]: rational(2) })).toThrow(TypeError);
  });

  it("refuses to divide by zero", () => {
    expect(() => Rational.of(1n, 0n)).toThrow("denominator must be an integer other than 0; got 0n");
    expect(() => Rational.ONE.dividedBy("0.0")).toThrow("divisor must be a rational other than 0");
  });

  it.each([
    ["7/2", 3n, 4n],
    ["-7/2", -4n, -3n],
    ["-1/3", -1n, 0n],
    ["1/3", 0n, 1n],
    ["-2", -2n, -2n],
    ["0", 0n, 0n],
  ])("floors and ceils %s towards −∞ and +∞", (text, floor, ceil) => {
    expect(rational(text).floor()).toBe(floor);
    expect(rational(text).ceil()).toBe(ceil);
  });

  it.each([
    ["1/3", "1/3"],
    ["-22/7", "-22/7"],
    ["5/10", "0.5"],
    ["-1/8", "-0.125"],
    ["12.30", "12.3"],
    ["1e20", "100000000000000000000"],
    ["-0.0", "0"],
    ["1e-20", "0.00000000000000000001"],
    ["1e-21", "1/1000000000000000000000"],
  ])("prints %s as %s", (text, printed) => {
    expect(String(rational(text))).toBe(printed);
    expect(JSON.stringify({ value: rational(text) })).toBe(`{"value":"${printed}"}`);
  });

  it("compares exactly where doubles are equal", () => {
    const value = rational("1/3");
    expect(value.compare(Rational.of(10n ** 30n + 1n, 3n * 10n ** 30n))).toBe(-1);
    expect(value.compare("2/6")).toBe(0);
    expect(value.compare(0.3)).toBe(1);
    expect(value.equals("2/6")).toBe(true);
    expect([value.equals(0.3), value.equals("1/2")]).toEqual([false, false]);
  });
});

describe("a rational among other values", () => {
  it("is the nearest double where a number is wanted", () => {
    expect(Number(rational("25/3"))).toBe(25 / 3);
    expect(+rational("-1/2")).toBe(-0.5);
    expect(Math.max(rational("1/3") as never, 0)).toBe(1 / 3);
    expect((rational("1/2") as never) + 1).toBe(1.5);
  });

  it("compares by its nearest double, for convenience: compare is exact", () => {
    expect(rational("1/3") < rational("1/2")).toBe(true);
    expect(rational(10) > rational(9)).toBe(true);
    const [near, nearer] = [rational("1e-400"), rational("2e-400")];
    expect(near < nearer).toBe(false);
    expect(near.compare(nearer)).toBe(-1);
  });

  it("is its exact text where a text is wanted", () => {
    expect(`${rational("25/3")}`).toBe("25/3");
    expect(String(rational("0.10"))).toBe("0.1");
    expect([rational("1/3"), rational(2)].join()).toBe("1/3,2");
  });

  it.each(["25/3", "0.1", "-7", "1e-30", "123456789012345678901234567890/7"])(
    "comes back from JSON: %s",
    (text) => {
      const value = rational(text);
      expect(rational(JSON.parse(JSON.stringify(value))).equals(value)).toBe(true);
      expect(JSON.stringify({ value })).toBe(`{"value":"${value}"}`);
    },
  );

  it("shows itself on the console", () => {
    expect(inspect({ gap: rational("25/3") })).toBe("{ gap: Rational(25/3) }");
  });

  it("is read again after structuredClone, which drops its class, and reduced to lowest terms", () => {
    const clone = structuredClone(rational("25/3")) as Rational;
    expect(clone).not.toBeInstanceOf(Rational);
    expect(rational(clone)).toEqual(rational("25/3"));
    expect(rational({ numerator: 4n, denominator: 6n })).toEqual(rational("2/3"));
    expect(
      rational("1/3")
        .plus(structuredClone(rational("2/3")))
        .equals(1),
    ).toBe(true);
  });

  it.each([
    [{ numerator: 1n, denominator: 0n }, "1/0"],
    [{ numerator: 1n, denominator: -2n }, "1/-2"],
    [{ numerator: 1, denominator: 2n }, "a value of type object"],
    [{ numerator: 1n }, "a value of type object"],
    [{ numerator: 1n, denominator: 2 }, "a value of type object"],
    [{ numerator: "1", denominator: "2" }, "a value of type object"],
    [[1n, 2n], "an array"],
  ])("an object that is not a fraction is refused: %o", (value, got) => {
    expect(() => rational(value as never, "epsilon")).toThrow(
      expect.objectContaining({ code: "invalid-parameter", field: "epsilon", got }),
    );
  });
});
