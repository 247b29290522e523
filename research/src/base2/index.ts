/**
 * The experiments of [Ilv20, §4.1] on the base-2 exponential mechanism.
 * @module
 */
import type { Experiment } from "../experiment.js";
import { laplaceDistribution, laplacePrecision, laplaceTimes } from "./laplace.js";
import { outcomeSizes } from "./outcome-sizes.js";
import { precision } from "./precision.js";
import { roundingBounds, roundingProfile } from "./rounding-bounds.js";
import { roundingRatio } from "./rounding-ratio.js";
import { bitsLookedAt, retrySweep } from "./timing-channels.js";
import { utilityRanges } from "./utility-ranges.js";

export const base2: Experiment = function* (settings) {
  yield outcomeSizes(settings);
  yield precision(settings);
  yield utilityRanges(settings);
  yield laplaceTimes(settings);
  yield laplacePrecision(settings);
  yield laplaceDistribution();
  yield retrySweep(settings);
  yield roundingBounds();
  yield roundingProfile();
  yield roundingRatio();
  yield bitsLookedAt(settings);
};
