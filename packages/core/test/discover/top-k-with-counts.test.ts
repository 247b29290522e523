import { describe, expect, it } from "vitest";
import { discreteGaussianTail, discreteLaplaceTail } from "../../../audit/src/laws/stable-laws.js";
import { CountNoise } from "../../src/discover/count-noise.js";
import { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import {
  approx,
  isBounded,
  measureCounts,
  nonIncreasingFit,
  pure,
  topKWithCounts,
  zcdp,
} from "../../src/index.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { vectors } from "../support/unknown-vectors.js";

const NO_BITS = new Entropy({
  fill() {
    throw new Error("a bit was drawn");
  },
});

describe("The interval of a count", () => {
  it.each(vectors.interval)("is the narrowest: $noise, α = $alpha, $winners at once", (vector) => {
    const size = vector.noise === "gaussian" ? { variance: vector.variance } : { scale: vector.scale };
    const noise = new CountNoise(1, size);
    const level = rational(vector.alpha);
    expect(noise.halfWidth(level)).toBe(BigInt(vector.half_width));
    expect(noise.halfWidth(level, vector.winners)).toBe(BigInt(vector.simultaneous));
    const tail =
      vector.noise === "gaussian"
        ? discreteGaussianTail(vector.variance!)
        : discreteLaplaceTail(vector.scale!);
    const miss = (w: number) => tail(w).times(2n).lower().toNumber();
    expect(miss(vector.half_width)).toBeCloseTo(Number(vector.miss), 14);
    const any = 1 - (1 - miss(vector.simultaneous)) ** vector.winners;
    expect(any).toBeCloseTo(Number(vector.miss_any), 12);
    if (vector.half_width > 0)
      expect(miss(vector.half_width - 1)).toBeGreaterThan(Number(rational(vector.alpha)));
  });

  it("holds the true count as often as it says", () => {
    const entropy = seededEntropy("coverage of intervals");
    const truth = { ant: 40, bee: 3 };
    let [held, all, runs] = [0, 0, 1500];
    for (let run = 0; run < runs; run++) {
      const { counts, simultaneous } = measureCounts(truth, ["ant", "bee"], { rho: "0.02", entropy });
      const isIn = counts.map(({ candidate, from, to }) => {
        const count = truth[candidate as keyof typeof truth];
        return from.compare(count) <= 0 && to.compare(count) >= 0;
      });
      held += isIn.filter(Boolean).length;
      all += counts.every(({ candidate, count }) => {
        const off = count.minus(truth[candidate as keyof typeof truth]);
        return off.compare(simultaneous) <= 0 && off.compare(-simultaneous) >= 0;
      })
        ? 1
        : 0;
    }
    expect(held / (2 * runs)).toBeGreaterThan(0.94);
    expect(held / (2 * runs)).toBeLessThan(0.97);
    expect(all / runs).toBeGreaterThan(0.94);
    expect(all / runs).toBeLessThan(0.97);
  });
});

describe("nonIncreasingFit", () => {
  it.each(vectors.isotonic)("of $input is $output", ({ input, output }) => {
    const fit = nonIncreasingFit(input);
    expect(fit.every((value, i) => value.equals(output[i]))).toBe(true);
  });

  it("is max over b ≥ i of min over a ≤ i of the means from a to b", () => {
    const entropy = seededEntropy("isotonic");
    for (let run = 0; run < 50; run++) {
      const values = Array.from({ length: 7 }, () => entropy.bits(4));
      const mean = (a: number, b: number) =>
        values.slice(a, b + 1).reduce((sum, value) => sum + value, 0) / (b + 1 - a);
      const expected = values.map((_, i) =>
        Math.max(
          ...values.slice(i).map((_, b) => Math.min(...values.slice(0, i + 1).map((_, a) => mean(a, i + b)))),
        ),
      );
      expect(nonIncreasingFit(values).map((value) => value.toNumber())).toEqual(
        expected.map((value) => expect.closeTo(value, 12)),
      );
    }
  });
});

describe("The share for counts", () => {
  /** Normal quantile at 97.5 %, as §4.2 takes it. */
  const Z = 1.959963984540054;

  it.each(vectors.count_share)(
    "is near a quarter: m = $m, δ = $delta, $noise",
    ({ m, delta, noise, share }) => {
      const odds = rational(delta).toNumber();
      const isGaussian = noise === "gaussian";
      const height = isGaussian ? Math.log((m * (1 - odds)) / odds) : Number(exponentialHeight(m, odds));
      const cost = (f: number) =>
        isGaussian
          ? height / Math.sqrt(8 * (1 - f)) + Z / Math.sqrt(2 * f)
          : height / (1 - f) + Math.log(20) / f;
      const [a, b] = isGaussian ? [height / Math.sqrt(8), Z / Math.SQRT2] : [height, Math.log(20)];
      const power = isGaussian ? 2 / 3 : 1 / 2;
      const best = b ** power / (a ** power + b ** power);
      expect(best).toBeCloseTo(Number(share), 9);
      expect(cost(1 / 4) / cost(best)).toBeLessThan(isGaussian && m < 1e5 ? 1.005 : 1.015);
    },
  );

  /** T/β with failure δ, by bisection in doubles. */
  function exponentialHeight(m: number, delta: number): number {
    let [low, high] = [0, Math.log(m / (2 * delta))];
    for (let i = 0; i < 200; i++) {
      const middle = (low + high) / 2;
      const a = Math.exp(-middle);
      const failure = 1 + Math.expm1((m + 1) * Math.log1p(-a)) / ((m + 1) * a);
      if (failure > delta) low = middle;
      else high = middle;
    }
    return high;
  }
});

const FAR = { ant: 90_000, bee: 80_000, cat: 70_000, dog: 5 };

describe("topKWithCounts", () => {
  it("is calibrated as the example of the mathematics: ten names of 610 people", () => {
    const rows = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`n${i}`, 100_000 - 5000 * i]));
    const { halfWidth, measurement, privacy, winners, charge } = topKWithCounts(rows, {
      ...{ k: 10, epsilon: 1, delta: "1e-6", sharing: "independent" },
    });
    const { parts } = measurement;
    expect(halfWidth).toEqual(rational(58));
    expect(winners).toHaveLength(10);
    if (parts.names.measure !== "zcdp" || parts.counts.measure !== "zcdp") throw new Error("not zCDP");
    expect(Number(parts.counts.rho)).toBeCloseTo(10 / (2 * 872), 5);
    expect(Number(parts.names.rho)).toBeCloseTo((10 * (1 / 8.52) ** 2) / 8, 4);
    expect(privacy.measure).toBe("approx");
    if (privacy.measure !== "approx" || !isBounded(privacy.epsilon)) throw new Error("not (ε, δ)");
    expect(privacy.epsilon.compare(1)).not.toBe(1);
    expect(privacy.delta.compare("1e-6")).not.toBe(1);
    expect(charge.settled).toEqual(charge.reserved);
  });

  it.each([
    ["an unknown domain, ρ", { rho: 1, delta: "1e-6" }, "zcdp"],
    ["an unknown domain, ε, few names", { epsilon: 1, delta: "1e-6" }, "approx"],
    ["an unknown domain, ε, Gumbel noise", { epsilon: 1, delta: "1e-6", noise: "gumbel" }, "approx"],
    ["an unknown domain, gaps", { epsilon: 1, delta: "1e-6", resolution: 1 }, "approx"],
    ["an unknown domain, gaps and ρ", { rho: 1, delta: "1e-6", resolution: 1 }, "zcdp"],
    ["a public domain, ε", { epsilon: 1, domain: "public" }, "pure"],
    ["a public domain, gaps", { epsilon: 1, domain: "public", resolution: "1/2" }, "pure"],
    ["a public domain, ρ", { rho: 1, domain: "public" }, "zcdp"],
  ] as const)("counts the names of %s", (_, budget, measure) => {
    const { winners, privacy, halfWidth, shared, charge } = topKWithCounts(FAR, { k: 3, ...budget });
    expect(winners.map(({ candidate }) => candidate)).toEqual(["ant", "bee", "cat"]);
    expect(privacy.measure).toBe(measure);
    for (const { candidate, count, from, to, fitted, gap, estimate } of winners) {
      expect(Math.abs(count.toNumber() - FAR[candidate as keyof typeof FAR])).toBeLessThan(500);
      const wide = halfWidth.times(2n).minus(to.minus(from));
      expect(wide.compare(0n) >= 0 && wide.compare(shared === undefined ? 0n : 3n) <= 0).toBe(true);
      expect(Math.abs(fitted.toNumber() - count.toNumber())).toBeLessThan(500);
      expect([gap === undefined, estimate === undefined]).toEqual(
        "resolution" in budget ? [false, false] : [true, true],
      );
    }
    expect(charge.settled).toEqual(charge.reserved);
  });

  it.each([
    ["independent", 0.12], // 3 of 10
    ["shared", (0.4 * 255) / 546], // more than its share: 3·7² + 3·6² of 13²·6·7/13
  ] as const)("charges the names and counts that there are: %s noise", (sharing, ofCounts) => {
    const { winners, stopped, charge, privacy } = topKWithCounts(FAR, {
      ...{ k: 10, rho: "0.8", delta: "1e-6", countShare: "1/2", sharing },
    });
    expect([winners.length, stopped]).toEqual([3, true]);
    // Gumbel: 4 of 10 rounds of 0.4.
    const { settled, reserved } = charge;
    if (settled.measure !== "zcdp" || reserved.measure !== "zcdp") throw new Error("not zCDP");
    expect(Number(settled.rho)).toBeCloseTo(0.16 + ofCounts, 9);
    expect(Number(reserved.rho)).toBeCloseTo(0.8, 9);
    expect(settled.delta).toEqual(reserved.delta);
    expect(privacy).toEqual(reserved);
  });

  it("measures nothing where nothing is named", () => {
    const { winners, charge, stopped } = topKWithCounts(
      {},
      { k: 2, rho: 1, delta: "1e-6", countShare: "1/4" },
    );
    expect([winners, stopped]).toEqual([[], true]);
    expect(charge.settled.measure === "zcdp" && Number(charge.settled.rho)).toBeCloseTo(0.375, 9);
  });

  it("counts as many moved counts as one individual can move", () => {
    const loss = (options: object, names: number) =>
      new CountNoise(5, { scale: 1, ...options }).lossOf(names);
    expect(loss({}, 5)).toEqual(pure(5));
    expect(loss({ maxItemsPerUser: 2 }, 5)).toEqual(pure(2));
    expect(loss({ maxItemsPerUser: 2, neighbours: "replace" }, 5)).toEqual(pure(4));
    expect(loss({ maxItemsPerUser: 2, neighbours: "replace" }, 3)).toEqual(pure(3));
    expect(loss({ sensitivity: 3 }, 2)).toEqual(pure(6));
    expect(new CountNoise(5, { variance: 2 }).lossOf(4)).toEqual(zcdp(1));
    expect(new CountNoise(5, { rho: 1, maxItemsPerUser: 1, neighbours: "replace" }).size.equals(1)).toBe(
      true,
    );
    expect(new CountNoise(8, { epsilon: 2, sharing: "independent" }).size.equals(4)).toBe(true);
  });

  it.each([
    [{ k: 3, epsilon: 1 }, "delta must be given"],
    [{ k: 3, epsilon: 1, domain: "public", delta: "1e-6" }, "delta must be absent for a public domain"],
    [{ k: 3, delta: "1e-6" }, "budget must be exactly one of epsilon and rho"],
    [{ k: 3, epsilon: 1, delta: "1e-6", countShare: 1 }, "countShare must be a rational > 0 and < 1"],
    [{ k: 9, epsilon: 1, domain: "public" }, "k must be an integer from 1 to 4"],
    [{ k: 1, rho: 1, domain: "public", resolution: 1 }, "resolution must be absent with rho"],
    [{ k: 1, rho: 1, domain: "public", noise: "gumbel" }, "noise must be absent for a public domain"],
    [{ k: 1, rho: 1, delta: "1e-6", confidence: 1 }, "confidence must be a rational > 0 and < 1"],
  ])("refuses %o before a bit is drawn", (options, message) => {
    expect(() => topKWithCounts(FAR, { ...options, entropy: NO_BITS } as never)).toThrow(message);
  });
});

describe("measureCounts", () => {
  it("counts a name that nobody has as 0, and costs what the names cost", () => {
    const { counts, privacy } = measureCounts(FAR, ["elk", "dog"], {
      ...{ epsilon: 1000, k: 10, sharing: "independent" },
    });
    expect(counts.map(({ count }) => Number(count))).toEqual([0, 5]);
    expect(privacy).toEqual(pure(200));
  });

  it.each([
    [["ant", "ant"], { epsilon: 1 }, "names must be a list of texts, each once"],
    [["ant", "bee"], { epsilon: 1, k: 1 }, "k must be an integer >= 2; got 1"],
    [["ant"], { epsilon: 1, rho: 1 }, "budget must be exactly one of rho, epsilon, variance and scale"],
  ])("refuses %o with %o", (names, options, message) => {
    expect(() => measureCounts(FAR, names, { ...options, entropy: NO_BITS } as never)).toThrow(message);
  });

  it("has discrete Gaussian noise in (ε, δ), and unused names cost nothing", () => {
    const spend = {
      ...({ epsilon: 1, delta: "1e-6", sharing: "independent" } as const),
      entropy: seededEntropy("counts in (ε, δ)"),
    } as const;
    const { privacy, halfWidth } = measureCounts(FAR, ["elk", "dog"], { ...spend, k: 10 });
    expect(halfWidth.toNumber()).toBe(26); // σ² = 178.5
    if (privacy.measure !== "approx") return expect.fail("it is in (ε, δ)");
    expect(privacy.epsilon).toEqual(rational(1));
    expect(privacy.delta.compare("1e-9")).toBe(-1);
    const all = measureCounts(FAR, ["elk", "dog"], spend).privacy;
    expect(all.measure === "approx" && all.delta.compare("0.99e-6") > 0).toBe(true);
    expect(all.measure === "approx" && all.delta.compare("1e-6") <= 0).toBe(true);
    expect(measureCounts(FAR, [], spend).privacy).toEqual(approx(1, 0));
  });

  it.each([
    [{ epsilon: 1, delta: 0 }, "delta must be a rational > 0 and < 1; got 0"],
    [{ rho: 1, delta: "0.1" }, "rho must be absent beside delta; got 1"],
    [{ variance: 1, delta: "0.1" }, "variance must be absent beside delta; got 1"],
    [{ epsilon: 1, delta: "0.1", sensitivity: 2 }, "sensitivity must be 1 beside delta"],
  ])("refuses %o", (options, message) => {
    expect(() => measureCounts(FAR, ["ant"], { ...options, entropy: NO_BITS } as never)).toThrow(message);
  });

  it("would not be private if two moved counts were charged as one", () => {
    // (100, 100) → (101, 99) with Laplace noise of scale 1: the ratio of likelihoods reaches e², not e.
    const tail = discreteLaplaceTail(1);
    const pmf = (x: number) =>
      tail(x - 1)
        .minus(tail(x))
        .lower()
        .toNumber();
    let excess = 0;
    for (let x = -30; x <= 30; x++)
      for (let y = -30; y <= 30; y++)
        excess += Math.max(0, pmf(x) * pmf(y) - Math.E * pmf(x - 1) * pmf(y + 1));
    expect(excess).toBeCloseTo(0.338, 3);
  });
});
