import { describe, expect, it, vi } from "vitest";
import { type Base2Parameter, eta, etaAtMost } from "../../src/accounting/base2-parameter.js";
import { Base2Weights, weightsOf } from "../../src/base2/weights.js";
import { Interval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";

/** b^distance·2^octave. */
function chance({ x, y, z }: Base2Parameter, distance: bigint, octave: number): Rational {
  return Rational.of((x ** (z * distance)) << BigInt(octave), 1n << (y * z * distance));
}

/** The first digits after the point of b^distance·2^octave < 1: where it has thousands, faster than a rational. */
function digitsOfChance(
  { x, y, z }: Base2Parameter,
  distance: number,
  octave: number,
  count: number,
): string {
  const power = z * BigInt(distance);
  const digits = ((x ** power) << BigInt(count + octave)) >> (y * power);
  return digits.toString(2).padStart(count, "0").slice(0, count);
}

/** Whether U, given by all its digits, is below b^distance·2^octave. */
function isBelowChance(bits: string, { x, y, z }: Base2Parameter, distance: number, octave: number): boolean {
  const power = z * BigInt(distance);
  return BigInt(`0b${bits}`) << (y * power) < (x ** power) << BigInt(bits.length + octave);
}

/** Whether b^distance·2^octave ≤ 1. */
function isAtMostOne({ x, y, z }: Base2Parameter, distance: number, octave: number): boolean {
  const power = z * BigInt(distance);
  return (x ** power) << BigInt(octave) <= 1n << (y * power);
}

describe("a proposal is kept with exactly its probability", () => {
  it.each([
    { x: 1, y: 1, z: 1, distance: 3, octave: 0 },
    { x: 1, y: 1, z: 1, distance: 3, octave: 3 },
    { x: 3, y: 2, z: 1, distance: 6, octave: 2 },
    { x: 15, y: 4, z: 2, distance: 7, octave: 1 },
    { x: 1023, y: 10, z: 1, distance: 750, octave: 1 },
    { x: 7, y: 3, z: 1, distance: 0, octave: 0 },
    { x: 5, y: 3, z: 40, distance: 1, octave: 5 },
  ])("($x/2^$y)^($z·$distance)·2^$octave, by bit tree", ({ x, y, z, distance, octave }) => {
    const weights = weightsOf(eta(x, y, z));
    const p = chance(weights.parameter, BigInt(distance), octave);
    for (const wordBits of [1, 5]) {
      const tree = bitTree((entropy) => weights.keeps(distance, octave, entropy), { depth: 15, wordBits });
      expect(tree.undecided.compare("1/20000")).toBeLessThan(0);
      expectLaw({ tree, probabilities: { true: `${p.numerator}/${p.denominator}` } });
    }
  });

  it("what is certain costs no bit: distance 0, and powers of two in their own octave", () => {
    const nothing = replayEntropy("");
    expect(weightsOf(eta(15, 4)).keeps(0, 0, nothing)).toBe(true);
    expect(weightsOf(eta(15, 4)).keeps(0n, 0, nothing)).toBe(true);
    expect(weightsOf(eta(1, 3, 2)).keeps(4, 24, nothing)).toBe(true);
    expect(weightsOf(eta(2, 3, 2)).keeps(4n, 16, nothing)).toBe(true);
  });
});

describe("a decision depends on U alone", () => {
  const parameters = [
    eta(1, 1),
    eta(3, 2),
    eta(15, 4),
    eta(1023, 10),
    eta(65535, 16, 3),
    eta(2n ** 80n - 1n, 80),
  ];

  it.each(parameters)(
    "words of 1, 8 and 32 digits, distances as numbers and bigints: $x/2^$y",
    (parameter) => {
      const weights = weightsOf(parameter);
      const source = seededEntropy(`words ${parameter.x}`);
      for (let run = 0; run < 150; run++) {
        const distance = 1 + source.bits(1 + (run % 12));
        const octave = Math.min(Math.floor(distance * weights.rate), 30);
        const shared = source.bits(6);
        const fresh = Array.from({ length: 320 - shared }, () => source.bit()).join("");
        const bits = digitsOfChance(parameter, distance, octave, shared) + fresh;
        const isKept = isBelowChance(bits, parameter, distance, octave);
        for (const wordBits of [1, 8, 32]) {
          for (const d of [distance, BigInt(distance)])
            expect(weights.keeps(d, octave, replayEntropy(bits, { wordBits }))).toBe(isKept);
        }
      }
    },
  );

  it.each([
    [3, 2, 5],
    [1023, 10, 60],
    [65535, 16, 200],
  ])(
    "on the boundary itself: U = (%i/2^%i)^%i loses, and the last number below it wins",
    (x, y, distance) => {
      const weights = weightsOf(eta(x, y));
      const length = 32 * Math.ceil((y * distance) / 32) + 64;
      const at = digitsOfChance(weights.parameter, distance, 0, length);
      const below = (BigInt(`0b${at}`) - 1n).toString(2).padStart(length, "0");
      for (const wordBits of [1, 32]) {
        expect(weights.keeps(distance, 0, replayEntropy(at, { wordBits }))).toBe(false);
        expect(weights.keeps(distance, 0, replayEntropy(below, { wordBits }))).toBe(true);
      }
    },
  );

  it.each(parameters)(
    "every word around the threshold, where the estimate cannot tell: $x/2^$y",
    (parameter) => {
      const weights = weightsOf(parameter);
      for (const distance of [1, 2, 3, 10, 100, 1000, 5000]) {
        const threshold = Number(`0b${digitsOfChance(parameter, distance, 0, 32)}`);
        for (let word = Math.max(threshold - 3, 0); word <= Math.min(threshold + 3, 2 ** 32 - 1); word++) {
          const bits = word.toString(2).padStart(32, "0") + "01".repeat(64);
          const kept = weights.keeps(distance, 0, replayEntropy(bits, { wordBits: 32 }));
          expect(kept).toBe(isBelowChance(bits, parameter, distance, 0));
        }
      }
    },
  );
});

describe("where the estimate can tell little or nothing", () => {
  const digits = (word: bigint) => word.toString(2).padStart(32, "0");
  const isKept = (weights: Base2Weights, distance: bigint, word: bigint) =>
    weights.keeps(distance, 0, replayEntropy(digits(word) + "01".repeat(32), { wordBits: 32 }));

  it.each([29n, 31n, 32n])(
    "a power of half a billion factors or more, on either side of its threshold: 2^%i",
    (bits) => {
      const y = bits + 1n;
      const weights = new Base2Weights(eta((1n << y) - 1n, y));
      const power = Interval.from(Rational.of((1n << y) - 1n, 1n << y), 200).power(1n << bits); // 0.61
      const threshold = power
        .lower()
        .times(2n ** 32n)
        .floor();
      for (const near of [1n, 100n, 1n << 20n]) {
        expect(isKept(weights, 1n << bits, threshold - near)).toBe(true);
        expect(isKept(weights, 1n << bits, threshold + near)).toBe(false);
      }
    },
  );

  it("a weight that is 0 as a double: (3/4)^3000 lies between 2^-1246 and 2^-1245", () => {
    const keeps = (zeros: number) =>
      weightsOf(eta(3, 2)).keeps(
        3000,
        0,
        replayEntropy(`${"0".repeat(zeros)}1`.padEnd(1344, "0"), { wordBits: 32 }),
      );
    expect(keeps(1246)).toBe(true);
    expect(keeps(1244)).toBe(false);
  });
});

describe("a weight next to 1", () => {
  const weights = new Base2Weights(eta((1n << 100n) - 1n, 100));
  const keeps = (digits: string) => weights.keeps(1n << 50n, 0, replayEntropy(digits, { wordBits: 32 })); // 1 − 2^−50

  it("wins against every word but the last without a power", () => {
    const power = vi.spyOn(Interval.prototype, "power");
    for (const word of ["0".repeat(32), "10".repeat(16), `${"1".repeat(31)}0`])
      expect(keeps(word)).toBe(true);
    const { length: powers } = power.mock.calls;
    power.mockRestore();
    expect(powers).toBe(0);
  });

  it("is compared exactly with the last word", () => {
    expect(keeps(`${"1".repeat(49)}${"0".repeat(15)}`)).toBe(true);
    expect(keeps(`${"1".repeat(64)}`)).toBe(false);
  });
});

describe("octaves for each unit of utility", () => {
  const nearlyOne = eta(2n ** 50n + 1n, 51); // a hair less than an octave
  it.each([eta(3, 2), eta(15, 4), eta(1023, 10), eta(65535, 16), eta(5, 3, 7), nearlyOne, etaAtMost("1/3")])(
    "⌊d·rate⌋ never says an octave too much, and not one too little before its time: $x/2^$y",
    (parameter) => {
      const { rate } = weightsOf(parameter);
      for (let octave = 1; octave / rate < 50_000 && octave <= 30; octave++) {
        const first = Math.ceil(octave / rate);
        const reached = Math.floor(first * rate);
        expect(isAtMostOne(parameter, first, reached)).toBe(true);
        expect(isAtMostOne(parameter, first - 1, octave)).toBe(false);
      }
    },
  );

  it("are exact where x is a power of two", () => {
    expect(weightsOf(eta(1, 1)).rate).toBe(1);
    expect(weightsOf(eta(4, 5, 6)).rate).toBe(18);
  });

  it("are none where η is too small to count in doubles, and the law holds all the same", () => {
    const weights = new Base2Weights(eta((1n << 3000n) - 1n, 3000));
    expect(weights.rate).toBe(0);
    for (const word of ["1".repeat(32), `${"1".repeat(31)}0`])
      expect(weights.keeps(1n << 3010n, 0, replayEntropy(word + "0".repeat(32), { wordBits: 32 }))).toBe(
        false,
      );
    expect(new Base2Weights(eta((1n << 1000n) - 1n, 1000)).rate).toBe(0);
    expect(
      weights.keeps(1n << 2000n, 0, replayEntropy("1".repeat(32) + "0".repeat(32), { wordBits: 32 })),
    ).toBe(true);
  });

  it("a distance beyond all doubles loses against every word but 0, and then against more digits", () => {
    const weights = weightsOf(eta(1023, 10));
    expect(weights.keeps(10n ** 400n, 30, replayEntropy(`${"0".repeat(31)}1`, { wordBits: 32 }))).toBe(false);
    expect(weights.keeps(10n ** 400n, 30, replayEntropy(`${"0".repeat(95)}1`, { wordBits: 32 }))).toBe(false);
  });
});

describe("the weights of a parameter", () => {
  it("are derived once", () => {
    const parameter = eta(15, 4);
    expect(weightsOf(parameter)).toBe(weightsOf(parameter));
  });

  it("trust x, y and z only", () => {
    const forged = { x: 15n, y: 4n, z: 1n, eta: rational("1/1000") };
    expect(weightsOf(forged).parameter.eta.equals(eta(15, 4).eta)).toBe(true);
    expect(() => weightsOf({ ...forged, x: 16n })).toThrow("x must be an integer < 2^y; got 16n");
    for (const none of [undefined, null])
      expect(() => weightsOf(none as undefined)).toThrow(
        `eta must be a parameter made by eta() or etaAtMost(); got ${none}`,
      );
  });
});
