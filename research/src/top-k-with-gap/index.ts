/**
 * The experiments of [Ding23, §6]: running times of top k with gaps, where they go, and how much is drawn.
 * @module
 */
import type { Experiment } from "../experiment.js";
import { dataStatistics } from "./data-statistics.js";
import { phases } from "./phases.js";
import { primitiveCalls } from "./primitive-calls.js";
import { runningTime } from "./running-time.js";

export const topKWithGap: Experiment = function* (settings) {
  yield dataStatistics(settings);
  yield runningTime(settings);
  yield phases(settings);
  yield primitiveCalls(settings);
};
