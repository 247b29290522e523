/**
 * The promises of the base-2 mechanisms, over grids of utilities with fractions, where rounding is random too.
 * @module
 */
import { type Rational, rational } from "../../exact/rational.js";
import { base2LossOf, eta } from "../../privacy/base2-parameter.js";
import { convert } from "../../privacy/convert.js";
import { base2ExponentialLaw, clampedLaplaceLaw } from "../base2-exponential-law.js";
import { neighboursOf } from "../neighbours.js";
import { checkPure } from "./check-pairs.js";
import { type ExactClaim, pairsOf } from "./exact-claim.js";

const UTILITIES = [
  ["1", "3/2", "5/2"],
  ["8/5", "2", "7/5"],
  ["2", "2", "2"],
];

function base2Claim(x: number, y: number, monotone: boolean): ExactClaim {
  const parameter = eta(x, y, 1);
  const { epsilon } = convert(base2LossOf(parameter, { monotone }), { to: "pure" });
  const options = { eta: parameter, utilityMin: 0, utilityMax: 4 };
  const inputs = UTILITIES.map((utilities) => utilities.map((utility) => rational(utility)));
  const neighbours = (of: readonly Rational[]) => neighboursOf(of, { monotone });
  return {
    mechanism: "base2Exponential",
    instance: `utilities with fractions, b = ${x}/${1 << y}, ${monotone ? "monotone" : "any direction"}`,
    promise: `ε = ${monotone ? "" : "2 "}ln(${1 << y}/${x})`,
    unit: "ε",
    check: () =>
      checkPure(
        pairsOf<readonly Rational[]>(inputs, neighbours, (of) => base2ExponentialLaw(of, options)),
        epsilon,
      ),
  };
}

const LAST_POINT = 6;

function clampedLaplaceClaim(): ExactClaim {
  const parameter = eta(1, 1, 1);
  const { epsilon } = convert(base2LossOf(parameter), { to: "pure" });
  const points = Array.from({ length: LAST_POINT + 1 }, (_, point) => point);
  const next = (point: number) => [point - 1, point + 1].filter((to) => to >= 0 && to <= LAST_POINT);
  return {
    mechanism: "clampedLaplace",
    instance: `every value of a grid from 0 to ${LAST_POINT}`,
    promise: "ε = 2 ln 2",
    unit: "ε",
    check: () =>
      checkPure(
        pairsOf(points, next, (point) => clampedLaplaceLaw(point, LAST_POINT, parameter)),
        epsilon,
      ),
  };
}

export function base2Claims(): readonly ExactClaim[] {
  return [base2Claim(1, 1, false), base2Claim(1, 1, true), base2Claim(3, 2, false), clampedLaplaceClaim()];
}
