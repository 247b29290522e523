import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { quantile } from "../../src/numbers/quantile.js";
import { vectors } from "../support/more-vectors.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";

/** The reference runs of equal distance: so many points, each with the weight e^(−D/(bτ)) for p = a/b. */

type Run = readonly [points: number, distance: number];

function lawOf(runs: readonly Run[], rate: number): Record<string, string> {
  const weights = runs.map(([points, distance]) => points * Math.exp(-rate * distance));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return Object.fromEntries(weights.map((weight, run) => [run, String(weight / total)]));
}

/** Which run a point is in, counted from the lower end of the grid. */
function runOf(runs: readonly Run[], offset: number): number {
  let before = 0;
  return runs.findIndex(([points]) => {
    before += points;
    return offset < before;
  });
}

describe("quantile over runs of equal distance", () => {
  it.each(vectors.quantile_runs)(
    "falls on each run as often as it should: p = $p from $lower to $upper",
    (vector) => {
      const { lower, upper, p } = vector;
      const [runs, counts] = [
        vector.runs as unknown as Run[],
        vector.counts as unknown as [number, number][],
      ];
      expect(runs.reduce((sum, [points]) => sum + points, 0)).toBe(upper - lower + 1);
      const scale = 2;
      const draws = tally({
        seed: `runs ${p}`,
        runs: 3000,
        sample: (entropy) => quantile(counts, { quantile: p, lower, upper, scale, entropy }).value.toNumber(),
        key: (value) => String(runOf(runs, value - lower)),
      });
      const rate = 1 / (Number(rational(p).denominator) * scale);
      expectAccepts(draws, lawOf(runs, rate));
      expectRejects(draws, lawOf(runs, 1.5 * rate));
    },
  );
});
