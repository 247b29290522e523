import { describe, expect, it } from "vitest";
import { eta, etaAtMost } from "../../src/accounting/base2-parameter.js";
import { base2, type LossOf } from "../../src/accounting/loss.js";
import { base2Exponential, makeBase2Exponential } from "../../src/base2/base2-exponential.js";
import { type RationalLike, rational } from "../../src/exact/rational.js";
import type { Measurement } from "../../src/select/measurement.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

/** Parameters first, utilities later [Ilv20p, §5]. */

const OPTIONS = { eta: eta(15, 4), lower: 0, upper: 100, maxCandidates: 500 };

describe("makeBase2Exponential", () => {
  it("is a measurement, whose map gives a loss in base 2", () => {
    const made: Measurement<
      ArrayLike<RationalLike>,
      { readonly candidate: number },
      LossOf["base2"]
    > = makeBase2Exponential(OPTIONS);
    expect(made.measure).toBe("base2");
  });

  it("decides everything before there is a utility: the mode, the retries, the precision, the loss", () => {
    const { parameter, mode, minRetries, precision, privacy } = makeBase2Exponential(OPTIONS);
    expect({ mode, minRetries, precision }).toEqual({
      mode: "constant-work",
      minRetries: 64,
      precision: 4 * 100 + 9,
    });
    expect(parameter).toEqual(OPTIONS.eta);
    expect(rational(privacy.eta).equals(OPTIONS.eta.eta.times(2n))).toBe(true);
    expect(makeBase2Exponential({ ...OPTIONS, mode: "optimised" }).minRetries).toBe(1);
  });

  it("draws what base2Exponential draws, bit for bit, from one mechanism any number of times", () => {
    const utilities = [3, 0.5, "7/3", 900, -20, 4n];
    for (const mode of ["optimised", "constant-work"] as const) {
      const mechanism = makeBase2Exponential({ ...OPTIONS, mode });
      for (const seed of ["one", "two", "three"]) {
        const [one, two] = [seededEntropy(seed), seededEntropy(seed)];
        const { candidate: index } = base2Exponential(utilities, (u) => u, {
          ...OPTIONS,
          mode,
          entropy: two,
        });
        expect(mechanism.invoke(utilities, one)).toEqual({ candidate: index });
        expect(one.bitsUsed).toBe(two.bitsUsed);
      }
    }
  });

  it("clamps and rounds: utilities beyond the bounds count as the bounds, and 1/2 is 0 or 1 by one coin", () => {
    const mechanism = makeBase2Exponential({
      eta: eta(1, 1),
      lower: 0,
      upper: 1,
      maxCandidates: 2,
      minRetries: 1,
    });
    // A word of one bit rounds each utility, then two bits choose: A₀ = 2, A₁ = 1.
    const draw = (utilities: (number | string)[], bits: string) =>
      mechanism.invoke(utilities, replayEntropy(bits)).candidate;
    for (const share of ["00", "01", "10"]) {
      expect(draw([-50, 50], `00${share}`)).toBe(draw([0, 1], `00${share}`));
      expect(draw([0, "1/2"], `01${share}`)).toBe(draw([0, 0], `00${share}`));
    }
    expect(draw([0, 1], "0010")).toBe(1);
    expect(draw([0, 0], "0001")).toBe(0);
  });

  it("maps a distance to a loss: 2⌈d⌉η, or half of it where utilities are monotone, and nothing for none", () => {
    const half = eta(1, 1);
    const [any, one] = [false, true].map((monotone) =>
      makeBase2Exponential({ ...OPTIONS, eta: half, monotone }),
    );
    const etas = (mechanism: typeof any) => [0, 1, "3/2", 2].map((d) => String(mechanism.map(d).eta));
    expect(etas(any)).toEqual(["0", "2", "4", "4"]);
    expect(etas(one)).toEqual(["0", "1", "2", "2"]);
    expect([any.check(1, base2(2)), any.check(1, base2("1.99")), any.check(0, base2(0))]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("takes an ε, and is the largest parameter within it", () => {
    const { eta: _, ...rest } = OPTIONS;
    const { parameter } = makeBase2Exponential({ ...rest, epsilon: 1, sensitivity: 2 });
    const { x, y, z } = etaAtMost(1, { sensitivity: 2 });
    expect([parameter.x, parameter.y, parameter.z]).toEqual([x, y, z]);
  });

  it("says what is wrong, first with parameters and then with utilities, before a bit is drawn", () => {
    const make = (options: object) => () => makeBase2Exponential({ ...OPTIONS, ...options });
    expect(make({ upper: -1 })).toThrow("upper must be an integer >= lower; got -1n");
    expect(make({ upper: 10_000 })).toThrow('mode must be "constant-work", or "optimised"');
    expect(make({ entropy: seededEntropy("no") })).toThrow("options has an unknown name");
    expect(() => makeBase2Exponential(OPTIONS).map(-1)).toThrow("dIn must be a rational >= 0; got -1");
    const mechanism = makeBase2Exponential(OPTIONS);
    const invoke = (utilities: unknown) => () => mechanism.invoke(utilities as number[], replayEntropy(""));
    for (const none of [[], undefined, new Array(501).fill(0)])
      expect(invoke(none)).toThrow("utilities must be a list of 1 to 500 utilities");
    expect(invoke([1, Number.NaN])).toThrow(
      "utility must be a number, a bigint or a rational for every outcome",
    );
  });
});
