import { describe, expect, it } from "vitest";
import { exponentialTopKLaw } from "../../../audit/src/laws/top-k-laws.js";
import { type approx, pure, zcdp } from "../../src/accounting/loss.js";
import { boundGroups, type GroupRow } from "../../src/discover/bound-groups.js";
import { type TopKInGroupsOptions, topKInGroups } from "../../src/discover/top-k-in-groups.js";
import { rational } from "../../src/exact/rational.js";
import { topK } from "../../src/select/top-k.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

/** Many people in each of some groups, with a favourite of their own. */
function rowsOf(favourites: Readonly<Record<string, string>>, people = 600): GroupRow[] {
  return Object.entries(favourites).flatMap(([group, item]) =>
    Array.from({ length: people }, (_, place): GroupRow => [`${group}${place}`, group, item]),
  );
}

const rows = rowsOf({ DE: "Alster", FR: "Seine" });
const items = ["Alster", "Seine", "Tiber"];

describe("topKInGroups", () => {
  it("answers for every listed group in the order of the list, also for an empty one", () => {
    const { groups, privacy, perGroup } = topKInGroups(rows, {
      ...{ groups: ["IT", "DE", "FR"], items, maxGroupsPerUser: 2, k: 1, epsilon: 1 },
      entropy: seededEntropy(1),
    });
    expect(groups.map(({ group }) => group)).toEqual(["IT", "DE", "FR"]);
    expect(groups[1].winners).toEqual([{ candidate: "Alster" }]);
    expect(groups[2].winners).toEqual([{ candidate: "Seine" }]);
    expect(groups[0].winners).toHaveLength(1);
    expect(perGroup).toEqual(pure("1/2"));
    expect(privacy).toEqual(pure(1));
  });

  it("names what is safe to name without a list of items, and settles by what was used", () => {
    const answer = topKInGroups(rows, {
      ...{ groups: ["DE", "FR", "IT"], maxGroupsPerUser: 1, k: 2, epsilon: 2, delta: "1e-6" },
      entropy: seededEntropy(2),
    });
    expect(answer.groups[0]).toEqual({ group: "DE", winners: [{ candidate: "Alster" }], stopped: true });
    expect(answer.groups[2]).toEqual({ group: "IT", winners: [], stopped: true });
    const { epsilon, delta } = answer.privacy as ReturnType<typeof approx>;
    expect(String(epsilon)).toBe("2");
    expect(delta.compare("1e-6")).not.toBe(1);
    expect(answer.charge?.approx.delta.compare("1e-6")).not.toBe(1);
  });

  it("draws as topK does, with twice the noise where one person may be replaced by another", () => {
    const three = [...rowsOf({ DE: "Alster" }, 4), ...rowsOf({ DE: "Seine" }, 2)];
    const question = { groups: ["DE"], items, maxGroupsPerUser: 1 };
    const winnersBy = (monotone: boolean, seed: number) => {
      const entropy = seededEntropy(seed);
      const counts = boundGroups(three, { ...question, entropy }).get("DE");
      const scores = items.map((item) => [item, counts?.get(item) ?? 0] as const);
      return topK(scores, { k: 2, epsilon: 1, monotone, entropy }).winners;
    };
    const [same, other] = [true, false].map((isTold) =>
      Array.from({ length: 60 }, (_, seed) => {
        const neighbours = isTold ? "replace" : "add-remove";
        const entropy = seededEntropy(seed);
        const { groups } = topKInGroups(three, { ...question, k: 2, epsilon: 1, neighbours, entropy });
        return [false, true].map((monotone) => {
          const winners = winnersBy(monotone, seed);
          return winners.every(({ candidate }, place) => candidate === groups[0].winners[place].candidate);
        });
      }),
    );
    expect(same.every(([any]) => any) && !same.every(([, all]) => all)).toBe(true);
    expect(other.every(([, all]) => all) && !other.every(([any]) => any)).toBe(true);
  });

  it("has a share of δ for each group of a person, twice where people are replaced", () => {
    const deltaOf = (more: object) => {
      const question = { groups: ["DE", "FR", "IT"], maxGroupsPerUser: 2, k: 1, epsilon: 2, delta: "1e-6" };
      const { perGroup } = topKInGroups(rows, { ...question, ...more, entropy: seededEntropy(4) });
      return (perGroup as ReturnType<typeof approx>).delta.toNumber();
    };
    expect(deltaOf({})).toBeGreaterThan(1e-6 / 3);
    expect(deltaOf({})).toBeLessThanOrEqual(1e-6 / 2);
    expect(deltaOf({ neighbours: "replace" })).toBeLessThanOrEqual(1e-6 / 4);
    expect(deltaOf({ maxGroupsPerUser: 9 })).toBeGreaterThan(1e-6 / 9); // three groups
  });

  it.each([
    [{ neighbours: "add-remove" }, zcdp("1/10", "1e-6")],
    [{ neighbours: "replace" }, zcdp("1/10", "1e-6")],
  ] as const)("stays within a budget in ρ and its δ, %o", (more, limit) => {
    const { privacy } = topKInGroups(rows, {
      ...{ groups: ["DE", "FR", "IT"], maxGroupsPerUser: 2, k: 2, rho: "1/10", delta: "1e-6", ...more },
      entropy: seededEntropy(3),
    });
    expect(privacy.measure).toBe("zcdp");
    const { rho, delta } = privacy as typeof limit;
    expect(rational(rho as never).compare(limit.rho as never)).not.toBe(1);
    expect(delta!.compare(limit.delta!)).not.toBe(1);
  });

  it("gives preferred groups more, and costs no more", () => {
    const asked = { groups: ["all", "DE", "FR"], maxGroupsPerUser: 2, k: 1, entropy: seededEntropy(4) };
    const listed = topKInGroups(rows, { ...asked, items, epsilon: 1, budgets: [["all", "3/4"]] });
    expect(listed.perGroup).toEqual(pure("1/4"));
    expect(listed.privacy).toEqual(pure(1));
    const unknown = topKInGroups(rows, { ...asked, rho: "1/2", delta: "1e-6", budgets: [["all", "2/5"]] });
    const [whole, usual] = [unknown.privacy, unknown.perGroup].map((loss) =>
      rational((loss as ReturnType<typeof zcdp>).rho as never),
    );
    expect([whole.compare("1/2"), usual.compare("1/10")]).toEqual([-1, -1]);
    expect(whole.compare("49/100")).toBe(1);
  });

  it("has as many answers with a person more, where skipping empty groups would show that someone is there", () => {
    const asked = { groups: ["DE", "FR"], items, maxGroupsPerUser: 1, k: 1, epsilon: 1 };
    const shape = (table: readonly GroupRow[]) => ({
      ours: topKInGroups(table, { ...asked, entropy: seededEntropy(5) }).groups.length,
      skipping: [...boundGroups(table, { groups: asked.groups, maxGroupsPerUser: 1 }).values()].filter(
        (counts) => counts.size > 0,
      ).length,
    });
    const [without, with_] = [shape([]), shape([["u1", "FR", "Seine"]])];
    expect(with_.ours).toBe(without.ours);
    expect(with_.skipping).not.toBe(without.skipping);
  });

  it.each([
    [{ budgets: [["DE", 1]] }, "budgets must be of fewer groups than maxGroupsPerUser; got 1"],
    [{ delta: "1e-6" }, "delta must be given without a list of items, and only then"],
    [{ k: 4 }, "k must be an integer from 1 to 3; got 4"],
    [{ rho: 1 }, 'budget must be exactly one of epsilon and rho; got "epsilon and rho"'],
    [{ groups: [] }, "groups must be a list of names, each once"],
    [{ maxGroupsPerUser: 0 }, "maxGroupsPerUser must be an integer >= 1; got 0"],
  ])("refuses %o before a bit is drawn", (more, message) => {
    const options = {
      groups: ["DE"],
      items,
      maxGroupsPerUser: 1,
      k: 1,
      epsilon: 1,
      ...more,
    } as TopKInGroupsOptions;
    expect(() => topKInGroups(rows, { ...options, entropy: replayEntropy("") })).toThrow(message);
  });
});

/**
 * The largest logarithm of a ratio of joint probabilities between a table and the same without one person, exponential noise
 * with ε/g in each of some groups with two items.
 */
function largestRatio(
  table: readonly GroupRow[],
  g: number,
  bound: typeof boundGroups,
  groups: readonly string[] = ["a", "b", "c"],
): number {
  const epsilon = 1;
  let largest = 0;
  for (const user of new Set(table.map(([name]) => name))) {
    const with_ = bound(table, { groups, maxGroupsPerUser: g, key: new Uint8Array(32) });
    const without = bound(
      table.filter(([name]) => name !== user),
      { groups, maxGroupsPerUser: g, key: new Uint8Array(32) },
    );
    let ratio = 0;
    for (const group of groups) {
      const law = (counts: ReadonlyMap<string, ReadonlyMap<string, number>>) =>
        exponentialTopKLaw(
          ["x", "y"].map((item) => counts.get(group)?.get(item) ?? 0),
          { k: 1, scale: rational(g).dividedBy(epsilon), precision: 64 },
        );
      const [here, there] = [law(with_), law(without)];
      const logs = ["0", "1"].map((item) =>
        Math.log(here.get(item)!.toNumber("up") / there.get(item)!.toNumber("up")),
      );
      ratio += Math.max(...logs.map(Math.abs));
    }
    largest = Math.max(largest, ratio);
  }
  return largest;
}

describe("The privacy of a release in groups", () => {
  const table: GroupRow[] = ["a", "b", "c"].flatMap((group): GroupRow[] => [
    ["u1", group, "x"],
    ["u2", group, "y"],
  ]);

  // Far behind, the loss of a candidate is all of its ε.
  const behind: GroupRow[] = ["a", "b", "c"].flatMap((group) => [
    ["u1", group, "x"] as GroupRow,
    ...Array.from({ length: 12 }, (_, place): GroupRow => [`v${group}${place}`, group, "y"]),
  ]);

  it.each([
    { g: 1, least: 0.9 },
    { g: 2, least: 0.85 },
  ])("is at most the claim, and at least $least of it, for g = $g", ({ g, least }) => {
    const ratio = Math.max(...[table, behind].map((rows) => largestRatio(rows, g, boundGroups)));
    expect(ratio).toBeLessThanOrEqual(1 + 1e-9);
    expect(ratio).toBeGreaterThan(least);
  });

  it.each([
    { g: 1, least: 0.9 },
    { g: 2, least: 0.85 },
  ])("is the same over two groups in three weeks, which are six groups, for g = $g", ({ g, least }) => {
    const weeks = ["1:a1", "1:a2", "1:a3", "1:b1", "1:b2", "1:b3"];
    const rows = weeks.flatMap((group) => [
      ["u1", group, "x"] as GroupRow,
      ...Array.from({ length: 12 }, (_, place): GroupRow => [`v${group}${place}`, group, "y"]),
    ]);
    const ratio = largestRatio(rows, g, boundGroups, weeks);
    expect(ratio).toBeLessThanOrEqual(1 + 1e-9);
    expect(ratio).toBeGreaterThan(least);
    // A key for each week would count a person in g groups of each.
    const keyed: typeof boundGroups = (given, options) =>
      new Map(
        ["1", "2", "3"].flatMap((week) => {
          const own = weeks.filter((group) => group.endsWith(week));
          const key = new Uint8Array(32).fill(Number(week));
          return [...boundGroups(given, { ...options, groups: own, key })];
        }),
      );
    expect(largestRatio(rows, g, keyed, weeks)).toBeGreaterThan(2);
  });

  it("exceeds the claim if people aren't cut", () => {
    const uncut: typeof boundGroups = (rows, options) =>
      boundGroups(rows, { ...options, maxGroupsPerUser: 3 });
    expect(largestRatio(behind, 1, uncut)).toBeGreaterThan(2);
  });
});
