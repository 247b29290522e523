import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approx, base2, type Loss, pure, renyi, WinnowError, zcdp, zcdpCurve } from "winnow-dp";
import { lossFromJson, lossToJson } from "../src/index.js";

const size = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 1n, max: 10n ** 30n }))
  .map(([numerator, denominator]) => `${numerator}/${denominator}`);
const losses: fc.Arbitrary<Loss> = fc.oneof(
  size.map((epsilon) => pure(epsilon)),
  size.map((eta) => base2(eta)),
  size.map((rho) => zcdp(rho)),
  size.map((rho) => zcdp(rho, "1e-9")),
  size.map((epsilon) => approx(epsilon, "1/3")),
  fc.constant(pure(Infinity)),
);

describe("a loss", () => {
  it("goes through JSON text without losing a digit", () => {
    fc.assert(
      fc.property(losses, (loss) => {
        expect(lossFromJson(JSON.parse(JSON.stringify(lossToJson(loss))))).toEqual(loss);
      }),
    );
  });

  it("that is a curve has no JSON", () => {
    expect(() => lossToJson(renyi(zcdpCurve(1)))).toThrow(WinnowError);
  });

  it.each([
    [null],
    ["pure"],
    [{}],
    [{ measure: "renyi" }],
    [{ measure: "pure" }],
    [{ measure: "pure", epsilon: 0.1 }],
    [{ measure: "pure", epsilon: "-1" }],
    [{ measure: "pure", epsilon: "x" }],
    [{ measure: "approx", epsilon: "1" }],
    [{ measure: "approx", epsilon: "1", delta: "2" }],
    [{ measure: "zcdp", rho: "1", delta: 1e-6 }],
  ])("is never read from %j", (json) => {
    expect(() => lossFromJson(json)).toThrow(WinnowError);
  });
});
