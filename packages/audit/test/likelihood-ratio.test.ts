import { describe, expect, it } from "vitest";
import { Interval } from "../../core/src/exact/interval.js";
import { type Rational, type RationalLike, rational } from "../../core/src/exact/rational.js";
import type { Law } from "../src/laws/law.js";
import { likelihoodRatio } from "../src/likelihood-ratio.js";

/** A law of points, or of intervals given by their ends. */
function law(
  probabilities: Record<string, RationalLike | [RationalLike, RationalLike]>,
  precision = 64,
): Law {
  const enclosed = Object.entries(probabilities).map(([outcome, p]) => {
    const [lo, hi] = Array.isArray(p) ? p : [p, p];
    return [outcome, Interval.hull(lo, hi, precision)] as const;
  });
  return new Map(enclosed);
}

const number = (value: Rational | number) => (typeof value === "number" ? value : value.toNumber());

describe("likelihoodRatio", () => {
  it("is the largest |ln ratio|, with its outcome and neighbour", () => {
    const here = law({ a: "1/2", b: "1/4", c: "1/4" });
    const [near, far] = [law({ a: "1/4", b: "1/2", c: "1/4" }), law({ a: "3/8", b: "1/32", c: "19/32" })];
    const { least, most, ...where } = likelihoodRatio(here, [near, far]);
    expect(where).toEqual({ outcome: "b", neighbour: 1 });
    expect(number(least)).toBeCloseTo(Math.log(8), 14);
    expect(number(most)).toBeCloseTo(Math.log(8), 14);
    expect((least as Rational).compare(most as Rational)).toBe(-1);
  });

  it("is the same whichever law is the neighbour", () => {
    const [one, other] = [law({ a: "1/3", b: "2/3" }), law({ a: "3/4", b: "1/4" })];
    expect(likelihoodRatio(one, [other])).toEqual(likelihoodRatio(other, [one]));
  });

  it("is 0 between a law and itself, as far as the enclosures tell", () => {
    const exact = law({ a: "1/2", b: "1/2" });
    expect(likelihoodRatio(exact, [exact])).toMatchObject({ least: rational(0), most: rational(0) });
    const wide = law({ a: ["1/4", "1/2"], b: ["1/2", "3/4"] });
    const { least, most } = likelihoodRatio(wide, [wide]);
    expect([number(least), number(most)]).toEqual([0, expect.closeTo(Math.log(2), 14)]);
  });

  it("encloses the largest ratio of all numbers that the intervals may be", () => {
    const [here, there] = [law({ a: ["1/2", "5/8"] }), law({ a: ["1/8", "1/4"] })];
    const { least, most } = likelihoodRatio(here, [there]);
    expect([number(least), number(most)]).toEqual([
      expect.closeTo(Math.log(2), 14),
      expect.closeTo(Math.log(5), 14),
    ]);
  });

  it("is infinite for an outcome that is possible on one side only", () => {
    const [here, there] = [law({ a: "1/2", b: "1/2" }), law({ a: 1 })];
    expect(likelihoodRatio(here, [there])).toEqual({
      least: Infinity,
      most: Infinity,
      outcome: "b",
      neighbour: 0,
    });
  });

  it("has no upper bound where a probability may be 0, and no say about what is certainly impossible", () => {
    const [here, there] = [law({ a: "1/2", b: "1/2", c: 0 }), law({ a: [0, "1/8"], b: "1/2", c: 0 })];
    const { least, most, outcome } = likelihoodRatio(here, [there]);
    expect([number(least), most, outcome]).toEqual([expect.closeTo(Math.log(4), 14), Infinity, "a"]);
  });

  it("does not take an outcome for impossible that a law had no time to find", () => {
    const [here, there] = [law({ a: "1/2", b: "1/2" }), law({ a: "7/8" })]; // b may have 1/8
    const { least, most, outcome } = likelihoodRatio(here, [there]);
    expect([number(least), most, outcome]).toEqual([expect.closeTo(Math.log(4), 14), Infinity, "b"]);
  });

  it("takes laws of different precision", () => {
    const { least } = likelihoodRatio(law({ a: "1/2" }, 8), [law({ a: "1/4" }, 200)]);
    expect(number(least)).toBeCloseTo(Math.log(2), 14);
  });

  it("refuses to compare with nothing", () => {
    expect(() => likelihoodRatio(law({ a: 1 }), [])).toThrow(
      'neighbours must be a list with at least one law that has an outcome; got "none"',
    );
  });
});
