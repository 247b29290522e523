import { describe, expect, it } from "vitest";
import { Interval } from "../../../core/src/exact/interval.js";
import { type RationalLike, rational } from "../../../core/src/exact/rational.js";
import { Polynomial } from "../../src/laws/integrands.js";

const point = (value: RationalLike) => Interval.from(value, 64);
const polynomial = (...coefficients: RationalLike[]) => new Polynomial(...coefficients.map(point));

function expectValue(of: Polynomial, y: RationalLike, value: RationalLike): void {
  const enclosure = of.at(point(y));
  expect(enclosure.contains(value)).toBe(true);
  expect(enclosure.upper().minus(enclosure.lower()).compare("1e-17")).toBe(-1);
}

describe("Polynomial", () => {
  it("has values, also at negative numbers", () => {
    expectValue(polynomial(1, -2, 3), "1/3", rational(1).minus("2/3").plus("1/3"));
    expectValue(polynomial(1, -2, 3), -2, 17);
    expectValue(polynomial("2/7"), 100, "2/7");
  });

  it("is added to and multiplied", () => {
    const product = polynomial(1, -2)
      .times(polynomial(3, 0, 5))
      .plus(point("1/2"));
    expectValue(product, "1/3", rational("1/3").times("32/9").plus("1/2"));
  });

  it("is integrated from 0", () => {
    const integral = polynomial(1, -2, 3).integrated();
    expectValue(integral, 0, 0);
    expectValue(integral, "1/2", rational("1/2").minus("1/4").plus("1/8"));
  });

  it("keeps the width of its coefficients", () => {
    const wide = new Polynomial(Interval.hull(1, 2, 64), Interval.hull(-1, 1, 64)).at(point("1/2"));
    expect([wide.lower(), wide.upper()]).toEqual([rational("1/2"), rational("5/2")]);
  });
});
