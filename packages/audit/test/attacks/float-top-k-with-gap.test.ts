import { describe, expect, it } from "vitest";
import { replayEntropy } from "../../../core/src/testing/replay-entropy.js";
import { seededEntropy } from "../../../core/src/testing/seeded-entropy.js";
import { floatTopKWithGap } from "../../src/attacks/float-top-k-with-gap.js";

describe("floatTopKWithGap, which is unsafe", () => {
  it("orders scores with noise and gives their differences to the last digit", () => {
    // Uniforms of 1/2 and 0: noise of 2·ln 2 and none.
    const entropy = replayEntropy(`1${"0".repeat(52)}${"0".repeat(53)}`);
    expect(floatTopKWithGap([1, 2], { k: 1, scale: 2, entropy })).toEqual([
      { index: 0, gap: 1 + 2 * Math.LN2 - 2 },
    ]);
  });

  it("tells neighbours apart for certain, whose gaps have the same law: 1024 leaves no odd multiple of 2^−43", () => {
    const gaps = (score: number) => {
      const entropy = seededEntropy("low-order digits");
      const draw = () => floatTopKWithGap([score, score], { k: 1, scale: 1, entropy })[0].gap;
      return Array.from({ length: 200 }, draw);
    };
    const step = 2 ** -42; // the distance of doubles from 1024 to 2048
    const isOnGrid = (gap: number) => Number.isInteger(gap / step);
    expect(gaps(1024).every(isOnGrid)).toBe(true);
    expect(gaps(1023).every(isOnGrid)).toBe(false);
  });

  it.each([
    [{ k: 2, scale: 1 }, "k must be an integer below the number of candidates; got 2"],
    [{ k: 1, scale: Number.NaN }, "scale must be a number > 0; got NaN"],
  ])("refuses %o before a bit is drawn", (options, message) => {
    expect(() => floatTopKWithGap([1, 2], { ...options, entropy: replayEntropy("") })).toThrow(message);
  });
});
