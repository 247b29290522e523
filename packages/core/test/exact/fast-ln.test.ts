import { describe, expect, it } from "vitest";
import { FAST_LN_ERROR, FAST_LN32_ERROR, fastLn, fastLn32, fastLnTable } from "../../src/exact/fast-ln.js";
import { abs } from "../../src/exact/integers.js";
import { Interval } from "../../src/exact/interval.js";
import { lnEnclosure } from "../../src/exact/ln.js";
import { Rational } from "../../src/exact/rational.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const PRECISION = 112;
const UNIT = 2 ** PRECISION;

/** How far a double is from ln m at most, rounded to a double from above. */
function distance(value: number, m: number): number {
  const { lo, hi } = lnEnclosure(Interval.from(BigInt(m), PRECISION));
  const claimed = BigInt(value * UNIT);
  const [below, above] = [abs(claimed - lo), abs(claimed - hi)];
  return (Number(below > above ? below : above) / UNIT) * (1 + 2 ** -50);
}

function worst(ln: (m: number) => number, integers: Iterable<number>): number {
  let most = 0;
  for (const m of integers) most = Math.max(most, distance(ln(m), m));
  return most;
}

function* range(from: number, to: number): Generator<number> {
  for (let m = from; m <= to; m++) yield m;
}

/** Both sides of every border between two cells of the table, for m from 2^lowest to 2^(highest + 1). */
function* borders(lowest: number, highest: number): Generator<number> {
  for (let exponent = lowest; exponent <= highest; exponent++) {
    for (let cell = 0; cell < 256; cell++) {
      const border = 2 ** (exponent - 8) * (256 + cell);
      yield* [border - 1, border, border + 1, border + 2 ** (exponent - 9)];
    }
  }
}

function* powers(highest: number): Generator<number> {
  for (let exponent = 2; exponent <= highest; exponent++) {
    for (let offset = -2; offset <= 2; offset++) yield 2 ** exponent + offset;
  }
}

function* random(bits: number, count: number): Generator<number> {
  const entropy = seededEntropy(`fast-ln ${bits}`);
  for (let i = 0; i < count; i++) yield Math.max(1, entropy.bits(bits));
}

describe("the table", () => {
  it("is built by the first logarithm, and once", () => {
    expect(worst(fastLn, range(256, 512))).toBeLessThan(FAST_LN_ERROR); // all of its cells
    expect(fastLnTable()).toBe(fastLnTable());
  });

  it("has e·ln 2 as near as a double and 2^-90 can be", () => {
    const table = fastLnTable();
    for (let e = 1; e <= 53; e++) {
      const { lo, hi } = lnEnclosure(Interval.from(1n << BigInt(e), PRECISION));
      const error = Math.max(
        Math.abs(Number(BigInt(table[e] * UNIT) - lo)),
        Math.abs(Number(BigInt(table[e] * UNIT) - hi)),
      );
      expect(error / UNIT).toBeLessThan(2 ** (Math.floor(Math.log2(table[e])) - 53) + 2 ** -90);
    }
  });

  it("has -ln r as near as a double below 1 and 2^-60 can be, and the reciprocals exactly", () => {
    const table = fastLnTable();
    for (let j = 0; j < 256; j++) {
      const reciprocal = table[256 + j] * 2 ** 43;
      expect(Number.isInteger(reciprocal)).toBe(true);
      expect(Math.abs(reciprocal - 2 ** 21 / (513 + 2 * j))).toBeLessThanOrEqual(0.5);
      const { lo, hi } = lnEnclosure(Interval.from(Rational.of(BigInt(reciprocal), 4096n), PRECISION));
      const entry = BigInt(-table[512 + j] * UNIT);
      const error = Math.max(Math.abs(Number(entry - lo)), Math.abs(Number(entry - hi)));
      expect(error / UNIT).toBeLessThan(2 ** -54 + 2 ** -60);
    }
  });
});

const PROVEN_32 = 2 ** -47.9;
const PROVEN_53 = 2 ** -46.9;

describe("fastLn32", () => {
  it("keeps its bound for every integer up to 2^16", () => {
    expect(worst(fastLn32, range(1, 2 ** 16))).toBeLessThan(PROVEN_32);
  });

  it("keeps its bound on both sides of every table boundary at every exponent", () => {
    expect(worst(fastLn32, borders(9, 31))).toBeLessThan(PROVEN_32);
  });

  it("keeps its bound next to powers of two", () => {
    expect(worst(fastLn32, powers(31))).toBeLessThan(PROVEN_32);
    expect(worst(fastLn32, [2 ** 32 - 2, 2 ** 32 - 1])).toBeLessThan(PROVEN_32);
  });

  it("keeps its bound for random 32-bit integers, and needs a quarter of it", () => {
    const seen = worst(fastLn32, random(32, 50_000));
    expect(seen).toBeLessThan(PROVEN_32);
    expect(seen).toBeGreaterThan(PROVEN_32 / 4);
  });
});

describe("fastLn", () => {
  it("is fastLn32 below 2^32", () => {
    for (const m of random(32, 1000)) expect(fastLn(m)).toBe(fastLn32(m));
    expect(fastLn(2 ** 32 - 1)).toBe(fastLn32(2 ** 32 - 1));
  });

  it("keeps its bound on both sides of every table boundary at every exponent", () => {
    expect(worst(fastLn, borders(32, 52))).toBeLessThan(PROVEN_53);
  });

  it("keeps its bound next to powers of two, up to 2^53 itself", () => {
    expect(worst(fastLn, powers(52))).toBeLessThan(PROVEN_53);
    expect(worst(fastLn, [2 ** 53 - 2, 2 ** 53 - 1, 2 ** 53])).toBeLessThan(PROVEN_53);
  });

  it("keeps its bound for random 53-bit integers, and needs a quarter of it", () => {
    const seen = worst(fastLn, random(53, 50_000));
    expect(seen).toBeLessThan(PROVEN_53);
    expect(seen).toBeGreaterThan(PROVEN_53 / 4);
  });
});

describe("the error bounds", () => {
  it("are exported as exact powers of two with room for the rounding of the two ends", () => {
    expect(FAST_LN_ERROR).toBe(2 ** -46);
    expect(FAST_LN32_ERROR).toBe(2 ** -47);
    expect(PROVEN_53 + 2 ** -48).toBeLessThan(FAST_LN_ERROR);
    expect(PROVEN_32 + 2 ** -49).toBeLessThan(FAST_LN32_ERROR);
  });

  it("would be refuted by this search if they claimed too much", () => {
    expect(worst(fastLn32, random(32, 1000))).toBeGreaterThan(2 ** -54);
    expect(worst(fastLn, random(53, 1000))).toBeGreaterThan(2 ** -54);
  });
});
