/** Seeded answers from a public list: bit for bit, with their losses and the number of random bits that they took. */
import { describe, expect, it } from "vitest";
import * as core from "../../src/index.js";
import { topKParallel } from "../../src/parallel.js";
import { type FrozenCases, frozen } from "../support/frozen.js";
import { COUNTS, EPSILONS, each, NAMED, ONE_WAY, RHOS, SCALES, SCORES } from "./cases.js";

const WAYS = {
  "": {},
  monotone: { monotone: true },
  negated: { negate: true },
  "sensitivity 5/2": { sensitivity: "5/2" },
};
const APPROX = {
  "ε 1, by default": { epsilon: 1, delta: "1e-6" },
  "ε 1, gumbel": { epsilon: 1, delta: "1e-6", noise: "gumbel" },
  "ε 1/3, exponential": { epsilon: "1/3", delta: "1e-9", noise: "exponential" },
} as const;
const DATA = { "by position": SCORES, "by name": NAMED };

const PUBLIC_LIST: FrozenCases = {
  ...each("topK", { ...EPSILONS, ...RHOS, ...SCALES }, WAYS, (spend, way, entropy) =>
    core.topK(SCORES, { k: 3, ...spend, ...way, entropy }),
  ),
  ...each("topK", { ...EPSILONS, ...RHOS }, { named: { monotone: true } }, (spend, way, entropy) =>
    core.topK(NAMED, { k: 4, ...spend, ...way, entropy }),
  ),
  ...each("topK, with δ", APPROX, WAYS, (spend, way, entropy) =>
    core.topKApprox(SCORES, { k: 3, ...spend, ...way, entropy }),
  ),
  ...each("topK, peeled", { ...EPSILONS, ...SCALES }, DATA, (spend, data, entropy) =>
    core.topK<core.Scores | core.NamedScores>(data, { k: 3, method: "peel", ...spend, entropy }),
  ),
  ...each("topK, unlisted zeros", { ...EPSILONS, ...RHOS }, ONE_WAY, (spend, _, entropy) =>
    core.topK(COUNTS, { k: 3, domain: { size: 1000 }, monotone: true, ...spend, entropy }),
  ),
  ...each("topKWithGap", { ...EPSILONS, ...SCALES }, WAYS, (spend, way, entropy) =>
    core.topKWithGap(SCORES, { k: 3, resolution: "1/4", ...spend, ...way, entropy }),
  ),
  ...each("topKWithGap, usual resolution", EPSILONS, DATA, (spend, data, entropy) =>
    core.topKWithGap<core.Scores | core.NamedScores>(data, { k: 2, ...spend, entropy }),
  ),
  ...each("topKWithGap, unlisted zeros", EPSILONS, ONE_WAY, (spend, _, entropy) =>
    core.topKWithGap(COUNTS, { k: 3, domain: { size: 1000 }, monotone: true, ...spend, entropy }),
  ),
  ...each("permuteAndFlip", { ...EPSILONS, ...SCALES }, WAYS, (spend, way, entropy) =>
    core.permuteAndFlip(SCORES, { ...spend, ...way, entropy }),
  ),
  ...each("permuteAndFlip", EPSILONS, { named: NAMED }, (spend, data, entropy) =>
    core.permuteAndFlip(data, { ...spend, entropy }),
  ),
  ...each(
    "reportNoisyMax",
    {
      "exponential, ε 1": { noise: "exponential", epsilon: 1 },
      "exponential, scale 3": { noise: "exponential", scale: 3 },
      "laplace, ε 1": { noise: "laplace", epsilon: 1 },
      "laplace, scale 3": { noise: "laplace", scale: 3 },
      "gumbel, ε 1": { noise: "gumbel", epsilon: 1 },
      "gumbel, ρ 1/10": { noise: "gumbel", rho: "1/10" },
      "gumbel, scale 3": { noise: "gumbel", scale: 3 },
      "gaussian, ρ 1/10": { noise: "gaussian", rho: "1/10" },
      "gaussian, variance 9": { noise: "gaussian", variance: 9 },
    } satisfies Record<string, core.NoisyMaxBudget>,
    WAYS,
    (spend: core.NoisyMaxBudget, way, entropy) => core.reportNoisyMax(SCORES, { ...spend, ...way, entropy }),
  ),
  ...each("reportNoisyMax, gumbel", { ...EPSILONS, ...RHOS }, { named: NAMED }, (spend, data, entropy) =>
    core.reportNoisyMax(data, { noise: "gumbel", ...spend, entropy } as core.ReportNoisyMaxOptions),
  ),
  ...each(
    "TopKStream",
    { ...EPSILONS, ...RHOS, ...SCALES },
    { "": {}, monotone: { monotone: true } },
    (spend, way, entropy) =>
      new core.TopKStream({ k: 3, ...spend, ...way, entropy }).pushScores(SCORES).finish(),
  ),
  ...each(
    "TopKStream, named with gaps",
    { ...EPSILONS, "scale 3/2": { scale: "3/2" } },
    { halves: "1/2", fives: 5 },
    (spend, resolution, entropy) =>
      new core.TopKStream<string>({ k: 3, ...spend, resolution, entropy })
        .pushAll(Object.entries(NAMED))
        .finish(),
  ),
  ...each("TopKStream, merged", { ...EPSILONS, ...RHOS }, ONE_WAY, (spend, _, entropy) => {
    const half = (from: number) =>
      new core.TopKStream<number>({ k: 3, ...spend, entropy }).pushScores(SCORES.slice(from, from + 6), from);
    return half(0).merge(half(6)).finish();
  }),
  ...each("TopKStream, detached", { ...EPSILONS, ...RHOS }, ONE_WAY, (spend, _, entropy) => {
    const options = { k: 3, ...spend, entropy };
    const state = new core.TopKStream<number>(options).pushScores(SCORES).detach();
    return new core.TopKStream<number>(options).attach(state).finish();
  }),
  ...each("TopKStream, unlisted zeros", { ...EPSILONS, ...RHOS }, ONE_WAY, (spend, _, entropy) =>
    new core.TopKStream({ k: 3, domain: { size: 1000 }, ...spend, entropy }).pushScores(COUNTS).finish({
      isPushed: (candidate) => candidate < COUNTS.length,
    }),
  ),
  ...each(
    "makeNoisyTopK",
    {
      "pure, scale 2": { measure: "pure", scale: 2 },
      "zcdp, scale 2": { measure: "zcdp", scale: 2 },
      "pure, peeled": { measure: "pure", scale: 2, method: "peel" },
      "zcdp, peeled": { measure: "zcdp", scale: 2, method: "peel" },
      "pure, gaps": { measure: "pure", scale: 2, resolution: "1/2" },
    } as const,
    { "": {}, monotone: { monotone: true } },
    (parameters, way, entropy) => {
      const measurement = core.makeNoisyTopK({ k: 2, ...parameters, ...way });
      const losses = ["1/2", 1, 3].map((distance) => {
        const loss = measurement.map(distance);
        return loss.measure === "pure" ? loss.epsilon : loss.rho;
      });
      return { ...measurement.invoke(SCORES, entropy), measurement, losses };
    },
  ),
  ...each("combineGaps", { "λ 1": 1, "λ 1/8": "1/8" }, { "": 0, halves: "1/2" }, (ratio, resolution) =>
    core.combineGaps([90, 81, 77], [8, 5], { varianceRatio: ratio, resolution }),
  ),
};

describe("a seeded answer from a public list", () => {
  frozen(new URL("public-list.json", import.meta.url), PUBLIC_LIST);
});

describe("an answer of topKParallel, whose threads take the system's bits", () => {
  it("is the exact one with next to no noise", async () => {
    const { winners, privacy } = await topKParallel([Float64Array.from(SCORES)], {
      k: 3,
      scale: "1e-6",
      resolution: "0.3",
      workers: 0,
    });
    expect(winners.map(({ candidate: index, gap }) => [index, String(gap)])).toEqual([
      [4, "0.3"],
      [8, "3.3"],
      [0, "0.9"],
    ]);
    expect(JSON.stringify(privacy)).toBe('{"measure":"pure","epsilon":"6000000"}');
  });
});
