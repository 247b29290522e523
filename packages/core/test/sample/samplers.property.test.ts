import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Reference } from "../../../audit/src/reference-samplers.js";
import type { Entropy } from "../../src/entropy.js";
import { Rational } from "../../src/exact/rational.js";
import {
  bernoulli,
  bernoulliExp,
  bernoulliExpRatio,
  DiscreteGaussian,
  DiscreteLaplace,
  discreteLaplace,
  Geometric,
  geometric,
  lazyExponential,
  lazyGumbel,
  shuffle,
  truncatedGeometric,
  uniformBelow,
} from "../../src/sample/index.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const seeds = fc.integer({ min: 0, max: 1_000_000 });
const wordSizes = fc.integer({ min: 1, max: 32 });
/** Bits for a draw, far more than any needs: 96 that fast-check likes, such as zeros, and then fair ones. */
const streams = fc
  .tuple(fc.bigInt({ min: 0n, max: (1n << 96n) - 1n }), seeds)
  .map(([head, seed]) => binary(head, 96) + binary(seededEntropy(seed).bigBits(960), 960));
/** Positive rationals from 2^−60 to 2^60, with small and large terms. */
const positive = fc
  .tuple(fc.bigInt({ min: 1n, max: 1n << 60n }), fc.bigInt({ min: 1n, max: 1n << 60n }))
  .map(([numerator, denominator]) => Rational.of(numerator, denominator));
const moderate = fc
  .tuple(fc.bigInt({ min: 1n, max: 10_000n }), fc.bigInt({ min: 1n, max: 10_000n }))
  .map(([numerator, denominator]) => Rational.of(numerator, denominator));

function binary(value: bigint, digits: number): string {
  return value.toString(2).padStart(digits, "0");
}

const replay = (bits: string, wordBits: number) => replayEntropy(bits, { wordBits });

describe("uniformBelow", () => {
  it("is below n, and the reference on the same bits", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 1n << 200n }), seeds, (n, seed) => {
        const [ours, reference] = [seededEntropy(seed), seededEntropy(seed)];
        const value = uniformBelow(n, ours);
        expect(value >= 0n && value < n).toBe(true);
        expect(value).toBe(new Reference(reference).uniformBelow(n));
        expect(ours.bitsUsed).toBe(reference.bitsUsed);
      }),
    );
  });

  it("takes the same bits in words of any size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 53 - 1 }), streams, wordSizes, (n, bits, wordBits) => {
        expect(uniformBelow(n, replay(bits, wordBits))).toBe(uniformBelow(n, replay(bits, 1)));
      }),
    );
  });
});

describe("shuffle", () => {
  it("keeps the items, and is the reference on the same bits", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 50 }), seeds, (items, seed) => {
        const shuffled = shuffle([...items], seededEntropy(seed));
        expect(shuffled.toSorted()).toEqual(items.toSorted());
        expect(shuffled).toEqual(new Reference(seededEntropy(seed)).shuffle([...items]));
      }),
    );
  });
});

describe("Coins on the same bits", () => {
  const probabilities = fc
    .tuple(fc.bigInt({ min: 0n, max: 1n << 80n }), fc.bigInt({ min: 1n, max: 1n << 80n }))
    .map(([a, b]) => Rational.of(a < b ? a : b, a < b ? b : a || 1n));

  it("bernoulli rises with p, whatever the word size", () => {
    fc.assert(
      fc.property(probabilities, probabilities, streams, wordSizes, (p, other, bits, wordBits) => {
        const [low, high] = p.compare(other) <= 0 ? [p, other] : [other, p];
        const drawn = bernoulli(low, replay(bits, wordBits));
        expect(drawn).toBe(bernoulli(low, replay(bits, 1)));
        if (drawn) expect(bernoulli(high, replay(bits, wordBits))).toBe(true);
      }),
    );
  });

  it("bernoulliExp falls with γ, whatever the word size", () => {
    fc.assert(
      fc.property(moderate, moderate, streams, wordSizes, (gamma, other, bits, wordBits) => {
        const [low, high] = gamma.compare(other) <= 0 ? [gamma, other] : [other, gamma];
        const drawn = bernoulliExp(high, replay(bits, wordBits));
        expect(drawn).toBe(bernoulliExp(high, replay(bits, 1)));
        if (drawn) expect(bernoulliExp(low, replay(bits, wordBits))).toBe(true);
      }),
    );
  });

  it("bernoulliExp and bernoulliExpRatio are one", () => {
    const integers = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(integers, integers, streams, wordSizes, (p, q, bits, wordBits) => {
        const [exact, ratio] = [replay(bits, wordBits), replay(bits, wordBits)];
        expect(bernoulliExpRatio(p, q, ratio)).toBe(bernoulliExp(Rational.of(BigInt(p), BigInt(q)), exact));
        expect(ratio.bitsUsed).toBe(exact.bitsUsed);
      }),
    );
  });
});

describe("Geometric variates on the same bits", () => {
  it("rise with the scale, whatever the word size", () => {
    fc.assert(
      fc.property(positive, positive, streams, wordSizes, (rate, other, bits, wordBits) => {
        const [low, high] = rate.compare(other) <= 0 ? [rate, other] : [other, rate];
        const drawn = geometric(high, replay(bits, wordBits));
        expect(drawn).toBe(geometric(high, replay(bits, 1)));
        expect(geometric(low, replay(bits, wordBits)) >= drawn).toBe(true);
      }),
    );
  });

  it("are U ↦ ⌊−ln U/rate⌋: twice the rate halves them", () => {
    fc.assert(
      fc.property(positive, streams, wordSizes, (rate, bits, wordBits) => {
        const drawn = geometric(rate, replay(bits, wordBits));
        expect(geometric(rate.times(2n), replay(bits, wordBits))).toBe(drawn / 2n);
      }),
    );
  });

  it("are below the modulus when truncated", () => {
    fc.assert(
      fc.property(moderate, fc.bigInt({ min: 1n, max: 1n << 70n }), seeds, (rate, modulus, seed) => {
        const digit = truncatedGeometric(rate, modulus, seededEntropy(seed));
        expect(digit).toBe(geometric(rate, seededEntropy(seed)) % modulus);
      }),
    );
  });
});

describe("Prepared samplers", () => {
  const kinds: readonly ((size: Rational) => { sample(entropy: Entropy): number })[] = [
    (size) => new Geometric(Rational.ONE.dividedBy(size)),
    (size) => new DiscreteLaplace(size),
    (size) => new DiscreteGaussian(size.times(size)),
  ];
  const sizes = fc
    .tuple(fc.bigInt({ min: 1n, max: 1n << 40n }), fc.bigInt({ min: 1n, max: 1000n }))
    .map(([numerator, denominator]) => Rational.of(numerator, denominator));

  it("draw safe integers, never −0, near zero on the scale of their law", () => {
    fc.assert(
      fc.property(sizes, fc.constantFrom(...kinds), seeds, (size, prepare, seed) => {
        const sampler = prepare(size);
        const entropy = seededEntropy(seed);
        for (let draw = 0; draw < 20; draw++) {
          const x = sampler.sample(entropy);
          expect(Number.isSafeInteger(x) && !Object.is(x, -0)).toBe(true);
          expect(Math.abs(x)).toBeLessThanOrEqual(60 * size.toNumber()); // e^−60
        }
      }),
      { numRuns: 60 },
    );
  });

  it("mirror their draw when the sign bit is turned over, where strips have one integer", () => {
    const small = fc
      .integer({ min: 1, max: 4000 })
      .map((hundredths) => Rational.of(BigInt(hundredths), 100n));
    fc.assert(
      fc.property(small, fc.constantFrom(...kinds.slice(1)), streams, (size, prepare, bits) => {
        const sampler = prepare(size);
        const turned = bits.slice(0, 31) + (bits[31] === "0" ? "1" : "0") + bits.slice(32);
        const [x, y] = [bits, turned].map((each) => sampler.sample(replay(each, 32)));
        expect(y).toBe(-x + 0);
      }),
      { numRuns: 60 },
    );
  });
});

describe("discreteLaplace", () => {
  it("is a geometric variate with the next bit as sign, and drawn again instead of −0", () => {
    fc.assert(
      fc.property(moderate, streams, (scale, bits) => {
        const entropy = replay(bits, 1);
        const size = geometric(Rational.ONE.dividedBy(scale), entropy);
        const negative = bits[entropy.bitsUsed] === "1";
        const again = () => discreteLaplace(scale, replay(bits.slice(entropy.bitsUsed + 1), 1));
        const signed = negative ? (size === 0n ? again() : -size) : size;
        expect(discreteLaplace(scale, replay(bits, 1))).toBe(signed);
      }),
    );
  });
});

describe("Lazy variates", () => {
  it("keep enclosing one number as they are refined", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(lazyExponential, lazyGumbel),
        streams,
        wordSizes,
        (draw, bits, wordBits) => {
          const variate = draw(replay(bits, wordBits));
          let [least, most] = [variate.enclosure().lower(), variate.enclosure().upper()];
          for (let step = 0; step < 5; step++) {
            variate.refine();
            const [lower, upper] = [variate.enclosure().lower(), variate.enclosure().upper()];
            if (lower.compare(least) > 0) least = lower;
            if (upper.compare(most) < 0) most = upper;
            expect(least.compare(most)).toBeLessThanOrEqual(0);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
