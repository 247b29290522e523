/**
 * A figure for each page of docs/mechanisms, by the page's name. All are drawn from exact laws or from seeded runs of the
 * mechanism itself, so that they come out the same every time.
 * @module
 */
import {
  labelByTeachersFigure,
  largestGapFigure,
  proposeTestReleaseFigure,
  stableTopKFigure,
} from "./adaptive.js";
import { base2ExponentialFigure, clampedLaplaceFigure } from "./base2.js";
import { combineGapsFigure, noisyTopKFigure, topKStreamFigure } from "./measurements.js";
import {
  permuteAndFlipFigure,
  reportNoisyMaxFigure,
  selectPrivateCandidateFigure,
  topKFigure,
  topKInGroupsFigure,
  topKSetFigure,
  topKWithGapFigure,
} from "./selections.js";
import { aboveThresholdFigure, integerPartitionFigure, quantileFigure } from "./thresholds.js";
import {
  histogramTopKFigure,
  limitedTopKFigure,
  selectPartitionsFigure,
  topKWithCountsFigure,
} from "./unknown.js";
import { renewListFigure } from "./weeks.js";

export const FIGURES: Readonly<Record<string, () => string>> = {
  "above-threshold": aboveThresholdFigure,
  "base2-exponential": base2ExponentialFigure,
  "clamped-laplace": clampedLaplaceFigure,
  "combine-gaps": combineGapsFigure,
  "histogram-top-k": histogramTopKFigure,
  "integer-partition": integerPartitionFigure,
  "label-by-teachers": labelByTeachersFigure,
  "largest-gap": largestGapFigure,
  "limited-top-k": limitedTopKFigure,
  "noisy-top-k": noisyTopKFigure,
  "permute-and-flip": permuteAndFlipFigure,
  "propose-test-release": proposeTestReleaseFigure,
  quantile: quantileFigure,
  "renew-list": renewListFigure,
  "report-noisy-max": reportNoisyMaxFigure,
  "select-partitions": selectPartitionsFigure,
  "select-private-candidate": selectPrivateCandidateFigure,
  "stable-top-k": stableTopKFigure,
  "top-k": topKFigure,
  "top-k-in-groups": topKInGroupsFigure,
  "top-k-set": topKSetFigure,
  "top-k-stream": topKStreamFigure,
  "top-k-with-counts": topKWithCountsFigure,
  "top-k-with-gap": topKWithGapFigure,
};
