import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { eta, quantiles } from "../../src/index.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const RANGE = { lower: 0, upper: 10 };
const QUARTILES = { ...RANGE, quantiles: ["1/4", "1/2", "3/4"] };
const METHODS = ["separate", "recursive"] as const;

const numbers = (list: readonly { toNumber(): number }[]) => list.map((each) => each.toNumber());

function expectNear(found: readonly { toNumber(): number }[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  for (const [i, number] of numbers(found).entries()) expect(number).toBeCloseTo(wanted[i], 9);
}

describe("The rank errors of several quantiles", () => {
  it("are τ·ln(points/β) where each is drawn on its own, with a share of β", () => {
    const { rankError } = quantiles([], { ...QUARTILES, epsilon: 2, method: "separate" });
    expectNear(rankError("19/20"), Array(3).fill(2 * Math.log(600)));
    const base2 = quantiles([], { ...QUARTILES, eta: eta(1, 1) });
    const each = Math.log2(600);
    expectNear(base2.rankError("19/20"), [each / 4, each / 2, each / 4]);
  });

  it("add up from level to level in a recursion, each with what a tie may add", () => {
    const asked = { ...QUARTILES, epsilon: 2, method: "recursive" } as const;
    const one = Math.log(660) + 1;
    const unique = quantiles([], { ...asked, subCells: 1 });
    expectNear(unique.rankError("19/20"), [2 * one, one, 2 * one]);
    expectNear(unique.rankError("19/20", { atMost: 1_000_000 }), [2 * one, one, 2 * one]);
    const spread = Math.log(660 * 1024) + 1000 / 1024;
    const answer = quantiles([], asked);
    expectNear(answer.rankError("19/20", { atMost: 1000 }), [2 * spread, spread, 2 * spread]);
    expectNear(answer.rankError("19/20", { atMost: 1000n }), [2 * spread, spread, 2 * spread]);
  });

  it("are refused for a β that is no probability, or a bound that is no count", () => {
    const { rankError } = quantiles([], { ...QUARTILES, epsilon: 2 });
    for (const confidence of [0, 1]) expect(() => rankError(confidence)).toThrow("confidence must be");
    for (const atMost of [-1, 0.5]) expect(() => rankError("19/20", { atMost })).toThrow("atMost must be");
    expect(() => rankError("19/20", { atmost: 7 } as never)).toThrow(/atmost|unknown|name/);
  });
});

describe("The way in which several quantiles are drawn", () => {
  const many = { lower: 0, upper: 1e6, quantiles: Array.from({ length: 63 }, (_, i) => `${i + 1}/64`) };

  it("is separate where the noise is of one size", () => {
    expect(quantiles([], { ...many, scale: 1 }).method).toBe("separate");
    expect(quantiles([], { ...many, eta: eta(1, 1) }).method).toBe("separate");
    for (const noise of [{ scale: 1 }, { eta: eta(1, 1) }])
      expect(() => quantiles([], { ...many, ...noise, method: "recursive" } as never)).toThrow(
        'method must be "separate" with scale or eta; got "recursive"',
      );
  });

  it("is what is asked for, and recursive where sub-cells are", () => {
    for (const method of METHODS) {
      expect(quantiles([], { ...QUARTILES, epsilon: 1, method }).method).toBe(method);
      expect(quantiles([], { ...many, epsilon: 1, method }).method).toBe(method);
    }
    expect(quantiles([], { ...QUARTILES, epsilon: 1 }).method).toBe("separate");
    expect(quantiles([], { ...QUARTILES, epsilon: 1, subCells: 16 }).method).toBe("recursive");
  });

  it("is the one with the smaller bound of the largest error, ties among that many values included", () => {
    const choose = (atMost?: number | bigint) => quantiles([], { ...many, epsilon: 1, atMost }).method;
    expect([choose(), choose(0), choose(10_000), choose(10n ** 9n)]).toEqual([
      "recursive",
      "recursive",
      "recursive",
      "separate",
    ]);
  });

  it.each([
    ["the first", ["1/4", "26/100", "1/2", "98/100", "99/100"], 0],
    ["the last", ["1/1000", "2/1000", "3/1000", "1/2", "5/8", "3/4", "7/8"], 6],
    ["the middle one", Array.from({ length: 9 }, (_, i) => `${i + 1}/10`), 4],
  ])("is not chosen by the error of %s, which would be smaller in a recursion", (_, shares, place) => {
    const asked = { lower: 0, upper: 2 ** 50, quantiles: shares, epsilon: 1 };
    const [separate, recursive] = METHODS.map((method) =>
      numbers(quantiles([], { ...asked, method }).rankError("19/20", { atMost: 1 })),
    );
    expect(recursive[place]).toBeLessThan(separate[place]);
    expect(Math.max(...recursive)).toBeGreaterThan(Math.max(...separate));
    expect(quantiles([], asked).method).toBe("separate");
  });
});

describe("The loss of a recursion", () => {
  it("is never above an ε of many digits", () => {
    for (const epsilon of ["0.1234567890123456789012345", "0.9876543210987654321098765"]) {
      const { privacy } = quantiles([], { ...QUARTILES, epsilon, method: "recursive" });
      const spent = rational(privacy.measure === "pure" ? privacy.epsilon : 9);
      expect([spent.compare(epsilon), spent.plus("1e-13").compare(epsilon)]).toEqual([-1, 1]);
    }
  });
});

describe("The scales of a recursion", () => {
  const scales = (options: object) =>
    quantiles([], { ...QUARTILES, epsilon: 2, method: "recursive", ...options }).scales?.map(String);

  it("grow with the values of a person, and twofold where people are replaced", () => {
    expect(scales({})).toEqual(["1", "1", "1"]);
    expect(scales({ neighbours: "add-remove" })).toEqual(["1", "1", "1"]);
    expect(scales({ neighbours: "replace" })).toEqual(["2", "2", "2"]);
    expect(scales({ maxValuesPerUser: 3 })).toEqual(["3", "3", "3"]);
    expect(scales({ maxValuesPerUser: 3, neighbours: "replace" })).toEqual(["6", "6", "6"]);
  });

  it("are by the share of the part that each splits: the first of two splits the whole, the second what is above it", () => {
    expect(scales({ quantiles: ["1/10", "1/2"] })).toEqual(["1.8", "10/9"]);
    expect(scales({ quantiles: ["1/2", "9/10"] })).toEqual(["1", "1.6"]);
    expect(scales({ quantiles: ["1/10"] })).toEqual(["0.9"]);
    // Three levels from four quantiles on.
    expect(scales({ quantiles: ["1/5", "2/5", "3/5", "4/5"] })).toEqual(["1.5", "1.8", "2", "1.5"]);
  });
});

describe("Several quantiles", () => {
  const drawn = (values: readonly number[], options: object) =>
    numbers(
      quantiles(values, { ...QUARTILES, epsilon: 1e6, entropy: seededEntropy("clear"), ...options }).values,
    );

  it.each(METHODS)("are those of the data where noise is tiny: %s", (method) => {
    const values = [10, 0, 9, 1, 8, 2, 7, 3, 6, 4, 5];
    expect(drawn(values, { method })).toEqual([2, 5, 8]);
    expect(drawn(values, { method, quantiles: ["1/10", "1/5", "1/2", "9/10"] })).toEqual([1, 2, 5, 9]);
    expect(drawn(Array(100).fill(5), { method })).toEqual([5, 5, 5]);
    expect(drawn([1, 1, 1, 1, 7, 7, 7, 7], { method, quantiles: ["1/8", "3/8", "5/8", "7/8"] })).toEqual([
      1, 1, 7, 7,
    ]);
    expect(drawn([3, 3, 4], { method, lower: 3, upper: 3 })).toEqual([3, 3, 3]);
  });

  it("are those of the data without sub-cells where no value comes twice", () => {
    expect(drawn([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], { subCells: 1, quantiles: ["1/2"] })).toEqual([5]);
    expect(drawn([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], { subCells: 1, quantiles: ["1/2", "3/4"] })).toEqual([
      5, 8,
    ]);
    // Nothing is left on the right of the only point: its boundary is the answer.
    expect(drawn([3], { lower: 3, upper: 3, subCells: 1, quantiles: ["1/8", "1/4", "1/2", "3/4"] })).toEqual([
      3, 3, 3, 3,
    ]);
  });

  it.each(METHODS)("never fall, whatever the noise: %s", (method) => {
    for (let seed = 0; seed < 20; seed++) {
      const options = { lower: 0, upper: 1000, epsilon: "1/10", entropy: seededEntropy(`falling ${seed}`) };
      const found = drawn([500, 501], { ...options, method });
      expect(found).toEqual([...found].sort((a, b) => a - b));
    }
  });
});
