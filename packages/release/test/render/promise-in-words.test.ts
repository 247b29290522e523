import { describe, expect, it } from "vitest";
import { approx, base2, pure, zcdp } from "winnow-dp";
import { promiseInWords } from "../../src/render/statement.js";

const CHANGE = "one person is added or removed";

describe("the promise to one person", () => {
  it("has a factor, rounded up, while that says something", () => {
    expect(promiseInWords(pure("1/2"), CHANGE)).toContain("e^ε, at most 1.65.");
    expect(promiseInWords(pure("0.1"), CHANGE)).toContain("at most 1.11.");
    expect(promiseInWords(pure(10), CHANGE)).toContain("up to a factor of e^ε.");
    expect(promiseInWords(pure(20), CHANGE)).toContain(
      "which is more than 22,000 times: that protects hardly anyone",
    );
    expect(promiseInWords(pure(Infinity), CHANGE)).toContain("ε = ∞");
  });

  it("has the probability of failure where there is one", () => {
    expect(promiseInWords(approx(1, "1e-6"), CHANGE)).toContain("except with probability 0.000001.");
    expect(promiseInWords(zcdp("0.1", "1e-9"), CHANGE)).toContain("except with probability 1e-9");
    expect(promiseInWords(zcdp("0.1"), CHANGE)).not.toContain("except");
    expect(promiseInWords(base2(1), CHANGE)).toBe(
      "Its privacy loss is η = 1 if one person is added or removed.",
    );
  });
});
