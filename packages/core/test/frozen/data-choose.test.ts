/** Seeded answers whose size the data choose: bit for bit, with their losses and the number of random bits that they took. */
import { describe } from "vitest";
import * as core from "../../src/index.js";
import { type FrozenCases, frozen } from "../support/frozen.js";
import { COUNTS, delta, EPSILONS, each, NAMED, RHOS } from "./cases.js";

const STABLE_WAYS = {
  "": {},
  monotone: { monotone: true },
  "closed form": { thresholdRule: "closed-form" },
  "sensitivity 2": { sensitivity: 2 },
} as const;

const DATA_CHOOSE: FrozenCases = {
  ...each("stableTopK", { ...EPSILONS, ...RHOS }, STABLE_WAYS, (spend, way, entropy) =>
    core.stableTopK(NAMED, { maxK: 6, delta, ...spend, ...way, entropy }),
  ),
  ...each(
    "stableTopK",
    { "ε 8": { epsilon: 8 }, "ρ 2": { rho: 2 } },
    { "by position": {}, "gaussian noise": { noise: "gaussian" }, cap: { gapCap: 50 } } as const,
    (spend, way, entropy) => core.stableTopK(COUNTS, { maxK: 6, delta, ...spend, ...way, entropy }),
  ),
  ...each(
    "stableTopKFixed",
    { "ε 1": { epsilon: 1 }, "ε 8": { epsilon: 8 }, ...RHOS },
    {
      public: { domain: "public" },
      unknown: { domain: "unknown" },
      "public, monotone": { domain: "public", monotone: true },
      "public, at most 5": { domain: "public", maxK: 5 },
    } as const,
    (spend, way, entropy) => core.stableTopKFixed(NAMED, { k: 4, delta, ...spend, ...way, entropy }),
  ),
  ...each(
    "makeStableTopKFixed",
    { "": { choose: { noise: "gumbel", rho: 1 }, test: { rho: 1 }, rounds: { scale: 2 } } } as const,
    { public: "public", unknown: "unknown" } as const,
    (steps, domain, entropy) => {
      const measurement = core.makeStableTopKFixed({ k: 2, maxK: 5, domain, delta, ...steps });
      return {
        ...measurement.invoke(COUNTS, entropy),
        measurement,
        losses: [measurement.map(1), measurement.map(2)],
      };
    },
  ),
  ...each(
    "makeStableTopK",
    {
      gumbel: { choose: { noise: "gumbel", rho: 1 }, test: { rho: 1 } },
      gaussian: { choose: { noise: "gaussian", variance: 4 }, test: { variance: 9 } },
      exponential: { choose: { noise: "exponential", epsilon: 1 }, test: { scale: 2 } },
    } as const,
    { "": {}, regularised: { regulariser: [0, 0, 40] } },
    (steps, way, entropy) => {
      const measurement = core.makeStableTopK({ maxK: 3, delta, ...steps, ...way });
      return { ...measurement.invoke(COUNTS, entropy), measurement };
    },
  ),
  ...each(
    "largestGap",
    {
      ...EPSILONS,
      ...RHOS,
      "scale 3": { scale: 3 },
      "gaussian, ρ 1/10": { noise: "gaussian", rho: "1/10" },
      "gaussian, variance 9": { noise: "gaussian", variance: 9 },
      "exponential, ε 1": { noise: "exponential", epsilon: 1 },
      "laplace, ε 1": { noise: "laplace", epsilon: 1 },
    } as const,
    {
      "": {},
      monotone: { monotone: true },
      cap: { gapCap: 20 },
      regularised: { regulariser: (k: number) => (k === 1 ? 0 : -k) },
    },
    (spend, way, entropy) =>
      core.largestGap(NAMED, { maxK: 6, ...spend, ...way, entropy } as core.LargestGapOptions),
  ),
  ...each(
    "proposeTestRelease",
    { ...EPSILONS, ...RHOS, "scale 3": { scale: 3 }, "variance 9": { variance: 9 } },
    STABLE_WAYS,
    (spend, way, entropy) => core.proposeTestRelease(NAMED, { k: 3, delta, ...spend, ...way, entropy }),
  ),
  ...each("proposeTestRelease", { "ρ 1": { rho: 1 } }, { "by position": COUNTS }, (spend, data, entropy) =>
    core.proposeTestRelease(data, { k: 3, delta, ...spend, entropy }),
  ),
};

describe("a seeded answer whose size the data choose", () => {
  frozen(new URL("data-choose.json", import.meta.url), DATA_CHOOSE);
});
