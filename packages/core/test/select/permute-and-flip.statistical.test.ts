import { describe, it } from "vitest";
import { Reference } from "../../../audit/src/reference-samplers.js";
import { rational } from "../../src/exact/rational.js";
import { permuteAndFlip } from "../../src/select/permute-and-flip.js";
import { lawFromZero } from "../support/law.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";
import { vectors } from "../support/vectors.js";
import { referencePermuteAndFlip } from "./reference-permute-and-flip.js";

const RUNS = 8000;

describe("permuteAndFlip", () => {
  it.each(vectors.permute_and_flip)("has its law for scores $scores", ({ scores, scale, probs }) => {
    const draws = tally({
      seed: `permute-and-flip ${scores}`,
      runs: RUNS,
      sample: (entropy) => permuteAndFlip(scores, { scale, entropy }).candidate,
    });
    expectAccepts(draws, lawFromZero(probs));
  });

  it.each(vectors.permute_and_flip)("has the law of its reference for scores $scores", (vector) => {
    const { scores, scale, probs } = vector;
    const draws = tally({
      seed: `reference ${scores}`,
      runs: RUNS,
      sample: (entropy) => referencePermuteAndFlip(new Reference(entropy), scores, rational(scale)),
    });
    expectAccepts(draws, lawFromZero(probs));
  });

  it("has another law when the scale is 10 % off", () => {
    const { scores, scale, probs } = vectors.permute_and_flip[0];
    const draws = tally({
      seed: "permute-and-flip off",
      runs: 3 * RUNS,
      sample: (entropy) => permuteAndFlip(scores, { scale: rational(scale).times("1.1"), entropy }).candidate,
    });
    expectRejects(draws, lawFromZero(probs));
  });
});
