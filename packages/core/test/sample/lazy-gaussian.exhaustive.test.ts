import { describe, expect, it } from "vitest";
import { asInterval, Interval } from "../../src/exact/interval.js";
import { GaussianStrips } from "../../src/sample/lazy-gaussian.js";
import { PartialUniform } from "../../src/sample/partial-uniform.js";
import { StripSampler } from "../../src/sample/strip-sampler.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { binaryDigits, digitsAbove, digitsBelow, Real } from "./binary-digits.js";
import { cellOf, normalLaw } from "./gaussian-cells.js";
import { lawOfRounds } from "./law-of-rounds.js";
import { gaussianLaw } from "./real-strips.js";

/** The law of the cells of 2^−places, from the bit tree of one round. */
function lawOf(strips: GaussianStrips, places: number, tree: { depth: number; wordBits: number }) {
  const round = bitTree((entropy) => {
    const variate = strips.attempt(entropy);
    return variate === undefined ? "rejected" : cellOf(variate, places);
  }, tree);
  return lawOfRounds(round, { rejected: "rejected" });
}

describe("The law of a lazy Gaussian, by the bit tree of a round", () => {
  it.each([
    { widthBits: 0, places: 0, wordBits: 1, depth: 17, undecided: "0.06" }, // Karney's own strips
    { widthBits: 0, places: 2, wordBits: 1, depth: 17, undecided: "0.09" },
    { widthBits: 0, places: 1, wordBits: 2, depth: 18, undecided: "0.06" },
    { widthBits: 1, places: 1, wordBits: 4, depth: 16, undecided: "0.21" },
    { widthBits: 2, places: 2, wordBits: 1, depth: 17, undecided: "0.06" },
    { widthBits: 4, places: 0, wordBits: 1, depth: 17, undecided: "0.09" }, // those in use
  ])(
    "is normal to $places places with strips of 2^−$widthBits, in words of $wordBits bits",
    ({ widthBits, places, undecided, ...tree }) => {
      const law = lawOf(new GaussianStrips(widthBits), places, tree);
      expectLaw({ tree: law, probabilities: normalLaw(places) });
      expect(law.undecided.isBelow(undecided)).toBe(true);
    },
  );
});

describe("A round of a lazy Gaussian", () => {
  const PRECISION = 128;

  /** The strip that a first word chooses. */
  function stripOf(widthBits: number, word: string): number {
    const strips = new StripSampler(gaussianLaw(4 ** widthBits), { signed: false });
    return strips.sample(replayEntropy(word, { wordBits: 32 }));
  }

  /** Whether V < e^(−(N² − (jw)²)/2) for all N and V that the words leave, for none (false), or undefined. */
  function oracle(widthBits: number, [u, word, v]: number[]): boolean | undefined {
    const strip = stripOf(widthBits, u.toString(2).padStart(32, "0"));
    const nothing = replayEntropy("");
    const x = asInterval(
      new PartialUniform(nothing, BigInt(word & 0x7fffffff), 31).enclosure(PRECISION - 31),
    );
    const cell = asInterval(new PartialUniform(nothing, BigInt(v), 32).enclosure(PRECISION - 32));
    const [start, n] = [Interval.from(strip, PRECISION), x.plus(strip)].map((y) =>
      y.dividedBy(2 ** widthBits),
    );
    const threshold = n.times(n).minus(start.times(start)).dividedBy(-2).exp();
    return cell.isBelow(threshold) ? true : cell.isAbove(threshold) ? false : undefined;
  }

  it.each([0, 2, 4])("accepts by doubles as by certified enclosures, with strips of 2^−%d", (widthBits) => {
    const strips = new GaussianStrips(widthBits);
    const source = seededEntropy(`rounds of width ${widthBits}`);
    let accepted = 0;
    for (let round = 0; round < 500; round++) {
      const words = Array.from({ length: 3 }, () => source.word());
      const bits = words.map((word) => word.toString(2).padStart(32, "0")).join("");
      const isAccepted = strips.attempt(replayEntropy(bits, { wordBits: 32 })) !== undefined;
      expect(isAccepted).toBe(oracle(widthBits, words));
      if (isAccepted) accepted++;
    }
    const expected = [0.715, 0.91, 0.976][widthBits / 2];
    expect(Math.abs(accepted / 500 - expected)).toBeLessThan(0.06);
  });

  it.each([
    { widthBits: 0, first: "0".repeat(32), from: 60 },
    { widthBits: 0, first: "1110".repeat(8), from: 210 },
    { widthBits: 4, first: "0111".repeat(8), from: 100 },
    { widthBits: 4, first: "1".repeat(9).padEnd(32, "0"), from: 400 },
  ])(
    "is decided where V agrees with the threshold for $from digits, with strips of 2^−$widthBits",
    ({ widthBits, first, from }) => {
      const strip = stripOf(widthBits, first);
      const digitsOfX = Array.from({ length: 31 + 32 * 20 }, (_, i) => ((i * i) % 7 < 3 ? "1" : "0")).join(
        "",
      );
      const x = new Real(`0b0.${digitsOfX}`);
      const exponent = x.times(x.plus(2 * strip)).div(2 * 4 ** widthBits);
      const threshold = binaryDigits(Real.exp(exponent.neg()));
      const attempt = (digitsOfV: string) =>
        new GaussianStrips(widthBits).attempt(
          replayEntropy(wordsOf(first, digitsOfX, digitsOfV), { wordBits: 32 }),
        );
      expect(attempt(digitsAbove(threshold, from))).toBeUndefined();
      const accepted = attempt(digitsBelow(threshold, from));
      expect(accepted?.lower).toBeGreaterThan(strip / 2 ** widthBits);
      expect(accepted?.upper).toBeLessThan((strip + 1) / 2 ** widthBits);
    },
  );

  /** The word that chooses the strip, a plus sign, and the digits of x and V in the order in which they are asked for. */
  function wordsOf(first: string, digitsOfX: string, digitsOfV: string): string {
    let bits = `${first}0${digitsOfX.slice(0, 31)}${digitsOfV.slice(0, 32)}`;
    for (let word = 1; word <= 20; word++) {
      bits += digitsOfV.slice(32 * word, 32 * word + 32) + digitsOfX.slice(32 * word - 1, 32 * word + 31);
    }
    return bits;
  }
});
