import { describe, expect, it } from "vitest";
import { rational } from "../../../core/src/exact/rational.js";
import { eta } from "../../../core/src/privacy/base2-parameter.js";
import { bitTree } from "../../../core/src/testing/bit-tree.js";
import { seededEntropy } from "../../../core/src/testing/seeded-entropy.js";
import { fixedPrecisionBase2 } from "../../src/study/floating-point.js";

/** The law of one try, "retry" left undecided: errors and indices by name. */
function lawOf(
  utilities: readonly number[],
  options: { x: number; y: number; precision: number; monitor: boolean },
) {
  const { x, y, ...rest } = options;
  const parameter = eta(x, y);
  const tree = bitTree(
    (entropy) => {
      const outcome = fixedPrecisionBase2(utilities, { ...rest, eta: parameter, entropy });
      return "index" in outcome ? String(outcome.index) : outcome.error;
    },
    { depth: options.precision },
  );
  const decided = rational(1).minus(tree.undecided);
  return Object.fromEntries([...tree.mass].map(([name, mass]) => [name, String(mass.dividedBy(decided))]));
}

describe("the sampler of the paper at a fixed precision", () => {
  it("has the law where the precision suffices", () => {
    expect(lawOf([0, 1, 2], { x: 1, y: 1, precision: 4, monitor: true })).toEqual({
      0: "4/7",
      1: "2/7",
      2: "1/7",
    });
  });

  it("ends with an error that depends on the private utilities where it does not", () => {
    const options = { x: 1, y: 1, precision: 8, monitor: true };
    expect(Object.keys(lawOf([0, 7], options))).toEqual(["0", "1"]);
    expect(lawOf([0, 8], options)).toEqual({ "inexact arithmetic": "1" });
  });

  it("without the monitor, truncated addition makes an outcome impossible", () => {
    const options = { x: 1, y: 1, precision: 6, monitor: false };
    expect(lawOf([0, 7], options)).toEqual({ 0: "1" });
    // Its neighbour, with the first utility one worse and the second one better, gives it 1 in 33.
    expect(lawOf([1, 6], options)).toEqual({ 0: "32/33", 1: "1/33" });
  });

  it("without the monitor, what is not an error is not the law either", () => {
    const law = lawOf([0, 3, 3, 3], { x: 3, y: 2, precision: 3, monitor: false });
    const truth = rational(64).dividedBy(64n + 3n * 27n);
    expect(rational(law[0]).equals(truth)).toBe(false);
  });

  it("takes the last accepted sample of a minimum of tries", () => {
    const options = { eta: eta(1, 1), precision: 8, minRetries: 5, entropy: seededEntropy("tries") };
    fixedPrecisionBase2([3], options);
    expect(options.entropy.bitsUsed).toBe(40);
  });

  it("has no finite precision for negative utilities of a base like 3/4", () => {
    for (const precision of [8, 64, 512]) {
      const outcome = fixedPrecisionBase2([-1, 0], {
        eta: eta(3, 2),
        precision,
        entropy: seededEntropy("thirds"),
      });
      expect(outcome).toEqual({ error: "inexact arithmetic" });
    }
  });
});
