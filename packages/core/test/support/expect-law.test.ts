import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { Interval } from "../../src/exact/interval.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { choiceTree } from "../../src/testing/choice-tree.js";
import { expectLaw } from "./expect-law.js";
import { lawFromZero, symmetricLaw } from "./law.js";

function third(entropy: Entropy): number {
  for (;;) {
    const value = entropy.bits(2);
    if (value < 3) return value;
  }
}

describe("expectLaw", () => {
  const tree = bitTree(third, { depth: 16 });
  const rounded = "0.3333333333333333333333333333";

  it("accepts a law between the decided mass and that plus the undecided", () => {
    expectLaw({ tree, probabilities: { 0: "1/3", 1: "1/3", 2: "1/3" } });
  });

  it("accepts a law that names only some outcomes", () => {
    expectLaw({ tree, probabilities: { 1: "1/3" } });
  });

  it("accepts decimals of 28 digits", () => {
    const exact = bitTree(third, { depth: 200, key: () => "any" });
    expectLaw({ tree: exact, probabilities: { any: "1.000000000000000000000000000" } });
    expectLaw({ tree, probabilities: { 0: rounded, 1: rounded, 2: rounded } });
  });

  it("rejects a probability below the decided mass", () => {
    expect(() => expectLaw({ tree, probabilities: { 0: "0.3333" } })).toThrow(
      "0: mass 0.3333282470703125 is above",
    );
  });

  it("rejects a probability above what the undecided mass can add", () => {
    expect(() => expectLaw({ tree, probabilities: { 0: "0.3334" } })).toThrow("is below 0.3334");
  });

  it("rejects a probability of an outcome that never comes up", () => {
    expect(() => expectLaw({ tree, probabilities: { 7: "0.001" } })).toThrow("7: mass");
  });

  it("rejects outcomes for which the law leaves no room", () => {
    expect(() => expectLaw({ tree, probabilities: { 0: "1/3", 1: "2/3" } })).toThrow("unnamed outcomes have");
  });

  it("reads choice trees too", () => {
    const weights = ["1/3", "2/3"].map((p) => Interval.from(p, 64));
    const coins = choiceTree((choose) => choose(weights), { smallestMass: "1e-6" });
    expectLaw({ tree: coins, probabilities: { 0: "1/3", 1: "2/3" } });
    expect(() => expectLaw({ tree: coins, probabilities: { 0: "0.3333333333" } })).toThrow("is above");
  });
});

describe("laws", () => {
  it("are read from a list of probabilities at 0, 1, …", () => {
    expect(lawFromZero(["0.5", "0.25"])).toEqual({ 0: "0.5", 1: "0.25" });
  });

  it("are mirrored for symmetric variates", () => {
    expect(symmetricLaw(["0.5", "0.2", "0.05"])).toEqual({
      "-2": "0.05",
      "-1": "0.2",
      0: "0.5",
      1: "0.2",
      2: "0.05",
    });
  });
});
