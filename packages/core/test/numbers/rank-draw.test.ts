import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { Interval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { eta } from "../../src/index.js";
import { GridHistogram } from "../../src/numbers/grid-data.js";
import {
  base2RankWeights,
  naturalWeights,
  type RankTarget,
  type RankWeights,
  SmearedRanks,
} from "../../src/numbers/rank-draw.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

/** How many people have the values 0, 1, 2, … */
type Counts = readonly number[];

function ranksOf(counts: Counts, parts: number): SmearedRanks {
  const cells = [...counts.keys()].filter((value) => counts[value] > 0);
  const upTo = cells.map((last) => counts.slice(0, last + 1).reduce((sum, count) => sum + count, 0));
  return new SmearedRanks(new GridHistogram(Float64Array.from(cells), Float64Array.from(upTo)), parts);
}

/** The distances of all cells by the definition: each sub-cell has the mass of its value, and covers as many ranks. */
function distancesOf(counts: Counts, parts: number, { from, to, share }: RankTarget): Map<bigint, bigint> {
  const mass = (cell: bigint) => BigInt(counts[Number(cell / BigInt(parts))] ?? 0);
  let all = 0n;
  for (let cell = from; cell <= to; cell++) all += mass(cell);
  const goal = share.numerator * all;
  const distances = new Map<bigint, bigint>();
  for (let cell = from, first = 0n; cell <= to; cell++) {
    const last = first + mass(cell);
    const [before, after] = [share.denominator * first, share.denominator * last];
    distances.set(cell, goal > after ? goal - after : before > goal ? before - goal : 0n);
    first = last;
  }
  return distances;
}

/** Weights that are powers of two, so that every proposal is kept: 2^−⌊D/step⌋, and 2^−deepest from the reach on. */
const halving = (step: bigint, deepest: number): RankWeights => ({
  reach: step * BigInt(deepest),
  octave: (distance) => (distance / step < deepest ? Number(distance / step) : deepest),
  keeps: () => true,
});

const TARGETS: readonly (readonly [
  counts: Counts,
  parts: number,
  from: bigint,
  to: bigint,
  share: string,
])[] = [
  [[1, 1, 1], 1, 0n, 2n, "1/2"],
  [[0, 2, 0, 0, 3, 0], 1, 0n, 5n, "1/2"],
  [[0, 2, 0, 0, 3, 0], 1, 0n, 7n, "0"],
  [[0, 2, 0, 0, 3, 0], 1, 0n, 7n, "1"],
  [[5], 1, 0n, 3n, "1/3"],
  [[0, 0, 5], 1, 0n, 3n, "2/3"],
  [[], 1, 0n, 4n, "1/2"],
  [[2, 0, 3], 4, 0n, 11n, "1/2"],
  [[2, 0, 3], 4, 3n, 9n, "1/4"],
  [[0, 4, 0, 1], 3, 1n, 10n, "3/4"],
  [[0, 0, 1], 5, 0n, 17n, "1/2"],
  [[3, 1], 2, 1n, 1n, "1/2"],
  [[1, 2, 3, 4], 2, 0n, 7n, "9/10"],
  [[7, 0, 0, 0, 1], 2, 0n, 12n, "1/10"],
];

describe.each(TARGETS)("ranks of the counts %o in %i parts, cells %i to %i, share %s", (...given) => {
  const [counts, parts, from, to, share] = given;
  const target = { from, to, share: rational(share) };
  const ranks = ranksOf(counts, parts);
  const distances = distancesOf(counts, parts, target);

  it.each([
    [1n, 64],
    [2n, 64],
    [7n, 64],
  ])("are drawn as often as they weigh, where each %i of distance halve the weight", (step, deepest) => {
    const weights = halving(step, deepest);
    const weight = (distance: bigint) => Rational.of(1n, 1n << BigInt(weights.octave(distance)));
    const total = [...distances.values()].reduce((sum, d) => sum.plus(weight(d)), rational(0));
    if (total.denominator > 64n) return; // too many bits for a tree
    const { mass, undecided } = bitTree((entropy) => ranks.draw(target, weights, entropy), { depth: 11 });
    const decided = rational(1).minus(undecided);
    expect(decided.compare("1/4")).toBe(1);
    for (const [cell, distance] of distances) {
      const share = (mass.get(String(cell)) ?? rational(0)).dividedBy(decided);
      expect(share).toEqual(weight(distance).dividedBy(total));
    }
    expect(mass.size).toBe(distances.size);
  });

  it.each([
    [1n, 3],
    [3n, 64],
  ])("are proposed in the octave of their distance, where each %i is one of at most %i", (step, deepest) => {
    const entropy = seededEntropy("proposals");
    const { reach, octave } = halving(step, deepest);
    for (let i = 0; i < 30; i++) {
      let proposed: unknown;
      const keeps = (...proposal: readonly [bigint, number, Entropy]) => {
        proposed = proposal.slice(0, 2);
        return true;
      };
      const cell = ranks.draw(target, { reach: deepest < 64 ? 1n << 40n : reach, octave, keeps }, entropy);
      const distance = distances.get(cell) as bigint;
      expect(proposed).toEqual([distance, octave(distance)]);
    }
  });
});

describe("cells out of reach", () => {
  it("share the last octave, however many they are and on both sides", () => {
    const ranks = new SmearedRanks(
      new GridHistogram(Float64Array.of(2 ** 50, 2 ** 51), Float64Array.of(300, 400)),
      1,
    );
    const weights = { ...halving(1n, 64), keeps: (_: bigint, octave: number) => octave === 64 };
    const entropy = seededEntropy("far");
    const target = { from: 0n, to: 1n << 80n, share: rational("1/2") };
    let [below, above] = [0, 0];
    for (let i = 0; i < 8; i++) {
      const cell = ranks.draw({ ...target, to: 1n << 52n }, weights, entropy);
      if (cell < 1n << 50n) below++;
      else if (cell > 1n << 50n) above++;
    }
    expect([below > 0, above > 0, below + above]).toEqual([true, true, 8]);
    // 2^80 cells of weight 2^−64 against one of weight 1.
    const far = Array.from({ length: 50 }, () =>
      ranks.draw(target, { ...weights, keeps: () => true }, entropy),
    );
    expect(far.filter((cell) => cell > 1n << 60n).length).toBe(50);
  });

  it("are not looked at one by one, however many values they have", () => {
    const values = Float64Array.from({ length: 20_000 }, (_, i) => i);
    const ranks = new SmearedRanks(
      new GridHistogram(
        values,
        values.map((value) => value + 1),
      ),
      1,
    );
    let looks = 0;
    const { octave, ...weights } = halving(1n, 64);
    const counting = { ...weights, octave: (distance: bigint) => [octave(distance), looks++][0] };
    ranks.draw({ from: 0n, to: 19_999n, share: rational("1/2") }, counting, seededEntropy("looks"));
    expect(looks).toBeLessThan(1000);
  });

  it("are still kept by their own weight: one more proposal where it is refused", () => {
    const ranks = ranksOf([1, 1], 1);
    let calls = 0;
    const keeps = () => ++calls % 3 === 0;
    const target = { from: 0n, to: 1n, share: rational("1/2") };
    ranks.draw(target, { ...halving(1n, 64), keeps }, seededEntropy("again"));
    expect(calls).toBe(3);
  });
});

describe("a stretch of cells with equal mass", () => {
  it("ends with its value, or before the next; after the last value it has no end", () => {
    const ends = (ranks: SmearedRanks, cells: number) =>
      Array.from({ length: cells }, (_, cell) => Number(ranks.stretch(BigInt(cell))));
    expect(ends(ranksOf([2, 0, 0, 3], 3), 14)).toEqual([2, 2, 2, 8, 8, 8, 8, 8, 8, 11, 11, 11, -1, -1]);
    expect(ends(ranksOf([0, 1, 1], 1), 4)).toEqual([0, 1, 2, -1]);
    expect(ends(ranksOf([], 2), 3)).toEqual([-1, -1, -1]);
  });
});

it("a cell that covers the quantile is kept without a bit", () => {
  const silent = {
    ...seededEntropy("none"),
    word: () => expect.unreachable(),
    bit: () => expect.unreachable(),
  };
  expect(naturalWeights(rational(3)).keeps(0n, 0, silent as never)).toBe(true);
});

/** e^(−rate·D)·2^octave. */
const natural = (rate: Rational) => (distance: bigint, octave: number) =>
  Interval.from(rate.times(-distance), 200)
    .exp()
    .times(1n << BigInt(octave));
/** (x/2^y)^(zD)·2^octave. */
const based = (x: bigint, y: bigint, z: bigint) => (distance: bigint, octave: number) =>
  Interval.from(Rational.of(x, 1n << y), 400)
    .power(z * distance)
    .times(1n << BigInt(octave));

describe.each([
  ["e^(-D/3)", naturalWeights(rational("1/3")), natural(rational("1/3"))],
  ["e^(-5D/2)", naturalWeights(rational("5/2")), natural(rational("5/2"))],
  ["(3/4)^D", base2RankWeights(eta(3, 2)), based(3n, 2n, 1n)],
  ["(1/2)^(3D)", base2RankWeights(eta(1, 1, 3)), based(1n, 1n, 3n)],
] as const)("the weight %s", (_, weights, kept) => {
  it("is at most 2^-octave, above half of it up to the last octave, and reaches that", () => {
    for (let distance = 0n; distance <= weights.reach + 5n; distance++) {
      const octave = weights.octave(distance);
      const chance = kept(distance, octave);
      expect(chance.isAbove(1)).toBe(false);
      if (octave < 64) expect(chance.isBelow("1/2")).toBe(false);
    }
    expect(weights.octave(weights.reach)).toBe(64);
    expect(weights.octave(1n << 40n)).toBe(64);
  });

  it("is kept as often as it says, by all strings of bits", () => {
    for (const distance of [0n, 1n, 2n, 5n, 9n]) {
      const octave = weights.octave(distance);
      const { mass, undecided } = bitTree((entropy) => weights.keeps(distance, octave, entropy), {
        depth: 12,
        wordBits: 4,
      });
      const chance = kept(distance, octave);
      const often = mass.get("true") ?? rational(0);
      expect(chance.isBelow(often)).toBe(false);
      expect(chance.isAbove(often.plus(undecided))).toBe(false);
      expect(undecided.compare("1/100")).toBe(-1);
    }
  });
});

it("natural weights reach the last octave no later than they must", () => {
  for (const rate of ["1/3", "5/2", "1/1000"]) {
    const { octave, reach } = naturalWeights(rational(rate));
    expect([octave(reach - 1n) < 64, octave(reach)]).toEqual([true, 64]);
  }
});
