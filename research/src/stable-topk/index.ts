/**
 * The experiments of [ZW22]: adaptive k against the exponential mechanism and the baselines of its tables, the
 * accounting of its labelling experiment, and the gaps of its theorems.
 * @module
 */
import type { Experiment } from "../experiment.js";
import { covidPanel } from "./covid-panel.js";
import { gapsByMethod } from "./gaps-by-method.js";
import { kSweep } from "./k-sweep.js";
import { labelBaselines } from "./label-baselines.js";
import { neededGaps } from "./needed-gaps.js";
import { orderMap } from "./order-map.js";
import { proportionOfTopK } from "./proportion-of-top-k.js";
import { teacherAccounting } from "./teacher-accounting.js";

export const stableTopK: Experiment = function* (settings) {
  yield proportionOfTopK(settings);
  yield orderMap(settings);
  yield covidPanel(settings);
  yield kSweep(settings);
  yield teacherAccounting();
  yield labelBaselines(settings);
  yield neededGaps();
  yield gapsByMethod();
};
