import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { invalidParameter, WinnowError } from "../src/errors.js";
import { rational } from "../src/exact/rational.js";

describe("WinnowError", () => {
  it("is an Error with a code that programs can switch on", () => {
    const error = new WinnowError("entropy-unavailable", "no randomness");
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("WinnowError");
    expect(error.code).toBe("entropy-unavailable");
    expect(error.message).toBe("no randomness");
    expect(String(error)).toBe("WinnowError: no randomness");
  });

  it("has no field, expectation or value unless it was given one", () => {
    const error = new WinnowError("entropy-unavailable", "no randomness");
    expect([error.field, error.expected, error.got]).toEqual([undefined, undefined, undefined]);
    expect(Object.hasOwn(error, "cause")).toBe(false);
  });

  it("keeps its cause, also an undefined one", () => {
    const cause = new Error("below");
    expect(new WinnowError("entropy-unavailable", "above", { cause }).cause).toBe(cause);
    expect(
      Object.hasOwn(new WinnowError("entropy-unavailable", "above", { cause: undefined }), "cause"),
    ).toBe(true);
  });
});

describe("invalidParameter", () => {
  it("names the field, what was expected and what came, as data and in one sentence", () => {
    const error = invalidParameter("epsilon", "a rational > 0", "-1/2");
    expect(error.code).toBe("invalid-parameter");
    expect(error.field).toBe("epsilon");
    expect(error.expected).toBe("a rational > 0");
    expect(error.got).toBe('"-1/2"');
    expect(error.message).toBe('epsilon must be a rational > 0; got "-1/2"');
  });

  it.each([
    [0, "0"],
    [-0.5, "-0.5"],
    [Number.NaN, "NaN"],
    [Number.NEGATIVE_INFINITY, "-Infinity"],
    [12n, "12n"],
    ["", '""'],
    ['a "quoted" text', '"a \\"quoted\\" text"'],
    ["line\nbreak \u001b[31m", '"line\\nbreak \\u001b[31m"'],
    [true, "true"],
    [null, "null"],
    [undefined, "undefined"],
    [rational("-3/7"), "-3/7"],
    [rational("0.25"), "0.25"],
  ])("prints %o", (value, text) => {
    expect(invalidParameter("k", "an integer", value).got).toBe(text);
  });

  it.each([
    [[1, 2, 3], "an array"],
    [Float64Array.of(1, 2, 3), "a value of type object"],
    [{ secret: 41_270 }, "a value of type object"],
    [new Map([["secret", 41_270]]), "a value of type object"],
    [() => 41_270, "a value of type function"],
    [Symbol("secret"), "a value of type symbol"],
    [{ toString: () => "41270" }, "a value of type object"],
  ])("names only the kind of a value that may hold private data: %o", (value, text) => {
    const error = invalidParameter("scores", "numbers", value);
    expect(error.got).toBe(text);
    expect(inspect(error)).not.toMatch(/secret|41.?270/);
  });

  it("shortens what is long and says how long it was", () => {
    const error = invalidParameter("epsilon", "a rational", "9".repeat(5_000));
    expect(error.got).toBe(`"${"9".repeat(59)}… (5002 characters)`);
    expect(invalidParameter("n", "an integer", 10n ** 200n).got).toMatch(/^10{59}… \(202 characters\)$/);
  });
});
