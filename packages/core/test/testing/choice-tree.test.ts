import { describe, expect, it } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import { type ChoiceTree, type Choose, choiceTree } from "../../src/testing/choice-tree.js";
import { NotDeterministic } from "../../src/testing/tree-walk.js";

const PRECISION = 128;
const weights = (...probabilities: string[]) => probabilities.map((p) => Interval.from(p, PRECISION));

function expectEnclosed(tree: ChoiceTree, outcome: string, probability: string): void {
  const mass = tree.mass.get(outcome)!;
  expect(mass.isAbove(probability), `${outcome} has too much mass`).toBe(false);
  expect(mass.plus(tree.undecided).isBelow(probability), `${outcome} has too little mass`).toBe(false);
}

describe("choiceTree", () => {
  it("multiplies the weights along a path and adds up paths to one outcome", () => {
    const run = (choose: Choose) => choose(weights("1/3", "2/3")) + choose(weights("1/5", "1/5", "3/5"));
    const tree = choiceTree(run, { smallestMass: "1e-9" });
    for (const [outcome, p] of [
      ["0", "1/15"],
      ["1", "3/15"],
      ["2", "5/15"],
      ["3", "6/15"],
    ]) {
      expect(tree.mass.get(outcome)!.contains(p)).toBe(true);
      expect(tree.mass.get(outcome)!.upper().minus(tree.mass.get(outcome)!.lower()).compare("1e-37")).toBe(
        -1,
      );
    }
    expect(tree.undecided.contains(0)).toBe(true);
    expect(tree.undecided.isBelow("1e-37")).toBe(true);
  });

  it("cuts an infinite tree where branches become too unlikely", () => {
    const geometric = (choose: Choose) => {
      let failures = 0;
      while (choose(weights("1/4", "3/4")) === 1) failures++;
      return failures;
    };
    const tree = choiceTree(geometric, { smallestMass: "1e-6" });
    for (let k = 0; k < 20; k++) expectEnclosed(tree, `${k}`, `${3n ** BigInt(k)}/${4n ** BigInt(k + 1)}`);
    expect(tree.undecided.isBelow("1e-5")).toBe(true);
    const total = [...tree.mass.values()].reduce((sum, mass) => sum.plus(mass), tree.undecided);
    expect(total.contains(1)).toBe(true);
  });

  it("encloses irrational laws", () => {
    const p = Interval.from(-1, PRECISION).exp();
    const run = (choose: Choose) =>
      choose([p, p.negated().plus(1)]) === 0 && choose([p, p.negated().plus(1)]) === 0;
    const tree = choiceTree(run, { smallestMass: "1e-9" });
    const enclosure = Interval.from(-2, 4 * PRECISION).exp();
    const mass = tree.mass.get("true")!;
    expect(mass.lower().compare(enclosure.lower())).toBe(-1);
    expect(mass.upper().compare(enclosure.upper())).toBe(1);
  });

  it("gives a run that never chooses all of the mass", () => {
    const tree = choiceTree(() => "sure", { smallestMass: "1e-9" });
    expect(tree.mass.get("sure")!.lower().equals(1)).toBe(true);
    expect(tree.undecided.upper().equals(0)).toBe(true);
  });

  it("does not follow a branch of probability 0", () => {
    const run = (choose: Choose) => choose(weights("1", "0"));
    const tree = choiceTree(run, { smallestMass: "1e-30" });
    expect([...tree.mass.keys()]).toEqual(["0"]);
    expect(tree.undecided.upper().equals(0)).toBe(true);
  });

  it("counts a run that swallowed the cut as undecided", () => {
    const run = (choose: Choose) => {
      try {
        return choose(weights("1/8", "7/8"));
      } catch {
        return "swallowed";
      }
    };
    const tree = choiceTree(run, { smallestMass: "1/4" });
    expect([...tree.mass.keys()]).toEqual(["1"]);
    expect(tree.undecided.contains("1/8")).toBe(true);
  });

  it("names outcomes by the given key", () => {
    const run = (choose: Choose) => [choose(weights("1/2", "1/2"))];
    const tree = choiceTree(run, { smallestMass: "1/9", key: ([side]) => `side ${side}` });
    expect([...tree.mass.keys()]).toEqual(["side 0", "side 1"]);
  });

  it("names the choices after which a run failed, and keeps the cause", () => {
    const cause = new Error("no such branch");
    const run = (choose: Choose) => {
      if (choose(weights("1/2", "1/2")) + choose(weights("1/4", "1/4", "1/2")) === 3) throw cause;
    };
    expect(() => choiceTree(run, { smallestMass: "1/99" })).toThrow(
      expect.objectContaining({
        message: "the run failed after the choices [1,2]: Error: no such branch",
        cause,
      }),
    );
  });

  it("finds a run that asks differently the second time", () => {
    let runs = 0;
    const run = (choose: Choose) => choose(runs++ === 0 ? weights("1/2", "1/2") : weights("1"));
    expect(() => choiceTree(run, { smallestMass: "1/9" })).toThrow(NotDeterministic);
  });

  it.each([
    ["sum to less than 1", weights("1/2", "1/4")],
    ["sum to more than 1", weights("1/2", "3/4")],
    ["are negative", weights("-1/2", "3/2")],
    ["are none", []],
  ])("refuses weights that %s", (_, wrong) => {
    expect(() => choiceTree((choose) => choose(wrong), { smallestMass: "1/9" })).toThrow(
      "weights must be enclosures of probabilities that sum to 1",
    );
  });

  it("refuses a smallest mass that would never end", () => {
    for (const smallestMass of [0, "-1/2"])
      expect(() => choiceTree(() => 0, { smallestMass })).toThrow("smallestMass must be a rational > 0");
  });
});
