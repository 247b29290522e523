import { describe, expect, it } from "vitest";
import { Rational, rational } from "../../../core/src/exact/rational.js";
import { binomialTail } from "../../src/statistics/clopper-pearson.js";

/** P(X ≥ hits), term by term in rationals. */
function exactTail(hits: number, n: number, p: Rational): Rational {
  let sum = Rational.ZERO;
  for (let count = hits; count <= n; count++) sum = sum.plus(exactTerm(count, n, p));
  return sum;
}

function exactTerm(count: number, n: number, p: Rational): Rational {
  let term = Rational.ONE;
  for (let i = 1; i <= count; i++) term = term.times(p).times(Rational.of(BigInt(n - count + i), BigInt(i)));
  for (let i = count; i < n; i++) term = term.times(Rational.ONE.minus(p));
  return term;
}

describe("The tail of a binomial law", () => {
  it.each([
    [0, 5, "1/3"],
    [3, 5, "1/3"],
    [5, 5, "1/3"],
    [7, 20, "0.1"],
    [1, 40, "1/1000"],
    [40, 40, "999/1000"],
    [60, 100, "1/2"],
  ])("from %i of %i at p = %s encloses the sum of its terms, narrowly", (hits, n, p) => {
    const tail = binomialTail(hits, n, rational(p));
    const exact = exactTail(hits, n, rational(p));
    expect(tail.lower().compare(exact)).toBeLessThanOrEqual(0);
    expect(tail.upper().compare(exact)).toBeGreaterThanOrEqual(0);
    expect(tail.upper().minus(tail.lower()).compare("1e-25")).toBeLessThan(0);
  });

  it("far out is below the last place and not below 0", () => {
    const tail = binomialTail(9_000, 10_000, rational("1/2"));
    expect(tail.lower().compare(0)).toBe(0);
    expect(tail.upper().compare("1e-20")).toBeLessThan(0);
  });
});
