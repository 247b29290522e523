import { describe, expect, it } from "vitest";
import { eta } from "../../src/accounting/base2-parameter.js";
import { base2Exponential } from "../../src/base2/base2-exponential.js";
import { type RationalLike, rational } from "../../src/exact/rational.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { type Base2Law, exactLaw } from "./exact-law.js";

const itself = (utility: RationalLike) => utility;
const MODE = { mode: "constant-work" } as const;

/** The masses after one try of every string of bits, each divided by the mass of those that were accepted. */
function lawOfOneTry(
  utilities: readonly RationalLike[],
  mechanism: Base2Law,
  maxCandidates: number,
  depth: number,
) {
  const { x, y, z, lower, upper } = mechanism;
  const options = { eta: eta(x, y, z), lower, upper, maxCandidates, minRetries: 1, ...MODE };
  const tree = bitTree((entropy) => base2Exponential(utilities, itself, { ...options, entropy }).candidate, {
    depth,
  });
  const accepted = rational(1).minus(tree.undecided);
  return utilities.map((_, i) => String((tree.mass.get(String(i)) ?? rational(0)).dividedBy(accepted)));
}

describe("constant work", () => {
  it.each([
    { what: "powers of two", utilities: [0, 1, 2, 5], x: 1, y: 1, z: 1, lower: 0, upper: 5 },
    { what: "negative utilities", utilities: [-2, 0, 1, 7], x: 3, y: 2, z: 1, lower: -2, upper: 2 },
    { what: "all at the upper bound", utilities: [4, 4, 4], x: 3, y: 2, z: 1, lower: 0, upper: 4 },
    {
      what: "bounds beyond the doubles",
      utilities: [2n ** 99n, 2n ** 99n + 1n],
      x: 5,
      y: 3,
      z: 1,
      lower: 2n ** 99n - 1n,
      upper: 2n ** 99n + 1n,
    },
    { what: "one outcome", utilities: [3], x: 3, y: 2, z: 2, lower: 0, upper: 3 },
  ])("has exactly the law: $what", ({ utilities, ...mechanism }) => {
    const precision = Number(
      BigInt(mechanism.y * mechanism.z) * (BigInt(mechanism.upper) - BigInt(mechanism.lower)),
    );
    // One bit for the rounding of each integer, and the bits of one try.
    const depth = utilities.length + precision + Math.ceil(Math.log2(utilities.length));
    const law = lawOfOneTry(utilities, mechanism, utilities.length, depth);
    expect(law).toEqual(exactLaw(utilities, mechanism).map(String));
  });

  it("has the law with fractions too, within what the tree leaves open", () => {
    const mechanism = { x: 1, y: 1, z: 1, lower: 0, upper: 3 };
    const utilities = [0.5, 1.25, 3];
    const options = { eta: eta(1, 1), lower: 0, upper: 3, maxCandidates: 3, minRetries: 1, ...MODE };
    const tree = bitTree(
      (entropy) => base2Exponential(utilities, itself, { ...options, entropy }).candidate,
      {
        depth: 17,
      },
    );
    for (const [i, p] of exactLaw(utilities, mechanism).entries()) {
      const mass = tree.mass.get(String(i)) ?? rational(0);
      expect(mass.compare(p)).toBeLessThanOrEqual(0);
      expect(mass.plus(tree.undecided).compare(p)).toBeGreaterThanOrEqual(0);
    }
  });

  it("takes the same number of random bits whatever the utilities and the outcome", () => {
    const options = { eta: eta(15, 4), lower: 0, upper: 40, maxCandidates: 50, ...MODE };
    const used = new Set<number>();
    for (let seed = 0; seed < 40; seed++) {
      const source = seededEntropy(`utilities ${seed}`);
      const utilities = Array.from(
        { length: 30 },
        () => source.bits(5) + (seed % 3 === 0 ? 0 : 1 / (1 + source.bits(3))),
      );
      const entropy = seededEntropy(`bits ${seed}`);
      base2Exponential(utilities, itself, { ...options, entropy });
      used.add(entropy.bitsUsed);
    }
    expect([...used]).toEqual([30 * 32 + 64 * (4 * 40 + 6)]);
  });

  it("runs as many tries as it is told, and goes on only if none was accepted", () => {
    const options = { eta: eta(1, 1), lower: 0, upper: 1, maxCandidates: 1, ...MODE };
    for (const minRetries of [1, 2, 7]) {
      const entropy = seededEntropy("tries");
      base2Exponential([1], itself, { ...options, minRetries, entropy });
      expect(entropy.bitsUsed).toBe(32 + minRetries); // a total of 1 is always met
    }
  });

  it("precision has no influence: a wider range of utilities, the same law", () => {
    const utilities = [0, 1, 3];
    for (const upper of [3, 4, 6]) {
      const mechanism = { x: 1, y: 1, z: 1, lower: 0, upper };
      const law = lawOfOneTry(utilities, mechanism, 3, 3 + upper + 2);
      expect(law).toEqual(exactLaw(utilities, mechanism).map(String));
    }
  });

  it("long weights are no trouble: utilities 0 … 2,000 at (1023, 10)", () => {
    const utilities = Array.from({ length: 2001 }, (_, i) => i);
    const options = { eta: eta(1023, 10), lower: 0, upper: 2000, maxCandidates: 2001, ...MODE };
    const { candidate: index } = base2Exponential(utilities, itself, {
      ...options,
      entropy: seededEntropy("long"),
    });
    expect(index).toBeLessThanOrEqual(2000);
  });
});
