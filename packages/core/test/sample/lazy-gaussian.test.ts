import { describe, expect, it, vi } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { GaussianStrips, LazyGaussian, lazyGaussian } from "../../src/sample/lazy-gaussian.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { Real } from "./binary-digits.js";

/** A strip that a first word chooses, and the digits of x that follow. */
interface Round {
  readonly widthBits: number;
  readonly wordBits: number;
  readonly first: number;
  readonly strip: number;
  readonly word: number;
}

const ROUNDS: readonly Round[] = [
  { widthBits: 0, wordBits: 32, first: 0, strip: 0, word: 0x1234_5678 },
  { widthBits: 0, wordBits: 32, first: 0, strip: 0, word: 0x7fff_ffff },
  { widthBits: 0, wordBits: 32, first: 0xfeb8_51eb, strip: 3, word: 0x0001_2345 }, // U = 0.995
  { widthBits: 0, wordBits: 32, first: 0xfeb8_51eb, strip: 3, word: 0x4000_0001 },
  { widthBits: 4, wordBits: 32, first: 0x8000_0000, strip: 10, word: 0x5555_5555 },
  { widthBits: 4, wordBits: 32, first: 0xf000_0000, strip: 30, word: 1000 },
  { widthBits: 0, wordBits: 8, first: 0, strip: 0, word: 0x55 },
  { widthBits: 0, wordBits: 8, first: 0xa0, strip: 1, word: 0x13 },
  { widthBits: 0, wordBits: 8, first: 0xa0, strip: 1, word: 0x7f },
];

/** What a round makes of a word of V and a sign, and of the next words of V and of x if it asks for them. */
function player({ widthBits, wordBits, first, word }: Round) {
  const strips = new GaussianStrips(widthBits);
  const text = (number: number) => number.toString(2).padStart(wordBits, "0");
  return (v: number, sign = 0, next = "") => {
    const bits = `${text(first)}${sign}${text(word).slice(1)}${text(v)}${next}`;
    const entropy = replayEntropy(bits, { wordBits });
    const variate = strips.attempt(entropy);
    return { variate, words: entropy.bitsUsed / wordBits };
  };
}

const Digits40 = Real.clone({ precision: 40 });

/** 2^wordBits·e^(−γ) with γ = x(2j + x)w²/2, where x is at the start (0) or the end (1) of the digits drawn. */
function threshold({ widthBits, wordBits, strip, word }: Round, end: 0 | 1): number {
  const x = new Digits40(word + end).div(2 ** (wordBits - 1));
  const gamma = x.times(x.plus(2 * strip)).div(2 * 4 ** widthBits);
  return Digits40.exp(gamma.neg())
    .times(2 ** wordBits)
    .toNumber();
}

describe("A round of a lazy Gaussian", () => {
  it.each(ROUNDS)("is decided by three words unless both answers are left: %o", (round) => {
    const play = player(round);
    const [from, to] = [Math.floor(threshold(round, 1)), Math.ceil(threshold(round, 0))];
    for (const sign of [0, 1]) {
      const accepted = play(from - 1, sign); // V < from ≤ e^(−γ) for every x
      expect(accepted.words).toBe(3);
      const size = round.strip + round.word / 2 ** (round.wordBits - 1);
      const ends = [size, size + 2 ** (1 - round.wordBits)].map((end) => end / 2 ** round.widthBits);
      const expected = sign === 0 ? ends : [-ends[1], -ends[0]];
      expect([accepted.variate?.lower, accepted.variate?.upper]).toEqual(expected);
      expect(play(to, sign)).toEqual({ variate: undefined, words: 3 }); // V ≥ to ≥ e^(−γ)
    }
    for (let v = from; v < to; v++) expect(() => play(v)).toThrow("more bits were asked for");
  });

  it.each(ROUNDS)("is decided by the next words of V and x where it isn't before: %o", (round) => {
    const play = player(round);
    const [most, least] = [threshold(round, 0), threshold(round, 1)];
    const [zeros, ones] = ["0", "1"].map((digit) => digit.repeat(round.wordBits));
    for (let v = Math.floor(least); v < Math.ceil(most); v++) {
      // The smallest V with the smallest x, which has the largest threshold; then the largest with the largest.
      const low = play(v, 0, zeros + zeros);
      expect([low.variate instanceof LazyGaussian, low.words]).toEqual([true, 5]);
      expect(low.variate?.enclosure().lower().toNumber()).toBe(low.variate?.lower);
      expect(play(v, 0, ones + ones)).toEqual({ variate: undefined, words: 5 });
    }
  });

  it.each(ROUNDS)("is decided by doubles unless V is close to the threshold: %o", (round) => {
    const play = player(round);
    const [from, to] = [threshold(round, 1), threshold(round, 0)];
    const asked = vi.spyOn(LazyGaussian.prototype, "enclosure");
    const below = [0.5, 0.9, 0.97].map((part) => play(Math.floor(from * part)).variate !== undefined);
    const above = [0.5, 0.1].map(
      (part) => play(Math.ceil(to + (2 ** round.wordBits - 1 - to) * part)).variate,
    );
    const { calls } = asked.mock;
    asked.mockRestore();
    expect(below).toEqual([true, true, true]);
    expect(above).toEqual([undefined, undefined]);
    expect(calls).toEqual([]);
  });

  it("is followed by another until one is accepted", () => {
    const [whole, rounds] = [seededEntropy("rounds"), seededEntropy("rounds")];
    const strips = new GaussianStrips(0); // of which two in seven are rejected
    for (let draw = 0; draw < 20; draw++) {
      let accepted: LazyGaussian | undefined;
      while (accepted === undefined) accepted = strips.attempt(rounds);
      expect(strips.draw(whole).lower).toBe(accepted.lower);
      expect(whole.bitsUsed).toBe(rounds.bitsUsed);
    }
  });
});

describe("A lazy Gaussian", () => {
  it("is drawn from a table that is made once", () => {
    const entropy = seededEntropy("once");
    lazyGaussian(entropy);
    const made = vi.spyOn(Rational, "of"); // which a table needs
    lazyGaussian(entropy);
    const { calls } = made.mock;
    made.mockRestore();
    expect(calls).toEqual([]);
  });

  it("lies between its doubles, in enclosures that shrink to a word's width with each word", () => {
    const entropy = seededEntropy("nested");
    for (let run = 0; run < 20; run++) {
      const variate = lazyGaussian(entropy);
      const { lower, upper } = variate;
      let before = variate.enclosure();
      expect([before.toNumber("down"), before.toNumber("up")]).toEqual([lower, upper]);
      for (let words = 1; words <= 4; words++) {
        const used = entropy.bitsUsed;
        variate.refine();
        expect(entropy.bitsUsed - used).toBe(32);
        const now = variate.enclosure();
        expect(now.lower().compare(before.lower())).toBeGreaterThanOrEqual(0);
        expect(now.upper().compare(before.upper())).toBeLessThanOrEqual(0);
        expect(now.hi - now.lo).toBe(1n << BigInt(now.precision - 31 - 32 * words - 4));
        before = now;
      }
      expect([variate.lower, variate.upper]).toEqual([lower, upper]);
    }
  });
});
