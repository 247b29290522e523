/**
 * Parts behind the public surface, for the audit, the planner and research. Not covered by semantic versioning: only `winnow-audit`
 * and `winnow-release` of the same version may import it.
 * @module winnow-dp/internal
 */
export { drawRounded } from "./base2/utilities.js";
export { partitionDecider } from "./discover/select-partitions.js";
export { anEntropy, withEntropy } from "./entropy.js";
export { invalidParameter } from "./errors.js";
export { abs, bitLength, ceilDiv, floorDiv, integerSqrt } from "./exact/integers.js";
export { normalCdfEnclosure } from "./exact/normal-cdf.js";
export { partitionSum } from "./numbers/partition-draw.js";
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
} from "./options.js";
export { invalidScore } from "./race/scores.js";
export { sha256 } from "./sha256.js";
export { GapChoice, gapAfter } from "./standout/gap-choice.js";
export { gapSensitivity } from "./standout/gap-sensitivity.js";
export { COUNTS, GAPS } from "./standout/largest-gap.js";
export { roundsBudget, SharedRounds } from "./standout/shared-rounds.js";
export { StabilityTest, THRESHOLD } from "./standout/stability-test.js";
export { STEPS, StableTopKMeasurement } from "./standout/stable-top-k.js";
