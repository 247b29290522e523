import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { aboveThresholdLaw } from "winnow-audit";
import { rational } from "winnow-dp";
import {
  distancesOf,
  expectedRecall,
  failureOf,
  scalesFor,
  stopLaw,
  thresholdFor,
  topStable,
} from "../src/stable-topk/top-stable.js";

interface Vectors {
  readonly top_stable: readonly {
    readonly name: string;
    readonly histogram: readonly number[];
    readonly epsilon1: string;
    readonly epsilon2: string;
    readonly threshold: string;
    readonly tested: readonly number[];
    readonly outcomes: readonly { readonly position: number; readonly prob: string }[];
    readonly prob_none: string;
  }[];
  readonly top_stable_calibration: readonly {
    readonly epsilon: string;
    readonly p1: string;
    readonly delta: string;
    readonly kbar: number;
    readonly T_paper: string;
    readonly T_joint: string;
  }[];
}

const file = new URL("../../packages/core/test/vectors-more.json", import.meta.url);
const vectors = JSON.parse(readFileSync(file, "utf8")) as Vectors;
const number = (text: string) => rational(text).toNumber();

describe("Top Stable", () => {
  it.each(vectors.top_stable)("stops by the published law: $name", (vector) => {
    const scales = { thresholdScale: 1 / number(vector.epsilon1), queryScale: 2 / number(vector.epsilon2) };
    const distances = vector.tested.map((i) =>
      Math.max(0, vector.histogram[i - 1] - vector.histogram[i] - 1),
    );
    const law = stopLaw(distances, { ...scales, threshold: number(vector.threshold) });
    for (const { position, prob } of vector.outcomes)
      expect(law[vector.tested.indexOf(position)]).toBeCloseTo(Number(prob), 7);
    expect(law.at(-1)).toBeCloseTo(Number(vector.prob_none), 7);
  });

  it("stops by the exact law of sparse vector with Laplace noise", () => {
    const exact = aboveThresholdLaw([2, 0, 7], {
      ...{ noise: "laplace", thresholdScale: 2, queryScale: 3, thresholds: [5, 5, 5] },
    });
    const law = stopLaw([2, 0, 7], { thresholdScale: 2, queryScale: 3, threshold: 5 });
    for (const [i, outcome] of ["above", "below, above", "below, below, above"].entries())
      expect(law[i]).toBeCloseTo(exact.get(outcome)!.toNumber("down"), 8);
  });

  it.each(vectors.top_stable_calibration)(
    "has the published thresholds: ε = $epsilon, δ = $delta, $kbar tests",
    ({ epsilon, p1, delta, kbar, T_paper, T_joint }) => {
      const scales = scalesFor(number(epsilon), number(p1));
      const tight = thresholdFor(kbar, number(delta), scales, "tight");
      expect(thresholdFor(kbar, number(delta), scales, "published") / Number(T_paper)).toBeCloseTo(1, 9);
      expect(tight / Number(T_joint)).toBeCloseTo(1, 6);
      expect(failureOf(kbar, { ...scales, threshold: tight }) / number(delta)).toBeCloseTo(1, 4);
      expect(failureOf(kbar, { ...scales, threshold: 0.95 * tight })).toBeGreaterThan(number(delta));
    },
  );

  it("takes gaps from the k-th to the first, less what one person can do", () => {
    expect(distancesOf([20, 18, 9, 8, 1], 3)).toEqual([0, 8, 1]);
    expect(distancesOf([5], 2)).toEqual([0, 4]);
  });

  it("passes a gap of 700 however many are above it, with all of (0.15, 10⁻⁶); with half of it, it fails", () => {
    for (const k of [10, 1500]) {
      const falling = new Float64Array(2000).fill(700, 0, k);
      expect(expectedRecall(falling, k, topStable(k, 0.15, 1e-6)).recall).toBeGreaterThan(0.99997);
      expect(expectedRecall(falling, k, topStable(k, 0.075, 5e-7)).recall).toBeLessThan(0.3);
    }
  });
});
