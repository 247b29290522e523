import { describe, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import type { Scores } from "../../src/race/scores.js";
import { topKWithGap } from "../../src/select/top-k-with-gap.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";
import { orderWithGaps, type SelectionWithGap, WITH_GAP } from "./selection-laws.js";

const RUNS = 5000;

/** Tallies winners with their gaps; `change` says what is asked otherwise. */
function draw(
  selection: SelectionWithGap,
  seed: string,
  change: { scores?: Scores; scale?: string; negate?: boolean; runs?: number } = {},
) {
  const { k, resolution } = selection;
  const { scores = selection.scores, scale = selection.scale, negate = false, runs = RUNS } = change;
  return tally({
    seed: `${seed}: ${selection.name}`,
    runs,
    key: orderWithGaps(selection),
    sample: (entropy) => topKWithGap(scores, { k, scale, resolution, negate, entropy }).winners,
  });
}

const ofIntegers = WITH_GAP.filter(({ scores }) => scores.every(Number.isInteger));

describe("topKWithGap", () => {
  it.each(WITH_GAP)("has its law: $name", (selection) => {
    expectAccepts(
      draw(selection, "a Float64Array", { scores: Float64Array.from(selection.scores) }),
      selection.law,
    );
  });

  it.each(ofIntegers)("has the same law from an Int32Array: $name", (selection) => {
    expectAccepts(
      draw(selection, "an Int32Array", { scores: Int32Array.from(selection.scores) }),
      selection.law,
    );
  });

  it.each(ofIntegers)("has the same law from bigints of 30 digits: $name", (selection) => {
    const scores = selection.scores.map((score) => BigInt(score) - 10n ** 30n);
    expectAccepts(draw(selection, "bigints", { scores, runs: 2000 }), selection.law);
  });

  it.each(ofIntegers)(
    "has the same law from negated scores whose smallest are asked for: $name",
    (selection) => {
      const scores = selection.scores.map((score) => -score);
      expectAccepts(draw(selection, "negated", { scores, negate: true }), selection.law);
    },
  );

  it("has the same law of the smallest of negated fractions", () => {
    const selection = WITH_GAP.at(-1)!;
    const scores = selection.scores.map((score) => -score);
    expectAccepts(draw(selection, "negated fractions", { scores, negate: true }), selection.law);
  });

  it("has the epsilon's law: noise of scale 2k/ε, or k/ε where scores are monotone", () => {
    for (const [selection, monotone] of [
      [WITH_GAP[0], false],
      [WITH_GAP[1], true],
    ] as const) {
      const { scores, k, resolution, law } = selection;
      const draws = tally({
        seed: `epsilon 1, monotone ${monotone}`,
        runs: RUNS,
        key: orderWithGaps(selection),
        sample: (entropy) => topKWithGap(scores, { k, epsilon: 1, resolution, monotone, entropy }).winners,
      });
      expectAccepts(draws, law);
    }
  });

  it.each(WITH_GAP.slice(0, 3))("has another law when the scale is 10 % off: $name", (selection) => {
    const scale = String(rational(selection.scale).times("1.1"));
    expectRejects(draw(selection, "off", { scale, runs: 5 * RUNS }), selection.law);
  });
});
