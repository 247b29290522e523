import { describe, expect, it } from "vitest";
import { expEnclosure } from "../../src/exact/elementary.js";
import { bitLength } from "../../src/exact/integers.js";
import { asInterval, Interval } from "../../src/exact/interval.js";
import { ln2 } from "../../src/exact/ln.js";

import { rational } from "../../src/exact/rational.js";
import { expectAroundDecimal } from "./decimal-oracle.js";

const PRECISIONS = [1, 2, 3, 16, 31, 32, 33, 53, 64, 100, 128, 192, 256, 512];

function expectExp(a: bigint, precision: number): void {
  const x = new Interval(a, a, precision);
  expectAroundDecimal(asInterval(expEnclosure(x)), "exp", x.lower());
}

/**
 * Where k·ln 2 lies within 2^−18 units of a multiple of 2^−precision: at the long runs of equal binary digits.
 * `below` is the multiple below it, in units.
 */
function* closeMultiplesOfLn2(): Generator<{ k: number; precision: number; below: bigint }> {
  for (let k = 1; k <= 600; k++) {
    const digits = (ln2(3100).lo * BigInt(k)).toString(2).slice(0, -100); // the last ones are uncertain
    for (const { index } of digits.matchAll(/0{18,}|1{18,}/g)) {
      const precision = index - (digits.length - 3000);
      if (precision >= k) yield { k, precision, below: BigInt(`0b${digits.slice(0, index)}`) };
    }
  }
}

describe("expEnclosure", () => {
  it.each(PRECISIONS)("is certain and tight next to 0, 1 and -1, at %i bits", (precision) => {
    const one = 1n << BigInt(precision);
    for (const a of [-one - 1n, -one, 1n - one, -2n, -1n, 1n, 2n, one - 1n, one, one + 1n])
      expectExp(a, precision);
  });

  it.each(PRECISIONS)("is certain and tight next to multiples of ln 2, at %i bits", (precision) => {
    for (const k of [-precision, -3, -1, 1, 2, 5, 64]) {
      const { lo } = asInterval(ln2(precision)).times(k);
      for (const a of [lo - 1n, lo, lo + 1n]) expectExp(a, precision);
    }
  });

  it.each(PRECISIONS)(
    "is certain and tight where the result leaves the last place, at %i bits",
    (precision) => {
      const border = -BigInt(precision) << BigInt(precision);
      for (const a of [2n * border, border - 1n, border, border + 1n, border / 2n]) expectExp(a, precision);
    },
  );

  it.each([16, 64, 128])("is certain and tight up to e^2500, at %i bits", (precision) => {
    for (const whole of [10n, 100n, 1000n, 2500n]) expectExp((whole << BigInt(precision)) + 1n, precision);
  });

  it("stays on the right side of 2^k and 2^-k at points within 2^-18 units of k·ln 2 and -k·ln 2", () => {
    const close = [...closeMultiplesOfLn2()];
    expect(close.length).toBeGreaterThan(5);
    for (const { k, precision, below } of close) {
      const exp = (a: bigint) => new Interval(a, a, precision).exp();
      const [power, inverse] = [1n << BigInt(precision + k), 1n << BigInt(precision - k)];
      expect(exp(below).lo < power && power < exp(below + 1n).hi).toBe(true);
      expect(exp(-below - 1n).lo < inverse && inverse < exp(-below).hi).toBe(true);
    }
  });

  it("is exactly 1 at 0", () => {
    for (const precision of PRECISIONS) {
      const { lo, hi } = Interval.from(0, precision).exp();
      expect([lo, hi]).toEqual([1n << BigInt(precision), 1n << BigInt(precision)]);
    }
  });

  it("answers e^(-10^9) and e^(-10^1000) with one unit", () => {
    for (const x of [-1e9, -(10n ** 1000n)]) {
      const { lo, hi } = Interval.from(x, 64).exp();
      expect([lo, hi]).toEqual([0n, 1n]);
    }
  });

  it.each([100_000, 1_000_000, 16_000_000])("knows the leading 4,160 digits of e^%i", (x) => {
    const power = Interval.from(x, 64).exp();
    const leading = power.withPrecision(64 + 4160 - bitLength(power.hi)); // negative: whole multiples of 2^…
    expectAroundDecimal(leading, "exp", rational(x));
  });

  it("takes the ends of an interval from its end points", () => {
    const [lower, upper] = [Interval.from("-7/2", 64), Interval.from(2, 64)];
    const whole = Interval.hull("-7/2", 2, 64).exp();
    expect([whole.lo, whole.hi]).toEqual([lower.exp().lo, upper.exp().hi]);
  });

  it("refuses results of more than three megabytes, without repeating the argument", () => {
    expect(() => Interval.from(2 ** 24, 64).exp()).toThrow(
      "x must be an interval below 2^24; got a value of type object",
    );
  });
});
