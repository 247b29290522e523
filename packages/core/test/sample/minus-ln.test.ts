import { describe, expect, it } from "vitest";
import { asInterval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { geometric } from "../../src/sample/geometric.js";
import { lazyExponential } from "../../src/sample/lazy-variate.js";
import {
  fastMinusLn,
  fastScaledFloor,
  MINUS_LN_SLACK,
  minusLn,
  UNKNOWN_FLOOR,
} from "../../src/sample/minus-ln.js";
import { PartialUniform } from "../../src/sample/partial-uniform.js";
import { Skips } from "../../src/sample/skips.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { binaryDigits, digitsAbove, digitsBelow, Real, real } from "./binary-digits.js";

const Digits40 = Real.clone({ precision: 40 });

describe("fastMinusLn", () => {
  it.each([1, 2, 8, 31, 32])("is within 2^−44 of −ln(word/2^%d)", (bits) => {
    const entropy = seededEntropy("words");
    const powers = Array.from({ length: bits + 1 }, (_, exponent) => 2 ** exponent);
    const near = powers.flatMap((power) => [power - 1, power, power + 1]);
    const random = Array.from({ length: 100 }, () => entropy.bits(bits));
    for (const word of [...near, ...random].filter((each) => each >= 1 && each < 2 ** bits)) {
      const exact = new Digits40(2).ln().times(bits).minus(new Digits40(word).ln());
      expect(
        exact
          .minus(fastMinusLn(word, bits))
          .abs()
          .lt(2 ** -44),
      ).toBe(true);
    }
  });

  it("has a slack far above its error", () => {
    expect(MINUS_LN_SLACK).toBe(2 ** -40);
  });
});

describe("fastScaledFloor", () => {
  const TOP = 2 ** 31;
  /** −ln of the upper and of the lower end of the cell of a word: all that −ln U may be. */
  const ends = (word: number, bits: number) =>
    [word + 1, word].map((end) => new Digits40(2).ln().times(bits).minus(new Digits40(end).ln()));

  it("is the floor at both ends of the cell, and known where no integer is near the cell", () => {
    const words: [word: number, bits: number][] = [1, 2, 3, 77, 200, 254].map((word) => [word, 8]);
    for (const word of [1, 1000, TOP - 1, TOP, 3_000_000_019, 2 ** 32 - 2]) words.push([word, 32]);
    const floors = words.flatMap(([word, bits]) =>
      [2 ** -30, 0.3, 1, 17.25, 1e5, 2 ** 30].map((scale) => {
        const [least, most] = ends(word, bits).map((end) => end.times(scale));
        const floor = fastScaledFloor(word, bits, scale);
        const isOne = least.floor().eq(most.floor());
        if (floor !== UNKNOWN_FLOOR) expect([isOne, least.floor().toNumber()]).toEqual([true, floor]);
        const reach = scale * (word < 2 ** 20 ? 1 / word ** 2 : 0) + scale * 2 ** -38;
        const isClear = least.minus(reach).floor().eq(most.plus(reach).floor()) && least.gt(reach);
        if (isClear) expect(floor).not.toBe(UNKNOWN_FLOOR);
        return isClear ? floor : UNKNOWN_FLOOR;
      }),
    );
    expect(new Set(floors).size).toBeGreaterThan(10);
  });

  it.each([3, 1e6, 2 ** 29])("is unknown where an end is within a rounding of the integer %d", (integer) => {
    const [least, most] = ends(TOP, 32);
    const above = most
      .pow(-1)
      .times(integer * (1 + 2 ** -46))
      .toNumber();
    const below = least
      .pow(-1)
      .times(integer * (1 - 2 ** -46))
      .toNumber();
    for (const scale of [above, below]) {
      const floors = [least, most].map((end) => end.times(scale).floor().toNumber());
      expect(floors).toEqual([integer - 1, integer]);
      expect(fastScaledFloor(TOP, 32, scale)).toBe(UNKNOWN_FLOOR);
    }
  });

  it("is unknown for U that may be 0, and for a scale beyond doubles", () => {
    for (const scale of [1e-9, 1]) expect(fastScaledFloor(0, 32, scale)).toBe(UNKNOWN_FLOOR);
    for (const scale of [2 ** 31, Infinity]) expect(fastScaledFloor(1, 8, scale)).toBe(UNKNOWN_FLOOR);
    expect(UNKNOWN_FLOOR).toBeLessThan(0); // not a floor
  });
});

describe("geometric", () => {
  it("draws the words that its digits need, and not more", () => {
    const entropy = seededEntropy("words");
    for (let draw = 0; draw < 20; draw++) geometric("1e-12", entropy);
    expect(entropy.bitsUsed).toBe(20 * 64);
  });
});

describe("Skips", () => {
  it.each(["1/3", "1/7", "1/1048575", "1/281474976710655"])(
    "of probability %s tell a U just above (1 − p)^j from one just below",
    (p) => {
      const skips = new Skips(rational(p));
      for (const j of [1, 3, 20]) {
        const digits = binaryDigits(real("1").minus(real(p)).pow(j));
        for (const [wordBits, from] of [8, 32].flatMap((bits) => [80, 300].map((digit) => [bits, digit]))) {
          const draw = (bits: string) => skips.draw(replayEntropy(bits, { wordBits }));
          expect(draw(digitsAbove(digits, from))).toBe(j - 1);
          expect(draw(digitsBelow(digits, from))).toBe(j);
        }
      }
    },
  );

  it("ask for more digits of U only where those drawn leave two answers", () => {
    const skips = new Skips(rational("1/255"));
    const { undecided } = bitTree((entropy) => skips.draw(entropy), { depth: 12, wordBits: 4 });
    // The cells of 2^−12 in which a power of 254/255 lies, the first with nearly all of them.
    const cells = Array.from({ length: 5000 }, (_, j) => Math.floor(4096 * (254 / 255) ** (j + 1)));
    expect(undecided).toEqual(Rational.of(BigInt(new Set(cells).size), 4096n));
  });

  it("of probability 1 draw nothing", () => {
    expect(new Skips(rational(1)).draw(replayEntropy(""))).toBe(0);
  });
});

describe("A lazy variate", () => {
  const lazy = (digits: string) => lazyExponential(replayEntropy(digits, { wordBits: 4 }));

  it("is below another where its U is above, which the first word with another digit tells", () => {
    for (const shared of ["", "0110", "000000001111"]) {
      const [low, high] = [`${shared}1100`, `${shared}0011`];
      expect(lazy(low).isBelow(lazy(high))).toBe(true);
      expect(lazy(high).isBelow(lazy(low))).toBe(false);
    }
  });

  it("has more digits with each word", () => {
    const [refined, other] = [lazy("10001111"), lazy("1000")];
    const { precision } = other.enclosure();
    expect(refined.enclosure().precision).toBe(precision);
    refined.refine();
    expect(refined.enclosure().precision).toBe(precision + 4);
    expect(refined.isBelow(lazy("0011"))).toBe(true);
    expect(lazy("0011").isBelow(refined)).toBe(false);
  });

  it("isn't below itself, for which no digit is drawn", () => {
    const variate = lazy("");
    expect(variate.isBelow(variate)).toBe(false);
  });
});

describe("minusLn", () => {
  it("encloses −ln of both ends of the cell, at the precision of U and 16 digits more", () => {
    for (const digits of ["1", "0001", "0111111111", "1111111111111111", "0000000000000000000000001"]) {
      const u = new PartialUniform(replayEntropy(digits), 0n, 0);
      u.reveal(digits.length);
      const enclosure = asInterval(minusLn(u));
      const end = (numerator: bigint) =>
        rational(new Real(String(numerator)).div(new Real(2).pow(digits.length)).ln().neg().toFixed(60));
      const unit = Rational.of(1n, 1n << BigInt(enclosure.precision));
      const [least, most] = [end(u.numerator + 1n), end(u.numerator)];
      expect(enclosure.precision).toBe(digits.length + 16);
      expect(enclosure.lower().compare(least)).toBeLessThanOrEqual(0);
      expect(enclosure.upper().compare(most)).toBeGreaterThanOrEqual(0);
      expect(enclosure.lower().plus(unit.times(3n)).compare(least)).toBe(1);
      expect(enclosure.upper().minus(unit.times(3n)).compare(most)).toBe(-1);
    }
  });

  it("draws digits until U is certainly above 0", () => {
    const entropy = replayEntropy("0000000110110", { wordBits: 3 });
    const u = new PartialUniform(entropy);
    minusLn(u);
    expect([u.numerator, u.bits, entropy.bitsUsed]).toEqual([0b11n, 9, 9]);
  });
});
