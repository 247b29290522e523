import { describe, expect, it, vi } from "vitest";
import { boundContributions, type ContributionRow } from "../../src/discover/bound-contributions.js";

const key = new Uint8Array(32).fill(7);
const kept = (rows: Iterable<ContributionRow>, maxItemsPerUser = 1) =>
  [...boundContributions(rows, { maxItemsPerUser, key })].sort();

describe("boundContributions", () => {
  it("skips rows without a person or an item, and what isn't there", () => {
    const rows = [
      null,
      undefined,
      [],
      ["u"],
      [null, "x"],
      [undefined, "x"],
      ["u", null],
      ["u", undefined],
      ["u", "x"],
    ];
    expect(kept(rows as never)).toEqual([["x", 1]]);
  });

  it.each([[["u", 7]], [[7, "x"]], [[true, false]], [7]])(
    "refuses the row %o without repeating it",
    (row) => {
      const expected = "pairs of a person and an item, each a text (or null, which is skipped)";
      const rows = row === 7 ? [{ 0: 7, 1: "x" }] : [row];
      expect(() => kept(rows as never)).toThrow(
        expect.objectContaining({
          code: "invalid-score",
          field: "rows",
          expected,
          message: `rows must be ${expected}`,
        }),
      );
    },
  );

  it("refuses what can't be read row by row", () => {
    expect(() => kept(7 as never)).toThrow("rows must be an iterable; got a value of type number");
  });

  it("compares hashes to their end: these two begin with the same 32 bits, and differ after them", () => {
    const rows = [
      ["u", "item 5754"],
      ["u", "item 57585"],
    ] as const;
    expect(kept(rows)).toEqual([["item 57585", 1]]);
    expect(kept([...rows].reverse())).toEqual([["item 57585", 1]]);
    expect(kept(rows, 2)).toHaveLength(2);
  });

  it("hashes nothing of a person with few items", () => {
    const encode = vi.spyOn(TextEncoder.prototype, "encode");
    const rows = ["a", "b", "c"].map((item) => ["u", item] as const);
    const found = [4, 3, 2].map((most) => [kept(rows, most).length, encode.mock.calls.length]);
    encode.mockRestore();
    // The person, its length and the items are hashed where some are left out.
    expect(found).toEqual([
      [3, 0],
      [3, 0],
      [2, 5],
    ]);
  });

  it("keeps its own copy of the key, and says nothing about one that it refuses", () => {
    const rows = Array.from({ length: 30 }, (_, i) => ["u", `item ${i}`] as const);
    const given = key.slice();
    const changing = (function* () {
      given.fill(9);
      yield* rows;
    })();
    const found = boundContributions(changing, { maxItemsPerUser: 3, key: given });
    expect([...found].sort()).toEqual(kept(rows, 3));
    for (const other of [new Uint8Array(31), new Uint8Array(33), Array(32).fill(7)])
      expect(() => boundContributions(rows, { maxItemsPerUser: 1, key: other as Uint8Array })).toThrow(
        'key must be a Uint8Array of 32 bytes; got "another value"',
      );
  });
});
