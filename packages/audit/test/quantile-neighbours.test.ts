import { describe, expect, it } from "vitest";
import { rational } from "../../core/src/exact/rational.js";
import { quantileClaims } from "../src/claims/number-claims.js";
import { quantileLaw, quantilesLaw, type ValueCounts } from "../src/laws/quantile-laws.js";
import { likelihoodRatio } from "../src/likelihood-ratio.js";

describe("Over all small data", () => {
  it.each(quantileClaims().map((claim) => [`${claim.mechanism}, ${claim.instance}`, claim] as const))(
    "%s",
    (_, claim) => {
      const { holds, found, claimed } = claim.check();
      expect(holds).toBe(true);
      expect(found.least / claimed).toBeGreaterThan(0.4);
    },
  );
});

/** Nearly all points are in one gap, which comes nearer to the goal by as much as the outcome that tells goes away from it. */
const TIGHT = [
  {
    quantile: "1/2",
    counts: [
      [0, 1],
      [1, 6],
    ],
    joins: 4000,
    bound: 1,
  },
  {
    quantile: "1/4",
    counts: [
      [0, 2],
      [3999, 4],
      [4000, 10],
    ],
    joins: 0,
    bound: 1.5,
  },
  {
    quantile: "9/10",
    counts: [
      [0, 10],
      [1, 10],
    ],
    joins: 4000,
    bound: 1.8,
  },
] as const;

function lossOf({ quantile, counts, joins }: (typeof TIGHT)[number], scale: string | number): number {
  const grid = { lower: 0, upper: 4000, quantile, scale, precision: 96 };
  const [here, there] = [counts, [...counts, [joins, 1]]].map((of) => quantileLaw(of as ValueCounts, grid));
  return rational(likelihoodRatio(here, [there]).least).toNumber();
}

describe("The loss of quantile", () => {
  it.each(TIGHT)("is reached, p = $quantile", (instance) => {
    const { bound } = instance;
    expect(lossOf(instance, 1)).toBeLessThan(bound + 1e-12);
    expect(lossOf(instance, 1)).toBeGreaterThan(bound * 0.98);
    expect(lossOf(instance, "0.95")).toBeGreaterThan(bound); // 5 % less noise
  });
});

describe("A mistake is caught:", () => {
  const grid = { lower: 0, upper: 2, quantiles: ["1/4", "1/2", "3/4"] };

  it("levels that are charged once although each of them tells something", () => {
    const law = (counts: ValueCounts) => quantilesLaw(counts, { ...grid, subCells: 1, epsilonLevel: 1 });
    let most = 0;
    for (const [a, b, c] of [
      [2, 0, 2],
      [1, 1, 1],
      [0, 0, 3],
      [2, 1, 0],
    ]) {
      const here = law([
        [0, a],
        [1, b],
        [2, c],
      ]);
      const around = [
        law([
          [0, a + 1],
          [1, b],
          [2, c],
        ]),
        law([
          [0, a],
          [1, b + 1],
          [2, c],
        ]),
        law([
          [0, a],
          [1, b],
          [2, c + 1],
        ]),
      ];
      most = Math.max(most, rational(likelihoodRatio(here, around).least).toNumber());
    }
    expect(most).toBeGreaterThan(1);
  });

  it("a distance that takes ties for a miss", () => {
    // OpenDP's |(1 − p)·#{<} − p·#{>}|: the median 3 would be further off than the point 4.
    const law = quantileLaw(
      [
        [3, 101],
        [7, 100],
      ],
      { lower: 0, upper: 9, quantile: "1/2", scale: 1 },
    );
    expect(law.get("3")!.isAbove(law.get("4")!)).toBe(true);
  });
});
