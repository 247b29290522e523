import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { convert, eta, type QuantileOptions, quantile, quantiles, upperBound } from "../../src/index.js";
import { Grid, readGridValues } from "../../src/numbers/grid-data.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { parameterOf, vectors } from "../support/more-vectors.js";

const RANGE = { lower: 0, upper: 10 };

describe("The loss of quantile", () => {
  it.each(vectors.quantile)(
    "is the reference law: $name",
    ({ p, tau, lower, upper, loss_add_remove, loss_replace }) => {
      const options = { quantile: p, lower, upper, scale: tau };
      expect(quantile([], options).privacy).toEqual({ measure: "pure", epsilon: rational(loss_add_remove) });
      expect(quantile([], { ...options, neighbours: "replace" }).privacy).toEqual({
        measure: "pure",
        epsilon: rational(loss_replace),
      });
    },
  );

  it.each(vectors.quantile_base2)(
    "is the reference law in base 2: $name",
    ({ p, eta: base, loss_add_remove }) => {
      const { privacy } = quantile([], { ...RANGE, quantile: p, eta: parameterOf(base) });
      const { epsilon } = convert(privacy, { to: "pure" });
      expect(rational(epsilon).dividedBy(loss_add_remove).minus(1).toNumber()).toBeCloseTo(0, 13);
      expect(rational(epsilon).compare(loss_add_remove)).toBeGreaterThanOrEqual(0);
    },
  );

  it("is what was asked for, times the values of a person", () => {
    for (const p of [0, "1/4", "1/2", "0.9", 1])
      for (const maxValuesPerUser of [1, 3])
        expect(quantile([], { ...RANGE, quantile: p, epsilon: "1/3", maxValuesPerUser }).privacy).toEqual({
          measure: "pure",
          epsilon: rational("1/3"),
        });
    const { privacy } = quantile([], { ...RANGE, quantile: "1/2", rho: "1/8" });
    expect(privacy).toEqual({ measure: "zcdp", rho: rational("1/8") });
  });

  it("of the minimum and the maximum is that of a range of 1, of others more", () => {
    const cost = (p: string) => quantile([], { ...RANGE, quantile: p, scale: 1 }).privacy;
    expect(["0", "1/10", "1/2", "9/10", "1"].map(cost)).toEqual(
      ["1", "9/5", "1", "9/5", "1"].map((epsilon) => ({ measure: "pure", epsilon: rational(epsilon) })),
    );
  });

  it("of several quantiles is the whole budget, in either way", () => {
    const options = { ...RANGE, quantiles: ["1/10", "1/2", "9/10"] };
    for (const method of ["recursive", "separate"] as const) {
      expect(quantiles([], { ...options, method, epsilon: 1 }).privacy).toEqual({
        measure: "pure",
        epsilon: rational(1),
      });
      const { privacy } = quantiles([], { ...options, method, rho: "1/8" });
      const rho = privacy.measure === "zcdp" ? rational(privacy.rho) : rational(9);
      expect([rho.compare("1/8") <= 0, rho.compare("0.1249999") > 0]).toEqual([true, true]);
    }
    expect(quantiles([], { ...options, eta: eta(1, 1) }).privacy).toEqual({
      measure: "base2",
      eta: rational(38),
    });
  });

  it.each(vectors.upper_bound.filter(({ threshold_scale, query_scale }) => threshold_scale === query_scale))(
    "of upperBound is the reference law: $name",
    ({ loss_add_remove, threshold_scale }) => {
      const { privacy } = upperBound([], { target: 5, scale: threshold_scale });
      expect(privacy).toEqual({ measure: "pure", epsilon: rational(loss_add_remove) });
      expect(upperBound([], { target: 5, scale: 1, neighbours: "replace" }).privacy).toEqual({
        measure: "pure",
        epsilon: rational(2),
      });
    },
  );
});

describe("The scales of several quantiles", () => {
  it("are one where they are drawn separately, 2·max(a, 1 − a) over the ε of a level otherwise, and none in base 2", () => {
    const asked = { ...RANGE, quantiles: ["1/4", "1/2", "3/4"] };
    // Σr = 3/2 + 1 + 3/2 = 4.
    expect(quantiles([], { ...asked, epsilon: 2, method: "separate" }).scales?.map(String)).toEqual([
      "2",
      "2",
      "2",
    ]);
    // Two levels of medians, of ε = 1 each.
    expect(quantiles([], { ...asked, epsilon: 2, method: "recursive" }).scales?.map(String)).toEqual([
      "1",
      "1",
      "1",
    ]);
    expect(quantiles([], { ...asked, eta: eta(1, 1, 1) })).not.toHaveProperty("scales");
  });
});

describe("The rank error", () => {
  it.each(vectors.accounting2.filter(({ fn }) => fn === "quantile_rank_error"))(
    "is the reference bound: $args",
    ({ args, value }) => {
      const { points, tau, beta } = args as unknown as { points: number; tau: string; beta: string };
      const bound = quantile([], { quantile: "1/2", lower: 1, upper: points, scale: tau }).rankError(
        rational(1n).minus(beta),
      );
      expect(bound.compare(value)).toBeGreaterThanOrEqual(0);
      expect(bound.dividedBy(value).compare("1.0000000000001")).toBe(-1);
    },
  );

  it("is 0 where there is one point, ln(points/β)/(b·ln(1/B)) in base 2, and refused for a confidence that isn't a probability", () => {
    const one = quantile([], { quantile: "1/2", lower: 3, upper: 3, scale: 1 });
    expect(one.rankError("19/20")).toEqual(rational(0));
    const { rankError } = quantile([], { ...RANGE, quantile: "1/4", eta: eta(3, 2, 2) });
    expect(rankError("19/20").toNumber()).toBeCloseTo(Math.log(200) / (8 * Math.log(4 / 3)), 12);
    expect(() => rankError(1)).toThrow("confidence must be a rational > 0 and < 1; got 1");
  });

  it("of several needs a public bound on the number of values where ties are spread", () => {
    const answer = quantiles([1, 2, 3], {
      ...RANGE,
      quantiles: ["1/4", "3/4"],
      epsilon: 1,
      method: "recursive",
    });
    expect(() => answer.rankError("0.95")).toThrow("atMost must be a public bound on the number of values");
    const [first, second] = answer.rankError("0.95", { atMost: 1000 });
    expect(second.compare(first)).toBe(1); // a level deeper
    expect(
      quantiles([], { ...RANGE, quantiles: ["1/4"], epsilon: 1, method: "recursive", subCells: 1 }).rankError(
        "0.95",
      ).length,
    ).toBe(1);
  });

  it("decides between the two ways by public numbers alone", () => {
    const many = Array.from({ length: 63 }, (_, i) => `${i + 1}/64`);
    const choose = (ps: readonly string[], values: number[]) =>
      quantiles(values, { lower: 0, upper: 1e6, quantiles: ps, epsilon: 1, atMost: 10_000 }).method;
    expect([choose(["1/2"], []), choose(many, [])]).toEqual(["separate", "recursive"]);
    expect([choose(["1/2"], [5, 5, 5]), choose(many, [5, 5, 5])]).toEqual(["separate", "recursive"]);
  });
});

describe("Values on a grid", () => {
  it("are rounded down and clamped exactly, however they are written", () => {
    const grid = new Grid({ lower: "-1/2", upper: 3, step: "1/10" });
    const cells = [0.3, 0.1 + 0.2, 0.29999999999999999, -0.5, -7, 2.95, 99, 3, 10n ** 30n, -0.45].map(
      (value) => grid.cellOf(value),
    );
    expect(cells).toEqual([8, 8, 8, 0, 0, 34, 35, 35, 35, 0]);
    const thirds = new Grid({ lower: 0, upper: 1, step: "1/3" });
    expect([0.3333, 0.33333333333333337, 0.6667, 1].map((value) => thirds.cellOf(value))).toEqual([
      0, 1, 2, 3,
    ]);
  });

  it("agree with rationals on grids of all kinds", () => {
    const entropy = seededEntropy("grid");
    for (const [lower, step] of [
      ["0", "1"],
      ["-3", "0.01"],
      ["0.1", "0.1"],
      ["1/3", "1/7"],
      ["-1e6", "2.5"],
    ]) {
      const grid = new Grid({ lower, upper: 1e6, step });
      for (let i = 0; i < 500; i++) {
        const value = (entropy.bits(30) - 2 ** 29) / 10 ** entropy.bits(3);
        const exact = rational(value).minus(lower).dividedBy(step).floor();
        const clamped = exact < 0n ? 0 : exact >= BigInt(grid.size) ? grid.size - 1 : Number(exact);
        expect(grid.cellOf(value)).toBe(clamped);
      }
    }
  });

  it("give one histogram, from lists, typed arrays, pairs and maps, counted or sorted", () => {
    const values = [5, 3, 3, 9, 5, 5, 200, -1];
    const wide = new Grid({ lower: 0, upper: 1e9 });
    const narrow = new Grid({ lower: 0, upper: 100 });
    const found = [
      values,
      Float64Array.from(values),
      values.map(BigInt),
      new Map<number, number | bigint>([
        [5, 3],
        [3, 2],
        [9, 1],
        [200, 1n],
        [-1, 1],
      ]),
      [
        [3, 2],
        [5, 2],
        [5, 1],
        [9, 1],
        [200, 1],
        [-1, 1],
      ] as [number, number][],
    ];
    for (const given of found) {
      const sparse = readGridValues(given as number[], wide);
      expect([[...sparse.cells], [...sparse.upTo]]).toEqual([
        [0, 3, 5, 9, 200],
        [1, 3, 6, 7, 8],
      ]);
      const dense = readGridValues(given as number[], narrow);
      expect([[...dense.cells], [...dense.upTo]]).toEqual([
        [0, 3, 5, 9, 100],
        [1, 3, 6, 7, 8],
      ]);
    }
  });

  it("may be rationals with more digits than a double has, in pairs with their counts", () => {
    const grid = new Grid({ lower: "0.3", upper: "0.4", step: "1e-15" });
    const text = "0.300000000000000999999999999999";
    const { cells, upTo } = readGridValues([[rational(text), 2]], grid);
    expect([...cells]).toEqual([0]);
    expect([...readGridValues([[Number(text), 2]], grid).cells]).toEqual([1]); // the double is rounded up
    expect([...upTo]).toEqual([2]);
    const [low, high] = ["-1e300", "1/3"].map((value) => rational(value));
    const mixed: [number | bigint | typeof low, number][] = [
      [low, 1],
      [5n, 2],
      [high, 4],
      [0.5, 8],
    ];
    const histogram = readGridValues(mixed, new Grid({ lower: 0, upper: 9 }));
    expect([...histogram.cells, ...histogram.upTo]).toEqual([0, 5, 13, 15]);
  });

  it("are answered within the grid, though all points beyond it would be as good", () => {
    for (let seed = 0; seed < 10; seed++) {
      const options = { ...RANGE, scale: "1/100", entropy: seededEntropy(`edge ${seed}`) };
      expect(quantile([10, 10, 10], { ...options, quantile: 1 }).value).toEqual(rational(10));
      expect(quantiles([10, 10, 10], { ...options, quantiles: [1] }).values).toEqual([rational(10)]);
    }
  });

  it("may be many, and far apart: the answer is near the true one", () => {
    const values = Float64Array.from({ length: 200_000 }, (_, i) => i * 1000);
    const { value } = quantile(values, {
      quantile: "0.9",
      lower: 0,
      upper: 1e12,
      epsilon: 1,
      entropy: seededEntropy("many"),
    });
    expect(Math.abs(value.toNumber() - 180_000_000)).toBeLessThan(100_000);
    const bound = upperBound(values, { target: 10, epsilon: 1, entropy: seededEntropy("bound") });
    expect(bound.value).toEqual(rational(2 ** 28));
    expect(bound.exceeding("0.95").toNumber()).toBeCloseTo(10 + Math.log(20), 10);
  });
});

describe("Refused before a bit is drawn:", () => {
  it.each([
    [{ quantile: "1/2", lower: 5, upper: 1, epsilon: 1 }, "upper must be a rational >= lower; got 1"],
    [{ quantile: "3/2", ...RANGE, epsilon: 1 }, 'quantile must be a rational from 0 to 1; got "3/2"'],
    [{ quantile: -0.1, ...RANGE, epsilon: 1 }, "quantile must be a rational from 0 to 1; got -0.1"],
    [{ quantile: 0, ...RANGE }, "budget must be exactly one of epsilon, rho, scale and eta"],
    [{ quantile: 0, ...RANGE, epsilon: 1, scale: 1 }, "budget must be exactly one of"],
    [{ quantile: 0, lower: 0, upper: 1e300, epsilon: 1 }, "step must be a step with fewer than 2^53 points"],
    [
      { quantile: 0, ...RANGE, epsilon: 1, maxValuesPerUser: 0 },
      "maxValuesPerUser must be an integer >= 1; got 0",
    ],
    [
      { quantile: 0, ...RANGE, epsilon: 1, neighbours: "swap" },
      'neighbours must be "add-remove" or "replace"',
    ],
  ] as unknown as [QuantileOptions, string][])("%o", (options, refusal) => {
    expect(() => quantile([1], options)).toThrow(refusal);
  });

  const list = "quantiles must be a list of rationals from 0 to 1, increasing; got ";
  it.each([
    [["1/2", "1/4"], `${list}"others"`],
    [["1/2", "1/2"], `${list}"others"`],
    [[], list],
    [["2"], 'quantiles must be a rational from 0 to 1; got "2"'],
    ["1/2", list],
  ])("quantiles %o", (given, refusal) => {
    expect(() => quantiles([1], { ...RANGE, quantiles: given as never, epsilon: 1 })).toThrow(refusal);
  });

  it("values that are not finite, without saying which", () => {
    for (const values of [
      [1, Number.NaN],
      [Infinity],
      ["7"],
      [[1, -1]],
      [[1, 0.5]],
      [[Number.NaN, 1]],
      new Map([["a", 1]]),
    ])
      expect(() => quantile(values as number[], { ...RANGE, quantile: 0, epsilon: 1 })).toThrow(
        expect.objectContaining({ code: "invalid-score" }),
      );
    expect(() => upperBound([Number.NaN], { target: 1, epsilon: 1 })).toThrow(
      "values must be finite numbers or bigints (up to 1.79e308) throughout",
    );
  });

  it("thresholds that don't fall, and noise that levels cannot share", () => {
    for (const thresholds of [[], [1, 2], [1, Number.NaN], "12"])
      expect(() => upperBound([], { target: 1, epsilon: 1, thresholds: thresholds as number[] })).toThrow(
        "thresholds must be a list of rationals that fall",
      );
    expect(() => quantiles([], { ...RANGE, quantiles: [0], scale: 1, method: "recursive" })).toThrow(
      'method must be "separate" with scale or eta',
    );
  });
});
