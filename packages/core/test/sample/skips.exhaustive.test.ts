import { describe, expect, it } from "vitest";
import { type Rational, rational } from "../../src/exact/rational.js";
import { Skips } from "../../src/sample/skips.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

import { expectLaw } from "../support/expect-law.js";
import { lawFromZero } from "../support/law.js";
import { binaryDigits, digitsAbove, digitsBelow, real } from "./binary-digits.js";

/** P(j failures) = (1 − p)^j·p for j = 0 … 11. */
function geometricLaw(p: Rational) {
  const failure = rational(1).minus(p);
  const pmf = [p];
  while (pmf.length < 12) pmf.push(pmf.at(-1)!.times(failure));
  return lawFromZero(pmf.map((mass) => `${mass.numerator}/${mass.denominator}`));
}

describe("Skips", () => {
  it.each([
    { p: "1/2", depth: 14, undecided: 0.002 },
    { p: "1/3", depth: 14, undecided: 0.01 },
    { p: "1/4", depth: 14, undecided: 0.01 },
    { p: "1/7", depth: 14, undecided: 0.02 },
    { p: "5/6", depth: 14, undecided: 0.001 },
    { p: "1/255", depth: 16, undecided: 0.3 },
  ])("of probability $p have the law of the failures before a success", ({ p, depth, undecided }) => {
    const skips = new Skips(rational(p));
    for (const wordBits of [1, 2, 7]) {
      const tree = bitTree((entropy) => skips.draw(entropy), { depth, wordBits });
      expectLaw({ tree, probabilities: geometricLaw(rational(p)) });
      if (wordBits === 1) expect(tree.undecided.toNumber()).toBeLessThan(undecided);
    }
  });

  it("of probability 1 pass by nobody and draw nothing", () => {
    expect(new Skips(rational(1)).draw(replayEntropy(""))).toBe(0);
  });

  it.each(["1/3", "1/7", "1/256", "1/1048576", "1/1048575", "1/281474976710656", "1/281474976710655"])(
    "of probability %s tell a U just above (1 − p)^j from one just below, in words of any size",
    (p) => {
      const skips = new Skips(rational(p));
      const failure = real("1").minus(real(p));
      for (const j of [1, 2, 3, 1000, 1_000_000_007, 2 ** 49]) {
        const threshold = failure.pow(j); // U ≤ (1 − p)^j for j failures or more
        if (threshold.lt("1e-60")) continue;
        const digits = binaryDigits(threshold);
        if (!digits.slice(301).includes("1")) continue; // a short dyadic number: no U is close to it from below
        for (const wordBits of [1, 8, 32]) {
          for (const from of [20, 33, 70, 300]) {
            const draw = (bits: string) => skips.draw(replayEntropy(bits, { wordBits }));
            expect(draw(digitsAbove(digits, from))).toBeLessThan(j);
            expect(draw(digitsBelow(digits, from))).toBeGreaterThanOrEqual(j);
          }
        }
      }
    },
  );
});
