import { describe, expect, it } from "vitest";
import { Interval } from "../../core/src/exact/interval.js";
import { type RationalLike, rational } from "../../core/src/exact/rational.js";
import { uniformBelow } from "../../core/src/sample/uniform-below.js";
import { bitTree } from "../../core/src/testing/bit-tree.js";
import { type Law, lawOf } from "../src/laws/law.js";
import { exponentialTopKLaw } from "../src/laws/top-k-laws.js";
import { hockeyStick } from "../src/likelihood-ratio.js";

function law(probabilities: Record<string, RationalLike>): Law {
  return new Map(Object.entries(probabilities).map(([outcome, p]) => [outcome, Interval.from(p, 128)]));
}

describe("hockeyStick", () => {
  it("at 0 is the total variation distance", () => {
    const delta = hockeyStick(
      law({ a: "1/2", b: "1/4", c: "1/4" }),
      law({ a: "1/8", b: "1/2", c: "3/8" }),
      0,
    );
    expect([String(delta.least), String(delta.most)]).toEqual(["0.375", "0.375"]);
  });

  it("is the excess over e^ε times the other law", () => {
    const delta = hockeyStick(law({ a: "3/4", b: "1/4" }), law({ a: "1/4", b: "3/4" }), "1/2");
    const expected = 3 / 4 - Math.exp(1 / 2) / 4;
    expect([delta.least.toNumber(), delta.most.toNumber()]).toEqual([
      expect.closeTo(expected, 15),
      expect.closeTo(expected, 15),
    ]);
  });

  it("counts whole what is impossible on the other side", () => {
    const delta = hockeyStick(law({ a: "15/16", b: "1/16" }), law({ a: 1 }), 3);
    expect([String(delta.least), String(delta.most)]).toEqual(["0.0625", "0.0625"]);
  });

  it("is 0 from the ε on that a mechanism has, and positive below", () => {
    const [here, there] = [
      [2, 0],
      [1, 1],
    ].map((scores) => exponentialTopKLaw(scores, { k: 1, scale: 2 }));
    expect(hockeyStick(there, here, 1).most.compare("1e-50")).toBe(-1);
    expect(hockeyStick(there, here, "0.3").least.numerator > 0n).toBe(true);
  });

  it("gives what a law leaves of 1 to outcomes that the other may not have", () => {
    const delta = hockeyStick(law({ a: "7/8" }), law({ a: 1 }), 0);
    expect([String(delta.least), String(delta.most)]).toEqual(["0", "0.125"]);
  });

  it("does not count on the other law to have nothing left for an outcome", () => {
    const delta = hockeyStick(law({ a: "1/2", b: "1/2" }), law({ a: "7/8" }), 0);
    expect([String(delta.least), String(delta.most)]).toEqual(["0.375", "0.5"]);
  });

  it("takes laws that a bit tree has found", () => {
    const third = lawOf(bitTree((entropy) => uniformBelow(3, entropy), { depth: 12 }));
    const half = law({ 0: "1/2", 1: "1/2" });
    const delta = hockeyStick(third, half, 0);
    expect(delta.least.compare("1/3")).toBe(-1);
    expect(delta.most.compare("1/3")).toBe(1);
    expect(delta.most.minus(delta.least).compare("0.002")).toBe(-1);
  });

  it("refuses a negative epsilon", () => {
    expect(() => hockeyStick(law({ a: 1 }), law({ a: 1 }), rational(-1))).toThrow(
      "epsilon must be a rational >= 0; got -1",
    );
  });
});
