import { describe, expect, it } from "vitest";
import { numberSet } from "../../src/parts/number-set.js";

describe("a set of whole numbers", () => {
  it.each([
    ["of bits", 10_000],
    ["of a list", 2 ** 53 - 1],
  ])("%s knows what was added, also after it has grown", (_, below) => {
    const set = numberSet(below);
    expect(set.has(0)).toBe(false);
    for (let number = 9_999; number >= 0; number -= 3) set.add(number);
    const wrong = Array.from({ length: 10_000 }, (_, number) => number).filter(
      (number) => set.has(number) !== (number % 3 === 0),
    );
    expect(wrong).toEqual([]);
    expect([set.has(10_000), set.has(2 ** 32), set.has(2 ** 32 + 3)]).toEqual([false, false, false]);
  });

  it("holds numbers beyond 2^32 too", () => {
    const set = numberSet(2 ** 53 - 1);
    set.add(2 ** 52);
    expect([set.has(2 ** 52), set.has(2 ** 52 + 1), set.has(0)]).toEqual([true, false, false]);
  });
});
