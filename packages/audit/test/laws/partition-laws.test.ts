import { describe, expect, it } from "vitest";
import { eta } from "../../../core/src/accounting/base2-parameter.js";
import { Rational, rational } from "../../../core/src/exact/rational.js";
import { drawPartition, partitionSum } from "../../../core/src/numbers/partition-draw.js";
import { bitTree } from "../../../core/src/testing/bit-tree.js";
import { expectLaw } from "../../../core/test/support/expect-law.js";
import { parameterOf, vectors } from "../../../core/test/support/more-vectors.js";
import { withOnePersonMore } from "../../src/claims/number-claims.js";
import { boundedPartitionLaw, integerPartitionLaw, listsOf } from "../../src/laws/partition-laws.js";
import { likelihoodRatio } from "../../src/likelihood-ratio.js";

const sum = (list: readonly number[]) => list.reduce((total, count) => total + count, 0);

interface Outcome {
  readonly partition: readonly number[];
  readonly prob: string;
}

describe("integerPartitionLaw", () => {
  it.each(vectors.integer_partition)("has all digits of the reference law: $name", (vector) => {
    const outcomes = vector.outcomes as readonly Outcome[];
    const people = Math.max(...outcomes.map(({ partition }) => sum(partition)));
    const law = integerPartitionLaw(vector.frequencies, { eta: parameterOf(vector.eta), people });
    for (const { partition, prob } of outcomes) {
      const found = law.get(partition.join(",") || "none")!;
      const rounding = rational(prob).times("1e-27");
      expect(found.lower().compare(rational(prob).plus(rounding))).toBeLessThanOrEqual(0);
      expect(found.upper().compare(rational(prob).minus(rounding))).toBeGreaterThanOrEqual(0);
      expect(found.upper().minus(found.lower()).compare("1e-40")).toBe(-1);
    }
  });

  it("has another way to the sum than the mechanism, and the same sum", () => {
    for (const x of [[], [1], [2, 1], [5, 5, 2, 1, 1]]) {
      const name = x.join(",") || "none";
      const p = integerPartitionLaw(x, { eta: eta(3, 2), people: sum(x) }).get(name)!; // 1/Z
      const { least, most } = partitionSum(x, Rational.of(3n, 4n), { digits: 128, window: 400, extra: 40 });
      expect(p.lower().times(most).compare("0.999999999999")).toBe(1);
      expect(p.upper().times(least).compare("1.000000000001")).toBe(-1);
    }
  });

  it("gives nearly everything to the lists that are named", () => {
    const law = integerPartitionLaw([2, 1], { eta: eta(1, 3), people: 14 });
    const total = [...law.values()].reduce((all, p) => all.plus(p.lower()), Rational.ZERO);
    expect(total.compare("0.99999")).toBe(1);
    expect(total.compare(1)).toBeLessThanOrEqual(0);
  });

  it("refuses what is not a list of counts", () => {
    expect(() => integerPartitionLaw([1.5], { eta: eta(1, 1), people: 2 })).toThrow(
      "frequencies must be an integer >= 0; got 1.5",
    );
  });
});

describe("boundedPartitionLaw", () => {
  it.each(vectors.integer_partition_bounded)("has the reference rationals: $name", (vector) => {
    const { frequencies, lower, upper } = vector;
    const law = boundedPartitionLaw(frequencies, { eta: parameterOf(vector.eta), lower, upper });
    const outcomes = vector.outcomes as readonly { partition: readonly number[]; prob_exact: string }[];
    expect(law.size).toBe(outcomes.length);
    for (const { partition, prob_exact } of outcomes)
      expect(law.get(partition.join(","))!.contains(prob_exact)).toBe(true);
  });

  it("refuses bounds that admit no list, and of another length", () => {
    const of = (lower: number[], upper: number[]) => () =>
      boundedPartitionLaw([2, 1], { eta: eta(1, 1), lower, upper });
    expect(of([0, 3], [2, 5])).toThrow("upper must be bounds that admit a falling list");
    expect(of([0], [2, 5])).toThrow("lower must be a list of 2 bounds; got 1");
  });
});

describe("integerPartition by all bit strings", () => {
  it.each([[[]], [[1]]])("has its law for %o", (x: readonly number[]) => {
    const effort = { digits: 24, window: 24, extra: 4 };
    const base = Rational.of(1n, 8n);
    const tree = bitTree(
      (entropy) => drawPartition(Float64Array.from(x), base, entropy, effort).join(",") || "none",
      {
        depth: 13,
        wordBits: 1,
      },
    );
    const law = integerPartitionLaw(x, { eta: eta(1, 3), people: 3 });
    expectLaw({
      tree,
      probabilities: Object.fromEntries([...law].map(([outcome, p]) => [outcome, String(p.lower())])),
    });
    expect(tree.undecided.compare("0.1")).toBe(-1);
  });
});

describe("The loss of integerPartition", () => {
  it("is for neighbours by one person: one row moves by one", () => {
    expect(withOnePersonMore([2, 2, 1])).toEqual([
      [3, 2, 1],
      [2, 2, 2],
      [2, 2, 1, 1],
    ]);
    expect([...listsOf(3)].map(String)).toEqual(["", "1", "1,1", "1,1,1", "2", "2,1", "3"]);
  });

  it("is above ε with 5 % less noise: base 9343/10000 in place of 15/16, whose 1/0.95-th power is 0.93433", () => {
    const lossOf = (base: ReturnType<typeof eta>) => {
      const law = (x: readonly number[]) => integerPartitionLaw(x, { eta: base, people: 3, precision: 96 });
      return rational(likelihoodRatio(law([]), [law([1])]).least).toNumber();
    };
    const claimed = 2 * Math.log(16 / 15);
    expect(lossOf(eta(15, 4))).toBeLessThan(claimed);
    expect(lossOf(eta(15, 4))).toBeGreaterThan(0.9999999 * claimed);
    expect(lossOf(eta(61231, 16))).toBeGreaterThan(claimed); // 61231/2^16 = 0.93431
  });
});
