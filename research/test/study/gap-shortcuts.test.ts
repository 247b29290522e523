import { describe, expect, it } from "vitest";
import { closedLaw } from "../../../packages/audit/test/laws/gap-outcomes.js";
import { rational } from "../../../packages/core/src/exact/rational.js";
import { expectLaw } from "../../../packages/core/test/support/expect-law.js";
import { byRanks, type GapOracle, SMALL_CASES, treeOfChoices } from "./gap-oracles.js";
import { geometricThroughout, rankingFirst, stoppingEarly } from "./gap-shortcuts.js";

const { three, allRanked } = SMALL_CASES;

describe("The tree of all outcomes", () => {
  it.each<[string, GapOracle, typeof three | typeof allRanked, string]>([
    ["a tie with the last leader is left unbroken", stoppingEarly, three, "0 by 1: mass"],
    ["ties are broken after the ranking", rankingFirst, allRanked, "0,1 by 0,1: mass"],
    [
      "geometric noise is used throughout [Ding23, §4.2, Option 1]",
      geometricThroughout,
      three,
      "0 by 0: mass",
    ],
  ])("notices when %s", (_, shortcut, of, outcome) => {
    const [tree, right] = [treeOfChoices(shortcut, of, "1e-5"), treeOfChoices(byRanks, of, "1e-5")];
    const probabilities = closedLaw(of);
    expectLaw({ tree: right, probabilities });
    expect(() => expectLaw({ tree, probabilities })).toThrow(outcome);
  });

  it("finds the law of the shortcut: 0.4314 in place of 0.5374 for a gap of 1", () => {
    const massOf = (oracle: GapOracle) => treeOfChoices(oracle, three, "1e-7").mass.get("0 by 1")!;
    expect(massOf(byRanks).toNumber("down")).toBeCloseTo(0.537437, 5);
    expect(massOf(stoppingEarly).toNumber("down")).toBeCloseTo(0.431403, 2);
    expect(rational(closedLaw(three)["0 by 1"]).toNumber()).toBeCloseTo(0.537437, 6);
  });
});
