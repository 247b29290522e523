import { describe, expect, it } from "vitest";
import { noiseForApprox } from "../../src/accounting/gumbel-scale.js";
import { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import { histogramTopK } from "../../src/index.js";
import { preparedNoise } from "../../src/sample/prepared-noise.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import vectors from "../vectors-counts.json" with { type: "json" };

const NO_BITS = new Entropy({
  fill() {
    throw new Error("a bit was drawn");
  },
});

describe("The plan of a histogram", () => {
  it.each(vectors.public_list)(
    "has the bounds of both ways: $names names, k = $k, m = $m, ρ = $rho",
    (vector) => {
      const { k, m: maxItemsPerUser, rho } = vector;
      const plan = histogramTopK.plan(vector.names, { k, maxItemsPerUser, rho });
      expect(String(plan.size)).toBe(vector.variance);
      expect(Number(plan.simultaneous)).toBe(vector.simultaneous);
      expect(Number(plan.errorBound)).toBe(vector.error_histogram);
      const off = plan.selectionBound.minus(rational(vector.error_selection));
      expect(off.compare(0)).toBeGreaterThanOrEqual(0);
      expect(off.compare("1e-10")).toBe(-1);
      expect(plan.via).toBe(vector.choose);
    },
  );

  it("takes the histogram from the k on that the table has", () => {
    const least = (names: number, maxItemsPerUser: number, more: object = {}) => {
      for (let k = 1; k <= names; k++)
        if (histogramTopK.plan(names, { k, maxItemsPerUser, rho: "1/1000", ...more }).via === "histogram")
          return k;
      return undefined;
    };
    expect([1, 3, 10, 30].map((m) => least(100, m))).toEqual([3, 7, 18, 45]);
    expect([1, 3, 10].map((m) => least(1000, m))).toEqual([3, 6, 17]);
    // Replaced people: as half of the items.
    expect(least(1000, 6, { neighbours: "replace" })).toBe(least(1000, 3));
  });

  it("pays for what moves, in each measure", () => {
    const plan = (options: object) =>
      histogramTopK.plan(50, { k: 5, maxItemsPerUser: 3, ...options } as never);
    expect(plan({ epsilon: 1 })).toMatchObject({ noise: "laplace", privacy: { measure: "pure" } });
    expect(String(plan({ epsilon: 1 }).size)).toBe("3");
    expect(String(plan({ epsilon: 1, neighbours: "replace" }).size)).toBe("6");
    expect(String(plan({ rho: "1/10", neighbours: "replace" }).size)).toBe("30");
    const few = plan({ epsilon: 1, delta: "1e-6" });
    expect(few).toMatchObject({ noise: "laplace", privacy: { measure: "approx", delta: rational(0) } });
    const many = plan({ epsilon: 1, delta: "1e-6", maxItemsPerUser: 20 });
    expect(many).toMatchObject({ noise: "gaussian", privacy: { measure: "approx" } });
    expect(many.size.toNumber()).toBeCloseTo(357, 0);
    expect(many.privacy.measure === "approx" && many.privacy.delta.compare("1e-6")).toBeLessThanOrEqual(0);
    expect(many.simultaneous.compare(plan({ epsilon: 1, maxItemsPerUser: 20 }).simultaneous)).toBe(-1);
    // As m counts of m names, not as all 50.
    expect(plan({ epsilon: 1 }).privacy).toMatchObject({ epsilon: rational(1) });
  });

  it.each([
    [1, "exponential"],
    [2, "exponential"],
    [40, "gumbel"],
  ] as const)(
    "with a δ compares itself with the selection of the same (ε, δ): k = %i by %s noise",
    (k, kind) => {
      const [epsilon, delta] = [rational(1), rational("1e-6")];
      const plan = histogramTopK.plan(60, { k, maxItemsPerUser: 3, epsilon, delta });
      const { noise, scale } = noiseForApprox({ epsilon, delta, rounds: k, distance: rational(1) });
      expect(noise).toBe(kind);
      const names = kind === "gumbel" ? 60 * k : 60;
      expect(plan.selectionBound.toNumber()).toBeCloseTo(Math.log(20 * names) * scale.toNumber(), 9);
      expect(
        histogramTopK.plan(60, { k, maxItemsPerUser: 3, epsilon }).selectionBound.toNumber(),
      ).toBeCloseTo(Math.log(20 * 60) * k, 9);
    },
  );

  it("is for people who are added or removed, unless they are replaced", () => {
    const plan = (options: object) =>
      histogramTopK.plan(9, { k: 2, maxItemsPerUser: 1, epsilon: 1, ...options } as never);
    expect(plan({ neighbours: "add-remove" })).toEqual(plan({}));
    expect(plan({ neighbours: "replace" }).size).toEqual(plan({}).size.times(2));
    expect(() => plan({ neighbours: "" })).toThrow('neighbours must be "add-remove" or "replace"');
  });

  it("is for a number of names, and k may be all of them", () => {
    const options = { k: 1, maxItemsPerUser: 1, epsilon: 1 };
    for (const names of [0, 2.5, "3"])
      expect(() => histogramTopK.plan(names as number, options)).toThrow(
        /^candidates must be an integer >= 1; got/,
      );
    expect(histogramTopK.plan(1, options).halfWidth.compare(0)).toBe(1);
    expect(() => histogramTopK(7 as never, options)).toThrow(/^counts must be/);
  });

  it.each([
    [{ k: 6, maxItemsPerUser: 1, epsilon: 1 }, "k must be an integer from 1 to 5"],
    [{ k: 1, maxItemsPerUser: 0, epsilon: 1 }, "maxItemsPerUser must be an integer >= 1"],
    [{ k: 1, maxItemsPerUser: 1 }, "budget must be exactly one of epsilon and rho"],
    [{ k: 1, maxItemsPerUser: 1, rho: 1, delta: "1e-6" }, "delta must be absent with rho"],
  ])("refuses %o before a bit is drawn", (options, message) => {
    expect(() => histogramTopK([1, 2, 3, 4, 5], { ...options, entropy: NO_BITS } as never)).toThrow(message);
    expect(() => histogramTopK.plan(5, options as never)).toThrow(message);
  });
});

describe("histogramTopK", () => {
  const COUNTS = { dove: 900, alster: 800, elbe: 1, oder: 0 };

  it("gives names, order and counts", () => {
    const { winners } = histogramTopK(COUNTS, {
      ...{ k: 2, maxItemsPerUser: 1, epsilon: 2 },
      entropy: seededEntropy("two"),
    });
    expect(winners.map(({ candidate }) => candidate)).toEqual(["dove", "alster"]);
    for (const { candidate, count, from, to } of winners) {
      expect(Math.abs(count.toNumber() - COUNTS[candidate as keyof typeof COUNTS])).toBeLessThan(20);
      expect(from.compare(count)).toBe(-1);
      expect(to.compare(count)).toBe(1);
    }
    const places = histogramTopK([3, 900, 0], { k: 1, maxItemsPerUser: 1, epsilon: 5 });
    expect(places.winners[0].candidate).toBe(1);
  });

  it("adds its noise count by count, and sorts all of them by it, then by position", () => {
    const counts = Array.from({ length: 150 }, (_, i) => (i * 7) % 4);
    let [ties, atZero] = [0, 0];
    for (let run = 0; run < 8; run++) {
      const k = [counts.length, 1, 4, 11][run % 4];
      const { winners, noise, size, simultaneous } = histogramTopK(counts, {
        ...{ k, maxItemsPerUser: 1, epsilon: 2 },
        entropy: seededEntropy(`order ${run}`),
      });
      const bits = seededEntropy(`order ${run}`);
      const draw = preparedNoise(noise, size);
      const noisy = counts.map((count) => BigInt(count) + draw(bits));
      const order = [...counts.keys()].toSorted((a, b) => Number(noisy[b] - noisy[a]) || a - b);
      expect(winners.map(({ candidate }) => candidate)).toEqual(order.slice(0, k));
      for (const { candidate, count, from, to } of winners) {
        expect(count).toEqual(rational(noisy[candidate]));
        const ends = [noisy[candidate] - simultaneous.numerator, noisy[candidate] + simultaneous.numerator];
        expect([from, to]).toEqual(ends.map((end) => rational(end > 0n ? end : 0n)));
        atZero += Number(from.numerator === 0n);
      }
      ties += noisy.length - new Set(noisy).size;
    }
    expect(Math.min(ties, atZero)).toBeGreaterThan(30);
  });

  it("names candidates without people as often as their noise says, and breaks ties by position", () => {
    const runs = 6000;
    const first = [0, 0, 0];
    const entropy = seededEntropy("zeros");
    for (let run = 0; run < runs; run++) {
      const { winners } = histogramTopK([0, 0, 0], { k: 1, maxItemsPerUser: 1, epsilon: 2, entropy });
      first[winners[0].candidate]++;
    }
    // P(first), by the law of discrete Laplace noise with ties for the smaller position.
    const a = Math.exp(-2);
    const mass = (n: number) => ((1 - a) / (1 + a)) * a ** Math.abs(n);
    const below = (n: number) =>
      Array.from({ length: 80 }, (_, i) => mass(n - 1 - i)).reduce((x, y) => x + y);
    const law = [0, 0, 0];
    for (let n = -40; n <= 40; n++) {
      const [less, most] = [below(n), below(n) + mass(n)];
      law[0] += mass(n) * most * most;
      law[1] += mass(n) * less * most;
      law[2] += mass(n) * less * less;
    }
    const chi = first.reduce((sum, seen, i) => sum + (seen - runs * law[i]) ** 2 / (runs * law[i]), 0);
    expect(chi).toBeLessThan(13.8); // p = 0.001, two degrees of freedom
    const even = first.reduce((sum, seen) => sum + (seen - runs / 3) ** 2 / (runs / 3), 0);
    expect(even).toBeGreaterThan(30); // a law without the tie rule is rejected
  });

  it("has ratios over neighbours up to the claim and nearly that, and less noise is caught", () => {
    // Three counts of which one person moves two: P(the first wins with its count) for all values, Laplace noise.
    const ratioOf = (scale: number, moved: number) => {
      const a = Math.exp(-1 / scale);
      const mass = (n: number) => ((1 - a) / (1 + a)) * a ** Math.abs(n);
      let largest = 0;
      for (let y = -6; y <= 6; y++)
        for (let z = -6; z <= 6; z++) {
          const here = mass(y) * mass(z);
          const there = mass(y - 1) * (moved > 1 ? mass(z - 1) : mass(z));
          largest = Math.max(largest, Math.abs(Math.log(here / there)));
        }
      return largest;
    };
    const { size } = histogramTopK.plan(3, { k: 2, maxItemsPerUser: 2, epsilon: 1 });
    expect(ratioOf(size.toNumber(), 2)).toBeLessThanOrEqual(1 + 1e-12);
    expect(ratioOf(size.toNumber(), 2)).toBeGreaterThan(0.95);
    const forOne = histogramTopK.plan(3, { k: 2, maxItemsPerUser: 1, epsilon: 1 });
    expect(ratioOf(forOne.size.toNumber(), 2)).toBeGreaterThan(1.9);
  });

  it("covers all winners' counts at once, and no winner is further below than its bound", () => {
    const counts = Array.from({ length: 60 }, (_, i) => Math.floor(300 / (i + 1)));
    const options = { k: 10, maxItemsPerUser: 3, rho: "1/10" } as const;
    const { errorBound } = histogramTopK.plan(60, options);
    const kth = counts[9];
    const entropy = seededEntropy("coverage");
    const runs = 600;
    let [covered, within] = [0, 0];
    for (let run = 0; run < runs; run++) {
      const { winners } = histogramTopK(counts, { ...options, entropy });
      const truths = winners.map(({ candidate }) => counts[candidate]);
      const holds = winners.every(
        ({ from, to }, i) => from.compare(truths[i]) <= 0 && to.compare(truths[i]) >= 0,
      );
      covered += Number(holds);
      within += Number(truths.every((truth) => truth >= kth - errorBound.toNumber()));
    }
    expect(covered / runs).toBeGreaterThanOrEqual(0.93);
    expect(within / runs).toBeGreaterThanOrEqual(0.95);
  });

  it("has intervals for names that their noise has chosen, for which the width of one fixed name isn't enough", () => {
    const alike = new Array<number>(60).fill(50);
    const options = { k: 1, maxItemsPerUser: 3, rho: "1/10" } as const;
    const { halfWidth, simultaneous } = histogramTopK.plan(60, options);
    const entropy = seededEntropy("chosen by noise");
    const runs = 400;
    let [single, all] = [0, 0];
    for (let run = 0; run < runs; run++) {
      const off = histogramTopK(alike, { ...options, entropy }).winners[0].count.minus(50);
      single += Number(off.compare(halfWidth) <= 0);
      all += Number(off.compare(simultaneous) <= 0);
    }
    expect(all / runs).toBeGreaterThanOrEqual(0.95);
    expect(single / runs).toBeLessThan(0.5);
  });
});
