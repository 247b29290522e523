/**
 * The samplers against their float rivals.
 * @module
 */
import type { Suite } from "../suite.js";
import { bernoulliExp } from "./bernoulli-exp.js";
import { gaussian } from "./gaussian.js";
import { geometric } from "./geometric.js";
import { laplace } from "./laplace.js";

export const sample: Suite = {
  name: "sample",
  works: [...laplace, ...gaussian, ...geometric, ...bernoulliExp],
};
