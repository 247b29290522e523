/** Seeded answers in base 2 and of teachers: bit for bit, with their losses and the number of random bits that they took. */
import { describe } from "vitest";
import * as core from "../../src/index.js";
import { type FrozenCases, frozen } from "../support/frozen.js";
import { EPSILONS, ETAS, each, NUMBERS, ONE_WAY } from "./cases.js";

const { approx, zcdp } = core;

const BASE2_RANGE = { lower: 0, upper: 40, maxCandidates: 20 };
const GUMBEL = { noise: "gumbel", rho: "1/2" } as const;
const MULTI_CLASS = { task: "multi-class", teachers: 5, labels: 3 } as const;
const MULTI_LABEL = { task: "multi-label", teachers: 40, labels: 4, delta: "1e-4" } as const;
/** Of one query: the vote of teacher 0 for each label, then that of teacher 1. */
const MANY_LABELS = [0, 1, 2].map((query) =>
  Array.from({ length: 160 }, (_, i) => Number(i % 4 <= query && i % 17 !== 3)),
);

const BASE2_AND_TEACHERS: FrozenCases = {
  ...each(
    "base2Exponential",
    { ...EPSILONS, ...ETAS },
    {
      "": { mode: "optimised" },
      "by default": {},
      "constant work": { mode: "constant-work" },
      "constant work, 40 retries": { mode: "constant-work", minRetries: 40 },
      monotone: { mode: "optimised", monotone: true },
      "sensitivity 2": { mode: "optimised", sensitivity: 2 },
    } as const,
    (spend, way, entropy) =>
      core.base2Exponential(NUMBERS, (value) => value % 41, { ...BASE2_RANGE, ...spend, ...way, entropy }),
  ),
  ...each("precisionRules", ETAS, ONE_WAY, (spend) => ({
    ...core.precisionRules({ ...BASE2_RANGE, ...spend }),
  })),
  ...each(
    "clampedLaplace",
    { ...EPSILONS, ...ETAS },
    { "": {}, "step 1/4": { step: "1/4" }, "sensitivity 3": { sensitivity: 3 } },
    (spend, way, entropy) =>
      core.clampedLaplace("17/2", { lower: 0, upper: 20, step: "1/2", ...spend, ...way, entropy }),
  ),
  ...each(
    "labelByTeachers, one label",
    {
      gumbel: { choose: GUMBEL },
      gaussian: { choose: { noise: "gaussian", variance: 4 } },
      "gumbel, limited": { choose: GUMBEL, limit: zcdp("6/5") },
      "gaussian, (ε, δ) limit": { choose: { noise: "gaussian", rho: "1/2" }, limit: approx(8, "1e-5") },
    } as const,
    { zcdp: { accounting: "zcdp" }, renyi: { accounting: "renyi" } } as const,
    (spend, way, entropy) =>
      core.labelByTeachers(
        [
          [0, 1, 1, 1, 2],
          [2, 2, 2, 2, 2],
          [0, 0, 1, 0, 1],
        ],
        { ...MULTI_CLASS, ...spend, ...way, entropy },
      ),
  ),
  ...each(
    "labelByTeachers, many labels",
    {
      gumbel: { choose: { noise: "gumbel", rho: 2 }, test: { rho: 2 } },
      gaussian: { choose: { noise: "gaussian", variance: 4 }, test: { variance: 1 } },
      limited: { choose: { noise: "gumbel", rho: 2 }, test: { rho: 2 }, limit: zcdp(9, "1e-2") },
    } as const,
    { "": {}, "at most 2": { maxK: 2 } },
    (spend, way, entropy) => core.labelByTeachers(MANY_LABELS, { ...MULTI_LABEL, ...spend, ...way, entropy }),
  ),
  ...each("TeacherRun", { gumbel: { choose: GUMBEL } }, ONE_WAY, (spend, _, entropy) => {
    const run = new core.TeacherRun({ ...MULTI_CLASS, ...spend, limit: zcdp(2), entropy });
    const answers = [run.answer([0, 1, 1, 1, 2]), run.answer([2, 2, 2, 0, 2])];
    return { answers, ...run.report() };
  }),
};

describe("a seeded answer in base 2, or of teachers", () => {
  frozen(new URL("base2-and-teachers.json", import.meta.url), BASE2_AND_TEACHERS);
});
