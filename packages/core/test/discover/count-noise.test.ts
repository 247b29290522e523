import { describe, expect, it } from "vitest";
import { rhoOfSharedCounts } from "../../src/accounting/price.js";
import { gaussianSharing, isBetter, laplaceSharing } from "../../src/accounting/shared-noise.js";
import { CountNoise, levelFor } from "../../src/discover/count-noise.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { countNoise, measureCounts, orderedIntervals, pure, topKWithCounts, zcdp } from "../../src/index.js";
import { drawDiscreteGaussian } from "../../src/sample/discrete-gaussian.js";
import { drawDiscreteLaplace } from "../../src/sample/discrete-laplace.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { vectors } from "../support/count-vectors.js";

/** What the vectors leave out is not given. */
const bound = (most: number | null) => (most === null ? {} : { maxItemsPerUser: most });

describe("shared Gaussian noise", () => {
  it.each(vectors.shared_gaussian)("is that of the vectors: k = $k, at most $max_items items", (vector) => {
    const { k, sensitivity, rho, alpha } = vector;
    const noise = new CountNoise(k, { rho, sensitivity, sharing: "shared", ...bound(vector.max_items) });
    expect(String(noise.size)).toBe(String(rational(vector.variance_each)));
    expect(String(noise.shared?.size)).toBe(String(rational(vector.variance_shared)));
    expect(noise.factor).toBe(BigInt(vector.a));
    expect(noise.size.dividedBy(noise.shared?.size as Rational).equals(vector.u)).toBe(true);
    for (const { names, rho } of vector.loss_of_names) expect(noise.lossOf(names)).toEqual(zcdp(rho));
    const level = rational(alpha);
    atMostRoundedUp(noise.halfWidth(level), vector.half_width_lattice, noise);
    atMostRoundedUp(noise.halfWidth(level, k), vector.simultaneous_lattice, noise);
    const sharing = gaussianSharing({ k, moved: vector.max_items ?? k });
    expect(String(sharing.variance)).toBe(String(rational(vector.factor)));
    expect(isBetter(sharing) && k > 1).toBe(vector.better_than_independent);
  });

  /** Beyond σ = 1000 or so the threshold may be 0.2 % of σ above the least. */
  function atMostRoundedUp(width: bigint, least: number, { size, shared }: CountNoise): void {
    const sigma = Math.sqrt(size.plus(shared?.size as Rational).toNumber());
    expect(Number(width)).toBeGreaterThanOrEqual(least);
    expect(Number(width)).toBeLessThanOrEqual(least + (sigma > 900 ? 0.002 * sigma : 0));
  }

  it("has noise whose sum is smooth: a larger multiple where ρ is large", () => {
    const { factor, size, shared } = countNoise({ k: 2, rho: 1 });
    expect([factor, size, shared?.size].map(String)).toEqual(["6", "12", "12"]);
    for (const rho of ["1/1000", "1/7", 1, 13, 2000])
      for (const k of [2, 3, 10, 50]) {
        const { size, shared, lossOf } = countNoise({ k, rho, sharing: "shared" });
        const u = size.dividedBy(shared?.size as Rational);
        expect(size.dividedBy(u.plus(1n)).compare(5n)).toBeGreaterThanOrEqual(0);
        expect(lossOf).toBeDefined();
      }
  });

  it("has the best u of all up to 4k + 16, for every bound", () => {
    for (let k = 1; k <= 22; k++)
      for (let moved = 1; moved <= k; moved++) {
        let best: { u: number; value: Rational } | undefined;
        for (let u = 1; u <= 4 * k + 16; u++) {
          const s = Math.min(moved, Math.floor((k + u) / 2));
          const value = Rational.of(BigInt((u + 1) * s * (k + u - s)), BigInt(u * (k + u)));
          if (best === undefined || value.compare(best.value) < 0) best = { u, value };
        }
        const { pool, variance } = gaussianSharing({ k, moved });
        expect([k, moved, pool, String(variance)]).toEqual([k, moved, best?.u, String(best?.value)]);
      }
  });

  it("costs more for more names, and never more than all", () => {
    for (const [k, maxItemsPerUser, sensitivity] of [
      [12, 12, 1],
      [12, 7, 1],
      [9, 9, 3],
      [9, 9, "3/2"],
    ] as const) {
      const noise = countNoise({ k, rho: "1/50", maxItemsPerUser, sensitivity, sharing: "shared" });
      const losses = Array.from({ length: k + 1 }, (_, j) => noise.lossOf(j));
      const rhos = losses.map((loss) => (loss.measure === "zcdp" ? (loss.rho as Rational) : Rational.ZERO));
      for (let j = 1; j <= k; j++) expect(rhos[j].compare(rhos[j - 1])).toBeGreaterThanOrEqual(0);
      expect(rhos[0].equals(0n) && rhos[k].equals("1/50")).toBe(true);
      // Fewer names cost more than their share.
      expect(rhos[1].compare(Rational.of(1n, BigInt(50 * k)))).toBe(1);
    }
  });

  it("is drawn as one noise for all and one for each, to the last bit", () => {
    const noise = countNoise({ k: 3, rho: "1/4" });
    const [counts, one, two] = [[7, 0, 12n], seededEntropy("shared noise"), seededEntropy("shared noise")];
    const common = drawDiscreteGaussian(rational(30), two);
    const expected = counts.map(
      (count) => 5n * BigInt(count) + drawDiscreteGaussian(rational(60), two) + common,
    );
    expect(noise.noisy(counts, one)).toEqual(expected);
    expect(noise.noisy([], one)).toEqual([]);
    expect(one.bits(30)).toBe(two.bits(30));
  });
});

describe("shared Laplace noise", () => {
  it.each(vectors.shared_laplace)("is that of the vectors: k = $k, at most $max_items items", (vector) => {
    const { k, sensitivity, epsilon, alpha } = vector;
    const noise = new CountNoise(k, { epsilon, sensitivity, sharing: "shared", ...bound(vector.max_items) });
    expect(String(noise.size)).toBe(String(rational(vector.scale_each)));
    expect(String(noise.shared?.size)).toBe(String(rational(vector.scale_shared)));
    expect(noise.factor).toBe(1n);
    for (const { names, epsilon } of vector.loss_of_names) expect(noise.lossOf(names)).toEqual(pure(epsilon));
    expect(noise.halfWidth(rational(alpha))).toBe(BigInt(vector.half_width));
    expect(noise.halfWidth(rational(alpha), k)).toBe(BigInt(vector.simultaneous));
    const sharing = laplaceSharing({ k, moved: vector.max_items ?? k });
    expect(sharing?.s).toBe(vector.s0);
    expect(String(sharing?.variance)).toBe(String(rational(vector.factor)));
    expect(sharing !== undefined && isBetter(sharing)).toBe(vector.better_than_independent);
  });

  it("has the best s of all, for every bound", () => {
    for (let k = 1; k <= 30; k++)
      for (let moved = 1; moved <= k; moved++) {
        let best: { s: number; value: Rational } | undefined;
        for (let s = 1; s <= moved - 1; s++) {
          const q = 2 * s + 1 - k;
          if (q < 1) continue;
          const value = Rational.of(BigInt(s * s * (q * q + 1)), BigInt(q * q));
          if (best === undefined || value.compare(best.value) < 0) best = { s, value };
        }
        const found = laplaceSharing({ k, moved });
        expect([k, moved, found?.s]).toEqual([k, moved, best?.s]);
      }
  });

  it("is drawn as one noise for all and one for each, to the last bit", () => {
    const noise = countNoise({ k: 3, epsilon: "1/4" });
    const [one, two] = [seededEntropy("shared Laplace"), seededEntropy("shared Laplace")];
    const common = drawDiscreteLaplace(rational(4), two);
    const expected = [5, 9].map((count) => BigInt(count) + drawDiscreteLaplace(rational(8), two) + common);
    expect(noise.noisy([5, 9], one)).toEqual(expected);
  });

  it("has a width where scales are huge, tiny and far apart", () => {
    const width = (epsilon: string, k: number) =>
      countNoise({ k, epsilon, sharing: "shared" }).halfWidth(rational("1/20"));
    expect(Number(width("1e-12", 2))).toBeGreaterThan(1e12);
    expect(width("1e9", 40)).toBe(0n);
    expect(width("1000", 2)).toBe(0n);
  });
});

describe("which noise counts have", () => {
  it("is shared from two counts on, where people are added or removed", () => {
    const isShared = (options: object, k = 10) => new CountNoise(k, options).shared !== undefined;
    expect(isShared({ rho: 1 })).toBe(true);
    expect(isShared({ epsilon: 1 })).toBe(true);
    expect(isShared({ rho: 1 }, 2)).toBe(true);
    expect(isShared({ rho: 1 }, 1)).toBe(false);
    expect(isShared({ epsilon: 1 }, 1)).toBe(false);
    expect(isShared({ rho: 1, neighbours: "replace" })).toBe(false);
    expect(isShared({ rho: 1, sharing: "independent" })).toBe(false);
    expect(isShared({ variance: 3 })).toBe(false);
    expect(isShared({ scale: 3 })).toBe(false);
    expect(isShared({ epsilon: 1, delta: "1e-6" })).toBe(true);
    expect(isShared({ epsilon: 1, delta: "1e-6", maxItemsPerUser: 3 }, 30)).toBe(false);
    // A tenth of the counts: 2 % isn't worth it; a quarter is.
    expect(isShared({ rho: 1, maxItemsPerUser: 10 }, 100)).toBe(false);
    expect(isShared({ rho: 1, maxItemsPerUser: 25 }, 100)).toBe(true);
    expect(isShared({ epsilon: 1, maxItemsPerUser: 50 }, 100)).toBe(false);
  });

  it("gives the gains of the table", () => {
    const ratio = (k: number) => Math.sqrt(gaussianSharing({ k, moved: k }).variance.toNumber() / k);
    const pureRatio = (k: number) =>
      Math.sqrt((laplaceSharing({ k, moved: k })?.variance.toNumber() ?? k * k) / (k * k));
    const names = [2, 3, 4, 5, 7, 10, 15, 25, 50, 100];
    expect(names.map((k) => ratio(k).toFixed(3)).join(" ")).toBe(
      "0.816 0.775 0.750 0.717 0.690 0.656 0.628 0.600 0.571 0.550",
    );
    expect(names.map((k) => pureRatio(k).toFixed(3)).join(" ")).toBe(
      "0.707 0.745 0.707 0.671 0.639 0.632 0.596 0.577 0.548 0.530",
    );
  });

  it.each([
    [
      { k: 3, rho: 1, sharing: "shared", neighbours: "replace" },
      'sharing must be "independent" where people are replaced',
    ],
    [{ k: 3, variance: 1, sharing: "shared" }, "sharing must be absent beside variance and scale"],
    [{ k: 3, scale: 1, sharing: "shared" }, "sharing must be absent beside variance and scale"],
    [{ k: 1, epsilon: 1, sharing: "shared" }, 'sharing must be "independent" for so few counts'],
    [{ k: 3, rho: 1, sharing: "own" }, "sharing must be"],
    [{ k: 0, rho: 1 }, "k must be an integer >= 1; got 0"],
  ])("refuses %o", (options, message) => {
    expect(() => countNoise(options as never)).toThrow(message);
  });

  it("takes a fifth of the budget where it is shared, and a quarter where it isn't", () => {
    const people = { ant: 90_000, bee: 80_000, cat: 70_000 };
    const share = (options: object) => {
      const { parts } = topKWithCounts(people, { k: 3, rho: 1, delta: "1e-6", ...options }).measurement;
      return parts.counts.measure === "zcdp" && parts.counts.rho;
    };
    expect(String(share({}))).toBe("0.2");
    expect(String(share({ sharing: "independent" }))).toBe("0.25");
    expect(String(share({ neighbours: "replace" }))).toBe("0.25");
    expect(String(share({ countShare: "1/3" }))).toBe("1/3");
  });
});

describe("intervals of counts that share noise", () => {
  const people = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`n${i}`, 5000 - 9 * i]));
  const names = Object.keys(people);

  it.each([{ rho: "1/50" }, { epsilon: "1/2" }, { epsilon: 1, delta: "1e-6" }])(
    "hold the true counts, one by one and all at once: %o",
    (spend) => {
      const entropy = seededEntropy("coverage of shared noise");
      let [held, all, inOrder] = [0, 0, 0];
      const runs = 250;
      for (let run = 0; run < runs; run++) {
        const { counts, shared } = measureCounts(people, names, { ...spend, entropy });
        const isIn = counts.map(
          ({ candidate, from, to }) =>
            from.compare(people[candidate]) <= 0 && to.compare(people[candidate]) >= 0,
        );
        held += isIn.filter(Boolean).length;
        const near = shared?.simultaneous as Rational;
        const far = counts.some(({ candidate, count }) => {
          const off = count.minus(people[candidate]);
          return off.compare(near) > 0 || off.negated().compare(near) > 0;
        });
        all += far ? 0 : 1;
        const bands = orderedIntervals(
          counts.map(({ count }) => count),
          near,
        );
        const holds = bands.every(
          ({ from, to }, i) => from.compare(people[names[i]]) <= 0 && to.compare(people[names[i]]) >= 0,
        );
        inOrder += holds ? 1 : 0;
      }
      expect(held / (10 * runs)).toBeGreaterThan(0.92);
      expect(held / (10 * runs)).toBeLessThan(0.975);
      expect(all / runs).toBeGreaterThan(0.91);
      expect(all / runs).toBeLessThan(0.985);
      expect(inOrder).toBe(all); // the order is right: the bands hold all counts whenever all are near
    },
  );

  it.each(vectors.ordered_band)("are narrower if the order is right: $released", (vector) => {
    const { a, half_width_lattice: w } = vector;
    const counts = vector.released.map((y) => rational(`${y}/${a}`));
    const bands = orderedIntervals(counts, rational(`${w}/${a}`));
    expect(bands.map(({ from }) => String(from))).toEqual(vector.from_if_ordered);
    expect(bands.map(({ to }) => String(to))).toEqual(vector.to_if_ordered);
    for (const [i, count] of counts.entries()) {
      const [alone] = orderedIntervals([count], rational(`${w}/${a}`));
      expect([alone.from, alone.to].map(String)).toEqual([vector.from[i], vector.to[i]]);
    }
  });

  it("are those of the lattice, cut at 0 and to whole numbers", () => {
    const entropy = seededEntropy(5);
    const { counts, shared, halfWidth, simultaneous } = measureCounts(
      { ant: 2, bee: 1 },
      ["ant", "bee", "cow"],
      {
        ...{ rho: "1/40", entropy },
      },
    );
    if (shared === undefined) return expect.fail("noise is shared");
    expect(String(halfWidth)).toBe(String(shared.halfWidth.ceil()));
    expect(String(simultaneous)).toBe(String(shared.simultaneous.ceil()));
    for (const { count, from, to } of counts) {
      const [low, high] = [count.minus(shared.halfWidth).ceil(), count.plus(shared.halfWidth).floor()];
      expect([from, to].map(String)).toEqual([low, high].map((end) => String(end > 0n ? end : 0n)));
      expect(count.times(shared.factor).denominator).toBe(1n);
    }
  });

  it("are a third narrower at ten names than those of independent noise", () => {
    const width = (sharing: "shared" | "independent") =>
      measureCounts(people, names, {
        rho: "229/40000",
        sharing,
        entropy: seededEntropy(1),
      }).halfWidth.toNumber();
    expect([width("shared"), width("independent")]).toEqual([38, 58]);
    expect(levelFor({}).equals("1/20")).toBe(true);
  });

  it("has a proven loss in (ε, δ), smaller for fewer names", () => {
    const noise = countNoise({ k: 10, epsilon: 1, delta: "1e-6" });
    const deltas = [1, 5, 10].map((names) => {
      const loss = noise.lossOf(names);
      return loss.measure === "approx" ? loss.delta.toNumber() : 1;
    });
    expect(deltas[0]).toBeLessThan(deltas[1]);
    expect(deltas[1]).toBeLessThan(deltas[2]);
    expect(deltas[2]).toBeLessThanOrEqual(1e-6);
    expect(deltas[2]).toBeGreaterThan(0.99e-6);
  });
});

describe("the price of shared noise is the true one", () => {
  /** D_α/α of y(h) against y(h + d) for two names, by the joint law on a box, in doubles; both directions. */
  function divergence(
    d: readonly [number, number],
    [a, each, shared]: readonly number[],
    alpha: number,
  ): number {
    const box = Math.ceil(9 * Math.sqrt(each + shared)) + 2 * a;
    const mass = (variance: number, x: number) => Math.exp((-x * x) / (2 * variance));
    const total = (variance: number) => {
      let sum = 0;
      for (let x = -400; x <= 400; x++) sum += mass(variance, x);
      return sum;
    };
    const [zEach, zShared] = [total(each), total(shared)];
    const reach = Math.ceil(9 * Math.sqrt(shared));
    const law = (x: number, y: number) => {
      let sum = 0;
      for (let m = -reach; m <= reach; m++) sum += mass(shared, m) * mass(each, x - m) * mass(each, y - m);
      return sum / (zEach * zEach * zShared);
    };
    const values = new Map<number, number>();
    const size = 4 * box;
    const at = (x: number, y: number) => {
      const key = (x + size) * 2 * size + y + size;
      const known = values.get(key) ?? law(x, y);
      values.set(key, known);
      return known;
    };
    let [there, back] = [0, 0];
    for (let x = -box; x <= box; x++)
      for (let y = -box; y <= box; y++) {
        const [p, q] = [at(x, y), at(x - a * d[0], y - a * d[1])];
        if (p < 1e-200 || q < 1e-200) continue;
        there += p * (p / q) ** (alpha - 1);
        back += q * (q / p) ** (alpha - 1);
      }
    return Math.log(Math.max(there, back)) / (alpha - 1) / alpha;
  }

  const noise = { names: 2, pool: 1, factor: 3n, variance: rational(3) };
  const rho = rhoOfSharedCounts(noise, { names: 2, moved: 2, distance: Rational.ONE }).toNumber();

  it("for every change of one individual, and attained", () => {
    let largest = 0;
    for (const d of [
      [0, 1],
      [1, 0],
      [1, 1],
    ] as const)
      for (const alpha of [1.05, 2, 4]) largest = Math.max(largest, divergence(d, [3, 3, 3], alpha) / rho);
    expect(largest).toBeLessThan(1 + 1e-6); // the box is finite, and doubles round
    expect(largest).toBeGreaterThan(0.9999);
  });

  it("but not for people who are replaced: three times as much", () => {
    expect(divergence([1, -1], [3, 3, 3], 2) / rho).toBeCloseTo(3, 6);
  });

  it("nor without the multiple of k + u: shifts would be no steps of the lattice", () => {
    // σ² = S/a² = 1/3 and 1/6 with a = 1.
    expect(divergence([1, 1], [1, 1 / 3, 1 / 3], 1.05) / rho).toBeGreaterThan(1.02);
    expect(divergence([0, 1], [1, 1 / 6, 1 / 6], 1.05) / (2 * rho)).toBeGreaterThan(1.1);
  });

  it("nor charged as independent noise of the same variance would be", () => {
    // All of M's variance counted once for each name.
    const independent = Rational.of(2n * 9n, 2n * 6n).toNumber();
    expect(independent).toBeGreaterThan(rho); // that would be too much,
    const eachAlone = 9 / (2 * 3 * 2); // and a half for one of two too little
    expect(eachAlone).toBeLessThan(
      rhoOfSharedCounts(noise, { names: 1, moved: 1, distance: Rational.ONE }).toNumber(),
    );
  });

  it.each([
    [3, 2, 2, 2],
    [2, 1, 1, 1],
  ])("for %i counts with Laplace noise, in ratios of likelihoods", (k, s, b, q) => {
    const pmf = (scale: number, x: number) => Math.exp(-Math.abs(x) / scale);
    const law = (y: readonly number[]) => {
      let sum = 0;
      for (let m = -60; m <= 60; m++)
        sum += pmf(b / q, m) * y.reduce((product, x) => product * pmf(b, x - m), 1);
      return sum;
    };
    const points = Array.from({ length: 19 ** k }, (_, i) =>
      Array.from({ length: k }, (_, place) => (Math.floor(i / 19 ** place) % 19) - 9),
    );
    const laws = points.map(law);
    const ratio = (d: readonly number[]) =>
      Math.max(...points.map((y, i) => Math.abs(Math.log(laws[i] / law(y.map((x, j) => x - d[j]))))));
    const claim = s / b;
    const moves = Array.from({ length: k }, (_, ups) =>
      Array.from({ length: k }, (_, i) => (i <= ups ? 1 : 0)),
    );
    const worst = Math.max(...moves.map(ratio));
    expect(worst).toBeLessThan(claim * (1 + 1e-9));
    expect(worst).toBeGreaterThan(0.95 * claim);
    // People who are replaced: one count rises and the others fall.
    expect(ratio(moves[0].map((up) => 2 * up - 1)) / claim).toBeGreaterThan(1.45);
  });
});
