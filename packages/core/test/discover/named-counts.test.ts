import { describe, expect, it, vi } from "vitest";
import {
  countOf,
  hasUniqueNames,
  isHistogram,
  LargestRows,
  nameOf,
  pairsOf,
  readHistogram,
} from "../../src/discover/named-counts.js";
import { byBytes, type NamedCounts } from "../../src/race/candidates.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

type Row = readonly [name: string, count: number | bigint];

const expected =
  "a Map, a plain object or an iterable of [name, count], with each name once and integers >= 0 (bigints above 2^53)";
const refusal = expect.objectContaining({
  code: "invalid-score",
  message: `histogram must be ${expected}`,
  field: "histogram",
  expected,
});

describe("The pairs of a histogram", () => {
  it("are those of a Map, a plain object of any realm, or what iterates", () => {
    const map = new Map([["ant", 1]]);
    expect(pairsOf(map)).toBe(map);
    expect(pairsOf({ ant: 1, bee: 2n })).toEqual([
      ["ant", 1],
      ["bee", 2n],
    ]);
    expect(pairsOf(Object.assign(Object.create(null), { ant: 1 }))).toEqual([["ant", 1]]);
  });

  it.each([null, undefined, "ant", 7, new Date(0), { async *[Symbol.asyncIterator]() {} }])(
    "are refused of %o, without repeating it",
    (other) => {
      expect(() => pairsOf(other as unknown as NamedCounts)).toThrow(refusal);
    },
  );

  it("can't have a name twice if a Map itself or an object holds them", () => {
    class Other extends Map<string, number> {}
    expect(
      [new Map(), { ant: 1 }, new Other(), [["ant", 1]]].map((each) => hasUniqueNames(each as never)),
    ).toEqual([true, true, false, false]);
  });
});

describe("A name and a count", () => {
  it("are taken as they are; a bigint that a number can hold becomes one", () => {
    expect(nameOf(["ant", 3])).toBe("ant");
    expect([0, 2 ** 53 - 1, 0n, 2n ** 53n - 1n, 2n ** 53n].map(countOf)).toEqual([
      0,
      2 ** 53 - 1,
      0,
      2 ** 53 - 1,
      2n ** 53n,
    ]);
  });

  it("are refused otherwise, without repeating them", () => {
    for (const pair of [null, undefined, "ab", [], [7, 1]])
      expect(() => nameOf(pair as never)).toThrow(refusal);
    for (const count of [-1, 0.5, 2 ** 53, Number.NaN, Infinity, -1n, "1", undefined])
      expect(() => countOf(count as never)).toThrow(refusal);
  });
});

describe("A histogram as a whole", () => {
  it("is read by name, or refused for a name that comes twice", () => {
    expect(readHistogram({ ant: 3n, bee: 0 })).toEqual(
      new Map([
        ["ant", 3],
        ["bee", 0],
      ]),
    );
    const twice: Row[] = [
      ["ant", 3],
      ["ant", 3],
    ];
    expect(() => readHistogram(twice)).toThrow(refusal);
    expect([isHistogram(twice), isHistogram({ ant: 3 }), isHistogram({ ant: -3 })]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("that fails while it is read is not called one that is wrong", () => {
    const failing = {
      *[Symbol.iterator](): Generator<Row> {
        yield ["ant", 1];
        throw new RangeError("the disk is full");
      },
    };
    expect(() => isHistogram(failing)).toThrow("the disk is full");
  });
});

/** The first rows by sorting all of them. */
function bySorting(rows: readonly Row[], places: number): { first: Row[]; next: number | bigint } {
  const order = rows
    .filter(([, count]) => count > 0)
    .sort(([a, x], [b, y]) => (x > y ? -1 : x < y ? 1 : byBytes(a, b)));
  return { first: order.slice(0, places), next: order[places]?.[1] ?? 0 };
}

function ranked(found: LargestRows): { first: Row[]; next: number | bigint } {
  const { names, counts, next } = found.leaders(true);
  const rows = names.map((name, i): Row => [name, counts[i]]);
  return { first: bySorting(rows, rows.length).first, next };
}

function rowsFrom(seed: string, length: number, values: number, scale: number | bigint): Row[] {
  const entropy = seededEntropy(seed);
  return Array.from({ length }, (_, i) => {
    const drawn = entropy.bits(16) % values;
    return [
      `name ${entropy.bits(20)} ${i}`,
      typeof scale === "bigint" ? BigInt(drawn) * scale : drawn * scale,
    ];
  });
}

describe("The largest rows", () => {
  it.each([
    ["few counts, many ties", rowsFrom("ties", 400, 3, 1)],
    ["many counts", rowsFrom("many", 400, 5000, 1)],
    ["counts above 2^53", rowsFrom("large", 400, 5, 2n ** 60n)],
    ["counts of both kinds", [...rowsFrom("small", 200, 40, 1), ...rowsFrom("large", 200, 5, 2n ** 60n)]],
    ["few rows", rowsFrom("few", 3, 5, 1)],
    ["one count", rowsFrom("one", 400, 1, 1).map(([name]): Row => [name, 7])],
  ] as const)("are those of a sort, in any order of the rows, in one part or two: %s", (_, rows) => {
    for (const places of [1, 2, 7, 150])
      for (const order of [rows, [...rows].reverse(), bySorting(rows, 400).first]) {
        const whole = new LargestRows(places);
        whole.pushAll(order);
        expect(ranked(whole)).toEqual(bySorting(rows, places));
        const [left, right] = [new LargestRows(places), new LargestRows(places)];
        for (const [i, [name, count]] of order.entries()) (i % 3 === 0 ? left : right).push(name, count);
        left.join(right);
        expect(ranked(left)).toEqual(bySorting(rows, places));
      }
  });

  it("are all that there are, with 0 after them, if they are few", () => {
    const rows = new LargestRows(2);
    rows.push("bee", 4);
    rows.push("fly", 0);
    rows.push("ant", 9);
    expect(rows.leaders(false)).toEqual({ names: ["bee", "ant"], counts: [4, 9], next: 0 });
    rows.push("cat", 4);
    expect(rows.leaders(false)).toEqual({ names: ["bee", "ant"], counts: [4, 9], next: 4 });
    rows.push("dog", 5);
    expect(rows.leaders(false)).toEqual({ names: ["ant", "dog"], counts: [9, 5], next: 4 });
  });

  it("are cut when twice as many and 64 more are held, without a sort while all counts are numbers", () => {
    const [rows, copies, sorts] = [
      new LargestRows(2),
      vi.spyOn(Float64Array, "from"),
      vi.spyOn(Array.prototype, "toSorted"),
    ];
    for (let count = 1; count <= 1009; count++) rows.push(`name ${count}`, count);
    rows.leaders(true);
    const found = [copies.mock.calls.length, sorts.mock.calls.length];
    vi.restoreAllMocks();
    expect(found).toEqual([16, 0]); // at 70 rows, at 67 more each time, and at the end
  });

  it("never have a name that no one has", () => {
    const rows = new LargestRows(5);
    rows.pushAll([
      ["bee", 4],
      ["fly", 0],
      ["ant", 9],
    ]);
    expect(rows.leaders(true).names).toEqual(["bee", "ant"]);
  });

  it("refuse the last of them if it comes again after others were dropped", () => {
    const rows = new LargestRows(1);
    for (let count = 1; count <= 68; count++) rows.push(`name ${count}`, count);
    rows.push("name 67", 67);
    expect(() => rows.leaders(false)).toThrow(refusal);
  });

  it("refuse a name that is among them twice, unless what holds them rules that out", () => {
    const rows = new LargestRows(2);
    rows.push("ant", 4);
    rows.push("ant", 5);
    expect(() => rows.leaders(false)).toThrow(refusal);
    expect(rows.leaders(true).names).toEqual(["ant", "ant"]);
  });
});
