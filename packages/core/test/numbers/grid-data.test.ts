import { describe, expect, it, vi } from "vitest";
import { Rational, rational } from "../../src/exact/rational.js";
import {
  Grid,
  GridHistogram,
  type GridOptions,
  type GridValues,
  readGridValues,
} from "../../src/numbers/grid-data.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

/** The cell of a value in rationals. */
function exactCell(value: number | bigint, grid: Grid): number {
  const cell = rational(value).minus(grid.lower).dividedBy(grid.step).floor();
  return cell < 0n ? 0 : cell >= BigInt(grid.size) ? grid.size - 1 : Number(cell);
}

/** All doubles that could be taken for the point of a grid: itself, and its neighbours. */
function around(value: number): number[] {
  const step = Math.abs(value) * Number.EPSILON;
  return [
    value - 2 * step,
    value - step,
    value - step / 2,
    value,
    value + step / 2,
    value + step,
    value + 2 * step,
  ];
}

const GRIDS = [
  { lower: 0, upper: 100 },
  { lower: -50, upper: 50 },
  { lower: 7, upper: 7 },
  { lower: "0.1", upper: 90, step: "0.1" },
  { lower: "-0.3", upper: 3, step: "0.7" },
  { lower: "-20", upper: "20", step: "2.5" },
  { lower: 3, upper: 3000, step: 7 },
  { lower: "1/3", upper: 9, step: "1/7" },
  { lower: 0, upper: 9, step: "1e-12" },
  { lower: 0, upper: 1, step: "1e-13" },
  { lower: "1e14", upper: "1.0000001e14", step: "0.01" },
  { lower: "999999999999999", upper: "1000000000000999", step: 1 },
  { lower: "1e15", upper: "1000000000000999", step: 1 },
  { lower: "-1e20", upper: "-0.99999e20", step: "1e12" },
  { lower: "1e-9", upper: 1, step: "1e15" },
];

describe.each(GRIDS)("the grid from $lower to $upper by $step", (options) => {
  const grid = new Grid(options);
  const entropy = seededEntropy("grid data");
  const points = Array.from({ length: 40 }, (_, i) =>
    grid.at(i < 4 ? [0, 1, grid.size - 1, grid.size][i] : entropy.bits(30) % grid.size).toNumber(),
  );
  const values = [...points.flatMap(around), 0, -0, 1e300, -1e300, 5e-324, 2 ** 53, -(2 ** 53)];

  it("has its points at lower + i·step", () => {
    expect(grid.at(0)).toEqual(rational(options.lower));
    expect(grid.at(3)).toEqual(
      rational(options.step ?? 1)
        .times(3)
        .plus(options.lower),
    );
    expect(grid.at(grid.size - 1).compare(options.upper)).toBeLessThanOrEqual(0);
    expect(grid.at(grid.size).compare(options.upper)).toBe(1);
  });

  it("rounds every number down to it, as rationals do", () => {
    for (const value of values) expect([value, grid.cellOf(value)]).toEqual([value, exactCell(value, grid)]);
  });

  it("rounds bigints and rationals down to it", () => {
    for (const value of [-3n, 0n, 7n, 8n, 10n ** 14n, 10n ** 30n, -(10n ** 30n)]) {
      expect(grid.cellOf(value)).toBe(exactCell(value, grid));
      expect(grid.cellOf(rational(value))).toBe(exactCell(value, grid));
    }
  });

  it("rounds lists as it rounds one value", () => {
    const cells = values.map((value) => exactCell(value, grid));
    for (const list of [values, Float64Array.from(values)]) {
      expect([...grid.cellsOf(list, new Float64Array(values.length))]).toEqual(cells);
      if (grid.size > 100_000) continue;
      const counts = grid.tally(list, new Float64Array(grid.size));
      for (const cell of cells) expect(counts[cell]).toBe(cells.filter((other) => other === cell).length);
      expect(counts.reduce((sum, count) => sum + count)).toBe(values.length);
    }
  });

  it.each([Number.NaN, Infinity, -Infinity])("refuses %d in lists of all kinds", (bad) => {
    const refusal = expect.objectContaining({
      code: "invalid-score",
      field: "values",
      message: "values must be finite numbers or bigints (up to 1.79e308) throughout",
    });
    expect(() => grid.cellOf(bad)).toThrow(refusal);
    for (const list of [[0, bad], Float64Array.of(0, bad)]) {
      expect(() => grid.cellsOf(list, new Float64Array(2))).toThrow(refusal);
      expect(() => readGridValues(list, grid)).toThrow(refusal);
      if (grid.size < 100_000) expect(() => grid.tally(list, new Float64Array(grid.size))).toThrow(refusal);
    }
  });
});

describe("a grid", () => {
  it("rounds numbers of more than 15 digits down by the decimal that they print as", () => {
    const [fine, coarse] = [
      new Grid({ lower: 0, upper: "8e17", step: 97 }),
      new Grid({ lower: 0, upper: "1e24", step: "1e14" }),
    ];
    const entropy = seededEntropy("long numbers");
    for (let i = 0; i < 60; i++) {
      const value = fine.at(fine.size - 1 - entropy.bits(30)).toNumber();
      expect([value, fine.cellOf(value)]).toEqual([value, exactCell(value, fine)]);
    }
    expect(coarse.cellOf(1e23)).toBe(1e9); // the double is below
    expect(new Grid({ lower: "1/3", upper: 9 }).cellOf(1.3333333333333333)).toBe(0); // below 4/3
  });

  it("may have one point, and up to 2^53 - 1", () => {
    expect(new Grid({ lower: 5, upper: 5 }).size).toBe(1);
    expect(new Grid({ lower: 5, upper: "5.9" }).size).toBe(1);
    expect(new Grid({ lower: 1, upper: 2 ** 53 - 1 }).size).toBe(2 ** 53 - 1);
    expect(() => new Grid({ lower: 0, upper: 2 ** 53 - 1 })).toThrow(
      "step must be a step with fewer than 2^53 points from lower to upper; got 1",
    );
    expect(() => new Grid({ lower: 5, upper: "4.9" })).toThrow("upper must be a rational >= lower");
  });
});

describe("doubles", () => {
  /** How often a grid asks rationals for the cells of these values. */
  function asked(options: GridOptions, values: readonly number[]): number {
    const grid = new Grid(options);
    const division = vi.spyOn(Rational.prototype, "dividedBy");
    for (const value of values) grid.cellOf(value);
    const { length } = division.mock.calls;
    division.mockRestore();
    return length;
  }

  it.each([
    [{ lower: 0, upper: 100 }, [0, 1, 7, 99, 100, 101, -5, 0.5, 7.25, 1e14, -1e14]],
    [{ lower: 3, upper: 3000, step: 7 }, [3, 10, 11, 9.99, 2999, 1e9, -20]],
    [{ lower: "0.1", upper: 90, step: "0.1" }, [0.1, 0.3, 0.35, 0.7, 89.9, 12.34, 1e6]],
    [{ lower: "-0.3", upper: 3, step: "0.7" }, [-0.3, 0.4, 1.1, 1.05, 2.5]],
    [{ lower: 0, upper: 1, step: "1e-12" }, [0.000000000001, 0.5, 0.123456789012]],
    [{ lower: "99999999999999", upper: "1e15", step: 3 }, [99999999999999, 100000000000002]],
  ])("tell the cells of usual values on the grid %o, without rationals", (options, values) => {
    expect(asked(options, values)).toBe(0);
  });

  it("leave to rationals what is too near to a point, too long, or on a grid that no power of ten makes whole", () => {
    expect(asked({ lower: "0.1", upper: 90, step: "0.1" }, [0.1 + 0.2, 0.7999999999999999])).toBe(2);
    expect(asked({ lower: 0, upper: "8e17", step: 97 }, [7.9e17])).toBe(1);
    expect(asked({ lower: "1/3", upper: 9 }, [5])).toBe(1);
    expect(asked({ lower: 0, upper: "1e-3", step: "1e-13" }, [0.0005])).toBe(1);
    expect(asked({ lower: "1e15", upper: "1000000000000999" }, [1000000000000005])).toBe(1);
    expect(asked({ lower: 0, upper: "1e18", step: "1e15" }, [5])).toBe(1);
  });

  it("take lists on a grid of integers without a look at each value, and other lists value by value", () => {
    const looks = (options: GridOptions, list: number[] | Float64Array) => {
      const grid = new Grid(options);
      const cellOf = vi.spyOn(grid, "cellOf");
      grid.cellsOf(list, new Float64Array(3));
      grid.tally(list, new Float64Array(grid.size));
      return cellOf.mock.calls.length;
    };
    const [integers, tenths] = [
      { lower: -1, upper: 9 },
      { lower: 0, upper: 9, step: "1/10" },
    ];
    expect(looks(integers, Float64Array.of(1, 2, 3))).toBe(0);
    expect(looks(tenths, Float64Array.of(1, 2, 3))).toBe(6);
    expect(looks({ ...integers, step: 2 }, Float64Array.of(1, 2, 3))).toBe(6);
  });

  it("are counted on a grid of few cells, and sorted on one of many", () => {
    const tallies = (upper: number, length: number) => {
      const grid = new Grid({ lower: 1, upper });
      const tally = vi.spyOn(grid, "tally");
      readGridValues(new Float64Array(length), grid);
      return tally.mock.calls.length;
    };
    expect([tallies(65_536, 1), tallies(65_537, 1)]).toEqual([1, 0]);
    expect([tallies(80_000, 20_000), tallies(80_001, 20_000)]).toEqual([1, 0]);
  });
});

describe("a histogram by cell", () => {
  it("knows how many values there are, and how many cells are below one", () => {
    const histogram = new GridHistogram(Float64Array.of(2, 5, 9), Float64Array.of(1, 4, 6));
    expect(histogram.total).toBe(6);
    expect([0, 2, 3, 5, 6, 9, 10].map((cell) => histogram.rank(cell))).toEqual([0, 0, 1, 1, 2, 2, 3]);
    const none = new GridHistogram(new Float64Array(0), new Float64Array(0));
    expect([none.total, none.rank(7)]).toEqual([0, 0]);
  });

  const grid = new Grid({ lower: 0, upper: 9 });
  const refusal = expect.objectContaining({
    code: "invalid-score",
    field: "values",
    message: "values must be pairs of a value and how many people have it, an integer from 0",
  });

  it("of pairs adds up counts of both kinds, leaves out those of 0, and sums up to 2^53 - 1", () => {
    const { cells, upTo } = readGridValues(
      new Map<number | bigint, number | bigint>([
        [7, 2n],
        [3n, 0],
        [4, 1],
        [7n, 3],
      ]),
      grid,
    );
    expect([[...cells], [...upTo]]).toEqual([
      [4, 7],
      [1, 6],
    ]);
    const most: [number, number][] = [
      [1, 2 ** 53 - 2],
      [2, 1],
    ];
    expect(readGridValues(most, grid).total).toBe(2 ** 53 - 1);
    expect(() => readGridValues([...most, [3, 1]], grid)).toThrow(refusal);
  });

  it.each([
    [[[1, -1]]],
    [[[1, 0.5]]],
    [[[1, 2n ** 53n]]],
    [[[1, "2"]]],
    [[[1, undefined]]],
    [new Set([1])],
    [new Set(["12"])],
    [
      (function* () {
        yield 7;
      })(),
    ],
  ])("refuses %o in place of pairs, without repeating it", (pairs) => {
    expect(() => readGridValues(pairs as unknown as GridValues, grid)).toThrow(refusal);
  });

  it("of lists is the same whether cells are counted or sorted", () => {
    const entropy = seededEntropy("counted or sorted");
    const list = Array.from({ length: 300 }, () => entropy.bits(7));
    const [few, many] = [new Grid({ lower: 0, upper: 65_535 }), new Grid({ lower: 0, upper: 65_536 })];
    expect(readGridValues(list, few)).toEqual(readGridValues(list, many));
    expect(readGridValues([], few)).toEqual(readGridValues([], many));
    expect(readGridValues([5], many)).toEqual(readGridValues([[5, 1]], many));
  });

  it.each([null, undefined, 7, "7", {}])("refuses %o in place of a list", (bad) => {
    expect(() => readGridValues(bad as never, grid)).toThrow(/^values must be/);
  });
});
