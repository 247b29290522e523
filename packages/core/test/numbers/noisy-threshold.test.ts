import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { eta, noisyThreshold } from "../../src/index.js";
import type { NoisyThresholdOptions } from "../../src/numbers/noisy-threshold.js";
import { bitTree } from "../../src/testing/bit-tree.js";

describe("noisyThreshold", () => {
  it.each([-3, -1, 0, 1, 4])("with B = 1/2 has its law at a distance of %d steps", (distance) => {
    const options = { threshold: "7/2", step: "1/2", eta: eta(1, 1) };
    const { mass, undecided } = bitTree(
      (entropy) => noisyThreshold(3.5 - distance / 2 + 0.1, { ...options, entropy }).above,
      { depth: 14 },
    );
    const above = distance >= 0 ? 2 ** -distance / 1.5 : 1 - 2 ** (distance - 1) / 1.5;
    const found = mass.get("true")?.toNumber() ?? 0;
    expect(undecided.toNumber()).toBeLessThan(0.01);
    expect(found).toBeLessThan(above + 1e-12);
    expect(found + undecided.toNumber()).toBeGreaterThan(above - 1e-12);
  });

  it("costs η for each step of the grid that one individual can move the value, rounded up", () => {
    const cost = (options: Partial<NoisyThresholdOptions>) =>
      noisyThreshold(3, { threshold: 0, eta: eta(1, 2), ...options }).privacy;
    const base2 = (size: number) => ({ measure: "base2", eta: rational(size) });
    expect(cost({})).toEqual(base2(2));
    expect(cost({ sensitivity: "5/2" })).toEqual(base2(6));
    expect(cost({ step: "1/3" })).toEqual(base2(6));
    expect(cost({ step: 10 })).toEqual(base2(2));
    expect(cost({ sensitivity: 3, step: 2 })).toEqual(base2(4));
  });

  it("refuses a threshold off the grid, and values that aren't finite, without repeating these", () => {
    expect(() => noisyThreshold(1, { threshold: 3, step: 2, eta: eta(1, 1) })).toThrow(
      "threshold must be a multiple of step; got 3",
    );
    for (const bad of [Number.NaN, Infinity, "41270"])
      expect(() => noisyThreshold(bad as number, { threshold: 3, eta: eta(1, 1) })).toThrow(
        expect.objectContaining({ code: "invalid-score", message: expect.not.stringContaining("41270") }),
      );
  });
});
