import { describe, it } from "vitest";
import type { Law } from "../../../core/test/support/law.js";
import { type Decimal, type OrderedOutcome, vectors } from "../../../core/test/support/vectors.js";
import { exponentialMechanismRound, peeledLaw, permuteAndFlipRound } from "../../src/laws/noisy-max-laws.js";
import { expectEnclosed } from "../expect-enclosed.js";

function orders(outcomes: readonly OrderedOutcome[]): Law {
  return Object.fromEntries(outcomes.map(({ indices, prob }) => [String(indices), prob]));
}

function byIndex(probs: readonly Decimal[]): Law {
  return Object.fromEntries(probs.map((prob, index) => [String(index), prob]));
}

describe("peeledLaw", () => {
  it.each(vectors.pf_peel_topk)("of permute-and-flip: scores $scores, k = $k", (vector) => {
    expectEnclosed(
      peeledLaw(permuteAndFlipRound, vector.scores, { k: vector.k, scale: vector.scale }),
      orders(vector.outcomes),
    );
  });

  it.each(vectors.gumbel_topk)("of the exponential mechanism: scores $scores, k = $k", (vector) => {
    const { scores, k, tau: scale } = vector;
    expectEnclosed(peeledLaw(exponentialMechanismRound, scores, { k, scale }), orders(vector.outcomes));
  });

  it.each(vectors.permute_and_flip)("of one round of permute-and-flip: scores $scores", (vector) => {
    const { scores, scale } = vector;
    expectEnclosed(peeledLaw(permuteAndFlipRound, scores, { k: 1, scale }), byIndex(vector.probs));
  });

  it.each(vectors.em_base_e)("of one round of the exponential mechanism: scores $scores", (vector) => {
    const { scores, tau: scale } = vector;
    expectEnclosed(peeledLaw(exponentialMechanismRound, scores, { k: 1, scale }), byIndex(vector.probs));
  });
});
