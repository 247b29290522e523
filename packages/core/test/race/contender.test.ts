import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { byKeyDescending, Contender, gapInUnits, type Terms } from "../../src/race/contender.js";
import { exponential, gumbel, type Noise } from "../../src/race/noise.js";
import { Race } from "../../src/race/race.js";
import { OutOfBits, replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { binaryDigits, digitsAbove, digitsBelow, Real, real } from "../sample/binary-digits.js";

/** A contender whose U has the given digits, of which `bits` are drawn and nothing is known in doubles. */
function contender(score: string, digits: string, bits = 32): Contender {
  const drawn = Number.parseInt(digits.slice(0, bits), 2);
  return keyed(0, rational(score), replayEntropy(digits.slice(bits), { wordBits: 8 }), drawn, bits);
}

/** A contender in columns of its own. */
function keyed<Id>(
  id: Id,
  score: number | Rational,
  entropy: Entropy,
  word: number,
  bits: number,
  lower = -Infinity,
  upper = Infinity,
): Contender<Id> {
  const columns = { scores: [score], lower: [lower], upper: [upper], words: [word], bits: [bits] };
  return new Contender(id, columns, 0, entropy);
}

/** The U at which noise is as large as given, in units of the scale. */
const QUANTILES: readonly { noise: Noise; quantile: (x: Real) => Real }[] = [
  { noise: exponential, quantile: (x) => x.negated().exp() },
  { noise: gumbel, quantile: (x) => new Real(1).minus(x.negated().exp().negated().exp()) },
];

const DEPTHS = [40, 100, 350];

describe.each(QUANTILES)("Keys with $noise.name noise", ({ noise, quantile }) => {
  const terms: Terms = { noise, scale: rational("3/2") };
  const digitsAt = (noiseValue: string | Real) =>
    binaryDigits(quantile(typeof noiseValue === "string" ? real(noiseValue) : noiseValue));

  it.each(DEPTHS)("are told apart when they are equal for %d digits", (depth) => {
    for (const [scoreOfA, scoreOfB] of [
      ["1", "0"],
      ["0", "1"],
      ["1/3", "1/3"],
      ["-7", "-9"],
    ]) {
      // key of a = key of b: scoreOfA + 3/2·x = scoreOfB + 3/2·y
      const x = real("7/5");
      const y = x.plus(real(scoreOfA).minus(real(scoreOfB)).times(real("2/3")));
      if (noise === exponential && y.lte(0)) continue;
      const digitsOfA = `${digitsAt(x)}${"01".repeat(500)}`;
      const above = () => contender(scoreOfB, digitsBelow(digitsAt(y), depth)); // a smaller U is a larger noise
      const below = () => contender(scoreOfB, digitsAbove(digitsAt(y), depth));
      const a = () => contender(scoreOfA, digitsOfA);
      expect(byKeyDescending(terms, a(), above())).toBeGreaterThan(0);
      expect(byKeyDescending(terms, above(), a())).toBeLessThan(0);
      expect(byKeyDescending(terms, a(), below())).toBeLessThan(0);
      expect(byKeyDescending(terms, below(), a())).toBeGreaterThan(0);
    }
  });
});

describe("A gap", () => {
  const terms: Terms = { noise: exponential, scale: rational(2) };
  const digitsAt = (noiseValue: Real) => binaryDigits(noiseValue.negated().exp());

  it.each(DEPTHS)("is floored right when it is a whole number of units for %d digits", (depth) => {
    for (const unit of ["1", "1/3", "5/7", "1000000007/3"]) {
      for (const units of [1, 2, 1_000_000]) {
        // 2x + score − 2y = units·unit with x = 4/3, y = 1/5
        const score = rational(unit).times(BigInt(units)).minus(rational("4/3").minus("1/5").times(2n));
        const b = () => contender("0", `${digitsAt(real("1/5"))}${"10".repeat(500)}`);
        const more = contender(String(score), digitsBelow(digitsAt(real("4/3")), depth));
        const less = contender(String(score), digitsAbove(digitsAt(real("4/3")), depth));
        expect(BigInt(gapInUnits(terms, more, b(), rational(unit), Number(unit)))).toBe(BigInt(units));
        expect(BigInt(gapInUnits(terms, less, b(), rational(unit), Number(unit)))).toBe(BigInt(units - 1));
      }
    }
  });

  it("of keys close together is 0", () => {
    const digits = digitsAt(real("1/2"));
    const [a, b] = [contender("0", digitsBelow(digits, 300)), contender("0", digitsAbove(digits, 300))];
    expect(byKeyDescending(terms, a, b)).toBeLessThan(0);
    expect(gapInUnits(terms, a, b, rational(1), 1)).toBe(0n);
  });

  it("in a fine unit computes a few logarithms, not one for each word", () => {
    let enclosures = 0;
    const enclose: Noise["enclose"] = (u) => {
      enclosures++;
      return exponential.enclose(u);
    };
    const [a, b] = [
      contender("7", digitsAt(real("1/2")).padEnd(1400, "0")),
      contender("0", digitsAt(real("1/5")).padEnd(1400, "0")),
    ];
    const unit = rational("1e-300");
    const units = gapInUnits({ ...terms, noise: { ...exponential, enclose } }, a, b, unit, 1e-300);
    expect(unit.times(BigInt(units)).toNumber()).toBeCloseTo(7.6, 12);
    expect(enclosures).toBeLessThanOrEqual(8);
  });

  it("may be larger than any safe integer", () => {
    const [a, b] = [contender("1e40", digitsAt(real("1/2"))), contender("0", digitsAt(real("1/5")))];
    expect(gapInUnits(terms, a, b, rational("1/3"), 1 / 3)).toBe(3n * 10n ** 40n + 1n); // 0.6 more than 1e40
  });

  it("is the same from doubles and from digits", () => {
    for (const unit of ["1", "1/10", "7", "1e-6"]) {
      for (let run = 0; run < 200; run++) {
        const [a, b] = race(run);
        const fast = gapInUnits(terms, a, b, rational(unit), Number(unit));
        expect(BigInt(fast)).toBe(gapFromDigits(a, b, rational(unit)));
      }
    }
  });

  /** The first two of a small race, with doubles around their keys. */
  function race(seed: number): Contender[] {
    const small = new Race(2, terms, seededEntropy(seed));
    for (const score of [3, 1, 4, 1.5]) small.enter(score, score, 0);
    return small.finish();
  }

  function gapFromDigits(a: Contender, b: Contender, unit: Rational): bigint {
    for (let turn = 0; turn < 6; turn++) for (const each of [a, b]) each.refine();
    const [of, to] = [a.key(terms), b.key(terms)];
    return Rational.of(of.lo, of.over).minus(Rational.of(to.hi, to.over)).dividedBy(unit).floor();
  }
});

describe("A comparison", () => {
  const terms: Terms = { noise: exponential, scale: rational(1) };

  it("draws nothing where the doubles tell", () => {
    const entropy = replayEntropy("");
    const high = keyed("high", 5, entropy, 1, 1, 5, 6);
    const low = keyed("low", 1, entropy, 1, 1, 1, 2);
    expect(byKeyDescending(terms, high, low)).toBe(-1);
    expect(byKeyDescending(terms, low, high)).toBe(1);
    expect(gapInUnits(terms, high, low, rational(10), 10)).toBe(0);
  });

  it("draws digits of each contender from its own entropy", () => {
    const [one, other] = [replayEntropy("0".repeat(16)), replayEntropy("1".repeat(16))];
    const a = keyed(0, 0, one, 1, 1);
    const b = keyed(1, 0, other, 1, 1);
    expect(byKeyDescending(terms, a, b)).toBe(-1); // the smaller U has the larger noise
    expect(one.bitsUsed).toBe(other.bitsUsed);
    expect(one.bitsUsed).toBeGreaterThan(0);
  });

  it("goes on as long as the digits agree", () => {
    const equal = () => keyed(0, 0, replayEntropy("01".repeat(50)), 1, 1);
    expect(() => byKeyDescending(terms, equal(), equal())).toThrow(OutOfBits);
  });
});

describe("Bounds of keys in doubles", () => {
  type Key = readonly [lo: bigint, hi: bigint, over: bigint];
  /** A key that gives these enclosures one after the other, and none if it isn't to be asked. */
  function between(lower: number, upper: number, ...keys: Key[]) {
    let step = 0;
    const key = () => {
      const [lo, hi, over] = keys[step] ?? expect.fail("the doubles tell");
      return { lo, hi, over };
    };
    return { lower, upper, key, refine: () => void step++, steps: () => step };
  }
  const gap = (a: ReturnType<typeof between>, b: ReturnType<typeof between>, unit: string) =>
    gapInUnits(undefined as never, a, b, rational(unit), rational(unit).toNumber());
  const zero = (...keys: Key[]) => between(0, 0, ...keys);
  const ZERO: Key = [0n, 0n, 1n];

  it("order without a key where they are apart, and by keys where they touch", () => {
    const [low, high] = [between(1, 2), between(3, 4)];
    expect(byKeyDescending(undefined, high, low)).toBe(-1);
    expect(byKeyDescending(undefined, low, high)).toBe(1);
    const touching = () => [
      between(2, 3, [2n, 3n, 1n], [9n, 9n, 4n]),
      between(1, 2, [1n, 2n, 1n], [7n, 7n, 4n]),
    ];
    const [a, b] = touching();
    expect([byKeyDescending(undefined, a, b), a.steps(), b.steps()]).toEqual([-1, 1, 1]);
    const [c, d] = touching();
    expect([byKeyDescending(undefined, d, c), c.steps(), d.steps()]).toEqual([1, 1, 1]);
  });

  it("tell a gap where both ends have one floor", () => {
    expect(gap(between(10.5, 10.6), between(3.1, 3.2), "1")).toBe(7);
    expect(gap(between(0, 5, [0n, 5n, 1n], [2n, 2n, 1n]), zero(ZERO, ZERO), "1")).toBe(2n);
  });

  it("don't tell a gap that a rounding could move", () => {
    expect(0.3 / 0.1).toBeLessThan(3);
    expect(gap(between(0.25, 0.3, [3n, 3n, 10n]), zero(ZERO), "1/10")).toBe(3n);
    const double: Key = [5404319552844595n, 5404319552844595n, 1n << 54n]; // what 0.3 is in binary, below 3/10
    expect(gap(between(0.3, 0.35, double), zero(ZERO), "1/10")).toBe(2n);
    const large: Key = [10n ** 300n, 10n ** 300n, 1n];
    expect(gap(between(1e300, 1e300, large), zero(ZERO), "1e-300")).toBe(10n ** 600n);
  });
});
