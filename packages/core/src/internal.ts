/**
 * What the audit and the planner look at behind the public surface. Not covered by semantic versioning: only `winnow-audit` and
 * `winnow-release` of the same version may import it.
 * @module winnow-dp/internal
 */
export { drawRounded } from "./base2/utilities.js";
export { anEntropy, withEntropy } from "./entropy.js";
export { invalidParameter } from "./errors.js";
export { abs, bitLength, ceilDiv, floorDiv, integerSqrt } from "./exact/integers.js";
export { normalCdfEnclosure } from "./exact/normal-cdf.js";
export { partitionSum } from "./partition/partition-draw.js";
export { invalidScore } from "./race/scores.js";
export { COUNTS, GAPS, GapChoice, gapAfter, gapSensitivity } from "./stable/largest-gap.js";
export { roundsBudget, SharedRounds } from "./stable/shared-rounds.js";
export { StabilityTest, THRESHOLD } from "./stable/stability-test.js";
export { STEPS, StableTopKMeasurement } from "./stable/stable-top-k.js";
export { partitionDecider } from "./unknown/select-partitions.js";
export {
  anyRational,
  arrayLike,
  bigInteger,
  boolean,
  callable,
  integer,
  nonNegativeRational,
  object,
  oneOf,
  positiveRational,
  probability,
  properProbability,
  readOptions,
} from "./validate.js";
