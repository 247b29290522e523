import { describe, expect, it } from "vitest";
import { approx, Budget, type Loss, lossToJson, pure, zcdp } from "winnow-dp";
import { lossOf, mechanismOf, type Question, readableLoss, select } from "../../src/index.js";
import { ask, listed, numbered, UNKNOWN } from "../support/ask.js";

const COUNTS = [900, 700, 400, 90, 80, 20, 7, 3, 1];

const QUESTIONS: [name: string, question: Question][] = [
  ["gaps", ask({ k: 3, domain: listed(9), epsilon: "1/3" })],
  ["gaps, people replaced", ask({ k: 3, domain: listed(9), epsilon: "1/3", neighbours: "replace" })],
  ["pure top-k", ask({ k: 3, domain: listed(9), epsilon: "1/7", mechanism: "top-k" })],
  ["concentrated top-k", ask({ k: 3, domain: listed(9), rho: "0.07" })],
  ["permute-and-flip", ask({ k: 1, domain: listed(9), epsilon: 2, mechanism: "permute-and-flip" })],
  ["whole numbers", ask({ k: 3, domain: { kind: "integers", below: 9 }, epsilon: "0.3", resolution: "1/2" })],
  ["unknown", ask({ k: 3, domain: UNKNOWN, epsilon: 1, delta: "1e-6" })],
  [
    "unknown, concentrated",
    ask({ k: 3, domain: UNKNOWN, rho: "0.07", delta: "1e-6", neighbours: "replace" }),
  ],
  ["unknown, with leads", ask({ k: 3, domain: UNKNOWN, epsilon: 1, delta: "1e-6", resolution: 1 })],
  ["unknown, many", ask({ k: 8, domain: UNKNOWN, epsilon: 1, delta: "1e-6" })],
  ["unknown, counts", ask({ k: 8, domain: UNKNOWN, epsilon: 1, delta: "1e-6", counts: true })],
  ["unknown, few counts", ask({ k: 2, domain: UNKNOWN, epsilon: 1, delta: "1e-6", counts: true })],
  ["unknown, counts by ρ", ask({ k: 8, domain: UNKNOWN, rho: "0.1", delta: "1e-6", counts: true })],
  ["counts", ask({ k: 3, domain: listed(9), epsilon: "1/3", counts: true })],
  ["counts, concentrated", ask({ k: 3, domain: listed(9), rho: "0.07", counts: true })],
  ["threshold", ask({ k: 9, domain: UNKNOWN, epsilon: 1, delta: "1e-6", maxItemsPerUser: 2 })],
  ["threshold, Gaussian", ask({ k: 40, domain: UNKNOWN, rho: "0.1", delta: "1e-6", maxItemsPerUser: 5 })],
  ["names", ask({ kind: "names", domain: UNKNOWN, epsilon: 1, delta: "1e-6", maxItemsPerUser: 2 })],
  [
    "a fixed size of a list",
    ask({ k: 3, domain: listed(9), mechanism: "stable-top-k-fixed", epsilon: 1, delta: "1e-6" }),
  ],
  ["adaptive", ask({ kind: "adaptive", k: 5, domain: UNKNOWN, epsilon: "1/2", delta: "1e-9" })],
  ["adaptive, of a list", ask({ kind: "adaptive", k: 5, domain: listed(9), rho: "1/3", delta: "1e-9" })],
];

function askedFor({ epsilon, rho, delta }: Question): Loss {
  if (rho !== undefined) return zcdp(rho, delta);
  return delta === undefined ? pure(epsilon as string) : approx(epsilon as string, delta);
}

describe("the cost of a question", () => {
  it.each(QUESTIONS)("is what its answer costs: %s", async (_, question) => {
    const { loss } = await select(question, [numbered(COUNTS)]);
    expect(lossToJson(lossOf(question))).toEqual(lossToJson(loss));
  });

  it.each(QUESTIONS)("is never above what was asked for: %s", (_, question) => {
    expect(new Budget(askedFor(question)).admits(lossOf(question))).toBe(true);
  });

  it("is in the measure of the budget, with the δ of those who may fail", () => {
    expect(QUESTIONS.map(([, question]) => readableLoss(lossOf(question)))).toEqual([
      "ε = 0.3334",
      "ε = 0.3334",
      "ε = 0.1429",
      "ρ = 0.07",
      "ε = 2",
      "ε = 0.3",
      "ε = 1, δ = 7.385e-7",
      "ρ = 0.07, δ = 9.851e-7",
      "ε = 1, δ = 7.385e-7",
      "ε = 1, δ = 9.952e-7",
      "ε = 0.9952, δ = 0.000001",
      "ε = 1, δ = 6.909e-7",
      "ρ = 0.1, δ = 8.13e-7",
      "ε = 0.3334",
      "ρ = 0.07",
      "ε = 1, δ = 6.716e-7",
      "ρ = 0.1, δ = 0.000001",
      "ε = 1, δ = 0.000001",
      "ε = 1, δ = 0.000001",
      "ε = 0.5, δ = 1e-9",
      "ρ = 0.3334, δ = 1e-9",
    ]);
  });
});

describe("the recorded mechanism", () => {
  it("has the scale k·r/ε of exponential noise, twice that where people are replaced", () => {
    expect(mechanismOf(QUESTIONS[0][1])).toEqual({
      name: "top-k-with-gap",
      parameters: { sensitivity: "1", monotone: "true", noise: "exponential", scale: "9", resolution: "1" },
    });
    expect(mechanismOf(QUESTIONS[1][1]).parameters).toMatchObject({ monotone: "false", scale: "18" });
  });

  it("has the scale r·√(k/8ρ) of Gumbel noise", () => {
    const { noise, scale } = mechanismOf(ask({ k: 2, domain: listed(4), rho: "1/16" })).parameters;
    expect([noise, scale]).toEqual(["gumbel", "2"]);
  });

  it("has the noise, the threshold and the candidates of a limited-domain top k, and the noise of its counts", () => {
    const question = ask({ k: 2, domain: UNKNOWN, epsilon: 1, delta: "1e-6", counts: true });
    expect(mechanismOf(question).parameters).toMatchObject({
      noise: "exponential",
      maxCandidates: "1000",
      countNoise: "discrete laplace, partly shared",
      countFactor: "1",
      countScale: "5",
      countScaleShared: "5",
      countConfidence: "0.95",
    });
    const { threshold, scale } = mechanismOf({ ...question, k: 1 }).parameters;
    expect([scale, threshold]).toEqual(["4/3", "27"]);
  });

  it("has the variance of a Gaussian threshold: m/(2ρ)", () => {
    const question = {
      kind: "names",
      domain: UNKNOWN,
      rho: "1/16",
      delta: "1e-6",
      maxItemsPerUser: 5,
    } as const;
    const counts = { ...question, counts: true } as const;
    expect(mechanismOf(ask(counts)).parameters).toMatchObject({ method: "gaussian", variance: "40" });
    expect(mechanismOf(ask({ ...counts, neighbours: "replace" })).parameters.variance).toBe("80");
    const namesOnly = mechanismOf(ask({ ...question, neighbours: "replace" })).parameters;
    expect(namesOnly).toMatchObject({ method: "zcdp", rhoEach: "0.00625", deltaEach: "0.0000001" });
    const inEpsilon = mechanismOf(ask({ ...question, rho: undefined, epsilon: 1 })).parameters;
    expect(inEpsilon).toMatchObject({ method: "renyi", order: "17" });
    const counted = { ...question, rho: undefined, epsilon: 1, maxItemsPerUser: 10, counts: true };
    expect(mechanismOf(ask(counted)).parameters).toMatchObject({ variance: "178.5", threshold: "71" });
    const few = mechanismOf(ask({ ...question, rho: undefined, epsilon: 1, maxItemsPerUser: 2 })).parameters;
    expect(few).toMatchObject({ method: "optimal", epsilonEach: "0.5", deltaEach: "0.0000005" });
  });

  it("has the noise of both steps of a stable set, of which sensitivity doubles where people are replaced", () => {
    const question = { kind: "adaptive", k: 3, domain: UNKNOWN, rho: "1/16", delta: "1/1000" } as const;
    expect(mechanismOf(ask(question)).parameters).toEqual({
      sensitivity: "1",
      monotone: "true",
      gapSensitivity: "1",
      largestSize: "3",
      sizeNoise: "gumbel",
      sizeScale: "4",
      testNoise: "discrete gaussian",
      testVariance: "16",
      testFailure: "0.001",
    });
    expect(mechanismOf(ask({ ...question, neighbours: "replace" })).parameters).toMatchObject({
      gapSensitivity: "2",
      sizeScale: "8",
      testVariance: "64",
    });
  });
});
