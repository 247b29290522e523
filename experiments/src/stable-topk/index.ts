/**
 * The experiments of [ZW22]: adaptive k against the peeled exponential mechanism, and the accounting of its
 * labelling experiment.
 * @module
 */
import type { Experiment } from "../experiment.js";
import { covidPanel } from "./covid-panel.js";
import { kSweep } from "./k-sweep.js";
import { proportionOfTopK } from "./proportion-of-top-k.js";
import { teacherAccounting } from "./teacher-accounting.js";

export const stableTopK: Experiment = function* (settings) {
  yield proportionOfTopK(settings);
  yield covidPanel(settings);
  yield kSweep(settings);
  yield teacherAccounting();
};
