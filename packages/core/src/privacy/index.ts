/**
 * Privacy loss: what was promised, how promises add up, and how one is worth another.
 * @module
 */
// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// Budget
export { Budget, type BudgetOptions, type Charge } from "./budget.js";

// Losses
export {
  pure,
  base2,
  zcdp,
  renyi,
  approx,
  type PureLoss,
  type Base2Loss,
  type ZcdpLoss,
  type RenyiLoss,
  type ApproxLoss,
  type Loss,
  type LossOf,
  type Measure,
} from "./loss.js";
export { type Extended, isBounded } from "./extended.js";
export { type LossJson, type LossLike, lossFromJson, lossToJson, readLoss } from "./loss-json.js";
export { type DescribeOptions, describeLoss } from "./describe-loss.js";
export type { Direction } from "./rounding.js";

// Composition and conversion
export { compose, repeat } from "./compose.js";
export { type ConvertOptions, convert, zcdpOfBoundedRange } from "./convert.js";
export type { ApproxOptions } from "./convert-to-approx.js";
export type { Method } from "./renyi-to-approx.js";
export { type GaussianApproxOptions, gaussianToApprox } from "./gaussian-to-approx.js";

// Calibration: from a target to what meets it
export { epsilonAtMost, type RoundsOptions, rhoAtMost } from "./calibrate.js";
export { type ScaleOptions, scaleAtLeast, type VarianceOptions, varianceAtLeast } from "./noise-size.js";

// The parameter of the base-2 mechanisms
export {
  eta,
  etaAtMost,
  base2LossOf,
  epsilonOfBase2,
  type Base2Parameter,
  type EtaAtMostOptions,
  type UtilityOptions,
} from "./base2-parameter.js";

// Rényi curves
export { type CurveBounds, type CurveFormula, RenyiCurve } from "./renyi-curve.js";
export { pureCurve, zcdpCurve, boundedRangeCurve, gaussianCurve, type GaussianOptions } from "./curves.js";
export { type GaussianMaxOptions, gaussianMaxCurve, noisyMaxCurve } from "./noisy-max-curve.js";
