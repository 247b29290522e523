import { describe, expect, it } from "vitest";
import { Rational, rational } from "../../src/exact/rational.js";
import { drawPartition, partitionSum } from "../../src/numbers/partition-draw.js";
import { PartitionTable, powerOf, type Scaled, trimmed } from "../../src/numbers/partition-table.js";
import { OutOfBits, replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";

const power = ({ numerator, denominator }: Rational, exponent: number) =>
  exponent < 0
    ? Rational.of(denominator ** BigInt(-exponent), numerator ** BigInt(-exponent))
    : Rational.of(numerator ** BigInt(exponent), denominator ** BigInt(exponent));

const endsOf = ({ lo, hi, exponent }: Scaled) =>
  [lo, hi].map((end) => Rational.of(end).times(power(rational(2), exponent)));

const expectWithin = (scaled: Scaled, exact: Rational) => {
  const [low, high] = endsOf(scaled);
  expect(low.compare(exact)).toBeLessThanOrEqual(0);
  expect(high.compare(exact)).toBeGreaterThanOrEqual(0);
};

/** Ŝ_i(Q), exactly: Σ over Q′ ≥ Q of b^|x̂_i − Q′|·Ŝ_(i−1)(Q′), with the closed form beyond all parts. */
function exactSums(parts: readonly number[], base: Rational): (i: number, q: number) => Rational {
  const raised = parts.map((part, at) => Math.max(part, at + 1));
  const far = Math.max(...raised);
  const known = new Map<string, Rational>();
  const sum = (i: number, q: number): Rational => {
    if (i === 0) return Rational.ONE;
    const key = `${i} ${q}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    let value: Rational;
    if (q >= far) {
      const moved = raised.slice(0, i).reduce((total, part) => total + q - part, 0);
      value = power(base, moved);
      for (let j = 1; j <= i; j++) value = value.dividedBy(Rational.ONE.minus(power(base, j)));
    } else {
      const here = power(base, Math.abs(raised[i - 1] - q)).times(sum(i - 1, q));
      value = sum(i, q + 1).plus(here);
    }
    known.set(key, value);
    return value;
  };
  return sum;
}

const LISTS = [
  [0, 0, 0, 0],
  [5, 2, 1, 0, 0],
  [12, 12, 11, 3, 3, 0, 0],
  [30, 9, 8, 8, 1, 1, 1, 0],
  [4, 4, 4, 4, 4, 4],
];
const BASES = ["1/2", "3/4", "15/16", "1/7", "1/300"];

describe("The table of frequency lists", () => {
  it.each(BASES)("encloses its sums with any digits and windows: b = %s", (text) => {
    const base = rational(text);
    for (const parts of LISTS) {
      const exact = exactSums(parts, base);
      for (const [digits, window] of [
        [4, 1],
        [9, 3],
        [20, 8],
        [64, 1],
        [64, 3],
        [64, 40],
      ])
        for (const listedAtOnce of [1, 1_000_000]) {
          const table = new PartitionTable(parts, base, { digits, window }, listedAtOnce);
          for (let i = parts.length; i >= 1; i--) {
            // Row 0 is 2^digits.
            const unit = power(rational(2), digits);
            expectWithin(table.whole(i), exact(i, i).times(unit));
            for (let q = i; q <= table.last(i) + 4; q++)
              expectWithin(table.sum(i, q), exact(i, q).times(unit));
          }
        }
    }
  });

  it.each(BASES.slice(0, 4))("is as narrow as its digits where windows are wide: b = %s", (text) => {
    const base = rational(text);
    for (const parts of LISTS) {
      const fineness = { digits: 80, window: text === "1/2" || text === "1/7" ? 100 : 900 };
      const table = new PartitionTable(parts, base, fineness);
      expect(table.isNarrow).toBe(false);
      for (let i = 1; i <= parts.length; i++) {
        const { lo, hi } = table.sum(i, i);
        expect(Number(hi - lo) / Number(hi)).toBeLessThan(2 ** -30);
        expect(table.last(i)).toBe(Math.max(parts[i - 1], i) + fineness.window);
      }
    }
  });

  it("says when its windows are too narrow for its digits", () => {
    const isNarrow = (digits: number, window: number) =>
      new PartitionTable([9, 4, 1, 0], rational("1/2"), { digits, window }).isNarrow;
    expect([isNarrow(64, 10), isNarrow(64, 80)]).toEqual([true, false]);
    expect([isNarrow(12, 20), isNarrow(12, 3)]).toEqual([false, true]);
  });
});

describe("Scaled numbers", () => {
  it("keep their digits and are rounded outward", () => {
    expect(trimmed({ lo: 5n, hi: 7n, exponent: 3 }, 3)).toEqual({ lo: 5n, hi: 7n, exponent: 3 });
    expect(trimmed({ lo: 5n, hi: 7n, exponent: 3 }, 9)).toEqual({ lo: 5n, hi: 7n, exponent: 3 });
    expect(trimmed({ lo: 5n, hi: 9n, exponent: 3 }, 3)).toEqual({ lo: 2n, hi: 5n, exponent: 4 });
    expect(trimmed({ lo: 8n, hi: 8n, exponent: -1 }, 1)).toEqual({ lo: 1n, hi: 1n, exponent: 2 });
  });

  it("hold every power of a base, also negative ones, in narrow ends", () => {
    for (const text of ["2/3", "15/16", "1/1000"])
      for (const exponent of [-40, -3, -1, 0, 1, 2, 5, 63]) {
        const enclosure = powerOf(rational(text), BigInt(exponent), 40);
        expectWithin(enclosure, power(rational(text), exponent));
        const [low, high] = endsOf(enclosure);
        expect(high.dividedBy(low).compare("1.00000001")).toBe(-1);
      }
  });
});

/** Every list of at most so many cells. */
function* partitions(most: number, largest = most): Generator<number[], void> {
  yield [];
  for (let first = 1; first <= Math.min(most, largest); first++)
    for (const rest of partitions(most - first, first)) yield [first, ...rest];
}

const distance = (x: readonly number[], y: readonly number[]) =>
  Array.from({ length: Math.max(x.length, y.length) }, (_, i) => Math.abs((x[i] ?? 0) - (y[i] ?? 0))).reduce(
    (a, b) => a + b,
    0,
  );

describe("The law of a drawn list", () => {
  it.each([
    { counts: [1], base: "1/2", runs: 2000, first: { digits: 6, window: 1, extra: 1 } },
    { counts: [3, 3, 1], base: "1/2", runs: 2400, first: { digits: 6, window: 3, extra: 1 } },
  ])("is b to the distance, with tables that are made again and again: $counts, b = $base", (instance) => {
    const { counts, runs, first } = instance;
    const base = rational(instance.base);
    const { least } = partitionSum(counts, base, { digits: 64, window: 60, extra: 12 });
    const chances = [...partitions(12)]
      .map((list) => [list.join(), power(base, distance(counts, list)).dividedBy(least)] as const)
      .filter(([, chance]) => chance.compare("1/400") > 0);
    const others = chances.reduce((left, [, chance]) => left.minus(chance), Rational.ONE);
    const law = Object.fromEntries(
      [...chances, ["others", others] as const].map(([name, p]) => [name, String(p)]),
    );
    const draws = (by: Rational) =>
      tally({
        ...{ seed: `again ${counts} ${by}`, runs },
        sample: (entropy) => drawPartition(Float64Array.from(counts), by, entropy, first).join(),
        key: (list) => (list in law ? list : "others"),
      });
    expectAccepts(draws(base), law);
    expectRejects(draws(base.times("0.8")), law);
  });
});

describe("A draw", () => {
  it("looks further where a window is too narrow, and doubles one of its three efforts each time", () => {
    const first = { digits: 40, window: 1, extra: 3 };
    let tries = 0;
    for (let run = 0; run < 40; run++) {
      let before: Record<string, number> = first;
      const entropy = seededEntropy(`narrow ${run}`);
      drawPartition(new Float64Array(0), rational("7/8"), entropy, first, (effort) => {
        const now: Record<string, number> = { ...effort };
        expect(Object.keys(now)).toEqual(["digits", "window", "extra"]);
        const changed = Object.keys(now).filter((part) => now[part] !== before[part]);
        expect(changed.map((part) => now[part])).toEqual(changed.map((part) => 2 * before[part]));
        expect(changed).toHaveLength(1);
        before = now;
        tries++;
      });
    }
    expect(tries).toBeGreaterThan(40);
  });

  it("goes as far out as its uniform says, beyond every window it began with", () => {
    // After the side, the digits of the first row's U are zeros: P(row > q) = 2^(1 − q) for one person and b = 1/2.
    for (const side of ["1", "01", "10", "101"])
      for (const zeros of [30, 60]) {
        const entropy = replayEntropy(side + "0".repeat(zeros) + "10110111".repeat(60));
        const first = { digits: 20, window: 3, extra: 3 };
        const [row] = drawPartition(Float64Array.of(1), rational("1/2"), entropy, first);
        expect(Math.abs(row - zeros)).toBeLessThanOrEqual(2);
      }
  });

  it("ends where its bits end, with the error of their source", () => {
    expect(() => drawPartition(Float64Array.of(3, 1), rational("1/2"), replayEntropy("01"))).toThrow(
      OutOfBits,
    );
  });
});

describe("The bounds of the sum over all lists", () => {
  it.each([
    { counts: [], base: "1/2", cells: 22 },
    { counts: [2, 1], base: "1/3", cells: 20 },
    { counts: [3, 3, 2], base: "1/5", cells: 20 },
  ])("hold with any effort, also where few squares are listed: $counts, b = $base", (instance) => {
    const { counts, cells } = instance;
    const base = rational(instance.base);
    let few = Rational.ZERO;
    for (const list of partitions(cells)) few = few.plus(power(base, distance(counts, list)));
    const best = partitionSum(counts, base, { digits: 128, window: 120, extra: 16 });
    for (const extra of [1, 2, 4])
      for (const [digits, window] of [
        [8, 4],
        [40, 30],
      ]) {
        const { least, most } = partitionSum(counts, base, { digits, window, extra });
        expect(least.compare(best.most)).toBeLessThanOrEqual(0);
        expect(most.compare(best.least)).toBeGreaterThanOrEqual(0);
        expect(most.compare(few)).toBe(1);
      }
  });
});
