import { afterEach, describe, expect, it, vi } from "vitest";
import { eta } from "../../src/accounting/base2-parameter.js";
import { drawOptimised } from "../../src/base2/draw.js";
import { Levels } from "../../src/base2/levels.js";
import { readUtilities } from "../../src/base2/utilities.js";
import { type Base2Weights, weightsOf } from "../../src/base2/weights.js";
import type { Entropy } from "../../src/entropy.js";
import { Rational, type RationalLike, rational } from "../../src/exact/rational.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { vectors } from "../support/vectors.js";
import { type Base2Law, exactLaw } from "./exact-law.js";
import { exactMass, type Fate } from "./exact-mass.js";

/**
 * The law of the fast sampler as a rational number, by exhaustion over what its primitives may answer: `drawBelow`, the
 * rounding coins and `keeps` are replaced by choices with their probabilities, which have tests of their own.
 */

/** What chance decides in the run at hand. */
const chance = vi.hoisted(() => ({ fate: undefined as unknown as Fate }));

vi.mock("../../src/sample/uniform-below.js", () => ({ drawBelow: (n: number) => chance.fate.below(n) }));
vi.mock("../../src/base2/randomized-rounding.js", async (original) => ({
  ...(await original<typeof import("../../src/base2/randomized-rounding.js")>()),
  drawRounded: (value: number) => (Number.isInteger(value) ? value : Number(rounded(rational(value)))),
  drawRoundedRational: (value: Rational) => rounded(value),
}));

function rounded(value: Rational): bigint {
  const floor = value.floor();
  return chance.fate.isTrue(value.minus(floor)) ? floor + 1n : floor;
}

function massOf(run: () => string): Map<string, Rational> {
  return exactMass((fate) => {
    chance.fate = fate;
    return run();
  });
}

class Missed extends Error {}

/** Replaces the coin; after `misses` of them, the next miss ends the run. */
function replaceCoin(weights: Base2Weights, misses: number): void {
  const { x, y, z } = weights.parameter;
  let left = misses;
  vi.spyOn(weights, "keeps").mockImplementation((distance, octave) => {
    const power = z * BigInt(distance);
    const kept = chance.fate.isTrue(Rational.of((x ** power) << BigInt(octave), 1n << (y * power)));
    if (!kept && left-- === 0) throw new Missed();
    return kept;
  });
}

afterEach(() => vi.restoreAllMocks());

const noEntropy = undefined as unknown as Entropy;

/** The index drawn, or "missed" where one miss too many ended the run. */
function endOf(levels: Levels, weights: Base2Weights, misses: number, minRetries = 1): string {
  replaceCoin(weights, misses);
  try {
    return String(drawOptimised(levels, weights, minRetries, noEntropy));
  } catch (cause) {
    if (!(cause instanceof Missed)) throw cause;
    return "missed";
  }
}

/** The levels that all utilities have in the end, and what the first proposal of an envelope came to. */
function firstProposal(utilities: readonly RationalLike[], mechanism: Base2Law): () => string {
  const weights = weightsOf(eta(mechanism.x, mechanism.y, mechanism.z));
  const range = { lowest: BigInt(mechanism.lower), highest: BigInt(mechanism.upper) };
  return () => {
    const levels = Levels.draw(
      readUtilities(utilities, (utility) => utility, range, new Float64Array(utilities.length)),
      noEntropy,
    );
    const end = endOf(levels, weights, 0);
    const distances = utilities.map((_, i) => levels.drawDistance(i, noEntropy));
    return `${distances}:${end}`;
  };
}

/** P(i) = Σ P(distances)·P(i | distances)/(1 − P(missed | distances)): a miss starts again, but for the rounding. */
function lawOf(masses: ReadonlyMap<string, Rational>, outcomes: number): Rational[] {
  const law = Array.from({ length: outcomes }, () => Rational.ZERO);
  const distances = new Set([...masses.keys()].map((label) => label.split(":", 1)[0]));
  for (const levels of distances) {
    const mass = (end: number | string) => masses.get(`${levels}:${end}`) ?? Rational.ZERO;
    const kept = law.reduce((sum, _, i) => sum.plus(mass(i)), Rational.ZERO);
    const all = kept.plus(mass("missed"));
    for (const i of law.keys()) law[i] = law[i].plus(mass(i).times(all).dividedBy(kept));
  }
  return law;
}

/** 0 if there is nothing from 1 to `most`. */
function drawFromOneTo(most: number, source: Entropy): number {
  return most < 1 ? 0 : 1 + (source.bits(20) % most);
}

function expectExactLaw(utilities: readonly RationalLike[], mechanism: Base2Law): void {
  const law = lawOf(massOf(firstProposal(utilities, mechanism)), utilities.length);
  expect(law.map(String)).toEqual(exactLaw(utilities, mechanism).map(String));
}

describe("the law of the fast sampler is exact to the last digit", () => {
  it.each(vectors.base2_em)("$name", ({ eta, utilities, utility_min, utility_max, probs_exact }) => {
    const mechanism = { ...eta, lower: utility_min, upper: utility_max };
    const rationals = utilities.map((utility) => rational(utility));
    const law = lawOf(massOf(firstProposal(rationals, mechanism)), utilities.length);
    expect(law.map(String)).toEqual(probs_exact.map((p) => String(rational(p))));
  });

  const general = { x: 3, y: 2, z: 1, lower: -4, upper: 12 };
  it.each<{ what: string; utilities: RationalLike[]; mechanism: Base2Law }>([
    { what: "numbers, of which the least may round up", utilities: [0.5, 1.25, -0.3, 2], mechanism: general },
    { what: "numbers that all round to one of two levels", utilities: [0.1, 0.9, 0.5], mechanism: general },
    {
      what: "a fraction on its way to another octave",
      utilities: [0, 0, 1.5, 1.5, 4.75],
      mechanism: general,
    },
    {
      what: "infinities and numbers beyond the bounds",
      utilities: [-Infinity, 1e300, Infinity, 3],
      mechanism: general,
    },
    {
      what: "bigints, rationals and numbers",
      utilities: [2n, "1/3", 0.5, rational("-7/2")],
      mechanism: general,
    },
    {
      what: "weights that are powers of two",
      utilities: [0, 9, 10],
      mechanism: { x: 1, y: 1, z: 1, lower: 0, upper: 100 },
    },
    {
      what: "a range beyond the safe integers",
      utilities: [10n ** 29n, 10n ** 29n + 3n, 10n ** 29n + 20n],
      mechanism: { x: 3, y: 2, z: 1, lower: 0, upper: 10n ** 30n },
    },
  ])("$what", ({ utilities, mechanism }) => expectExactLaw(utilities, mechanism));

  it("random instances with fractions of all kinds", () => {
    const source = seededEntropy("instances");
    for (let run = 0; run < 40; run++) {
      const y = 1 + source.bits(2);
      const x = 2 ** (y - 1) + drawFromOneTo(2 ** (y - 1) - 1, source);
      const utilities = Array.from(
        { length: 1 + source.bits(2) },
        () => source.bits(5) / 2 ** source.bits(2) - 3,
      );
      expectExactLaw(utilities, { x, y, z: 1, lower: -2, upper: 4 });
    }
  });

  it("a distribution that is 5 % off is told from it", () => {
    const utilities = [0, 1, 2, 5];
    const mechanism = { x: 1, y: 1, z: 1, lower: 0, upper: 10 };
    const law = lawOf(massOf(firstProposal(utilities, mechanism)), utilities.length);
    const other = exactLaw(utilities, { ...mechanism, x: 989, y: 11 }); // 2^−1.05
    expect(law.map(String)).not.toEqual(other.map(String));
  });
});

describe("uniform proposals come first where there are many outcomes", () => {
  const mechanism = { x: 3, y: 2, z: 1, lower: 0, upper: 10 };
  const utilities = Array.from({ length: 256 }, (_, i) => (i === 77 ? 0 : 3));
  const law = exactLaw(utilities, mechanism);
  const weights = weightsOf(eta(3, 2));
  const levels = Levels.draw({ numbers: Float64Array.from(utilities), least: 0 }, noEntropy);

  /** The mass of every outcome if the run ends with the miss after so many. */
  function massAfter(
    misses: number,
    minRetries: number,
    wrap: (fate: Fate) => Fate = (fate) => fate,
  ): Rational[] {
    const masses = exactMass((fate) => {
      chance.fate = wrap(fate);
      return endOf(levels, weights, misses, minRetries);
    });
    return utilities.map((_, i) => masses.get(String(i)) ?? Rational.ZERO);
  }

  it("one for every 256, kept with probability b^distance", () => {
    const mass = massAfter(0, 1);
    expect(mass[77].equals("1/256")).toBe(true);
    expect(mass[5].equals(Rational.of(27n, 64n * 256n))).toBe(true);
  });

  it("then those of the envelope, with the same law whatever was missed before", () => {
    // The uniform proposal is the sixth outcome, and missed.
    const missedFirst = (fate: Fate): Fate => {
      let [draws, coins] = [0, 0];
      return {
        below: (n) => (draws++ === 0 ? 5 : fate.below(n)),
        isTrue: (p) => coins++ > 0 && fate.isTrue(p),
      };
    };
    const mass = massAfter(1, 1, missedFirst);
    const kept = mass.reduce((sum, p) => sum.plus(p));
    for (const [i, p] of mass.entries()) expect(p.dividedBy(kept).equals(law[i])).toBe(true);
  });

  it("none if there is a minimum of retries: their number would show what the minimum is to hide", () => {
    const keptFirst = (fate: Fate): Fate => {
      let draws = 0;
      return { ...fate, below: (n) => (draws++ === 0 ? fate.below(n) : 0) }; // the second proposal decides nothing
    };
    const mass = massAfter(0, 2, keptFirst);
    const kept = mass.reduce((sum, p) => sum.plus(p));
    for (const [i, p] of mass.entries()) expect(p.dividedBy(kept).equals(law[i])).toBe(true);
    expect(mass[77].equals("1/256")).toBe(false);
  });
});
