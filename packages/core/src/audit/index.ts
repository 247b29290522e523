/**
 * Winnow's audit: the laws of its selections in closed form, what they prove about privacy, and other mechanisms to compare
 * with. For study, not for releases.
 * @module winnow-dp/audit
 */
// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// What laws prove
export { type LikelihoodRatio, likelihoodRatio } from "./likelihood-ratio.js";
export { hockeyStick } from "./hockey-stick.js";
export { renyiDivergence } from "./renyi-divergence.js";
export { type NeighbourOptions, neighboursOf } from "./neighbours.js";

// What runs prove
export { auditByRuns, type RunsAudit, type RunsAuditOptions } from "./statistics/audit-by-runs.js";
export { type ShownLoss, type ShownLossOptions, shownDelta, shownLoss } from "./statistics/shown-loss.js";
export { type ConfidenceInterval, clopperPearson, type Tally } from "./statistics/clopper-pearson.js";

// Claims of every mechanism
export * from "./claims/index.js";

// Attacks on textbook code
export * from "./attacks/index.js";

// Replay on neighbouring inputs
export { type RecordedMechanism, type Replay, type ReplayOptions, replay } from "./replay/replay.js";
export type { PrivateStep, Recorder } from "./replay/recorder.js";
export type { Violation } from "./replay/violation.js";
export { type RecordedWay, recordedWays } from "./replay/recorded-mechanisms.js";
export { type RecordedStableOptions, recordedStableTopK } from "./replay/recorded-stable-top-k.js";
export { type RecordedFixedOptions, recordedStableTopKFixed } from "./replay/recorded-stable-top-k-fixed.js";
export { countListed, countUsers, type Row, withoutEachUser } from "./replay/rows.js";

// Laws in closed form
export { type Law, lawOf, type Tree } from "./law.js";
export type { LawOptions } from "./law-options.js";
export { exponentialTopKLaw } from "./exponential-top-k-law.js";
export { type GapLawOptions, topKWithGapLaw } from "./top-k-with-gap-law.js";
export { peeledLaw, type Round } from "./peeled-law.js";
export { permuteAndFlipRound } from "./permute-and-flip-round.js";
export { exponentialMechanismRound } from "./exponential-mechanism-round.js";
export { noisyMaxLaw } from "./noisy-max-law.js";
export { type Base2LawOptions, base2ExponentialLaw, clampedLaplaceLaw } from "./base2-exponential-law.js";
export {
  type ChoiceLawOptions,
  discreteGaussianTail,
  discreteLaplaceTail,
  largestGapLaw,
  proposeTestReleaseLaw,
  stableTopKLaw,
  type Tail,
  type TestLawOptions,
} from "./stable-top-k-law.js";
export { type FixedLawOptions, stableTopKFixedLaw } from "./stable-top-k-fixed-law.js";
export { multiLabelLaw } from "./multi-label-law.js";

// Other ways to the law of topKWithGap
export { rankFree } from "./rank-free.js";
export { type PaperOptions, paperTopKWithGap } from "./paper-top-k-with-gap.js";
export { lazyRealTopKWithGap } from "./lazy-real-top-k-with-gap.js";
export { GridStream } from "./grid-stream.js";
export type { GapOptions } from "./grid.js";

// Unsafe: what textbooks do
export { type FloatOptions, type FloatWinner, floatTopKWithGap } from "./float-top-k-with-gap.js";
export { naiveExponentialMechanism } from "./attacks/victims/naive-exponential-mechanism.js";
export {
  type FixedPrecisionOptions,
  type FixedPrecisionOutcome,
  fixedPrecisionBase2,
} from "./fixed-precision-base2.js";
