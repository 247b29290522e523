import { describe, it } from "vitest";
import { type RationalLike, rational } from "../../core/src/exact/rational.js";
import type { Law } from "../../core/test/support/law.js";
import { expectAccepts, expectRejects, tally } from "../../core/test/support/tally.js";
import { type OrderedOutcome, type TopKWithGapVector, vectors } from "../../core/test/support/vectors.js";
import { gapFloor, isAbove, type LazyReal, noisyScore, Reference } from "../src/reference-samplers.js";

/** A noisy candidate; `ranking` is a list of them, best first. */
interface Candidate {
  readonly index: number;
  readonly key: LazyReal;
}

type Noise = "lazyExponential" | "lazyGumbel";

/** Adds noise to all scores and orders them. */
function ranking(
  reference: Reference,
  { scores, scale, noise }: { scores: readonly (number | string)[]; scale: RationalLike; noise: Noise },
): Candidate[] {
  return scores
    .map((score, index) => ({ index, key: noisyScore(score, scale, reference[noise]()) }))
    .sort((one, other) => (isAbove(one.key, other.key) ? -1 : 1));
}

function indices(candidates: readonly Candidate[]): string {
  return String(candidates.map(({ index }) => index));
}

function draw(seed: string, runs: number, sample: (reference: Reference) => string) {
  return tally({ seed, runs, sample: (entropy) => sample(new Reference(entropy)) });
}

/** A scale that is 10 % too large. */
function off(scale: RationalLike): RationalLike {
  return rational(scale).times("1.1");
}

describe.each<{
  noise: Noise;
  selections: { scores: readonly number[]; k: number; scale: string; law: Law }[];
}>([
  {
    noise: "lazyExponential",
    selections: vectors.exp_oneshot_topk.map((vector) => ({ ...vector, law: lawOf(vector.outcomes) })),
  },
  {
    noise: "lazyGumbel",
    selections: vectors.gumbel_topk.map((vector) => ({
      ...vector,
      scale: vector.tau,
      law: lawOf(vector.outcomes),
    })),
  },
])("The ordered top k by $noise", ({ noise, selections }) => {
  it.each(selections)("has its law for scores $scores and k = $k", ({ scores, k, scale, law }) => {
    const draws = draw(`${noise} ${scores}`, 5000, (reference) =>
      indices(ranking(reference, { scores, scale, noise }).slice(0, k)),
    );
    expectAccepts(draws, law);
  });

  it("has another law when the scale is 10 % off", () => {
    const { scores, k, scale, law } = selections[0];
    const draws = draw(`${noise} off`, 15_000, (reference) =>
      indices(ranking(reference, { scores, scale: off(scale), noise }).slice(0, k)),
    );
    expectRejects(draws, law);
  });
});

function lawOf(outcomes: readonly OrderedOutcome[]): Law {
  return Object.fromEntries(outcomes.map(({ indices, prob }) => [String(indices), prob]));
}

describe("The ordered top k with gaps", () => {
  it.each(vectors.noisy_topk_gap)("has its law: $name", (vector) => {
    const draws = draw(vector.name, 10_000, (reference) => withGaps(reference, vector, vector.noise_scale));
    expectAccepts(draws, gapLaw(vector));
  });

  it("has another law when the scale is 10 % off", () => {
    const vector = vectors.noisy_topk_gap[0];
    const draws = draw("gaps off", 10_000, (reference) =>
      withGaps(reference, vector, off(vector.noise_scale)),
    );
    expectRejects(draws, gapLaw(vector));
  });
});

function gapLaw({ cells }: TopKWithGapVector): Law {
  return Object.fromEntries(cells.map(({ indices, gaps, prob }) => [`${indices} by ${gaps}`, prob]));
}

/** A ranking as the vectors' cells name it: `"2,0 by 3,>=4"`. */
function withGaps(reference: Reference, vector: TopKWithGapVector, scale: RationalLike): string {
  const { scores_floored: scores, k, gamma, cells } = vector;
  const candidates = ranking(reference, { scores, scale, noise: "lazyExponential" });
  const tail = String(cells.at(-1)!.gaps.at(-1)); // such as ">=4"
  const gaps = Array.from({ length: k }, (_, place) => {
    const gap = gapFloor(candidates[place].key, candidates[place + 1].key, gamma);
    return gap >= BigInt(tail.slice(2)) ? tail : gap;
  });
  return `${indices(candidates.slice(0, k))} by ${gaps}`;
}
