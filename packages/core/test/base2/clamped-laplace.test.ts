import { describe, expect, it } from "vitest";
import { eta } from "../../src/accounting/base2-parameter.js";
import { convert } from "../../src/accounting/convert.js";
import { type ClampedLaplaceOptions, clampedLaplace } from "../../src/base2/clamped-laplace.js";
import { Entropy } from "../../src/entropy.js";
import { type RationalLike, rational } from "../../src/exact/rational.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { exactLaw, lawByIndex } from "./exact-law.js";

const OPTIONS = { eta: eta(3, 2), lower: -1, upper: 2, step: "1/2" };

describe("clampedLaplace", () => {
  it.each([
    { value: 1, x: 1, y: 1 },
    { value: 0, x: 1, y: 3 },
    { value: 3, x: 5, y: 3 },
  ])(
    "has the law of the base-2 exponential mechanism over the grid, by bit tree: $x/2^$y",
    ({ value, x, y }) => {
      const options = { eta: eta(x, y), lower: 0, upper: "10/3", step: 1 };
      const run = (entropy: Entropy) => String(clampedLaplace(value, { ...options, entropy }).value);
      const tree = bitTree(run, { depth: 15 });
      expect(tree.undecided.compare("1/4")).toBeLessThan(0);
      const distances = [0, 1, 2, 3].map((point) => Math.abs(point - value));
      const law = exactLaw(distances, { x, y, z: 1, lower: 0, upper: 3 });
      expectLaw({ tree, probabilities: lawByIndex(law) });
    },
  );

  it("a grid of one point has one answer", () => {
    const options = { ...OPTIONS, lower: 5, upper: 5, entropy: replayEntropy("1") };
    expect(clampedLaplace(3, options).value.equals(5)).toBe(true);
  });

  it("the last point is the last on the grid, not the bound", () => {
    const entropy = seededEntropy("last");
    const seen = new Set<string>();
    for (let run = 0; run < 200; run++)
      seen.add(String(clampedLaplace(9, { eta: eta(3, 2), lower: 0, upper: 1, step: "2/5", entropy }).value));
    expect([...seen].sort()).toEqual(["0", "0.4", "0.8"]);
  });

  it("grids of any size cost the same: 10^30 points", () => {
    const options = {
      eta: eta(1023, 10),
      lower: 0,
      upper: 10n ** 20n,
      step: "1e-10",
      sensitivity: "1e-10",
    };
    const entropy = seededEntropy("large grid");
    let sum = 0;
    for (let run = 0; run < 2000; run++) {
      const { value } = clampedLaplace("5e19", { ...options, entropy });
      sum += Math.abs(
        value
          .minus("5e19")
          .times(10n ** 10n)
          .toNumber(),
      );
    }
    // E|X| = 2b/(1 − b²) for b = 1023/1024, give or take five standard errors.
    expect(Math.abs(sum / 2000 - 1023.5)).toBeLessThan((5 * 1024) / Math.sqrt(2000));
    expect(entropy.bitsUsed / 2000).toBeLessThan(120);
  });

  it("a parameter so flat that the grid is shorter than the noise", () => {
    const options = { eta: eta(65535, 16), lower: 0, upper: 2, step: 1 };
    const entropy = seededEntropy("flat");
    const tally = [0, 0, 0];
    for (let run = 0; run < 3000; run++)
      tally[Number(clampedLaplace(0, { ...options, entropy }).value.floor())]++;
    for (const count of tally) expect(Math.abs(count - 1000)).toBeLessThan(5 * 26);
  });

  it.each([
    { sensitivity: 1, step: 1, times: 2n },
    { sensitivity: 1, step: "1/2", times: 4n },
    { sensitivity: 1, step: "2/3", times: 4n },
    { sensitivity: "1/10", step: 1, times: 2n },
  ])("sensitivity $sensitivity on a grid of $step: the loss is $times·η", ({ sensitivity, step, times }) => {
    const entropy = seededEntropy("loss");
    const { privacy } = clampedLaplace(0, { ...OPTIONS, sensitivity, step, entropy });
    expect(rational(privacy.eta).equals(OPTIONS.eta.eta.times(times))).toBe(true);
  });

  it("takes an ε instead of η, and spends at most that", () => {
    const options = { lower: 0, upper: 10, step: "1/4", entropy: seededEntropy("epsilon") };
    const { privacy } = clampedLaplace(5, { ...options, epsilon: "1/2" });
    const epsilon = rational(convert(privacy, { to: "pure" }).epsilon).toNumber();
    expect(epsilon).toBeLessThanOrEqual(0.5);
    expect(epsilon).toBeGreaterThan(0.49);
  });

  it("values 1 apart on a grid of 2/5 are at most α = 3 steps apart: no ratio is above 2^(2αη)", () => {
    const bound = rational("4096/729"); // (4/3)^6
    for (let one = 0; one < 8; one++) {
      for (let other = 0; other < 8; other++) {
        if (Math.abs(one - other) > 3) continue;
        const [p, q] = [one, other].map((centre) => {
          const distances = Array.from({ length: 8 }, (_, i) => Math.abs(i - centre));
          return exactLaw(distances, { x: 3, y: 2, z: 1, lower: 0, upper: 8 });
        });
        for (const i of p.keys()) expect(p[i].dividedBy(q[i]).compare(bound)).toBeLessThanOrEqual(0);
      }
    }
  });
});

describe("bad input to clampedLaplace", () => {
  const entropy = new Entropy({
    fill() {
      throw new Error("a bit was drawn");
    },
  });

  it.each<[object, string]>([
    [{ upper: -2 }, "upper must be a rational >= lower; got -2"],
    [{ step: 0 }, "step must be a rational > 0; got 0"],
    [{ sensitivity: 0 }, "sensitivity must be a rational > 0; got 0"],
    [{ epsilon: 1 }, 'budget must be exactly one of eta and epsilon; got "eta and epsilon"'],
    [
      { lower: Number.NaN },
      'lower must be a rational number such as "1/3", "0.1", "1e-6", 1n or 0.1; got NaN',
    ],
  ])("%o", (wrong, message) => {
    const options = { ...OPTIONS, ...wrong, entropy } as ClampedLaplaceOptions;
    expect(() => clampedLaplace(0, options)).toThrow(message);
  });

  it.each([Number.NaN, "secret", undefined, {}])("a value that is no number: %s", (value) => {
    const expected = "a number, a bigint or a rational";
    expect(() => clampedLaplace(value as RationalLike, { ...OPTIONS, entropy })).toThrow(
      expect.objectContaining({
        ...{ code: "invalid-score", field: "value", expected },
        message: `value must be ${expected}`,
      }),
    );
  });
});
