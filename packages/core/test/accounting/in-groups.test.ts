import { describe, expect, it } from "vitest";
import { repeat } from "../../src/accounting/compose.js";
import { boundedRangeCurve, renyi } from "../../src/accounting/curve.js";
import { groupBudgets, inGroups } from "../../src/accounting/in-groups.js";
import { approx, base2, pure, zcdp } from "../../src/accounting/loss.js";
import { rational } from "../../src/exact/rational.js";
import { drawBelow } from "../../src/sample/uniform-below.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { vectors } from "../support/set-vectors.js";

describe("inGroups", () => {
  it.each(vectors.groups)("has the totals of the reference values: $name", (vector) => {
    const options = { maxGroupsPerUser: vector.max_groups_per_person };
    expect(
      inGroups(
        vector.epsilon.map((epsilon) => pure(epsilon)),
        options,
      ),
    ).toEqual(pure(vector.total_epsilon));
    const parts = vector.rho.map((rho, place) => zcdp(rho, vector.delta[place]));
    expect(inGroups(parts, options)).toEqual(zcdp(vector.total_rho, vector.total_delta));
    const rounds = (used: readonly number[]) =>
      inGroups(
        vector.round_price.map((price, place) => repeat(zcdp(price), used[place])),
        options,
      ).rho;
    expect(String(rounds(vector.k))).toBe(String(rational(vector.reserve)));
    expect(String(rounds(vector.rounds))).toBe(String(rational(vector.settle)));
  });

  it.each(vectors.periods)("has what a person is charged over periods: $name", (vector) => {
    const losses = vector.loss.map((loss) => pure(loss));
    expect(inGroups(losses, { maxGroupsPerUser: vector.max_periods })).toEqual(pure(vector.person));
    expect(inGroups(losses, { maxGroupsPerUser: 8 })).toEqual(pure(vector.person_plain));
    expect(inGroups(losses, { maxGroupsPerUser: 1 })).toEqual(pure(vector.person_period_presence_free));
    expect(inGroups(losses, { maxGroupsPerUser: 2 })).toEqual(pure(vector.person_period_first_w));
  });

  it("doubles only failures when people are replaced", () => {
    const options = { maxGroupsPerUser: 2, neighbours: "replace" } as const;
    const losses = [approx(1, "1e-6"), approx("1/2", "3e-6"), approx("1/4", 0)];
    expect(inGroups(losses, options)).toEqual(approx("3/2", "8e-6"));
    expect(inGroups([base2(3), base2(1), base2(2)], options)).toEqual(base2(5));
  });

  it("adds the g largest values of curves at each order, 2g where people are replaced", () => {
    const curves = [1, 2, 3, 4].map((range) => renyi(boundedRangeCurve(range), "1e-9"));
    const at = (place: number) => curves[place].curve.at(3).toNumber();
    const added = inGroups(curves, { maxGroupsPerUser: 2 });
    expect(added.curve.at(3).toNumber()).toBeCloseTo(at(3) + at(2), 12);
    expect(String(added.delta)).toBe(String(rational("2e-9")));
    const replaced = inGroups(curves, { maxGroupsPerUser: 2, neighbours: "replace" });
    expect(replaced.curve.at(3).toNumber()).toBeCloseTo(at(0) + at(1) + at(2) + at(3), 12);
    expect(String(replaced.delta)).toBe(String(rational("4e-9")));
  });

  it("costs all where there are fewer groups than a person may be in, and is unbounded if one of the largest is", () => {
    expect(inGroups([pure(1)], { maxGroupsPerUser: 5 })).toEqual(pure(1));
    expect(inGroups([pure(1), pure(Infinity)], { maxGroupsPerUser: 1 })).toEqual(pure(Infinity));
  });

  it("refuses no losses, and a limit that isn't one", () => {
    expect(() => inGroups([], { maxGroupsPerUser: 1 })).toThrow("losses must be a list of at least one loss");
    expect(() => inGroups([pure(1)], { maxGroupsPerUser: 0 })).toThrow(
      "maxGroupsPerUser must be an integer >= 1; got 0",
    );
  });
});

describe("Settling", () => {
  /** Rounds used in each of six groups, and the three groups of a person. */
  function* worlds(entropy = seededEntropy("settling in groups")) {
    for (let world = 0; world < 200; world++) {
      const used = Array.from({ length: 6 }, () => drawBelow(8, entropy));
      const own = new Set(Array.from({ length: 3 }, () => drawBelow(6, entropy)));
      yield { used, lost: [...own].reduce((sum, group) => sum + used[group], 0) };
    }
  }

  it("counts at least what the releases that see a person used, whichever groups are theirs", () => {
    for (const { used, lost } of worlds()) {
      const settled = inGroups(
        used.map((rounds) => repeat(zcdp("1/10"), rounds)),
        { maxGroupsPerUser: 3 },
      );
      expect(rational(settled.rho as never).compare(rational(lost).dividedBy(10n))).not.toBe(-1);
    }
  });

  it("would count too little by the mean of all groups", () => {
    const mean = (used: readonly number[]) => (3 * used.reduce((a, b) => a + b, 0)) / used.length;
    const short = [...worlds()].filter(({ used, lost }) => mean(used) < lost);
    expect(short.length).toBeGreaterThan(20);
  });
});

describe("groupBudgets", () => {
  const groups = ["all", "DE", "FR", "IT"];

  it.each([
    [1, {}, ["1", "1", "1", "1"]],
    [2, {}, ["1/2", "1/2", "1/2", "1/2"]],
    [2, { all: "3/4" }, ["3/4", "1/4", "1/4", "1/4"]],
    [3, { all: "1/2", FR: "2/5" }, ["1/2", "1/10", "2/5", "1/10"]],
    [9, {}, ["1/4", "1/4", "1/4", "1/4"]],
    [9, { all: "1/2" }, ["1/2", "1/6", "1/6", "1/6"]],
  ] as const)("gives groups parts whose %i largest are the whole, %o", (maxGroupsPerUser, budgets, parts) => {
    const found = groupBudgets(1, { groups, maxGroupsPerUser, budgets: Object.entries(budgets) });
    expect([...found]).toEqual(groups.map((group, place) => [group, rational(parts[place])]));
    const losses = [...found.values()].map((part) => pure(part));
    expect(inGroups(losses, { maxGroupsPerUser })).toEqual(pure(1));
  });

  it.each([
    [1, { all: 1 }, "budgets must be of fewer groups than maxGroupsPerUser; got 1"],
    [2, { XX: "3/4" }, 'budgets must be of groups in the list; got "another group"'],
    [2, { all: "1/4" }, /^budgets must be each at least as much as the others get/],
    [2, { all: 1 }, /^budgets must be each at least as much as the others get/],
    [2, { all: 0 }, "budgets must be a rational > 0; got 0"],
  ])("refuses, for %i groups a person, %o", (maxGroupsPerUser, budgets, message) => {
    expect(() => groupBudgets(1, { groups, maxGroupsPerUser, budgets: Object.entries(budgets) })).toThrow(
      message,
    );
  });
});
