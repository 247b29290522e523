import { describe, expect, it } from "vitest";
import { drawRounded } from "../../src/base2/randomized-rounding.js";
import type { Entropy } from "../../src/entropy.js";
import { Interval } from "../../src/exact/interval.js";
import { Rational, type RationalLike, rational } from "../../src/exact/rational.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { type Base2Law, exactLaw, fraction, type RoundUp } from "./exact-law.js";

const HALF = { x: 1, y: 1, z: 1, lower: 0, upper: 20 };

/** The largest ratio of an outcome's probabilities over all pairs of neighbours. */
function largestRatio(
  pairs: Iterable<readonly [readonly RationalLike[], readonly RationalLike[]]>,
  mechanism: Base2Law,
  roundUp: RoundUp = fraction,
): Rational {
  const laws = new Map<string, Rational[]>();
  const lawOf = (utilities: readonly RationalLike[]) => {
    const key = utilities.join();
    const law = laws.get(key) ?? exactLaw(utilities, mechanism, roundUp);
    laws.set(key, law);
    return law;
  };
  let largest = Rational.ONE;
  for (const [one, other] of pairs) {
    const [p, q] = [lawOf(one), lawOf(other)];
    for (const i of p.keys()) {
      const ratio = p[i].dividedBy(q[i]);
      if (ratio.compare(largest) > 0) largest = ratio;
    }
  }
  return largest;
}

/** All pairs of utilities on a grid of which one individual can turn the one into the other. */
function* neighbours(
  grid: readonly RationalLike[],
  outcomes: number,
  isAllowed: (change: Rational) => boolean,
) {
  const points = vectorsOver(grid, outcomes);
  for (const one of points)
    for (const other of points)
      if (one.every((value, i) => isAllowed(rational(other[i]).minus(value)))) yield [one, other] as const;
}

function vectorsOver<T>(values: readonly T[], length: number): T[][] {
  if (length === 0) return [[]];
  return vectorsOver(values, length - 1).flatMap((vector) => values.map((value) => [...vector, value]));
}

const withinOne = (change: Rational) => change.compare(1) <= 0 && change.compare(-1) >= 0;
const upByOne = (change: Rational) => change.compare(0) >= 0 && change.compare(1) <= 0;

describe("the exact likelihood ratio of neighbours is within the claim", () => {
  const levels = Array.from({ length: 12 }, (_, i) => i);

  it("integer utilities: below 4 = 2^(2η) and near it", () => {
    const ratio = largestRatio(neighbours(levels, 2, withinOne), HALF);
    expect(ratio.compare(4)).toBeLessThanOrEqual(0);
    expect(ratio.compare("3.99")).toBeGreaterThan(0);
  });

  it("monotone utilities, either way: below 2 = 2^η and near it", () => {
    const pairs = [...neighbours(levels, 2, upByOne)];
    const ratio = largestRatio([...pairs, ...pairs.map(([a, b]) => [b, a] as const)], HALF);
    expect(ratio.compare(2)).toBeLessThanOrEqual(0);
    expect(ratio.compare("1.99")).toBeGreaterThan(0);
  });

  it("fractions and three outcomes, η no integer", () => {
    const mechanism = { x: 3, y: 2, z: 1, lower: 0, upper: 3 };
    const grid = ["0", "1/2", "4/5", "7/5", "2", "5/2", "3"];
    const ratio = largestRatio(neighbours(grid, 3, withinOne), mechanism);
    expect(ratio.compare("16/9")).toBeLessThanOrEqual(0);
    expect(ratio.compare("1.5")).toBeGreaterThan(0);
  });

  it("a sensitivity that isn't an integer counts as the next: 3/2 can cost what 2 does, and more than 3/2", () => {
    const within = (change: Rational) => change.compare("3/2") <= 0 && change.compare("-3/2") >= 0;
    const ratio = largestRatio(
      neighbours(["9", "19/2", "21/2", "11", "0", "1/2", "1", "3/2", "2"], 2, within),
      HALF,
    );
    expect(ratio.compare(16)).toBeLessThanOrEqual(0);
    expect(ratio.compare(8)).toBeGreaterThan(0); // 2^(2·3/2)
  });

  it("weights 5 % too steep are caught", () => {
    const steeper = { ...HALF, x: 989, y: 11 }; // η = 1.05
    expect(largestRatio(neighbours(levels, 2, withinOne), steeper).compare(4)).toBe(1);
    expect(largestRatio(neighbours(levels, 2, upByOne), steeper).compare(2)).toBe(1);
  });
});

/**
 * One outcome of utility 0.999 among a thousand of 1.001, against 1.001 among 0.999: nobody moves a utility by more than
 * 0.002. Correct rounding hardly notices; with the two probabilities exchanged, as printed in [Ilv20], levels 0 and 2
 * take the places of 1 and 1.
 */
describe("the swapped rounding of the paper", () => {
  /** P(⌈u⌉) of a sampler, as its bit tree has it to 20 digits. */
  function measured(round: (value: number, entropy: Entropy) => number, value: number): Rational {
    const tree = bitTree((entropy) => round(value, entropy), { depth: 20 });
    return tree.mass.get(String(Math.ceil(value))) ?? Rational.ZERO;
  }

  /** The probability of the first of 1,001 outcomes at η = 1: Σ over its level and the number of others at ⌈u⌉. */
  function first(up: Rational, floor: bigint, upOfOthers: Rational, floorOfOthers: bigint): Interval {
    const precision = 256;
    const rare = upOfOthers.compare("1/2") <= 0; // count what happens less often, lest (1 − p)^1000 vanishes
    const p = rare ? upOfOthers : Rational.ONE.minus(upOfOthers);
    const odds = p.dividedBy(Rational.ONE.minus(p));
    let mass = Interval.from(Rational.ONE.minus(p), precision).power(1000n);
    let sum = Interval.from(0, precision);
    for (let count = 0n; count <= 1000n; count++) {
      const ups = rare ? count : 1000n - count;
      const others = weight(floorOfOthers)
        .times(1000n - ups)
        .plus(weight(floorOfOthers + 1n).times(ups));
      for (const [level, chance] of [
        [floor, Rational.ONE.minus(up)],
        [floor + 1n, up],
      ] as const)
        sum = sum.plus(mass.times(chance.times(weight(level)).dividedBy(others.plus(weight(level)))));
      mass = mass.times(odds.times(1000n - count).dividedBy(count + 1n));
    }
    return sum;
  }

  function weight(level: bigint): Rational {
    return Rational.of(1n, 1n << level);
  }

  function ratio(round: (value: number, entropy: Entropy) => number): Interval {
    const [low, high] = [measured(round, 0.999), measured(round, 1.001)];
    return first(low, 0n, high, 1n).dividedBy(first(high, 1n, low, 0n));
  }

  const swapped = (value: number, entropy: Entropy) =>
    2 * Math.floor(value) + 1 - drawRounded(value, entropy);

  it("is caught: a ratio of 15.89 where 4 is allowed", () => {
    const found = ratio(swapped);
    expect(found.isAbove(4)).toBe(true);
    expect(found.toNumber("up")).toBeCloseTo(15.8926, 3);
  });

  it("is not ours: a ratio of 1.003", () => {
    const found = ratio(drawRounded);
    expect(found.isBelow(4)).toBe(true);
    expect(found.toNumber("up")).toBeCloseTo(1.003, 4);
  });

  it("is caught on two outcomes too", () => {
    const swappedUp: RoundUp = (utility) => Rational.ONE.minus(fraction(utility));
    const pairs = [...neighbours(["0.999", "1.001", "5"], 2, (change) => withinOne(change.times(400n)))];
    const claim = Rational.ONE.plus("1/100"); // a change of 0.002 moves a mean by that little
    expect(largestRatio(pairs, HALF).compare(claim)).toBeLessThan(0);
    expect(largestRatio(pairs, HALF, swappedUp).compare(claim)).toBe(1);
  });
});
