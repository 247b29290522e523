import { afterEach, describe, expect, it, vi } from "vitest";
import { eta } from "../../src/accounting/base2-parameter.js";
import { clampedLaplace } from "../../src/base2/clamped-laplace.js";
import { weightsOf } from "../../src/base2/weights.js";
import { Entropy } from "../../src/entropy.js";
import { Rational, type RationalLike } from "../../src/exact/rational.js";
import { exactLaw } from "./exact-law.js";
import { exactMass, type Fate } from "./exact-mass.js";

/**
 * The law of `clampedLaplace` as rational numbers, by exhaustion over what its primitives may answer in one proposal.
 */

const chance = vi.hoisted(() => ({ fate: undefined as unknown as Fate, proposals: 0 }));

vi.mock("../../src/sample/uniform-below.js", () => ({
  drawBigBelow: (n: bigint) => {
    chance.proposals++; // the last that a proposal draws but for its coin
    return BigInt(chance.fate.below(Number(n)));
  },
}));

class Missed extends Error {}

/** Bits of one proposal; after so many, no point of the grid is left, and the proposal is missed. */
function bitsOfOneProposal(most: number): Entropy {
  let bits = 0;
  const bit = () => {
    if (chance.proposals > 0 || bits++ > most) throw new Missed();
    return chance.fate.below(2);
  };
  return Object.assign(Object.create(Entropy.prototype), { bit });
}

afterEach(() => vi.restoreAllMocks());

/** The law of the point, by its index on a grid of so many. */
function lawOf(value: RationalLike, points: number, x: number, y: number, step: RationalLike): Rational[] {
  const parameter = eta(x, y);
  const grid = { lower: 0, upper: Rational.of(BigInt(points - 1)).times(step), step };
  vi.spyOn(weightsOf(parameter), "keeps").mockImplementation((distance, octave) => {
    const power = BigInt(distance);
    return chance.fate.isTrue(Rational.of((BigInt(x) ** power) << BigInt(octave), 1n << (BigInt(y) * power)));
  });
  const mass = exactMass((fate) => {
    Object.assign(chance, { fate, proposals: 0 });
    try {
      const release = clampedLaplace(value, {
        ...grid,
        eta: parameter,
        entropy: bitsOfOneProposal(points + 2),
      });
      return String(release.value.dividedBy(step));
    } catch (cause) {
      if (cause instanceof Missed) return "missed";
      throw cause;
    }
  });
  const kept = Rational.ONE.minus(mass.get("missed") ?? Rational.ZERO);
  return Array.from({ length: points }, (_, i) => (mass.get(String(i)) ?? Rational.ZERO).dividedBy(kept));
}

describe("clampedLaplace has exactly the law of the base-2 exponential mechanism over the grid", () => {
  it.each([
    ["in the middle", "1.3", 2],
    ["on a point", 2, 4],
    ["on the lower bound", 0, 0],
    ["below the lower bound", -Infinity, 0],
    ["above the upper bound", 1e300, 6],
    ["just below a point", "0.999999", 1],
  ])("a value %s", (_, value, centre) => {
    const distances = Array.from({ length: 7 }, (_, i) => Math.abs(i - centre));
    for (const [x, y] of [
      [1, 1],
      [1, 3],
      [3, 2],
      [15, 4],
      [1023, 10],
    ]) {
      const law = exactLaw(distances, { x, y, z: 1, lower: 0, upper: 7 });
      expect(lawOf(value, 7, x, y, "1/2").map(String)).toEqual(law.map(String));
    }
  });
});
