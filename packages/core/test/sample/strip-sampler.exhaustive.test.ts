import { describe, expect, it } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { StripSampler } from "../../src/sample/strip-sampler.js";
import type { LogQuadratic } from "../../src/sample/strips.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

import { expectLaw } from "../support/expect-law.js";
import { type Law, lawFromZero, symmetricLaw } from "../support/law.js";
import { vectors } from "../support/vectors.js";
import { lawOfRounds } from "./law-of-rounds.js";
import { gaussianLaw, geometricLaw, laplaceLaw, mostStripsFor } from "./real-strips.js";

interface Case {
  readonly name: string;
  readonly law: LogQuadratic;
  readonly signed: boolean;
  readonly probabilities: Law;
}

const CASES: readonly Case[] = [
  ...vectors.geometric.map(({ s, t, pmf }) => ({
    name: `geometric of rate ${s}/${t}`,
    law: geometricLaw(`${s}/${t}`),
    signed: false,
    probabilities: lawFromZero(pmf),
  })),
  ...vectors.discrete_laplace.map(({ s, t, pmf_abs }) => ({
    name: `Laplace of scale ${t}/${s}`,
    law: laplaceLaw(`${t}/${s}`),
    signed: true,
    probabilities: symmetricLaw(pmf_abs),
  })),
  ...vectors.discrete_gaussian.map(({ sigma2, pmf_abs }) => ({
    name: `Gaussian of σ² = ${sigma2}`,
    law: gaussianLaw(sigma2),
    signed: true,
    probabilities: symmetricLaw(pmf_abs),
  })),
];

/** A sampler with strips of 2^offsetBits integers. */
function stripsOf(
  { law, signed }: Pick<Case, "law" | "signed">,
  offsetBits: number,
  guideBits = 12,
): StripSampler {
  return new StripSampler(law, { signed, mostStrips: mostStripsFor(law, offsetBits), guideBits });
}

/** The law of all rounds from the bit tree of one. */
function lawOf(sampler: StripSampler, depth: number, wordBits: number) {
  const round = bitTree((entropy) => sampler.attempt(entropy), { depth, wordBits });
  return { round, tree: lawOfRounds(round, { rejected: "NaN" }) };
}

describe("StripSampler, by the bit tree of a round", () => {
  // Words of one bit have no room beside an offset, so acceptance has words of its own.
  it.each(CASES.flatMap((each) => [0, 1, 2, 3].map((b) => ({ ...each, b, width: 2 ** b }))))(
    "has the law $name with strips of $width integers, in words of one bit",
    ({ b, ...each }) => {
      const { tree } = lawOf(stripsOf(each, b), 20, 1);
      expectLaw({ tree, probabilities: each.probabilities });
      expect(tree.undecided.isBelow("1/200")).toBe(true);
    },
  );

  // Words of 3 bits are shared by offset and acceptance for b ≤ 2, words of 4 bits for b ≤ 3.
  it.each(
    CASES.flatMap((each) =>
      [
        { b: 0, wordBits: 3, depth: 18, leftover: "1/20" },
        { b: 1, wordBits: 3, depth: 18, leftover: "1/20" },
        { b: 2, wordBits: 3, depth: 18, leftover: "1/20" },
        { b: 3, wordBits: 4, depth: 16, leftover: "1/3" },
      ].map((tree) => ({ ...each, ...tree, width: 2 ** tree.b })),
    ),
  )("has the law $name with strips of $width integers, in words of $wordBits bits", (each) => {
    const { tree } = lawOf(stripsOf(each, each.b), each.depth, each.wordBits);
    expectLaw({ tree, probabilities: each.probabilities });
    expect(tree.undecided.isBelow(each.leftover)).toBe(true);
  });

  it.each(CASES)("has the law $name with strips of four integers, in words of 8 bits", (each) => {
    const { tree } = lawOf(stripsOf(each, 2), 16, 8);
    expectLaw({ tree, probabilities: each.probabilities });
    expect(tree.undecided.isBelow("1/2")).toBe(true);
  });

  // A word is a bucket of 2 to 4 bits, the offset, 3 or more bits of V and the sign, where the bucket is in one strip.
  it.each(
    CASES.flatMap((each) =>
      [
        { b: 0, guideBits: 2, wordBits: 6, depth: 18, leftover: "1/100" },
        { b: 1, guideBits: 4, wordBits: 9, depth: 18, leftover: "1/3" },
        { b: 3, guideBits: 2, wordBits: 9, depth: 18, leftover: "1/2" },
      ].map((tree) => ({ ...each, ...tree, width: 2 ** tree.b })),
    ),
  )("has the law $name with strips of $width integers, by buckets in words of $wordBits bits", (each) => {
    const { tree } = lawOf(stripsOf(each, each.b, each.guideBits), each.depth, each.wordBits);
    expectLaw({ tree, probabilities: each.probabilities });
    expect(tree.undecided.isBelow(each.leftover)).toBe(true);
  });

  it("decides by one word where the bucket is within a strip", () => {
    const sampler = stripsOf({ law: laplaceLaw(2), signed: true }, 1, 3);
    // U < 0.316 is in the first strip: bucket 001, then offset 1, V = 0.001…, and the sign.
    const entropy = replayEntropy("001100110011001", { wordBits: 8 });
    expect(sampler.attempt(entropy)).toBe(-1);
    expect(entropy.bitsUsed).toBe(8);
  });

  it("rejects nothing where strips have one integer", () => {
    for (const each of CASES) expect(lawOf(stripsOf(each, 0), 12, 1).round.mass.has("NaN")).toBe(false);
  });

  it("gives x and −x the same mass, and has no −0", () => {
    for (const b of [0, 1, 2]) {
      const sampler = stripsOf({ law: laplaceLaw(2), signed: true }, b);
      const key = (x: number) => (Object.is(x, -0) ? "-0" : String(x));
      const { mass } = bitTree((entropy) => sampler.attempt(entropy), { depth: 16, key });
      expect(mass.has("-0")).toBe(false);
      for (const [x, each] of mass) if (Number(x) > 0) expect(mass.get(`-${x}`)).toEqual(each);
    }
  });
});

describe("StripSampler, by the bit tree of whole draws", () => {
  it.each([
    { wordBits: 1, depth: 16 },
    { wordBits: 3, depth: 15 },
  ])("has its law with strips of two integers, in words of $wordBits bits", ({ wordBits, depth }) => {
    const laplace = CASES[4];
    const sampler = stripsOf(laplace, 1);
    const tree = bitTree((entropy) => sampler.sample(entropy), { depth, wordBits });
    expectLaw({ tree, probabilities: laplace.probabilities });
    expect(tree.undecided.compare("3/5")).toBe(-1);
  });
});

describe("The first strip", () => {
  it("is chosen with half the weight of zero where strips have one integer, and redrawn as −0 where not", () => {
    const zero = (b: number) => {
      const sampler = stripsOf({ law: laplaceLaw(1), signed: true }, b);
      const { mass, undecided } = lawOf(sampler, 20, 1).tree;
      return [mass.get("0")?.lower(), mass.get("0")?.plus(undecided).upper()] as const;
    };
    const exact = Rational.of(4621171572600097585n, 10_000_000_000_000_000_000n); // tanh(1/2)
    for (const b of [0, 1, 2]) {
      const [least, most] = zero(b);
      expect(least?.compare(exact)).toBe(-1);
      expect(most?.compare(exact)).toBe(1);
    }
  });
});
