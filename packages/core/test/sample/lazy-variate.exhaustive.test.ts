import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { type LazyVariate, lazyExponential, lazyGumbel } from "../../src/sample/lazy-variate.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { lawFromZero } from "../support/law.js";
import { Real } from "./binary-digits.js";

const WORD_SIZES = [1, 3, 8];
const KINDS: readonly {
  name: string;
  draw: (entropy: Entropy) => LazyVariate;
  quantile: (u: Real) => Real;
}[] = [
  { name: "lazyExponential", draw: lazyExponential, quantile: (u) => u.ln().neg() },
  { name: "lazyGumbel", draw: lazyGumbel, quantile: (u) => u.ln().neg().ln().neg() },
];

/** ⌊steps·variate⌋, refined until it is certain. */
function floorOf(variate: LazyVariate, steps: bigint): bigint {
  for (;;) {
    const { lo, hi, precision } = variate.enclosure();
    const [least, most] = [(lo * steps) >> BigInt(precision), (hi * steps) >> BigInt(precision)];
    if (least === most) return least;
    variate.refine();
  }
}

describe("The law of lazyExponential, by bit tree", () => {
  it.each([1n, 4n].flatMap((steps) => WORD_SIZES.map((wordBits) => ({ steps, wordBits }))))(
    "is e^(−x) beyond x in steps of 1/$steps, in words of $wordBits bits",
    ({ steps, wordBits }) => {
      const sample = (entropy: Entropy) => floorOf(lazyExponential(entropy), steps);
      const tree = bitTree(sample, { depth: wordBits === 8 ? 16 : 15, wordBits });
      const tail = (y: number) => Real.exp(new Real(-y).div(String(steps)));
      const law = Array.from({ length: 12 }, (_, y) =>
        tail(y)
          .minus(tail(y + 1))
          .toFixed(40),
      );
      expectLaw({ tree, probabilities: lawFromZero(law) });
      expect(tree.undecided.compare("1/500")).toBe(-1);
    },
  );
});

describe("The law of lazyGumbel, by bit tree", () => {
  it.each(WORD_SIZES)("is e^(−e^(−x)) up to x, in words of %d bits", (wordBits) => {
    const sample = (entropy: Entropy) => floorOf(lazyGumbel(entropy), 2n);
    const tree = bitTree(sample, { depth: wordBits === 8 ? 16 : 15, wordBits });
    const upTo = (y: number) => Real.exp(Real.exp(new Real(-y).div(2)).neg());
    const law = Array.from({ length: 14 }, (_, i) => [
      i - 3,
      upTo(i - 2)
        .minus(upTo(i - 3))
        .toFixed(40),
    ]);
    expectLaw({ tree, probabilities: Object.fromEntries(law) });
    expect(tree.undecided.compare("1/500")).toBe(-1);
  });
});

describe.each(KINDS)("$name", ({ draw, quantile }) => {
  it.each(WORD_SIZES)("encloses the quantile of all that U may be, in words of %d bits", (wordBits) => {
    const stream = seededEntropy("digits");
    for (let run = 0; run < 8; run++) {
      const bits = stream.bigBits(240).toString(2).padStart(240, "0");
      const entropy = replayEntropy(bits, { wordBits });
      const variate = draw(entropy);
      for (let step = 0; step < 6; step++) {
        const enclosure = variate.enclosure();
        const known = entropy.bitsUsed;
        const cell = BigInt(`0b${bits.slice(0, known)}`);
        const ends = [cell, cell + 1n].map((end) =>
          quantile(new Real(String(end)).div(new Real(2).pow(known))),
        );
        const [least, most] = [Real.min(...ends), Real.max(...ends)].map((end) => rational(end.toFixed(100)));
        expect(enclosure.lower().compare(least.plus("1e-99"))).toBeLessThanOrEqual(0);
        expect(enclosure.upper().compare(most.minus("1e-99"))).toBeGreaterThanOrEqual(0);
        // Not much wider than the cell requires: a few units of the last place.
        const slack = Rational.of(64n, 1n << BigInt(enclosure.precision));
        if (known > 8) expect(enclosure.upper().minus(most).compare(slack)).toBe(-1);
        variate.refine();
      }
    }
  });

  it("draws no bit before it is asked", () => {
    const entropy = replayEntropy("");
    draw(entropy);
    expect(entropy.bitsUsed).toBe(0);
  });

  it("is asked twice at the cost of once", () => {
    const entropy = seededEntropy("twice");
    const variate = draw(entropy);
    expect(variate.enclosure()).toBe(variate.enclosure());
    expect(entropy.bitsUsed).toBe(32);
  });

  it("goes on where U begins with a hundred zeros or ones", () => {
    for (const digit of ["0", "1"]) {
      const variate = draw(replayEntropy(digit.repeat(96) + "01".repeat(80), { wordBits: 32 }));
      const u =
        digit === "0" ? new Real(2).pow(-96).div(3) : new Real(1).minus(new Real(2).pow(-96).times(2).div(3));
      variate.enclosure();
      variate.refine();
      expect(variate.enclosure().toNumber("down")).toBeCloseTo(quantile(u).toNumber(), 6);
    }
  });

  it.each(WORD_SIZES)("is below another of its kind half of the time, in words of %d bits", (wordBits) => {
    const compare = (entropy: Entropy) => draw(entropy).isBelow(draw(entropy));
    const tree = bitTree(compare, { depth: wordBits === 1 ? 16 : 15 + (wordBits === 8 ? 1 : 0), wordBits });
    expectLaw({ tree, probabilities: { true: "1/2", false: "1/2" } });
    expect(tree.mass.get("true")).toEqual(tree.mass.get("false"));
    expect(tree.undecided.compare("1/20")).toBe(-1);
  });

  it("orders as the ideal numbers are ordered", () => {
    const entropy = seededEntropy("order");
    const variates = Array.from({ length: 60 }, () => draw(entropy));
    variates.sort((one, other) => (one.isBelow(other) ? -1 : 1));
    for (let i = 1; i < variates.length; i++) {
      const [left, right] = [variates[i - 1], variates[i]];
      expect(left.isBelow(right)).toBe(true);
      expect(right.isBelow(left)).toBe(false);
    }
  });

  it("is not below itself, and finds out without a bit", () => {
    const variate = draw(replayEntropy(""));
    expect(variate.isBelow(variate)).toBe(false);
  });

  it("is told from another U at the 300th digit", () => {
    const shared = "1100101".repeat(43);
    const variate = (last: "0" | "1") => draw(replayEntropy(`${shared}${last}${"10".repeat(60)}`));
    const [low, high] = [variate("0"), variate("1")];
    const rises = quantile(new Real(0.75)).gt(quantile(new Real(0.25)));
    expect(low.isBelow(high)).toBe(rises);
    expect(high.isBelow(low)).toBe(!rises);
  });
});

describe("Exponential and Gumbel", () => {
  it("are compared with each other", () => {
    const tree = bitTree((entropy) => lazyExponential(entropy).isBelow(lazyGumbel(entropy)), { depth: 16 });
    // P(E < G) = ∫ e^(−x)·(1 − e^(−e^(−x))) dx over x > 0 = 1 − (1 − 1/e) = 1/e.
    expectLaw({ tree, probabilities: { true: Real.exp(-1).toFixed(40) } });
  });
});
