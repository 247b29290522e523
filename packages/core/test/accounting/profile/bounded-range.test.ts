/** δ(ε; η, k): reference values, properties, adversaries who stay below it, and recursions with a mistake, which don't bound them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deltaOf } from "../../../src/accounting/gaussian-approx.js";
import {
  bothSigns,
  boundedRangeDelta,
  deltaAtMost,
  deltaOfRanges,
} from "../../../src/accounting/profile/bounded-range.js";
import { roundedUp } from "../../../src/exact/certified.js";
import { type RationalLike, rational } from "../../../src/exact/rational.js";
import { discreteGaussianDelta, rhoAtMost } from "../../../src/index.js";
import {
  bestConstant,
  bestOfCandidates,
  bestOfRanges,
  bestStrategy,
  mistakenDelta,
} from "../../support/range-strategies.js";
import { tight } from "../../support/tight-vectors.js";

const delta = (epsilon: RationalLike, range: RationalLike, rounds: number, grid?: number) =>
  deltaAtMost(rational(epsilon), { range: rational(range), rounds }, grid).toNumber("up");

describe("boundedRangeDelta", () => {
  it.each(tight.bounded_range_exact)(
    "of $k rounds of range $eta at ε = $epsilon is exact to 1 %",
    (vector) => {
      const found = boundedRangeDelta({ epsilon: vector.epsilon, range: vector.eta, rounds: vector.k });
      expect(found.compare(rational(vector.delta).times(rational(1).minus("1e-27")))).toBeGreaterThanOrEqual(
        0,
      );
      expect(found.compare(rational(vector.delta).times("1.01"))).toBeLessThanOrEqual(0);
    },
  );

  it.each(tight.bounded_range)(
    "of $k rounds of range $eta at ε = $epsilon is between its bounds",
    (vector) => {
      const found = delta(vector.epsilon, vector.eta, vector.k);
      expect(found).toBeGreaterThanOrEqual(Number(vector.at_least));
      expect(found).toBeLessThanOrEqual(Number(vector.at_most) * (vector.k <= 30 ? 1.01 : 1.02));
      expect(found).toBeGreaterThan(Number(vector.nonadaptive));
    },
  );

  it.each(tight.bounded_range_heterogeneous)(
    "of rounds of ranges $etas at ε = $epsilon is between its bounds",
    ({ epsilon, etas, at_least, at_most }) => {
      const found = boundedRangeDelta({ epsilon, ranges: etas }).toNumber("up");
      expect(found).toBeGreaterThanOrEqual(Number(at_least));
      expect(found).toBeLessThanOrEqual(Number(at_most) * 1.02);
    },
  );

  it("of ranges that are all the same, or 0, is that of as many rounds", () => {
    const same = boundedRangeDelta({ epsilon: 1, range: "0.1534", rounds: 10 });
    const ranges = new Array<string>(10).fill("0.1534");
    expect(boundedRangeDelta({ epsilon: 1, ranges })).toEqual(same);
    expect(boundedRangeDelta({ epsilon: 1, ranges: ["1.5", 0] })).toEqual(
      boundedRangeDelta({ epsilon: 1, range: "1.5", rounds: 1 }),
    );
    expect(boundedRangeDelta({ epsilon: 1, ranges: ["0.5", "0.25", "0.25"] })).toEqual(rational(0));
  });

  it("of different ranges is at least what an adversary wins in either order, and less than for the widest in all", () => {
    for (const ranges of [
      ["0.5", "0.25", "0.25", "0.5"],
      ["0.7", "0.2", "0.9"],
      ["0.9", "0.2", "0.7"],
    ]) {
      const found = boundedRangeDelta({ epsilon: 1, ranges }).toNumber("up");
      expect(found).toBeGreaterThanOrEqual(bestOfRanges(1, ranges.map(Number), 60));
      expect(found).toBeLessThan(1.02 * bestOfRanges(1, ranges.map(Number), 60));
      const widest = ranges.reduce((a, b) => (Number(a) > Number(b) ? a : b));
      expect(found).toBeLessThan(delta(1, widest, ranges.length));
      // The mean of the ranges in every round is no bound.
      const mean = ranges.reduce((sum, range) => sum + Number(range), 0) / ranges.length;
      expect(delta(1, mean.toFixed(12), ranges.length)).toBeLessThan(found);
    }
  });

  it.each(tight.topk_instance)("bounds top $k of $scores_a and $scores_b scores at range $eta", (vector) => {
    expect(delta(vector.epsilon, vector.eta, vector.k)).toBeGreaterThan(Number(vector.delta));
  });

  it("is 0 exactly where the ranges add up to ε", () => {
    expect(boundedRangeDelta({ epsilon: 1, range: "0.1", rounds: 10 })).toEqual(rational(0));
    expect(boundedRangeDelta({ epsilon: 1, range: 0, rounds: 10 })).toEqual(rational(0));
    expect(delta(1, "0.0051", 200)).toBeGreaterThan(0);
  });

  it("holds where a window of fixed width is empty", () => {
    const found = delta(1, "0.0165", 200);
    expect(found).toBeGreaterThan(5.78e-20);
    expect(found).toBeLessThan(7e-20);
    expect(delta(10, 20, 2)).toBeLessThanOrEqual(1);
  });

  it.each([
    [{ epsilon: 0, range: 1, rounds: 2 }, "epsilon must be a rational > 0; got 0"],
    [{ epsilon: 1, range: -1, rounds: 2 }, "range must be a rational >= 0; got -1"],
    [{ epsilon: 1, range: 1, rounds: 1001 }, "rounds must be an integer from 1 to 1000; got 1001"],
    [{ epsilon: 1, range: 400, rounds: 2 }, "range must be such that rounds·range <= 700"],
    [{ epsilon: 1, ranges: [400, 1] }, "ranges must be such that rounds·largest <= 700"],
    [{ epsilon: 1, ranges: [] }, "ranges must be a list of 1 to 1000 rationals >= 0"],
    [{ epsilon: 1, ranges: [1, -1] }, "ranges[1] must be a rational >= 0; got -1"],
    [{ epsilon: 1, range: 1, rounds: 2, ranges: [1] }, "ranges must be absent beside range and rounds"],
    [{ epsilon: 1, range: 1 }, "rounds must be given, or ranges"],
  ])("refuses %o", (options, message) => {
    expect(() => boundedRangeDelta(options)).toThrow(message);
  });
});

describe("δ of bounded range", () => {
  const rounds = fc.integer({ min: 2, max: 12 });
  const range = fc.double({ min: 0.05, max: 2, noNaN: true });
  const share = fc.double({ min: 0.15, max: 0.95, noNaN: true });

  it("falls in ε, grows in η and k, and is at least the best constant strategy", () => {
    fc.assert(
      fc.property(rounds, range, share, (k, eta, part) => {
        const epsilon = part * k * eta;
        const found = delta(epsilon, eta, k, 16);
        expect(delta(epsilon * 1.05, eta, k, 16)).toBeLessThanOrEqual(found);
        expect(delta(epsilon, eta * 1.05, k, 16)).toBeGreaterThanOrEqual(found);
        expect(delta(epsilon, eta, k + 1, 16)).toBeGreaterThanOrEqual(found * (1 - 1e-9));
        expect(found * (1 + 1e-9)).toBeGreaterThanOrEqual(bestConstant(epsilon, eta, k));
        expect(delta(epsilon, eta, k, 32)).toBeLessThanOrEqual(found * (1 + 1e-9));
      }),
      { seed: 33, numRuns: 40 },
    );
  });

  it("bounds every adaptive strategy, and a good one has more than 0.95 of it", () => {
    for (const [epsilon, eta, k] of [
      [1, 1, 3],
      [1, 0.2, 6],
      [1, 0.1534, 10],
    ] as const) {
      const [won, bound] = [bestStrategy(eta, k, 48, () => epsilon), delta(epsilon, eta, k)];
      expect(won).toBeLessThanOrEqual(bound);
      expect(won).toBeGreaterThan(0.95 * bound);
    }
  });

  it("bounds adversaries who ask exponential mechanisms over 20 candidates, one of whom has more than 0.95 of it", () => {
    const shares = [
      [1, 1, 2],
      [2, 1.5, 2],
      [1, 0.6, 3],
    ].map(([epsilon, eta, k]) => bestOfCandidates(epsilon, eta, k, 20) / delta(epsilon, eta, k));
    expect(Math.max(...shares)).toBeLessThanOrEqual(1);
    expect(Math.max(...shares)).toBeGreaterThan(0.95);
  });
});

describe("a run that stops early", () => {
  const [epsilon, eta, k] = [1, 0.1534, 10];
  const whole = delta(epsilon, eta, k);

  it("may be counted as min(ε, j·η) with all of δ", () => {
    expect(bestStrategy(eta, k, 32, (used) => Math.min(epsilon, used * eta))).toBeLessThanOrEqual(whole);
  });

  it("may not be counted as the ε for which its rounds alone have δ", () => {
    const counted = Array.from({ length: k + 1 }, (_, used) => {
      let [low, high] = [0, epsilon];
      for (let i = 0; i < 12 && used > 0; i++) {
        const middle = (low + high) / 2;
        if (delta(middle, eta, used, 16) <= whole) high = middle;
        else low = middle;
      }
      return high;
    });
    expect(bestStrategy(eta, k, 32, (used) => (used === k ? epsilon : counted[used]))).toBeGreaterThan(
      1.3 * whole,
    );
  });
});

describe("δ of rounds and counts after them", () => {
  it.each(tight.with_counts)("is that of the vectors: $k rounds of $eta, and μ = $mu", (vector) => {
    const { epsilon, eta, k, mu, at_least, at_most } = vector;
    const rho = rational(mu).times(mu).dividedBy(2n);
    const after = bothSigns((e) => roundedUp(deltaOf(rho, e)));
    const ranges = Array.from({ length: k }, () => rational(eta));
    const found = deltaOfRanges(rational(epsilon), ranges, { after, grid: 32 });
    expect(found.compare(at_least)).toBeGreaterThanOrEqual(0);
    expect(found.toNumber()).toBeLessThan(Number(at_most) * 1.03); // of a coarse grid
    expect(found.compare(rational(delta(epsilon, eta, k)))).toBe(1);
  });

  it("isn't 0 where the rounds alone fit into ε, and no closed form holds for one round", () => {
    const counts = { variance: 40, moved: 1 };
    const alone = discreteGaussianDelta({ epsilon: 1, ...counts });
    const fitting = boundedRangeDelta({ epsilon: 1, range: "0.3", rounds: 3, counts });
    expect(fitting.compare(alone)).toBe(1);
    expect(boundedRangeDelta({ epsilon: 1, range: "0.3", rounds: 3 }).numerator).toBe(0n);
    const one = boundedRangeDelta({ epsilon: 1, range: "1.1", rounds: 1, counts });
    expect(one.compare(boundedRangeDelta({ epsilon: 1, range: "1.1", rounds: 1 }))).toBe(1);
    // And never more than both parts one after the other, at any split of ε.
    const split = delta(0.6, 0.3, 3) + discreteGaussianDelta({ epsilon: "0.4", ...counts }).toNumber();
    expect(fitting.toNumber()).toBeLessThan(split);
    expect(boundedRangeDelta({ epsilon: 1, range: 0, rounds: 3, counts })).toEqual(alone);
  });

  it("bounds an adversary who plays both, who has more than 0.95 of it", () => {
    // One two-point round with losses t and t − η, then one count that moves by one.
    const [epsilon, eta, variance] = [1, 0.8, 4];
    const bound = boundedRangeDelta({
      epsilon,
      range: eta,
      rounds: 1,
      counts: { variance, moved: 1 },
    }).toNumber();
    const weights = Array.from({ length: 121 }, (_, i) => Math.exp(-((i - 60) ** 2) / (2 * variance)));
    const whole = weights.reduce((sum, weight) => sum + weight, 0);
    let won = 0;
    for (let m = 0; m <= 400; m++) {
      const t = (m * eta) / 400;
      const p = -Math.expm1(t - eta) / -Math.expm1(-eta);
      let sum = 0;
      for (const [chance, loss] of [
        [p, t],
        [1 - p, t - eta],
      ] as const)
        for (const [i, weight] of weights.entries())
          sum +=
            (chance *
              weight *
              Math.max(0, -Math.expm1(epsilon - loss - (2 * (i - 60) + 1) / (2 * variance)))) /
            whole;
      won = Math.max(won, sum);
    }
    expect(won).toBeLessThanOrEqual(bound);
    expect(won).toBeGreaterThan(0.95 * bound);
  });

  it("needs less noise than the sum of both in ρ: at ten winners η and 1/σ are 8 % larger, and more", () => {
    const [epsilon, delta, k] = [1, "1e-6", 10];
    const rho = rhoAtMost({ epsilon, delta }).toNumber();
    const [eta, variance] = [Math.sqrt((8 * 0.75 * rho) / k), k / (2 * 0.25 * rho)];
    const factor = 1.08;
    const found = deltaOfRanges(
      rational(epsilon),
      Array.from({ length: k }, () => rational(eta * factor)),
      {
        after: bothSigns((e) => roundedUp(deltaOf(rational((k * factor ** 2) / (2 * variance)), e))),
        grid: 16,
      },
    );
    expect(found.compare(delta)).toBe(-1);
  });
});

describe("a recursion with a mistake is below what an adversary wins", () => {
  const won = Number(tight.bounded_range.find(({ k, eta }) => k === 10 && eta === "0.1534")?.at_least);

  it("without the excess between grid points", () => {
    expect(mistakenDelta(1, 0.1534, 10, 8, "no excess")).toBeLessThan(0.95 * won);
    expect(delta(1, "0.1534", 10, 8)).toBeGreaterThan(won);
  });

  it("with V interpolated in the loss instead of W in its exponential", () => {
    const exact = tight.bounded_range_exact.map(({ epsilon, eta, k, delta: truth }) => {
      return mistakenDelta(rational(epsilon).toNumber(), Number(eta), k, 4, "V in s") / Number(truth);
    });
    expect(Math.min(...exact)).toBeLessThan(0.999);
  });

  it("with a window that was cleared", () => {
    expect(mistakenDelta(1, 0.0165, 200, 4, "window cleared")).toBeLessThan(5.78e-20);
  });

  it("with a range that was rounded down", () => {
    expect(mistakenDelta(1, 0.1534, 10, 24, "range rounded down")).toBeLessThan(0.95 * won);
  });
});
