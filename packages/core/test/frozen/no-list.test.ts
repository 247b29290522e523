/** Seeded answers without a list: bit for bit, with their losses and the number of random bits that they took. */
import { describe } from "vitest";
import * as core from "../../src/index.js";
import { type FrozenCases, frozen } from "../support/frozen.js";
import { delta, EPSILONS, each, NAMED, ONE_WAY, RHOS } from "./cases.js";

const UNKNOWN_QUESTIONS = {
  "": {},
  replace: { neighbours: "replace" },
  "bounded, 3 items": { maxItemsPerUser: 3 },
  "5 candidates": { maxCandidates: 5 },
  gaps: { resolution: 1 },
  gumbel: { noise: "gumbel" },
} as const;

const NO_LIST: FrozenCases = {
  ...each(
    "limitedTopK",
    { ...EPSILONS, ...RHOS, "scale 3": { scale: 3 } },
    UNKNOWN_QUESTIONS,
    (spend, way, entropy) => {
      return core.limitedTopK(NAMED, { k: 3, delta, ...spend, ...way, entropy });
    },
  ),
  ...each(
    "LimitedTopKStream",
    { ...EPSILONS, ...RHOS },
    { "": {}, replace: { neighbours: "replace" } } as const,
    (spend, way, entropy) => {
      const options = { k: 3, delta, ...spend, ...way, entropy };
      const other = new core.LimitedTopKStream(options).push("bee", 195).push("cat", 188);
      return new core.LimitedTopKStream(options).pushAll({ ant: 210, dog: 60 }).merge(other).finish();
    },
  ),
  ...each(
    "topKWithCounts",
    { ...EPSILONS, ...RHOS },
    { ...UNKNOWN_QUESTIONS, "share 1/4": { countShare: "1/4" }, "confidence 0.9": { confidence: "0.9" } },
    (spend, way, entropy) => {
      const options = { k: 3, delta, ...spend, ...way, entropy };
      return core.topKWithCounts(NAMED, options);
    },
  ),
  ...each(
    "topKWithCounts, public list",
    { ...EPSILONS, ...RHOS },
    {
      "": {},
      replace: { neighbours: "replace" },
      gaps: { resolution: 1 },
      "bounded, 2 items": { maxItemsPerUser: 2 },
    } as const,
    (spend, way, entropy) => {
      const options = { k: 3, domain: "public", ...spend, ...way, entropy } as const;
      return core.topKWithCounts(NAMED, options);
    },
  ),
  ...each(
    "measureCounts",
    { ...EPSILONS, ...RHOS, "scale 3/2": { scale: "3/2" }, "variance 5": { variance: 5 } },
    {
      "": {},
      replace: { neighbours: "replace" },
      "bounded, 1 item": { maxItemsPerUser: 1 },
      "k 5, confidence 0.9": { k: 5, confidence: "0.9" },
    } as const,
    (spend, way, entropy) =>
      core.measureCounts(NAMED, ["bee", "gnu", "nobody"], { ...spend, ...way, entropy }),
  ),
  ...each(
    "measureCounts, with δ",
    { "ε 1": { epsilon: 1, delta: "1e-6" }, "ε 1/3": { epsilon: "1/3", delta: "1e-9" } },
    { "": {}, replace: { neighbours: "replace" }, "bounded, 1 item": { maxItemsPerUser: 1 } } as const,
    (spend, way, entropy) =>
      core.measureCounts(NAMED, ["bee", "gnu", "nobody"], { ...spend, ...way, entropy }),
  ),
  ...each("nonIncreasingFit", { "": [9, 11, "7/2", 4, 4, 1, 2] }, ONE_WAY, (values) => ({
    values: core.nonIncreasingFit(values),
  })),
  ...each(
    "selectPartitions",
    {
      ...EPSILONS,
      ...RHOS,
      "laplace, ε 1": { epsilon: 1, method: "laplace" },
      "gaussian, ε 1": { epsilon: 1, method: "gaussian" },
      "gaussian, ρ 1/10": { rho: "1/10", method: "gaussian" },
    } as const,
    {
      "": {},
      counts: { counts: true },
      replace: { neighbours: "replace" },
      "3 items": { maxItemsPerUser: 3 },
    } as const,
    (spend, way, entropy) =>
      core.selectPartitions(NAMED, { maxItemsPerUser: 1, delta, ...spend, ...way, entropy }),
  ),
  ...each(
    "boundContributions",
    { "1 item": { maxItemsPerUser: 1 }, "2 items": { maxItemsPerUser: 2 } },
    ONE_WAY,
    (bound, _, entropy) => [...core.boundContributions(rows(), { ...bound, entropy })],
  ),
  ...each(
    "boundValues",
    { "1 value": { maxValuesPerUser: 1 }, "2 values": { maxValuesPerUser: 2 } },
    ONE_WAY,
    (bound, _, entropy) => [
      ...core.boundValues(
        [...rows()].map(([user, item]) => [user, item.length] as const),
        {
          ...bound,
          entropy,
        },
      ),
    ],
  ),
};

/** Twenty people with one to four items each. */
function* rows(): Generator<readonly [user: string, item: string]> {
  const items = ["ant", "bumblebee", "cat", "dolphin"];
  for (let user = 0; user < 20; user++)
    for (let i = 0; i <= user % 4; i++) yield [`user ${user}`, items[(user + i) % 4]];
}

describe("a seeded answer without a list", () => {
  frozen(new URL("no-list.json", import.meta.url), NO_LIST);
});
