import { describe, expect, it } from "vitest";
import { discreteLaplace } from "../../src/sample/discrete-laplace.js";
import { combineGaps } from "../../src/select/combine-gaps.js";
import { topKWithGap } from "../../src/select/top-k-with-gap.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const SCALE = 10; // of the selection's noise and of the measurements'

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe("combineGaps of a release", () => {
  it("has the stated error where scores are far apart: 7/15 of that of the measurements", () => {
    const entropy = seededEntropy("combined gaps");
    const scores = [5000, 4000, 3000, 2000, 1000, 0];
    const errors = { measured: [] as number[], combined: [] as number[] };
    for (let run = 0; run < 8000; run++) {
      const { winners } = topKWithGap(scores, { k: 5, scale: SCALE, entropy });
      const measured = winners.map(
        ({ candidate: index }) => BigInt(scores[index]) + discreteLaplace(SCALE, entropy),
      );
      const gaps = winners.map(({ gap }) => gap);
      const { estimates } = combineGaps(measured, gaps, { varianceRatio: "1/2", resolution: 1 });
      for (const [place, { candidate: index }] of winners.entries()) {
        errors.measured.push((Number(measured[place]) - scores[index]) ** 2);
        errors.combined.push((estimates[place].toNumber() - scores[index]) ** 2);
      }
    }
    const ratio = mean(errors.combined) / mean(errors.measured);
    expect(ratio).toBeGreaterThan((7 / 15) * 0.95);
    expect(ratio).toBeLessThan((7 / 15) * 1.05);
  });

  it("starts from gaps that are too large where scores are tied: the first has mean β in place of 0", () => {
    const entropy = seededEntropy("tied gaps");
    const first = Array.from({ length: 10_000 }, () => {
      const { winners } = topKWithGap([7, 7, 7, 7], { k: 1, scale: SCALE, resolution: "1/100", entropy });
      return winners[0].gap.toNumber();
    });
    expect(mean(first)).toBeGreaterThan(SCALE * 0.95);
    expect(mean(first)).toBeLessThan(SCALE * 1.05);
  });
});
