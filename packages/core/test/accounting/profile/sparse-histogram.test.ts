import { describe, expect, it } from "vitest";
import { discreteGaussianTail } from "../../../../audit/src/laws/stable-laws.js";
import { tailAtMost } from "../../../src/accounting/profile/discrete-gaussian.js";
import {
  type SparseHistogram,
  sparseDelta,
  sparseHistogram,
} from "../../../src/accounting/profile/sparse-histogram.js";
import { rational } from "../../../src/exact/rational.js";
import vectors from "../../vectors-counts.json" with { type: "json" };

const targetOf = (vector: (typeof vectors.sparse_exact)[number]) => ({
  ...{ epsilon: rational(vector.epsilon), delta: rational(vector.delta) },
  ...{ items: vector.m, isReplaced: "neighbours" in vector && vector.neighbours === "replace" },
});

describe("Noise and threshold of a sparse histogram", () => {
  it.each(vectors.sparse_exact)("are the least by the exact δ: ($epsilon, $delta), $m", (vector) => {
    const target = targetOf(vector);
    const found = sparseHistogram(target)!;
    expect(String(found.variance)).toBe(String(rational(vector.variance)));
    expect(found.threshold).toBe(BigInt(vector.threshold));
    expect(found.delta.compare(vector.delta_joint)).toBeGreaterThanOrEqual(0);
    expect(found.delta.compare(rational(vector.delta_joint).times("1.0000000001"))).toBe(-1);
    const less = sparseDelta(target.epsilon, { ...target, ...found, threshold: found.threshold - 1n });
    expect(less.toNumber()).toBeCloseTo(Number(vector.delta_one_less), 14);
    expect(less.compare(target.delta)).toBe(1);
    const thinner = { ...target, ...found, variance: found.variance.minus("1/8") };
    expect(sparseDelta(target.epsilon, thinner).compare(target.delta)).toBe(1);
  });

  it("are less than those of two halves of δ, and than those of a sum of both parts", () => {
    for (const vector of vectors.sparse_exact) {
      if (!("threshold_by_sum" in vector)) continue;
      expect(Number(sparseHistogram(targetOf(vector))!.threshold)).toBeLessThan(
        Number(vector.threshold_by_sum),
      );
    }
  });

  it("don't exist where the sums would be too long", () => {
    const target = { delta: rational("1e-6"), items: 10, isReplaced: false };
    expect(sparseHistogram({ ...target, epsilon: rational("1/1000") })).toBeUndefined();
    expect(sparseHistogram({ ...target, epsilon: rational("1e300") })).toBeUndefined();
  });

  it("have a tail that is that of the law, rounded up", () => {
    for (const [variance, from] of [
      ["1/2", 1],
      [3, 4],
      ["143/4", 29],
      [2000, 250],
    ] as const) {
      const upper = tailAtMost(rational(variance), BigInt(from));
      const exact = discreteGaussianTail(rational(variance))(from - 1);
      expect(upper.compare(exact.lower())).toBeGreaterThanOrEqual(0);
      expect(upper.compare(exact.upper().times("1.0000000000001"))).toBe(-1);
    }
  });
});

describe("δ of a sparse histogram", () => {
  // Small noise and all counts up to 5: at most the claim, and nearly that where common counts are large.
  it.each([
    [{ variance: "3", threshold: 3n, items: 1, isReplaced: false }, "1"],
    [{ variance: "4", threshold: 4n, items: 2, isReplaced: false }, "1"],
    [{ variance: "4", threshold: 5n, items: 2, isReplaced: false }, "1/10"],
    [{ variance: "5", threshold: 5n, items: 1, isReplaced: true }, "1/2"],
  ] as const)("is at most the maximum of the parts, and reached: %o at ε = %s", (given, epsilon) => {
    const histogram: SparseHistogram = { ...given, variance: rational(given.variance) };
    const claim = sparseDelta(rational(epsilon), histogram).toNumber();
    const worst = largestOverCounts(histogram, Number(rational(epsilon).toNumber()));
    expect(worst).toBeLessThanOrEqual(claim * (1 + 1e-9));
    expect(worst).toBeGreaterThan(0.95 * claim);
    // The sum of what new names show and what common counts show is more than is true; the larger of both alone may be less.
    const noise = sparseDelta(rational(epsilon), { ...histogram, threshold: 60n }).toNumber();
    const shown =
      1 - (1 - tailAtMost(histogram.variance, histogram.threshold - 1n).toNumber()) ** histogram.items;
    expect(claim).toBeLessThanOrEqual(noise + shown);
    expect(claim).toBeGreaterThanOrEqual(Math.max(noise, shown) * (1 - 1e-9));
  });
});

const REACH = 25;
const LARGE = 60;

/** Probabilities of what is published of one count, from nothing to large values, in doubles. */
function lawOf(count: number, { variance, threshold }: SparseHistogram): number[] {
  const size = LARGE + REACH + 10;
  const law = new Array<number>(size).fill(0);
  if (count === 0) {
    law[0] = 1;
    return law;
  }
  const weight = (n: number) => Math.exp((-n * n) / (2 * variance.toNumber()));
  let total = 0;
  for (let n = -REACH; n <= REACH; n++) total += weight(n);
  for (let n = -REACH; n <= REACH; n++) {
    const value = count + n;
    law[value < Number(threshold) ? 0 : value] += weight(n) / total;
  }
  return law;
}

/** The largest H_ε over all moves of one person's names, with counts near 0 and one far above the threshold. */
function largestOverCounts(histogram: SparseHistogram, epsilon: number): number {
  const { items, isReplaced } = histogram;
  const counts = [0, 1, 2, 3, 5, LARGE];
  const moves = counts.flatMap((count) => [[count, count + 1] as const, [count + 1, count] as const]);
  const names = isReplaced ? 2 * items : items;
  let worst = 0;
  const walk = (chosen: (readonly [number, number])[]) => {
    if (chosen.length < names) {
      for (const move of moves) walk([...chosen, move]);
      return;
    }
    const ups = chosen.filter(([here, there]) => there > here).length;
    if (isReplaced ? ups !== items : ups !== 0 && ups !== names) return;
    worst = Math.max(
      worst,
      productHockeyStick(
        chosen.map(([a, b]) => [lawOf(a, histogram), lawOf(b, histogram)]),
        Math.exp(epsilon),
      ),
    );
  };
  walk([]);
  return worst;
}

function productHockeyStick(laws: readonly (readonly number[])[][], factor: number): number {
  let pairs: [number, number][] = [[1, 1]];
  for (const [here, there] of laws) {
    const next: [number, number][] = [];
    for (const [p, q] of pairs)
      for (let i = 0; i < here.length; i++)
        if (here[i] > 0 || there[i] > 0) next.push([p * here[i], q * there[i]]);
    pairs = next;
  }
  return pairs.reduce((sum, [p, q]) => sum + Math.max(p - factor * q, 0), 0);
}
