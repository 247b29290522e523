/** A top k of a public list in (ε, δ): which noise is chosen, that it keeps what it promises, and what an account counts. */
import { describe, expect, it } from "vitest";
import { boundedRangeDelta, lossToJson, type Measure, rational } from "winnow-dp";
import {
  lossOf,
  mechanismOf,
  noiseInWords,
  type QuestionInput,
  readRelease,
  type Speaker,
  select,
} from "../../src/index.js";
import { chargeOf, reservationOf } from "../../src/mechanisms/of-question.js";
import { ask, listed, numbered, releaseOf } from "../support/ask.js";
import { ACCEPTED, deviation, draw, type Law } from "../support/draws.js";

const DELTA = { epsilon: 1, delta: "1e-6" } as const;
const asked = (k: number, more: Partial<QuestionInput> = {}) =>
  ask({ k, domain: listed(5000), ...DELTA, ...more });

describe("a top k of a public list in (ε, δ)", () => {
  it.each([
    ["1", "1e-6", 7],
    ["0.3", "1e-6", 6],
    ["1", "1e-9", 11],
  ])("at (%s, %s) has Gumbel noise from k = %i on", (epsilon, delta, first) => {
    const price = { epsilon, delta };
    expect(asked(first, price)).toMatchObject({ mechanism: "top-k", delta: String(rational(delta)) });
    const shorter = asked(first - 1, price);
    expect(shorter).toMatchObject({ mechanism: "top-k-with-gap", epsilon });
    expect(shorter.delta).toBeUndefined();
    expect(lossToJson(lossOf(shorter))).toEqual({ measure: "pure", epsilon });
  });

  it("replaces people at twice the noise, and from the same k on", () => {
    const [one, two] = (["add-remove", "replace"] as const).map((neighbours) => asked(7, { neighbours }));
    const [less, more] = [one!, two!].map((question) => rational(mechanismOf(question).parameters.scale));
    expect(more!.dividedBy(less!).toNumber()).toBeCloseTo(2, 6);
    expect(asked(6, { neighbours: "replace" }).delta).toBeUndefined();
  });

  it.each([
    [10, 0.15335],
    [25, 0.09523],
    [100, 0.04734],
  ])("of %i winners has the largest range that is certified", (k, largest) => {
    const question = asked(k);
    const { noise, range = "", rounds, scale = "" } = mechanismOf(question).parameters;
    expect({ noise, rounds }).toEqual({ noise: "gumbel", rounds: String(k) });
    expect(rational(range).times(scale).equals(1n)).toBe(true);
    expect(boundedRangeDelta({ epsilon: 1, range, rounds: k }).compare("1e-6")).toBeLessThanOrEqual(0);
    expect(rational(range).toNumber() / largest).toBeCloseTo(1, 3);
    const wider = rational(range).times("1.002");
    expect(boundedRangeDelta({ epsilon: 1, range: wider, rounds: k }).compare("1e-6")).toBe(1);
    expect(lossToJson(lossOf(question))).toEqual({ measure: "approx", epsilon: "1", delta: "0.000001" });
  });

  it("with more rounds than the recursion takes has the noise of the ρ that (ε, δ) pays for", () => {
    const { range, rounds } = mechanismOf(asked(1001)).parameters;
    expect(rational(range!).toNumber() * Math.sqrt(Number(rounds))).toBeCloseTo(0.04414 * 10, 3);
  });

  it("tells leads if they are asked for, with exponential noise and no δ", () => {
    const question = asked(25, { resolution: 1 });
    expect(question).toMatchObject({ mechanism: "top-k-with-gap", resolution: "1" });
    expect(question.delta).toBeUndefined();
    expect(() => asked(25, { resolution: 1, mechanism: "top-k" })).toThrow("releases no leads");
    expect(() => asked(25, { mechanism: "top-k-with-gap" })).toThrow("leads need exponential noise");
  });

  it("has Gumbel noise for one winner too if the mechanism is named", () => {
    const question = asked(1, { mechanism: "top-k" });
    expect(question.delta).toBe("0.000001");
    expect(rational(mechanismOf(question).parameters.range!).toNumber()).toBeCloseTo(1.00159, 4);
  });

  it("with counts has both noises from the ρ that (ε, δ) pays for", () => {
    const { parameters } = mechanismOf(asked(25, { counts: true }));
    expect(parameters).toMatchObject({ noise: "gumbel", countNoise: "discrete gaussian, partly shared" });
    expect(parameters.range).toBeUndefined();
    expect(lossToJson(lossOf(asked(25, { counts: true }))).measure).toBe("approx");
  });

  it("draws with the noise that it states", async () => {
    const [scores, k] = [[6, 3, 0], 2];
    const question = ask({ k, domain: listed(3), mechanism: "top-k", ...DELTA });
    const scale = Number(mechanismOf(question).parameters.scale);
    const draws = await draw(4000, "gumbel", async (entropy) => {
      const { winners } = await select(question, [numbered(scores)], { entropy });
      return winners.map(({ item }) => item).join();
    });
    expect(deviation(draws, lawOf(scores, scale))).toBeLessThan(ACCEPTED);
    expect(deviation(draws, lawOf(scores, 1.3 * scale))).toBeGreaterThan(ACCEPTED);
  });

  it("is read back from its document", async () => {
    const release = await releaseOf(
      ask({ k: 7, domain: listed(9), ...DELTA }),
      numbered([9, 8, 7, 6, 5, 4, 3, 2, 1]),
    );
    expect(readRelease(JSON.stringify(release))).toEqual(release);
    const other = JSON.stringify({ ...release, question: { ...release.question, resolution: "1" } });
    expect(() => readRelease(other)).toThrow();
  });
});

/** Two rounds of the exponential mechanism, as ordered pairs. */
function lawOf(scores: readonly number[], scale: number): Law {
  const weights = scores.map((score) => Math.exp(score / scale));
  const whole = weights.reduce((sum, weight) => sum + weight);
  const pairs = weights.flatMap((first, i) =>
    weights.flatMap((second, j) =>
      i === j ? [] : [[`${i},${j}`, String(((first / whole) * second) / (whole - first))] as const],
    ),
  );
  return Object.fromEntries(pairs);
}

describe("an account counts it as", () => {
  const question = asked(10);
  const range = rational(mechanismOf(question).parameters.range!);
  const countedAs = (measure: Measure, isAtOrder = false) => {
    const charge = chargeOf(question, { winners: 10, stopped: false }, { measure, isAtOrder });
    if (charge === undefined) return "in full";
    expect(charge.settled).toEqual(charge.reserved);
    expect(charge.reserved).toEqual(reservationOf(question, { measure, isAtOrder }));
    return charge.settled;
  };

  it("(ε, δ) in a sum of (ε, δ)", () => {
    expect(countedAs("approx")).toBe("in full");
    expect(reservationOf(question, { measure: "approx", isAtOrder: false })).toEqual(lossOf(question));
  });

  it("k·η²/8 in ρ, at Rényi orders, and once an (ε, δ) is counted at one", () => {
    const rho = range.times(range).times(10n).dividedBy(8n);
    for (const counted of [countedAs("zcdp"), countedAs("renyi"), countedAs("approx", true)])
      expect(counted).toMatchObject({ measure: "zcdp", rho });
  });

  it("k·η in ε alone, without any δ", () => {
    expect(countedAs("pure")).toMatchObject({ measure: "pure", epsilon: range.times(10n) });
    expect(countedAs("base2")).toMatchObject({ measure: "pure" });
  });

  it("in full in ε alone where counts have Gaussian noise, which has no ε", () => {
    const counted = asked(25, { counts: true });
    expect(
      chargeOf(counted, { winners: 25, stopped: false }, { measure: "pure", isAtOrder: false }),
    ).toBeUndefined();
  });
});

describe("what is said about the choice", () => {
  const say: Speaker = { option: (name, value) => `${name} ${value}` };
  const said = (k: number, more: Partial<QuestionInput> = {}) =>
    noiseInWords(asked(k, more), { ...DELTA, ...more }, say);

  it("names what the other noise would give", () => {
    expect(said(100)).toBe(
      "Gumbel noise in (ε, δ): for 100 winners it is 73 % smaller than exponential noise for ε alone, which could tell leads too (resolution 1).",
    );
    expect(said(25, { resolution: 1 })).toMatch(
      /^δ isn't spent, because leads need exponential noise: without resolution 1/,
    );
    expect(said(3)).toMatch(/^δ isn't spent: for 3 winners, exponential noise/);
    expect(said(1, { mechanism: "top-k" })).toMatch(/^Gumbel noise in \(ε, δ\), as asked: for 1 winner/);
  });

  it("is nothing where no δ was offered", () => {
    expect(noiseInWords(asked(3, { delta: undefined }), {}, say)).toBeUndefined();
    expect(noiseInWords(ask({ k: 3, domain: listed(9), rho: 1 }), { delta: 1 }, say)).toBeUndefined();
  });
});
