/** Seeded answers that are numbers: bit for bit, with their losses and the number of random bits that they took. */
import { describe } from "vitest";
import * as core from "../../src/index.js";
import { type FrozenCases, frozen } from "../support/frozen.js";
import { COUNTS, EPSILONS, ETAS, each, NUMBERS, ONE_WAY, RHOS } from "./cases.js";

const { eta } = core;

const GRID = { lower: 0, upper: 100 };
const NUMBER_WAYS = {
  "": {},
  replace: { neighbours: "replace" },
  "2 values": { maxValuesPerUser: 2 },
} as const;
const LEVELS = [
  { margin: 30, share: "1/2" },
  { margin: 0, share: 1 },
];

const NUMBERS_OF_PEOPLE: FrozenCases = {
  ...each(
    "quantile",
    { ...EPSILONS, ...RHOS, "scale 3/2": { scale: "3/2" }, ...ETAS },
    { ...NUMBER_WAYS, "step 1/2": { step: "1/2" } },
    (spend, way, entropy) => {
      const answer = core.quantile(NUMBERS, { ...GRID, quantile: "1/3", ...spend, ...way, entropy });
      return { ...answer, error: answer.rankError("0.95") };
    },
  ),
  ...each(
    "quantiles",
    { ...EPSILONS, ...RHOS, "scale 3/2": { scale: "3/2" }, ...ETAS },
    { ...NUMBER_WAYS, separate: { method: "separate" }, "at most 40": { atMost: 40 } } as const,
    (spend, way, entropy) =>
      core.quantiles(NUMBERS, { ...GRID, quantiles: ["1/4", "1/2", "0.9"], ...spend, ...way, entropy }),
  ),
  ...each(
    "upperBound",
    { ...EPSILONS, ...RHOS, "scale 3/2": { scale: "3/2" } },
    { ...NUMBER_WAYS, thresholds: { thresholds: [160, 80, 40, 20, 10] } },
    (spend, way, entropy) => {
      const answer = core.upperBound(NUMBERS, { target: 2, ...spend, ...way, entropy });
      return { ...answer, exceeding: answer.exceeding("0.95") };
    },
  ),
  ...each(
    "integerPartition",
    { ...EPSILONS, ...ETAS },
    { "": {}, replace: { neighbours: "replace" }, "2 items": { maxItemsPerUser: 2 } } as const,
    (spend, way, entropy) => core.integerPartition(COUNTS.slice(3), { ...spend, ...way, entropy }),
  ),
  ...each(
    "AboveThreshold",
    { ...EPSILONS, ...RHOS, ...ETAS },
    {
      "": {},
      monotone: { monotone: true },
      "2 answers": { maxAbove: 2 },
      ordered: { ordered: true },
      gaps: { resolution: 1 },
      levels: { maxAbove: 2, levels: LEVELS },
    },
    (spend, way, entropy) => {
      const stream = new core.AboveThreshold({ threshold: 60, ...spend, ...way, entropy });
      return { answers: stream.pushAll(NUMBERS), left: stream.remaining, privacy: stream.privacy };
    },
  ),
  ...each(
    "makeAboveThreshold",
    {
      "scales 1 and 2": { thresholdScale: 1, queryScale: 2 },
      "variance 4, scale 2": { thresholdVariance: 4, queryScale: 2 },
      "base 2": { thresholdEta: eta(1, 2), queryEta: eta(1, 4) },
    } as const,
    { "": {}, "2 answers": { maxAbove: 2 } },
    (parameters, way, entropy) => {
      const measurement = core.makeAboveThreshold({ threshold: 60, ...parameters, ...way });
      const losses = [1, "1/2"].map((distance) => measurement.map(distance));
      return { ...measurement.invoke(NUMBERS, entropy), measurement, losses };
    },
  ),
  ...each("makeAboveThreshold, bounds", { "": { thresholdScale: 1, queryScale: 2 } }, ONE_WAY, (parameters) =>
    core.makeAboveThreshold(parameters).bounds("0.95", 20),
  ),
  ...each(
    "noisyThreshold",
    ETAS,
    { "": {}, "sensitivity 2": { sensitivity: 2 }, "step 1/2": { step: "1/2" } },
    (spend, way, entropy) => core.noisyThreshold(5, { threshold: 4, ...spend, ...way, entropy }),
  ),
};

describe("a seeded answer that is a number", () => {
  frozen(new URL("numbers.json", import.meta.url), NUMBERS_OF_PEOPLE);
});
