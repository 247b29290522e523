/**
 * What a word cannot decide: uniforms that go along with a boundary for hundreds of digits, and the tail beyond the
 * strips. These paths have probabilities from 2^−31 down to nothing, and must be as exact as the others.
 */
import { describe, expect, it } from "vitest";
import { Entropy } from "../../src/entropy.js";
import { StripSampler } from "../../src/sample/strip-sampler.js";
import { type LogQuadratic, layOut, type Strips } from "../../src/sample/strips.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

import { expectLaw } from "../support/expect-law.js";
import { lawFromZero } from "../support/law.js";
import { binaryDigits, digitsAbove, digitsBelow, Real, withSign } from "./binary-digits.js";
import { lawOfRounds } from "./law-of-rounds.js";
import {
  cumulativeProbabilities,
  gaussianLaw,
  geometricLaw,
  laplaceLaw,
  mostStripsFor,
  realWeight,
} from "./real-strips.js";

interface Case {
  readonly name: string;
  readonly law: LogQuadratic;
  readonly signed: boolean;
}

const ONE_INTEGER_A_STRIP: readonly Case[] = [
  { name: "geometric of rate 1", law: geometricLaw(1), signed: false },
  { name: "geometric of rate 1/40", law: geometricLaw("1/40"), signed: false },
  { name: "Laplace of scale 1/2", law: laplaceLaw("1/2"), signed: true },
  { name: "Laplace of scale 10", law: laplaceLaw(10), signed: true },
  { name: "Gaussian of σ² = 1", law: gaussianLaw(1), signed: true },
  { name: "Gaussian of σ² = 20000", law: gaussianLaw(20_000), signed: true },
];

const WIDE_STRIPS: readonly Case[] = [
  { name: "geometric of rate 1/1000", law: geometricLaw("1/1000"), signed: false },
  { name: "Laplace of scale 10^6", law: laplaceLaw("1e6"), signed: true },
  { name: "Laplace of scale 2^40", law: laplaceLaw(1n << 40n), signed: true },
  { name: "Gaussian of σ² = 10^12", law: gaussianLaw("1e12"), signed: true },
];

const LAWS = [...ONE_INTEGER_A_STRIP, ...WIDE_STRIPS];

interface SetUp {
  readonly strips: Strips;
  readonly sampler: StripSampler;
  readonly boundaries: readonly string[];
  readonly width: number;
}

const KEPT = new Map<LogQuadratic, SetUp>();

/** A sampler and the digits of its boundaries, kept: 250 decimal digits take their time. */
function setUp({ law, signed }: Omit<Case, "name">, mostStrips = 1024): SetUp {
  const strips = layOut(law, signed, mostStrips);
  const made = KEPT.get(law) ?? {
    strips,
    sampler: new StripSampler(law, { signed, mostStrips }),
    boundaries: cumulativeProbabilities(strips).map(binaryDigits),
    width: 2 ** strips.offsetBits,
  };
  KEPT.set(law, made);
  return made;
}

/** What is drawn for these digits of U, this sign, and then zeros: offset 0, which V = 0.000… accepts. */
function draw(sampler: StripSampler, digits: string, sign: "0" | "1", wordBits: number): number {
  return sampler.sample(replayEntropy(withSign(digits, sign, wordBits), { wordBits }));
}

/** Whether a U is in a strip, by digits: texts of digits are ordered as the numbers are. */
function isIn(strip: number, digits: string, boundaries: readonly string[]): boolean {
  return digits < boundaries[strip] && (strip === 0 || digits > boundaries[strip - 1]);
}

describe("A boundary between strips", () => {
  // A word of 32 bits has the digits 0 to 30 of U. Words next to the one that holds the boundary are certain.
  it.each(LAWS)("is where it should be, every one of $name", (law) => {
    const { sampler, boundaries, width } = setUp(law);
    boundaries.slice(0, -1).forEach((boundary, strip) => {
      for (const from of [28, 30, 31, 44]) {
        const [below, above] = [digitsBelow(boundary, from), digitsAbove(boundary, from)];
        if (isIn(strip, below, boundaries)) expect(draw(sampler, below, "0", 32)).toBe(strip * width);
        if (isIn(strip + 1, above, boundaries))
          expect(draw(sampler, above, "0", 32)).toBe((strip + 1) * width);
      }
    });
  });

  it.each(LAWS.flatMap((law) => [1, 8, 32].map((wordBits) => ({ ...law, wordBits }))))(
    "is told at the 330th digit, with tables rebuilt twice: $name, words of $wordBits bits",
    ({ wordBits, ...law }) => {
      const { sampler, boundaries, width } = setUp(law);
      for (const strip of [0, 1, boundaries.length >> 2, boundaries.length - 2]) {
        const [below, above] = [digitsBelow(boundaries[strip], 330), digitsAbove(boundaries[strip], 330)];
        expect(draw(sampler, below, "0", wordBits)).toBe(strip * width);
        expect(draw(sampler, above, "0", wordBits)).toBe((strip + 1) * width);
        expect(draw(sampler, above, "1", wordBits)).toBe((law.signed ? -1 : 1) * (strip + 1) * width);
      }
    },
  );

  it.each([1, 2, 3])("is told at the 330th digit, with strips of 2^%d integers", (offsetBits) => {
    for (const law of [laplaceLaw(10), gaussianLaw(100)]) {
      const few = setUp({ law, signed: true }, mostStripsFor(law, offsetBits));
      expect(few.strips.offsetBits).toBe(offsetBits);
      for (const wordBits of [1, 4, 12, 32]) {
        expect(draw(few.sampler, digitsBelow(few.boundaries[1], 330), "0", wordBits)).toBe(few.width);
        expect(draw(few.sampler, digitsAbove(few.boundaries[1], 330), "0", wordBits)).toBe(2 * few.width);
      }
    }
  });
});

describe("The word size", () => {
  it.each(ONE_INTEGER_A_STRIP)("does not change what U and the sign give: $name", (law) => {
    const { sampler, boundaries } = setUp(law);
    for (let multiple = 1; multiple < 60; multiple++) {
      const u = binaryDigits(new Real(2).sqrt().times(multiple).mod(1));
      const size = boundaries.findIndex((boundary) => u < boundary);
      for (const wordBits of [1, 2, 3, 8, 13, 31, 32]) {
        expect(draw(sampler, u, "0", wordBits)).toBe(size);
        expect(draw(sampler, u, "1", wordBits)).toBe(law.signed && size > 0 ? -size : size);
      }
    }
  });
});

describe("Acceptance within a strip", () => {
  const inWords = (digits: string) => digits.padEnd(Math.ceil(digits.length / 32) * 32, "0");
  /** V of which some digits are beside the offset: more up to the 31st are in the next word, and then words follow. */
  const split = (offset: string, v: string, known: number) => ({
    beside: offset + v.slice(0, known),
    after: inWords(v.slice(known, 31)) + v.slice(Math.max(known, 31)),
  });
  /** The bits of a draw with this U, offset and V. A bucket has 12 digits of U; a word that it shares has 19 more. */
  const LAYOUTS = {
    "in the word of a bucket": (middle: string, _: string, offset: string, v: string) => {
      const { beside, after } = split(offset, v, 19 - offset.length);
      return `${middle.slice(0, 12)}${beside}0${after}`;
    },
    "in the word after U": (_: string, edge: string, offset: string, v: string) => {
      const { beside, after } = split(offset, v, 32 - offset.length);
      return withSign(edge.slice(0, 31), "0", 32) + beside + after;
    },
    "in its own word": (_: string, edge: string, offset: string, v: string) =>
      withSign(edge.slice(0, 31), "0", 32) + inWords(offset) + v,
  };

  /** Strips of 2^35 integers are for the last layout, the others for the first two. */
  const layoutsOf = ({ name }: Case): readonly (keyof typeof LAYOUTS)[] =>
    name.endsWith("2^40") ? ["in its own word"] : ["in the word of a bucket", "in the word after U"];

  it.each(WIDE_STRIPS.flatMap((law) => layoutsOf(law).map((layout) => ({ ...law, layout }))))(
    "is told at any digit of V: $name, V $layout",
    ({ law, signed, layout }) => {
      const { strips, sampler, boundaries, width } = setUp({ law, signed });
      const sums = cumulativeProbabilities(strips);
      const middle = binaryDigits(sums[2].plus(sums[3]).div(2));
      const edge = digitsBelow(boundaries[3], 20); // in strip 3, as `middle` is, but its bucket is not within that
      const offset = Math.floor(width / 3);
      const threshold = binaryDigits(
        realWeight(law, 3 * width + offset).div(realWeight(law, 3 * width)), // f(x)/f(first)
      );
      const attempt = (v: string) => {
        const bits = LAYOUTS[layout](middle, edge, offset.toString(2).padStart(strips.offsetBits, "0"), v);
        return sampler.attempt(replayEntropy(bits, { wordBits: 32 }));
      };
      for (const from of [3, 12, 20, 30, 31, 32, 33, 64, 330]) {
        expect(attempt(digitsBelow(threshold, from))).toBe(3 * width + offset);
        expect(attempt(digitsAbove(threshold, from))).toBeNaN();
      }
    },
  );
});

describe("The tail", () => {
  it.each(
    [
      { name: "Laplace of scale 7/3, strips of one integer", law: laplaceLaw("7/3"), offsetBits: 0 },
      { name: "Laplace of scale 7/3, strips of two integers", law: laplaceLaw("7/3"), offsetBits: 1 },
      { name: "Gaussian of σ² = 100, strips of one integer", law: gaussianLaw(100), offsetBits: 0 },
      { name: "Gaussian of σ² = 100, strips of two integers", law: gaussianLaw(100), offsetBits: 1 },
    ].flatMap((each) => [
      { ...each, wordBits: 1, depth: 18, leftover: "1/10" },
      { ...each, wordBits: 3, depth: 18, leftover: "1/4" },
    ]),
  )("has the law of the rest: $name, words of $wordBits bits", (each) => {
    const { law, offsetBits, wordBits, depth, leftover } = each;
    const few = setUp({ law, signed: false }, mostStripsFor(law, offsetBits));
    const first = few.strips.count * few.width;
    const ones = few.boundaries[few.strips.count - 1].indexOf("0") + 1; // U = 0.111… is beyond the last boundary
    const sample = (entropy: Entropy) => few.sampler.attempt(afterOnes(entropy, ones + 1)) - first;
    const tree = lawOfRounds(bitTree(sample, { depth, wordBits }), { rejected: "NaN" });
    expectLaw({ tree, probabilities: lawFromZero(lawFrom(law, first)) });
    expect(tree.undecided.isBelow(leftover)).toBe(true);
  });

  it("is refused where it leaves the safe integers, which has a probability below e^−8000", () => {
    const sampler = new StripSampler(laplaceLaw(1n << 40n), { signed: true });
    const entropy = replayEntropy("1".repeat(64) + "0".repeat(12_800) + "1".repeat(320), { wordBits: 32 });
    expect(() => sampler.sample(entropy)).toThrow(
      expect.objectContaining({
        code: "sample-out-of-range",
        message: "a draw is beyond the safe integers; use a smaller scale",
      }),
    );
  });
});

/** The probabilities of first, first + 1, … given that x is one of them. */
function lawFrom(law: LogQuadratic, first: number): string[] {
  const strips: Strips = { law, offsetBits: 0, count: first + 12, halfFirst: false };
  const sums = cumulativeProbabilities(strips);
  const rest = new Real(1).minus(sums[first - 1]);
  return sums.slice(first).map((sum, i) =>
    sum
      .minus(sums[first + i - 1])
      .div(rest)
      .toFixed(40),
  );
}

/** An entropy that gives at least `count` ones, in whole words, and then the words of another one. */
function afterOnes(entropy: Entropy, count: number): Entropy {
  const { wordBits } = entropy;
  let words = Math.ceil(count / wordBits);
  const fill = (target: Uint32Array) => {
    target[0] = words-- > 0 ? 2 ** wordBits - 1 : entropy.word();
  };
  return new Entropy({ fill, wordBits, poolWords: 1 });
}
