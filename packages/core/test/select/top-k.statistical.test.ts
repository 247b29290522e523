import { describe, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import type { Scores } from "../../src/race/scores.js";
import { makeNoisyTopK } from "../../src/select/noisy-top-k.js";
import { topK } from "../../src/select/top-k.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";
import { GUMBEL, ONE_SHOT, orderOf, PEELED, type Selection } from "./selection-laws.js";

const RUNS = 3000;

const CONTAINERS: Readonly<Record<string, (scores: readonly number[]) => Scores>> = {
  "a plain array": (scores) => scores,
  "a Float64Array": (scores) => Float64Array.from(scores),
  "an Int32Array": (scores) => Int32Array.from(scores),
  "a Uint8Array": (scores) => Uint8Array.from(scores),
  "an array of bigints": (scores) => scores.map(BigInt),
  "a BigInt64Array": (scores) => BigInt64Array.from(scores.map(BigInt)),
  "numbers and bigints mixed": (scores) =>
    scores.map((score, index) => (index % 2 === 0 ? score : BigInt(score))),
};

/** What the k largest scores are, by exponential noise of the given scale. */
function oneShot({ k, scale }: Selection, scores: Scores, seed: string, runs = RUNS) {
  return tally({
    seed,
    runs,
    key: orderOf,
    sample: (entropy) => topK(scores, { k, scale, entropy }).winners,
  });
}

describe("topK by exponential noise", () => {
  it.each(ONE_SHOT)("has its law for scores $scores and k = $k", (selection) => {
    expectAccepts(oneShot(selection, selection.scores, `one shot ${selection.scores}`), selection.law);
  });

  it.each(Object.entries(CONTAINERS))("has the same law from %s", (kind, container) => {
    for (const selection of ONE_SHOT.slice(0, 2))
      expectAccepts(
        oneShot(selection, container(selection.scores), `${kind} ${selection.scores}`),
        selection.law,
      );
  });

  it.each(ONE_SHOT)(
    "has the same law when scores $scores are negated and the smallest are asked for",
    (selection) => {
      const { scores, k, scale, law } = selection;
      const negated = Float64Array.from(scores, (score) => -score);
      const draws = tally({
        seed: `negated ${scores}`,
        runs: RUNS,
        key: orderOf,
        sample: (entropy) => topK(negated, { k, scale, negate: true, entropy }).winners,
      });
      expectAccepts(draws, law);
    },
  );

  it("has the same law when all scores are shifted and stretched with the scale, up to 30 digits", () => {
    const { scores, k, scale, law } = ONE_SHOT[0];
    const shifted = scores.map((score) => 10n ** 30n + BigInt(score) * 10n ** 6n);
    const draws = tally({
      seed: "shifted and stretched",
      runs: 2000,
      key: orderOf,
      sample: (entropy) => topK(shifted, { k, scale: rational(scale).times(10n ** 6n), entropy }).winners,
    });
    expectAccepts(draws, law);
  });

  it.each(["1e-270", "1e-9", "1e9", "1e269"])(
    "has the same law when scores and scale are multiplied by %s",
    (unit) => {
      const { scores, k, scale, law } = ONE_SHOT[0];
      const stretched = scores.map((score) => score * Number(unit));
      const draws = tally({
        seed: `times ${unit}`,
        runs: 2000,
        key: orderOf,
        sample: (entropy) => topK(stretched, { k, scale: rational(unit).times(scale), entropy }).winners,
      });
      expectAccepts(draws, law);
    },
  );

  it("has another law when the scale is 10 % off", () => {
    const { law, ...selection } = ONE_SHOT[0];
    const off = { ...selection, law, scale: String(rational(selection.scale).times("1.1")) };
    expectRejects(oneShot(off, selection.scores, "one shot, off", 4 * RUNS), law);
  });
});

describe("topK by rounds of permute-and-flip", () => {
  it.each(PEELED)("has its law for scores $scores and k = $k", ({ scores, k, scale, law }) => {
    const draws = tally({
      seed: `peeled ${scores}`,
      runs: RUNS,
      key: orderOf,
      sample: (entropy) => topK(scores, { k, scale, method: "peel", entropy }).winners,
    });
    expectAccepts(draws, law);
  });

  it("is another law than one shot", () => {
    const { scores, k, scale } = PEELED[0];
    const draws = tally({
      seed: "peeled, not one shot",
      runs: 8 * RUNS,
      key: orderOf,
      sample: (entropy) => topK(scores, { k, scale, method: "peel", entropy }).winners,
    });
    expectRejects(draws, ONE_SHOT[0].law);
    expectAccepts(draws, PEELED[0].law);
  });
});

describe("topK by Gumbel noise", () => {
  it.each(GUMBEL)("has its law for scores $scores and k = $k", ({ scores, k, scale, law }) => {
    const measurement = makeNoisyTopK({ k, measure: "zcdp", scale });
    const draws = tally({
      seed: `gumbel ${scores}`,
      runs: RUNS,
      key: orderOf,
      sample: (entropy) => measurement.invoke(scores, entropy).winners,
    });
    expectAccepts(draws, law);
  });

  it("is what a budget in rho buys", () => {
    const { scores, k, scale, law } = GUMBEL[0];
    const { rho } = makeNoisyTopK({ k, measure: "zcdp", scale }).map(1);
    const draws = tally({
      seed: "gumbel by rho",
      runs: RUNS,
      key: orderOf,
      sample: (entropy) => topK(Int32Array.from(scores), { k, rho, entropy }).winners,
    });
    expectAccepts(draws, law);
  });

  it("has another law when the scale is 10 % off", () => {
    const { scores, k, scale, law } = GUMBEL[0];
    const measurement = makeNoisyTopK({ k, measure: "zcdp", scale: rational(scale).times("1.1") });
    const draws = tally({
      seed: "gumbel, off",
      runs: 4 * RUNS,
      key: orderOf,
      sample: (entropy) => measurement.invoke(scores, entropy).winners,
    });
    expectRejects(draws, law);
  });
});
