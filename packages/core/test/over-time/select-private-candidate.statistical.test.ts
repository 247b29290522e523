import { describe, it } from "vitest";
import { pure } from "../../src/accounting/loss.js";
import type { Entropy } from "../../src/entropy.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { selectPrivateCandidate } from "../../src/over-time/select-private-candidate.js";
import type { RunsLaw } from "../../src/sample/runs-law.js";
import { drawBelow } from "../../src/sample/uniform-below.js";
import { vectors } from "../support/set-vectors.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";

const loss = pure(1);

/** One of some things with rational probabilities, by one uniform integer. */
function pick(probabilities: readonly string[], entropy: Entropy): number {
  const parts = probabilities.map((p) => rational(p));
  const common = parts.reduce((product, { denominator }) => product * denominator, 1n);
  const drawn = BigInt(drawBelow(Number(common), entropy));
  const ends = parts.map((_, place) =>
    parts.slice(0, place + 1).reduce((sum, part) => sum.plus(part), Rational.ZERO),
  );
  return ends.findIndex((end) => end.times(common).compare(drawn) > 0);
}

describe("The best of K runs", () => {
  it.each(vectors.best_of)("has its law: $name", ({ name, runs, outcomes, nothing }) => {
    const draws = (seed: string, times: number) =>
      tally({
        seed,
        runs: times,
        sample: (entropy) => {
          const run = (bits: Entropy) => {
            const place = pick(
              outcomes.map(({ run_prob }) => run_prob),
              bits,
            );
            return { output: place, score: outcomes[place].level };
          };
          const answer = selectPrivateCandidate(run, { loss, runs: runs as RunsLaw, entropy });
          return answer.released ? answer.output : "nothing";
        },
      });
    const law = Object.fromEntries(outcomes.map(({ prob }, place) => [String(place), prob]));
    if (nothing !== "0") Object.assign(law, { nothing });
    expectAccepts(draws(`best of ${name}`, 6000), law);
    // Wrong: one run alone.
    const alone = Object.fromEntries(outcomes.map(({ run_prob }, place) => [String(place), run_prob]));
    expectRejects(draws(`best of ${name}`, 6000), alone);
  });
});

describe("The first above a threshold", () => {
  it.each(vectors.first_above)(
    "has its law: $name",
    ({ name, above, below, gamma, probs_exact, nothing_exact }) => {
      const draws = tally({
        seed: `first above ${name}`,
        runs: name === "rarely stops" ? 3000 : 6000,
        sample: (entropy) => {
          const run = (bits: Entropy) => {
            const place = pick([...above, below], bits);
            return { output: place, score: place < above.length ? 1 : 0 };
          };
          const answer = selectPrivateCandidate(run, { loss, threshold: 1, stop: gamma, entropy });
          return answer.released ? answer.output : "nothing";
        },
      });
      const law = Object.fromEntries(probs_exact.map((p, place) => [String(place), p]));
      expectAccepts(draws, { ...law, nothing: nothing_exact });
    },
  );
});
