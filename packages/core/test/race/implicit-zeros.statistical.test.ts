import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { makeNoisyTopK, type NoisyTopKOptions } from "../../src/select/noisy-top-k.js";
import { TopKStream } from "../../src/select/top-k-stream.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import {
  GUMBEL,
  ONE_SHOT,
  orderOf,
  orderWithGaps,
  type Selection,
  WITH_GAP,
} from "../select/selection-laws.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";
import { bandsOf } from "./bands.js";

const RUNS = 2000;

/** Scores without the zeros at their end, and how many candidates there are with them. */
function withoutZeros({ scores }: Selection): { listed: number[]; domain: { size: number } } {
  const listed = scores.slice(0, scores.findLastIndex((score) => score !== 0) + 1);
  return { listed, domain: { size: scores.length } };
}

/** Vectors with zeros at the end, as measurements of the listed ones among a domain. */
const CASES = [
  ...ONE_SHOT.map((selection) => ({
    selection,
    options: { measure: "pure", scale: selection.scale },
    key: orderOf,
  })),
  ...GUMBEL.map((selection) => ({
    selection,
    options: { measure: "zcdp", scale: selection.scale },
    key: orderOf,
  })),
  ...WITH_GAP.map((selection) => ({
    selection,
    options: { measure: "pure", scale: selection.scale, resolution: selection.resolution },
    key: orderWithGaps(selection),
  })),
].filter(({ selection }) => selection.scores.at(-1) === 0) as {
  selection: Selection;
  options: Omit<NoisyTopKOptions, "k">;
  key: typeof orderOf;
}[];

describe("Candidates of score 0", () => {
  it("are at the end of several vectors", () => {
    expect(CASES.length).toBeGreaterThanOrEqual(8);
  });

  it.each(CASES)(
    "may be listed or not: scores $selection.scores, $options.measure",
    ({ selection, options, key }) => {
      const { listed, domain } = withoutZeros(selection);
      const measurement = makeNoisyTopK({ ...options, k: selection.k, domain });
      const sample = (entropy: Entropy) => measurement.invoke(listed, entropy).winners;
      expectAccepts(tally({ seed: `unlisted ${selection.scores}`, runs: RUNS, sample, key }), selection.law);
    },
  );

  it.each(CASES.filter(({ options }) => options.measure === "pure"))(
    "may be pushed or not: scores $selection.scores",
    ({ selection, options: { scale, resolution }, key }) => {
      const { domain } = withoutZeros(selection);
      const isPushed = (id: number) => selection.scores[id] !== 0;
      const sample = (entropy: Entropy) => {
        const stream = new TopKStream({ k: selection.k, scale, resolution, domain, entropy });
        for (const [id, score] of selection.scores.entries()) if (isPushed(id)) stream.push(id, score);
        return stream.finish({ isPushed }).winners;
      };
      expectAccepts(
        tally({ seed: `not pushed ${selection.scores}`, runs: RUNS, sample, key }),
        selection.law,
      );
    },
  );
});

/** P(one candidate of score s beats a crowd of zeros) by noise of scale 1: ∫(1 − e^−s·t)^crowd dt from 0 to 1. */
function winByExponential(s: number, crowd: number): number {
  const c = Math.exp(-s);
  return -Math.expm1((crowd + 1) * Math.log1p(-c)) / (c * (crowd + 1));
}

describe.each([1000, 10 ** 9, 10 ** 15, Number.MAX_SAFE_INTEGER])(
  "In a domain of %d, one candidate",
  (size) => {
    const crowd = size - 1;
    const score = Math.round(Math.log(crowd));

    it("wins by exponential noise as often as it should", () => {
      const win = winByExponential(score, crowd);
      const measurement = makeNoisyTopK({ k: 1, measure: "pure", scale: 1, domain: { size } });
      const sample = (entropy: Entropy) => measurement.invoke([score], entropy).winners[0].candidate === 0;
      const draws = tally({ seed: `one of ${size}`, runs: 1000, sample });
      expectAccepts(draws, { true: win, false: 1 - win });
      expectRejects(draws, { true: win * 0.8, false: 1 - win * 0.8 });
    });

    it("wins by Gumbel noise as often as it should", () => {
      const win = Math.exp(score) / (Math.exp(score) + crowd);
      const measurement = makeNoisyTopK({ k: 1, measure: "zcdp", scale: 1, domain: { size } });
      const sample = (entropy: Entropy) => measurement.invoke([score], entropy).winners[0].candidate === 0;
      expectAccepts(tally({ seed: `one of ${size}, Gumbel`, runs: 1000, sample }), {
        true: win,
        false: 1 - win,
      });
    });
  },
);

describe("The leading zeros of a crowd of 16", () => {
  it("are those of 16 uniforms: binomial for each band, given the ones above it", () => {
    const law: Record<string, number> = {};
    for (let twoOrMore = 0; twoOrMore <= 16; twoOrMore++)
      for (let one = 0; one + twoOrMore <= 16; one++)
        law[String([16 - one - twoOrMore, one, twoOrMore])] =
          binomial(16, twoOrMore, 1 / 4) * binomial(16 - twoOrMore, one, 1 / 3);
    const key = ([none = 0, one = 0, more = 0]: number[]) => String([none, one, more]);
    const draws = tally({
      seed: "bands of 16",
      runs: 10_000,
      sample: (entropy) => bandsOf(16, entropy),
      key,
    });
    expectAccepts(draws, law);
  });
});

/** P(so many of n succeed, each with probability p). */
function binomial(n: number, successes: number, p: number): number {
  let probability = (1 - p) ** n;
  for (let i = 1; i <= successes; i++) probability *= ((n - i + 1) / i) * (p / (1 - p));
  return probability;
}

describe("In a domain without any listed candidate", () => {
  it("all are named alike", () => {
    const measurement = makeNoisyTopK({ k: 1, measure: "pure", scale: 1, domain: { size: 20 } });
    const sample = (entropy: Entropy) => measurement.invoke([], entropy).winners[0].candidate;
    const law = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index, 0.05]));
    expectAccepts(tally({ seed: "nobody listed", runs: RUNS, sample }), law);
  });

  it("the gap between the best two has its law, however many there are", () => {
    // The spacings of exponential variates of scale 1 are independent: the first is exponential of scale 1 again.
    for (const size of [2, 50, 10 ** 12]) {
      const measurement = makeNoisyTopK({
        k: 1,
        measure: "pure",
        scale: 1,
        resolution: "1/2",
        domain: { size },
      });
      const sample = (entropy: Entropy) => String(measurement.invoke([], entropy).winners[0].gap);
      const cells = Array.from({ length: 8 }, (_, i) => [
        String(i / 2),
        Math.exp(-i / 2) * -Math.expm1(-0.5),
      ]);
      expectAccepts(tally({ seed: `gap of ${size}`, runs: 2000, sample }), Object.fromEntries(cells));
    }
  });

  it("the winners are different, within the domain and not listed", () => {
    const scores = [3, -5, 0];
    const measurement = makeNoisyTopK({ k: 30, measure: "zcdp", scale: 1, domain: { size: 40 } });
    const indices = measurement
      .invoke(scores, seededEntropy("thirty of forty"))
      .winners.map(({ candidate }) => candidate);
    expect(new Set(indices).size).toBe(30);
    expect(Math.min(...indices)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...indices)).toBeLessThan(40);
  });

  it("the smallest may be asked for: negating leaves the zeros what they are", () => {
    const measurement = makeNoisyTopK({
      k: 2,
      measure: "pure",
      scale: "1e-9",
      negate: true,
      domain: { size: 1000 },
    });
    const indices = measurement
      .invoke([5, -5, 7], seededEntropy("negated"))
      .winners.map(({ candidate }) => candidate);
    expect(indices[0]).toBe(1);
    expect(indices[1]).toBeGreaterThan(2);
  });
});
