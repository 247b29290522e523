import { describe, expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import { measureWorlds, quantile, welch } from "../../src/audit-report/timing-checks.js";

/** The statistics of the stopwatch, on numbers that are made up; no test looks at a clock. */

/** Times around a mean, spread by 100. */
function times(mean: number, count: number, seed: string): number[] {
  const entropy = seededEntropy(seed);
  return Array.from({ length: count }, () => {
    let sum = 0;
    for (let i = 0; i < 12; i++) sum += entropy.bits(20) / 0x10_0000;
    return mean + (sum - 6) * 100;
  });
}

describe("Welch's t", () => {
  it("is the difference of means in standard errors", () => {
    const { t, means, standardError } = welch([1, 2, 3, 4], [11, 12, 13, 14]);
    expect(means).toEqual([2.5, 12.5]);
    expect(standardError).toBeCloseTo(Math.sqrt(5 / 3 / 4 + 5 / 3 / 4), 12);
    expect(t).toBeCloseTo(10 / standardError, 12);
  });

  it("is small for two samples of one law", () => {
    for (let seed = 0; seed < 20; seed++)
      expect(Math.abs(welch(times(1000, 2000, `a${seed}`), times(1000, 2000, `b${seed}`)).t)).toBeLessThan(
        4.5,
      );
  });

  it("is large for a difference of a third of the spread", () => {
    const { t } = welch(times(1000, 2000, "a"), times(1030, 2000, "b"));
    expect(t).toBeGreaterThan(4.5);
  });

  it("is not upset by a few interruptions", () => {
    const interrupted = times(1000, 2000, "a").map((time, i) => (i % 100 === 0 ? time * 1000 : time));
    expect(welch(interrupted, times(1030, 2000, "b")).t).toBeGreaterThan(4.5);
  });

  it("is 0 where all times are equal", () => {
    expect(welch([5, 5, 5], [5, 5, 5]).t).toBe(0);
  });
});

describe("A quantile", () => {
  it.each([
    [0.5, 2],
    [0.95, 4],
    [1, 4],
    [0.25, 1],
  ])("of 4, 2, 1, 3 at %f is %i", (share, expected) => {
    expect(quantile([4, 2, 1, 3], share)).toBe(expected);
  });
});

describe("The harness", () => {
  /** A clock that says how long work would have taken. */
  function simulated(workOf: (world: 0 | 1) => number) {
    let now = 0n;
    const entropy = seededEntropy("harness");
    return {
      run: (world: 0 | 1) => {
        now += BigInt(Math.round(workOf(world) + entropy.bits(7)));
      },
      options: { runs: 4000, entropy: seededEntropy("turns"), clock: () => now, pause: async () => {} },
    };
  }

  it("flags work that takes longer in one world", async () => {
    const { run, options } = simulated((world) => 1000 + 20 * world);
    expect((await measureWorlds(run, options)).t).toBeGreaterThan(4.5);
  });

  it("does not flag work that takes as long in both", async () => {
    const { run, options } = simulated(() => 1000);
    const { t, sizes } = await measureWorlds(run, options);
    expect(Math.abs(t)).toBeLessThan(4.5);
    expect(sizes[0] + sizes[1]).toBeLessThanOrEqual(4000);
    expect(Math.min(...sizes)).toBeGreaterThan(1700);
  });
});
