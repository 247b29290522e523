import { describe, expect, it } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { discreteLaplace } from "../../src/sample/discrete-laplace.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { symmetricLaw } from "../support/law.js";
import { vectors } from "../support/vectors.js";

describe("discreteLaplace", () => {
  // −0 is drawn again, so a depth decides less than for a geometric variate.
  const depths = [
    { wordBits: 1, depth: 20, leftover: "1/75" },
    { wordBits: 3, depth: 18, leftover: "1/15" },
    { wordBits: 8, depth: 16, leftover: "1/2" },
  ];
  it.each(vectors.discrete_laplace.flatMap((vector) => depths.map((depth) => ({ ...vector, ...depth }))))(
    "has its law for scale $t/$s in words of $wordBits bits, all but $leftover of it",
    ({ s, t, pmf_abs, wordBits, depth, leftover }) => {
      const tree = bitTree((entropy) => discreteLaplace(`${t}/${s}`, entropy), { depth, wordBits });
      expectLaw({ tree, probabilities: symmetricLaw(pmf_abs) });
      expect(tree.undecided.compare(leftover)).toBe(-1);
    },
  );

  it("gives x and −x the same mass", () => {
    const { mass } = bitTree((entropy) => discreteLaplace(2, entropy), { depth: 18 });
    for (const [x, each] of mass) expect(mass.get(String(-BigInt(x)))).toEqual(each);
    expect(mass.get("0")).toBeInstanceOf(Rational);
  });

  it.each(["1e-9", "1e-400"])("is 0 at scale %s", (scale) => {
    const entropy = seededEntropy("small scale");
    for (let draw = 0; draw < 200; draw++) expect(discreteLaplace(scale, entropy)).toBe(0n);
  });

  it.each([
    ["10⁹", "1e9", 10n ** 9n],
    ["(10²⁰⁰ + 7)/3", `${10n ** 200n + 7n}/3`, 10n ** 200n / 3n],
  ])("is of the size of the scale at %s", (_, text, scale) => {
    const entropy = seededEntropy("large scale");
    const draws = Array.from({ length: 300 }, () => discreteLaplace(text, entropy));
    const size = draws.reduce((sum, x) => sum + (x < 0n ? -x : x), 0n);
    expect(size > 240n * scale && size < 360n * scale).toBe(true); // three standard deviations
    expect(draws.filter((x) => x < 0n).length).toBeGreaterThan(120);
    expect(draws.filter((x) => x > 0n).length).toBeGreaterThan(120);
  });

  it("draws from the system where no entropy is given", () => {
    expect(new Set(Array.from({ length: 20 }, () => discreteLaplace("1e12"))).size).toBe(20);
  });
});
