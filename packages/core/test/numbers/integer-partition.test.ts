import { describe, expect, it } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { convert, Entropy, eta, etaAtMost, integerPartition } from "../../src/index.js";
import { drawPartition, partitionSum, rowsBelow } from "../../src/numbers/partition-draw.js";
import { PartitionTable } from "../../src/numbers/partition-table.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { vectors } from "../support/more-vectors.js";

const EFFORT = { digits: 128, window: 120, extra: 16 };
const baseOf = ({ x, y, z }: { x: number; y: number; z: number }) =>
  Rational.of(BigInt(x) ** BigInt(z), 1n << BigInt(y * z));

/** Every partition of at most so many cells. */
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

describe("The sum over all frequency lists", () => {
  it.each(vectors.integer_partition)(
    "has all digits of the reference value: $name",
    ({ frequencies, eta: base, Z }) => {
      const { least, most } = partitionSum(frequencies, baseOf(base), EFFORT);
      const off = rational(Z).times("1e-27");
      expect(least.compare(rational(Z).plus(off))).toBeLessThanOrEqual(0);
      expect(most.compare(rational(Z).minus(off))).toBeGreaterThanOrEqual(0);
      expect(most.minus(least).dividedBy(Z).compare("1e-15")).toBe(-1);
    },
  );

  it("gives the reference probabilities: weight over sum", () => {
    for (const { frequencies, eta: base, outcomes } of vectors.integer_partition) {
      const { least } = partitionSum(frequencies, baseOf(base), EFFORT);
      for (const { partition, prob } of outcomes as { partition: number[]; prob: string }[]) {
        const weight = rational(1).times(power(baseOf(base), distance(frequencies, partition)));
        expect(weight.dividedBy(least).dividedBy(prob).toNumber()).toBeCloseTo(1, 12);
      }
    }
  });

  it("is that of all partitions one by one, but for those that are too large to matter", () => {
    const base = Rational.of(1n, 5n);
    for (const x of [[], [1], [2, 1], [4], [1, 1, 1], [3, 3, 1]]) {
      let sum = Rational.ZERO;
      for (const y of partitions(20)) sum = sum.plus(power(base, distance(x, y)));
      const { least, most } = partitionSum(x, base, EFFORT);
      expect(sum.compare(most)).toBe(-1);
      expect(sum.dividedBy(least).toNumber()).toBeCloseTo(1, 6);
    }
  });

  it.each([
    ["9/10", 0],
    ["1/2", 0],
    ["1/10", 20],
    ["1/16", 14],
    ["1/200", 10],
    ["1e-6", 7],
    ["1e-60", 5],
  ])("needs one table at b = %s, whatever the list", (base, cells) => {
    for (const x of [[], [1], [2, 1], [4], [1, 1, 1], [3, 3, 1]]) {
      const { least, most } = partitionSum(x, rational(base));
      expect(most.minus(least).dividedBy(least).compare("1e-9")).toBe(-1);
      const listed = [...partitions(cells)].map((y) => power(rational(base), distance(x, y)));
      const sum = listed.reduce((a, b) => a.plus(b), Rational.ZERO);
      expect(sum.compare(most)).toBe(-1);
      if (cells >= 2 * x.length + 6) expect(sum.dividedBy(least).toNumber()).toBeCloseTo(1, 3);
    }
  });

  it.each(["3/4", "3/5"])("needs one table at b = %s for a block and a hook", (base) => {
    const block = new Array<number>(90).fill(90);
    const hook = [400, ...new Array<number>(399).fill(1)];
    for (const x of [block, hook]) {
      const { least, most } = partitionSum(x, rational(base));
      expect(most.minus(least).dividedBy(least).compare("1e-9")).toBe(-1);
    }
  });

  it("is the same for rows and columns exchanged", () => {
    const base = Rational.of(3n, 4n);
    const [a, b] = [
      [5, 2, 1],
      [3, 2, 1, 1, 1],
    ].map((x) => partitionSum(x, base, { digits: 128, window: 400, extra: 24 }));
    expect(a.least.dividedBy(b.least).toNumber()).toBeCloseTo(1, 12);
  });
});

function power(base: Rational, exponent: number): Rational {
  return Rational.of(base.numerator ** BigInt(exponent), base.denominator ** BigInt(exponent));
}

/** ln of the largest ratio of P(y) between two lists: b^(dist − dist′)·Z′/Z over all small y. */
function lossOf(x: readonly number[], other: readonly number[], base: Rational): number {
  const effort = { digits: 128, window: 60 * Math.ceil(1 / (1 - base.toNumber())), extra: 50 };
  const [z, w] = [x, other].map((list) => partitionSum(list, base, effort).least);
  let most = 0;
  for (const y of partitions(6)) {
    const ratio = power(base, distance(x, y))
      .dividedBy(z)
      .dividedBy(power(base, distance(other, y)).dividedBy(w));
    const { numerator, denominator } = ratio;
    const ln = Interval.from(numerator, 64).ln().minus(Interval.from(denominator, 64).ln()).toNumber("up");
    most = Math.max(most, Math.abs(ln));
  }
  return most;
}

describe("The loss of integerPartition", () => {
  it("is 2Δη, reached by the first person of all at small η", () => {
    const { privacy } = integerPartition([], { eta: eta(15, 4) });
    const { epsilon } = convert(privacy, { to: "pure" });
    const found = lossOf([], [1], Rational.of(15n, 16n));
    expect(found / rational(epsilon).toNumber()).toBeGreaterThan(0.9999999);
    expect(found / rational(epsilon).toNumber()).toBeLessThan(1 + 1e-12);
    expect(found).toBeCloseTo(0.1290770423, 9);
    // 5 % less noise is a base of b^(1/0.95), a little below 0.9343.
    expect(lossOf([], [1], Rational.of(9343n, 10_000n))).toBeGreaterThan(rational(epsilon).toNumber());
  });

  it("is never above it for small lists and their neighbours", () => {
    const bound = 2 * Math.log(2);
    expect(lossOf([], [1], Rational.of(1n, 2n))).toBeCloseTo(1.142, 3);
    for (const [x, y] of [
      [[1], [2]],
      [[1], [1, 1]],
      [
        [2, 1],
        [2, 2],
      ],
      [
        [2, 2],
        [3, 2],
      ],
      [
        [1, 1, 1],
        [2, 1, 1],
      ],
    ])
      expect(lossOf(x, y, Rational.of(1n, 2n))).toBeLessThan(bound);
  });

  it("counts the items of a person, twice where people are replaced", () => {
    const lossAt = (options: object) => integerPartition([], { eta: eta(1, 1), ...options }).privacy.eta;
    expect([
      lossAt({}),
      lossAt({ maxItemsPerUser: 3 }),
      lossAt({ maxItemsPerUser: 3, neighbours: "replace" }),
    ]).toEqual([2, 6, 12].map((size) => rational(size)));
    const { epsilon } = convert(integerPartition([], { epsilon: 1, maxItemsPerUser: 2 }).privacy, {
      to: "pure",
    });
    expect([rational(epsilon).compare(1) <= 0, rational(epsilon).compare("0.95") > 0]).toEqual([true, true]);
  });
});

describe("integerPartition", () => {
  it("gives a list that falls, without zeros, in any order of the input", () => {
    const entropy = seededEntropy("falls");
    for (let run = 0; run < 5; run++) {
      const { frequencies } = integerPartition([3, 0, 9, 1, 1, 40n] as number[], { eta: eta(1, 2), entropy });
      expect(frequencies.every((count, i) => count > 0 && (i === 0 || count <= frequencies[i - 1]))).toBe(
        true,
      );
      expect(Math.abs(frequencies[0] - 40)).toBeLessThan(20);
    }
  });

  it.each([9, 10, 50, 1000])("gives the list itself at hardly any privacy, ε = %s", (epsilon) => {
    const counts = [7, 5, 5, 1];
    const lists = Array.from({ length: 20 }, (_, i) =>
      integerPartition(counts, { epsilon, entropy: seededEntropy(`${i}`) }).frequencies.join(),
    );
    expect(lists.filter((list) => list === "7,5,5,1").length).toBeGreaterThan(15);
  });

  it("refuses budgets whose table would take gigabytes, by epsilon and by eta", () => {
    const drawn = (options: object) => () => integerPartition([3, 1], options as { epsilon: number });
    expect(drawn({ epsilon: "0.04" })).toThrow(
      "epsilon must be a rational >= 0.05 (1/20 for each item by which one individual can move the list, because the table grows with 1/ε²); got",
    );
    expect(drawn({ epsilon: "0.19", maxItemsPerUser: 2, neighbours: "replace" })).toThrow(">= 0.2 (1/20");
    expect(drawn({ eta: eta(1023, 10) })).toThrow(
      'eta must be at least that of eta(3995, 12, 1), because the table grows with 1/η²; got "eta(1023, 10, 1)"',
    );
    expect(drawn({ eta: etaAtMost("1/20") })).not.toThrow();
  });

  it("refuses budgets that protect no one, by epsilon and by eta", () => {
    const drawn = (options: object) => () => integerPartition([3, 1], options as { epsilon: number });
    expect(drawn({ epsilon: 1001 })).toThrow("epsilon must be a rational <= 1000; got");
    expect(drawn({ epsilon: 4001, maxItemsPerUser: 2, neighbours: "replace" })).toThrow("<= 4000");
    expect(drawn({ eta: eta(1, 723) })).toThrow("eta must be at most 722; got");
    expect(drawn({ eta: eta(1, 722) })).not.toThrow();
  });

  it("refuses more than 2^52 people together, before a bit is drawn and without saying how many", () => {
    const counts = [2 ** 52, 1];
    const entropy = new Entropy({ fill: () => expect.fail("a bit was drawn") });
    expect(() => integerPartition(counts, { epsilon: 1, entropy })).toThrow(
      /^counts must be integers from 0 throughout, at most 2\^52 together$/,
    );
    expect(() => integerPartition([2 ** 53 - 1, 2 ** 53 - 1, 3], { epsilon: 1 })).toThrow("2^52 together");
  });

  it("is as exact for 2^52 people as for a few", () => {
    const counts = [2 ** 51, 2 ** 51 - 120, ...new Array<number>(40).fill(3)];
    const { frequencies } = integerPartition(counts, { eta: eta(1, 4), entropy: seededEntropy("many") });
    expect(frequencies.every(Number.isSafeInteger)).toBe(true);
    for (const i of [0, 1]) expect(Math.abs(frequencies[i] - counts[i])).toBeLessThan(20);
  });

  it("refuses a base of too many digits before its powers are computed", () => {
    const near = eta((1n << 40n) - 1n, 40, 2 ** 40);
    expect(() => integerPartition([3], { eta: near })).toThrow(
      "eta must be a base of y·z <= 65536 binary digits; got",
    );
    expect(() => integerPartition([3], { eta: eta(1, 4, 2 ** 40) })).toThrow("eta must be at most 722; got");
    expect(() => integerPartition([3], { eta: eta(1n << 32_768n, 32_769, 2) })).toThrow(
      'digits; got "65538"',
    );
    expect(() => integerPartition([], { eta: eta(1n << 32_767n, 32_768, 2) })).not.toThrow();
  });

  it("takes the smallest budget there is, and a power of a base as the base that it is", () => {
    const least = { epsilon: "1/20", neighbours: "add-remove" } as const;
    const { frequencies } = integerPartition([], { ...least, entropy: seededEntropy("least") });
    expect(frequencies).toEqual(expect.any(Array));
    const [power, base] = [eta(3, 2, 2), eta(9, 4)].map((parameter) =>
      integerPartition([7, 4, 4, 1], { eta: parameter, entropy: seededEntropy("power") }),
    );
    expect(power.frequencies).toEqual(base.frequencies);
  });

  it("refuses what is not a count, without saying which", () => {
    for (const bad of [-1, 0.5, Number.NaN, "7"])
      expect(() => integerPartition([1, bad as number], { epsilon: 1 })).toThrow(
        expect.objectContaining({
          ...{ code: "invalid-score", field: "counts" },
          message: "counts must be integers from 0 throughout, at most 2^52 together",
        }),
      );
    expect(() => integerPartition(7 as never, { epsilon: 1 })).toThrow("counts must be an array");
    expect(() => integerPartition([1], {} as never)).toThrow("budget must be exactly one of epsilon and eta");
    expect(() => integerPartition([1], { epsilon: 1, maxItemsPerUser: 0 })).toThrow(
      "maxItemsPerUser must be an integer >= 1; got 0",
    );
  });
});

describe("The draw of a frequency list", () => {
  it("doubles only what a doubt came from, and all three in turn where all are too small", () => {
    const first = { digits: 12, window: 6, extra: 1 };
    const doubled = new Set<string>();
    for (let run = 0; run < 25; run++) {
      let before: Record<string, number> = first;
      drawPartition(Float64Array.of(3, 1), Rational.of(7n, 8n), seededEntropy(`${run}`), first, (effort) => {
        const now: Record<string, number> = { ...effort };
        const changed = Object.keys(now).filter((part) => now[part] !== before[part]);
        expect(changed).toHaveLength(1);
        expect(now[changed[0]]).toBe(2 * before[changed[0]]);
        doubled.add(changed[0]);
        before = now;
      });
    }
    expect([...doubled].sort()).toEqual(["digits", "extra", "window"]);
  });

  it("makes its tables once for a thousand items of a thousand people", () => {
    const block = new Float64Array(1000).fill(1000);
    const base = Rational.of(39n, 64n);
    const list = drawPartition(block, base, seededEntropy("block"), undefined, () =>
      expect.fail("a second try"),
    );
    expect(Math.abs(list.length - 1000)).toBeLessThan(20);
    expect(list.filter((count) => count === 1000).length).toBeGreaterThan(950);
  });

  it("walks the columns down once for all the rows below the square", () => {
    const columns = [10_000, 9_000, ...new Array<number>(498).fill(500)];
    let reads = 0;
    const counted = new Proxy(columns, {
      get(target, key) {
        reads++;
        return Reflect.get(target, key);
      },
    });
    const rows = rowsBelow(counted);
    expect(rows).toEqual([...new Array<number>(8_500).fill(2), ...new Array<number>(1_000).fill(1)]);
    expect(reads).toBeLessThan(columns.length + rows.length + 10);
  });
});

describe("The table of frequency lists", () => {
  it("has the same sums where it lists only a few rows at once", () => {
    const parts = [90, 70, 70, 41, 12, 12, 9, 8, 8, 8, 3, 2, 0, 0, 0, 0, 0];
    const fineness = { digits: 64, window: 20 };
    const base = Rational.of(2n, 3n);
    const whole = new PartitionTable(parts, base, fineness);
    const short = new PartitionTable(parts, base, fineness, 1);
    for (let i = parts.length; i >= 1; i--) {
      expect(short.whole(i)).toEqual(whole.whole(i));
      expect(short.last(i)).toBe(whole.last(i));
      for (let q = i; q <= whole.last(i) + 1; q++) expect(short.sum(i, q)).toEqual(whole.sum(i, q));
    }
  });
});
