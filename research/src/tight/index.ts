/**
 * What the smallest noise that a promise allows is worth: tables of gains over what came before, and the error of `winnow top` against
 * ε on eight data sets, before and after.
 * @module
 */
import type { Experiment } from "../experiment.js";
import { leads, runsOfGaussians } from "./candidates.js";
import { errorsBySet } from "./errors.js";
import { countGains, histogramGains, roundGains, setGains, varianceGains } from "./gains.js";
import { nameGains, orderedNames } from "./names.js";

export const tight: Experiment = function* ({ trials, data }) {
  yield roundGains();
  yield countGains();
  yield varianceGains();
  yield nameGains();
  yield orderedNames();
  yield histogramGains();
  yield setGains(trials);
  yield leads();
  yield runsOfGaussians();
  yield* errorsBySet(data, trials);
};
