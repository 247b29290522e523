import { describe, expect, it } from "vitest";
import { repeat } from "../../src/accounting/compose.js";
import { boundedRangeCurve, renyi } from "../../src/accounting/curve.js";
import { inGroups } from "../../src/accounting/in-groups.js";
import { approx, base2, pure, zcdp } from "../../src/accounting/loss.js";
import { rational } from "../../src/exact/rational.js";
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
