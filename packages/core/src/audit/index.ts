/**
 * Winnow's audit: the laws of its selections in closed form, what they prove about privacy, and other mechanisms to compare
 * with. For study, not for releases.
 * @module winnow-dp/audit
 */

// Laws

export { exponentialMechanismRound } from "./exponential-mechanism-round.js";
export { exponentialTopKLaw } from "./exponential-top-k-law.js";
export { type Law, lawOf, type Tree } from "./law.js";
export type { LawOptions } from "./law-options.js";
export { peeledLaw, type Round } from "./peeled-law.js";
export { permuteAndFlipRound } from "./permute-and-flip-round.js";
export { type GapLawOptions, topKWithGapLaw } from "./top-k-with-gap-law.js";

// What laws prove

export { hockeyStick } from "./hockey-stick.js";
export { type LikelihoodRatio, likelihoodRatio } from "./likelihood-ratio.js";
export { type NeighbourOptions, neighboursOf } from "./neighbours.js";

// Other ways to the law of topKWithGap

export type { GapOptions } from "./grid.js";
export { GridStream } from "./grid-stream.js";
export { lazyRealTopKWithGap } from "./lazy-real-top-k-with-gap.js";
export { type PaperOptions, paperTopKWithGap } from "./paper-top-k-with-gap.js";
export { rankFree } from "./rank-free.js";

// Unsafe

export { naiveExponentialMechanism } from "./attacks/victims/naive-exponential-mechanism.js";
export {
  type FixedPrecisionOptions,
  type FixedPrecisionOutcome,
  fixedPrecisionBase2,
} from "./fixed-precision-base2.js";
export { type FloatOptions, type FloatWinner, floatTopKWithGap } from "./float-top-k-with-gap.js";

// Attacks on textbook code

export * from "./attacks/index.js";

// What runs prove

export { type ConfidenceInterval, clopperPearson, type Tally } from "./statistics/clopper-pearson.js";
export { type ShownLoss, type ShownLossOptions, shownDelta, shownLoss } from "./statistics/shown-loss.js";
