import { describe, expect, it } from "vitest";
import { KeepTable } from "../../../src/accounting/profile/keep-table.js";
import {
  type NamesBudget,
  OneOrderSteps,
  oneOrder,
  tableOfOneOrder,
} from "../../../src/accounting/profile/one-order-steps.js";
import { TableCoin } from "../../../src/discover/name-coin.js";
import { Interval } from "../../../src/exact/interval.js";
import { Rational, rational } from "../../../src/exact/rational.js";
import { bitTree } from "../../../src/testing/bit-tree.js";
import { expectLaw } from "../../support/expect-law.js";
import vectors from "../../vectors-counts.json" with { type: "json" };

const budgetOf = ({ epsilon, delta, moved }: { epsilon: string; delta: string; moved: number }) => ({
  ...{ epsilon: rational(epsilon), delta: rational(delta) },
  moved,
});

/** All entries that aren't 1, and whether the last may be followed by 1. */
function entriesOf(table: KeepTable): bigint[] {
  const entries: bigint[] = [];
  for (let units = table.units(0); units !== undefined; units = table.units(entries.length))
    entries.push(units);
  return entries;
}

/** The same test by the integers of the definition, without enclosures. */
function mayFollowExactly({ order, growth }: { order: number; growth: Rational }, bits: number) {
  const [one, less] = [1n << BigInt(bits), BigInt(order - 1)];
  const isWithin = (from: bigint, to: bigint) => {
    const sum = to ** BigInt(order) * (one - from) ** less + (one - to) ** BigInt(order) * from ** less;
    return sum * growth.denominator <= growth.numerator * one * from ** less * (one - from) ** less;
  };
  return (from: bigint, to: bigint) => isWithin(from, to) && isWithin(to, from);
}

describe("The table for names by one Rényi order", () => {
  it.each(vectors.keep_renyi)(
    "is that of the vectors, unit by unit: ($epsilon, $delta), $moved",
    (vector) => {
      const numbers = oneOrder(budgetOf(vector))!;
      expect(numbers.order).toBe(vector.order);
      expect(numbers.bits).toBe(vector.bits);
      expect(String(numbers.growth.times(1n << 64n))).toBe(vector.K_units);
      expect(String(numbers.failure.times(1n << BigInt(vector.bits)))).toBe(vector.failure_each_units);
      const table = new KeepTable(new OneOrderSteps(numbers));
      for (const { count, units } of vector.keep)
        expect(String(table.units(count) ?? 1n << BigInt(vector.bits))).toBe(units);
      expect(table.halfKeep).toBe(vector.half_keep);
      expect(entriesOf(table)).toHaveLength(vector.certain_from);
    },
  );

  it.each(vectors.keep_renyi)(
    "has at every count the largest that may follow: ($epsilon, $delta), $moved",
    (vector) => {
      const numbers = oneOrder(budgetOf(vector))!;
      const table = new KeepTable(new OneOrderSteps(numbers));
      const entries = entriesOf(table);
      const mayFollow = mayFollowExactly(numbers, numbers.bits);
      for (let n = 1; n + 1 < entries.length; n++) {
        expect(mayFollow(entries[n], entries[n + 1])).toBe(true);
        expect(mayFollow(entries[n], entries[n + 1] + 1n)).toBe(false);
        expect(table.steps.mayFollow(entries[n], entries[n + 1] + 1n)).toBe(false);
      }
      // A table with another K or another δ′ has another entry somewhere: no unit is free.
      const unit = Rational.of(1n, 1n << 64n);
      const other = (change: object) =>
        entriesOf(new KeepTable(new OneOrderSteps({ ...numbers, ...change })));
      for (const growth of [numbers.growth.plus(unit), numbers.growth.minus(unit)])
        expect(other({ growth })).not.toEqual(entries);
    },
  );

  it.each(vectors.keep_renyi)(
    "keeps the two conditions of its proof: ($epsilon, $delta), $moved",
    (vector) => {
      const { epsilon, delta, moved } = budgetOf(vector);
      const { order, growth, failure, bits } = oneOrder({ epsilon, delta, moved })!;
      const grown = Interval.from(growth, 512).power(BigInt(moved));
      const less = BigInt(order - 1);
      const allowed = Interval.from(epsilon.times(less), 512)
        .exp()
        .times(Interval.from(Rational.of(BigInt(order), less), 512).power(less))
        .times(delta.times(BigInt(order)));
      expect(grown.isBelow(allowed)).toBe(true);
      const unit = Rational.of(1n, 1n << 64n);
      expect(Interval.from(growth.plus(unit), 512).power(BigInt(moved)).isAbove(allowed)).toBe(true);
      const spare = Interval.from(1n, 512).minus(Interval.from(1n, 512).dividedBy(grown)).times(delta);
      expect(spare.isBelow(failure.times(BigInt(moved)))).toBe(false);
      expect(spare.isBelow(failure.plus(Rational.of(1n, 1n << BigInt(bits))).times(BigInt(moved)))).toBe(
        true,
      );
    },
  );

  it.each([
    ["1", "1/20", 2],
    ["1", "1/100", 3],
    ["2", "1/1000", 2],
  ] as const)(
    "is (ε, δ) for all counts of the names that move, up, down and mixed, and nearly so: (%s, %s), %i",
    (epsilon, delta, moved) => {
      const budget: NamesBudget = { epsilon: rational(epsilon), delta: rational(delta), moved };
      const numbers = oneOrder(budget)!;
      const [table, bits] = [new KeepTable(new OneOrderSteps(numbers)), numbers.bits];
      const chances = entriesOf(table).map((units) => Number(units) / 2 ** bits);
      const worst = largestHockeyStick([...chances, 1, 1], moved, Number(epsilon));
      expect(worst).toBeLessThanOrEqual(rational(delta).toNumber() * (1 + 1e-12));
      expect(worst).toBeGreaterThan(0.95 * rational(delta).toNumber());
      // Wrong: a first entry of δ, as if one name moved, and no failure at the end.
      const wrong = new OneOrderSteps({ ...numbers, failure: failureOf(delta, bits) });
      const tooOften = entriesOf(new KeepTable(wrong)).map((units) => Number(units) / 2 ** bits);
      expect(largestHockeyStick([...tooOften, 1, 1], moved, Number(epsilon))).toBeGreaterThan(
        1.2 * rational(delta).toNumber(),
      );
    },
  );

  it("has no table where ε is so small that δ is all there is, and none where it would be too long", () => {
    const budget = (epsilon: string, delta: string, moved: number) =>
      tableOfOneOrder({ epsilon: rational(epsilon), delta: rational(delta), moved });
    expect(oneOrder({ epsilon: rational("1/1000"), delta: rational("9/10"), moved: 3 })).toBeUndefined();
    expect(budget("1/21", "1e-6", 3)).toBeUndefined();
    expect(budget("1", "1e-41", 3)).toBeUndefined();
    expect(budget("1", "1e-6", 1001)).toBeUndefined();
    expect(budget("101", "1e-6", 3)).toBeUndefined();
  });

  it("is kept for the next release", () => {
    const budget = { epsilon: rational(1), delta: rational("1e-6"), moved: 7 };
    expect(tableOfOneOrder(budget)).toBe(tableOfOneOrder(budget));
  });

  it("is tossed by its law, by all bit strings", () => {
    const table = new KeepTable(
      new OneOrderSteps(oneOrder({ epsilon: rational(2), delta: rational("1/10"), moved: 2 })!),
    );
    const coin = new TableCoin(table);
    for (let count = 1; count <= 4; count++) {
      const tree = bitTree((entropy) => coin.tosses(entropy)(count), { depth: 18, wordBits: 3 });
      const kept = Rational.of(table.units(count)!, 1n << BigInt(table.steps.bits));
      expectLaw({ tree, probabilities: { true: String(kept), false: String(Rational.ONE.minus(kept)) } });
      expect(tree.undecided.compare("1/100")).toBe(-1);
    }
  });
});

function failureOf(delta: string, bits: number): Rational {
  return Rational.of(
    rational(delta)
      .times(1n << BigInt(bits))
      .floor(),
    1n << BigInt(bits),
  );
}

/** sup of H_ε over all counts of `moved` names, each of which moves by one, up or down, in doubles. */
function largestHockeyStick(chances: readonly number[], moved: number, epsilon: number): number {
  let worst = 0;
  const steps = chances
    .slice(1)
    .flatMap((_, n) => [[chances[n], chances[n + 1]] as const, [chances[n + 1], chances[n]] as const]);
  const walk = (from: number, names: (readonly [number, number])[]) => {
    if (names.length === moved) {
      worst = Math.max(worst, hockeyStick(names, Math.exp(epsilon)));
      return;
    }
    for (let i = from; i < steps.length; i++) walk(i, [...names, steps[i]]);
  };
  walk(0, []);
  return worst;
}

function hockeyStick(names: readonly (readonly [number, number])[], factor: number): number {
  let sum = 0;
  for (let kept = 0; kept < 1 << names.length; kept++) {
    let [p, q] = [1, 1];
    names.forEach(([here, there], i) => {
      const isKept = (kept >> i) & 1;
      p *= isKept ? here : 1 - here;
      q *= isKept ? there : 1 - there;
    });
    sum += Math.max(p - factor * q, 0);
  }
  return sum;
}
