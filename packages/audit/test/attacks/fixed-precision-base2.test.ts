import { describe, expect, it } from "vitest";
import { eta } from "../../../core/src/accounting/base2-parameter.js";
import type { Entropy } from "../../../core/src/entropy.js";
import { rational } from "../../../core/src/exact/rational.js";
import { bitTree } from "../../../core/src/testing/bit-tree.js";
import { seededEntropy } from "../../../core/src/testing/seeded-entropy.js";
import { ArithmeticConfig } from "../../src/attacks/arithmetic-config.js";
import {
  fixedPrecisionBase2,
  fixedPrecisionMechanism,
  sampleNormalized,
} from "../../src/attacks/fixed-precision-base2.js";

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

describe("the errors of the published sampler [Ilv20p, Algorithm 2]", () => {
  const sample = (weights: readonly string[]) => {
    const config = new ArithmeticConfig(8);
    return sampleNormalized(
      weights.map((weight) => rational(weight)),
      config,
      seededEntropy("errors"),
    );
  };

  it("are told for no weight at all, and for a weight of zero", () => {
    expect(() => sample([])).toThrow("total weight zero");
    expect(() => sample(["0", "0"])).toThrow("total weight zero");
    expect(() => sample(["1", "0"])).toThrow("weights must be positive");
  });

  it("are told where rounded sums end below the sample, which is below the sum rounded once", () => {
    // Two digits: 1 + 1/4 is rounded to 1 three times, the total 7/4 to 2. The sample is 3/4 of it.
    const weights = ["1", "1/4", "1/4", "1/4"].map((weight) => rational(weight));
    const entropy = { bigBits: () => 3n } as unknown as Entropy;
    expect(() => sampleNormalized(weights, new ArithmeticConfig(2), entropy)).toThrow("unable to sample");
  });

  it("are never those of a precision that is insufficient or of a missing t, while the precision stays the same", () => {
    for (const utilities of [
      [0, 5, 5, 5],
      [0, 1, 9, 2],
      [3, 0, 0, 7],
    ])
      for (const precision of [1, 2, 3, 5]) {
        const law = lawOf(utilities, { x: 3, y: 2, precision, monitor: false });
        for (const name of Object.keys(law)) expect(name).toMatch(/^(\d|unable to sample)$/);
      }
  });
});

describe("the published mechanism, all of it put together [Ilv20, Algorithm 3]", () => {
  const PARAMETERS = { eta: eta(1, 1), lower: 0, upper: 2, maxCandidates: 3 };

  it("chooses its precision from the parameters alone, before it sees a utility", () => {
    expect(fixedPrecisionMechanism(PARAMETERS).precision).toBe(9);
    expect(fixedPrecisionMechanism({ ...PARAMETERS, empiricalPrecision: true }).precision).toBe(53);
  });

  it("has the law of utilities that are clamped and rounded by a fair coin", () => {
    const tree = bitTree(
      (entropy) => {
        const small = { ...PARAMETERS, empiricalPrecision: true, startingPrecision: 1, entropy };
        const outcome = fixedPrecisionMechanism(small).draw([-7, 99, 0.5]);
        return "index" in outcome ? String(outcome.index) : outcome.error;
      },
      { depth: 12, wordBits: 2 },
    );
    // Utilities 0, 2 and 0 or 1, each with probability 1/2: weights 4, 1, 4 or 4, 1, 2.
    for (const [index, probability] of [
      ["0", "32/63"],
      ["1", "8/63"],
      ["2", "23/63"],
    ]) {
      const mass = tree.mass.get(index)!;
      expect(mass.compare(probability)).toBeLessThanOrEqual(0);
      expect(mass.plus(tree.undecided).compare(probability)).toBeGreaterThanOrEqual(0);
    }
    expect(tree.undecided.toNumber()).toBeLessThan(0.11);
  });

  it("refuses bad parameters before anything is drawn, and utilities without quoting them", () => {
    expect(() => fixedPrecisionMechanism({ ...PARAMETERS, lower: 3 })).toThrow("lower must be");
    expect(() => fixedPrecisionMechanism({ ...PARAMETERS, maxCandidates: 0 })).toThrow(
      "maxCandidates must be",
    );
    expect(() => fixedPrecisionMechanism(PARAMETERS).draw([])).toThrow(
      "utilities must be a list of 1 to 3 numbers",
    );
    expect(() => fixedPrecisionMechanism(PARAMETERS).draw([1, 2, 0, 1])).toThrow("1 to 3");
    expect(() => fixedPrecisionMechanism(PARAMETERS).draw([4711, Number.NaN])).toThrow(
      /^utilities must be numbers throughout$/,
    );
  });
});
