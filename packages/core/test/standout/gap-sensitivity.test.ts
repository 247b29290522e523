import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { gapSensitivity } from "../../src/standout/gap-sensitivity.js";
import { gaps, setName, sorted } from "./exact-laws.js";
import { added, allHistograms, replaced } from "./neighbours.js";

const CANDIDATES = 4;
const MOST = 3;

/** The widest change of a gap, and the widest gap above which a set changed, over all pairs of neighbours. */
function worst(neighbours: (histogram: readonly number[]) => number[][]): {
  change: number;
  unstable: number;
} {
  let [change, unstable] = [0, 0];
  for (const histogram of allHistograms(CANDIDATES, MOST))
    for (const other of neighbours(histogram)) {
      const [before, after] = [gaps(histogram, CANDIDATES), gaps(other, CANDIDATES)];
      before.forEach((gap, j) => {
        change = Math.max(change, Math.abs(gap - after[j]));
        const top = (h: readonly number[]) =>
          setName(
            sorted(h)
              .slice(0, j + 1)
              .map(({ index }) => index),
          );
        if (top(histogram) !== top(other)) unstable = Math.max(unstable, gap, after[j]);
      });
    }
  return { change, unstable };
}

describe("gapSensitivity", () => {
  it("is what one individual can do to a gap, by trying all of them", () => {
    const monotone = Number(gapSensitivity({ monotone: true }));
    expect(worst(added)).toEqual({ change: monotone, unstable: monotone });
    const general = Number(gapSensitivity({}));
    expect(worst(replaced)).toEqual({ change: general, unstable: general });
  });

  it("grows with the sensitivity of the counts", () => {
    expect(gapSensitivity({ sensitivity: 3, monotone: true })).toBe(3n);
    expect(gapSensitivity({ sensitivity: 3n, monotone: false })).toBe(6n);
  });

  it("takes an integer in every way in which a rational is written", () => {
    for (const sensitivity of ["3", "6/2", "3.0", rational(3)])
      expect(gapSensitivity({ sensitivity, monotone: true })).toBe(3n);
    expect(gapSensitivity({ sensitivity: "1e20", monotone: true })).toBe(10n ** 20n);
  });

  it.each(["1/2", "-1", "three", ""])("refuses a sensitivity of %j", (sensitivity) => {
    expect(() => gapSensitivity({ sensitivity })).toThrow(
      `sensitivity must be an integer >= 1; got ${JSON.stringify(sensitivity)}`,
    );
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses a sensitivity of %d", (sensitivity) => {
    expect(() => gapSensitivity({ sensitivity })).toThrow(
      `sensitivity must be an integer >= 1; got ${sensitivity}`,
    );
  });
});
