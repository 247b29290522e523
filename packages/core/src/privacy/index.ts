/** Privacy loss: what was promised, how promises add up, and how one is worth another. */

// Calibration
export {
  type Base2Parameter,
  base2LossOf,
  type EtaAtMostOptions,
  epsilonOfBase2,
  eta,
  etaAtMost,
  type UtilityOptions,
} from "./base2-parameter.js";
// Budget
export { Budget, type BudgetOptions, type Charge } from "./budget.js";
export { epsilonAtMost, type RoundsOptions, rhoAtMost } from "./calibrate.js";
// Composition and conversion
export { compose, repeat } from "./compose.js";
export { type ConvertOptions, convert, zcdpOfBoundedRange } from "./convert.js";
export type { ApproxOptions } from "./convert-to-approx.js";
// Rényi curves
export { boundedRangeCurve, type GaussianOptions, gaussianCurve, pureCurve, zcdpCurve } from "./curves.js";
// Losses
export { type DescribeOptions, describeLoss } from "./describe-loss.js";
export type { Extended } from "./extended.js";
export { type GaussianApproxOptions, gaussianToApprox } from "./gaussian-to-approx.js";
export {
  type ApproxLoss,
  approx,
  type Base2Loss,
  base2,
  type Loss,
  type LossOf,
  type Measure,
  type PureLoss,
  pure,
  type RenyiLoss,
  renyi,
  type ZcdpLoss,
  zcdp,
} from "./loss.js";
export { type ScaleOptions, scaleAtLeast, type VarianceOptions, varianceAtLeast } from "./noise-size.js";
export { type GaussianMaxOptions, gaussianMaxCurve, noisyMaxCurve } from "./noisy-max-curve.js";
export { type CurveBounds, type CurveFormula, RenyiCurve } from "./renyi-curve.js";
export type { Method } from "./renyi-to-approx.js";
