import { describe, expect, it } from "vitest";
import { eta } from "../../src/accounting/base2-parameter.js";
import { convert } from "../../src/accounting/convert.js";
import {
  type Base2ExponentialOptions,
  base2Exponential,
  makeBase2Exponential,
} from "../../src/base2/base2-exponential.js";
import { Entropy } from "../../src/entropy.js";
import { type RationalLike, rational } from "../../src/exact/rational.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { type Base2ExponentialVector, vectors } from "../support/vectors.js";
import { exactLaw, lawByIndex } from "./exact-law.js";

const OPTIONS = { eta: eta(15, 4), lower: 0, upper: 100, maxCandidates: 500 };
const itself = (utility: RationalLike) => utility;
/** The sampler whose cost depends on the utilities; constant work has tests of its own. */
const FAST = { mode: "optimised" } as const;

function optionsOf({ eta: { x, y, z }, utility_min, utility_max }: Base2ExponentialVector) {
  return { eta: eta(x, y, z), lower: utility_min, upper: utility_max, maxCandidates: 4, ...FAST };
}

describe("base2Exponential", () => {
  it("gives an outcome, its index and the loss incurred, which is not η", () => {
    const outcomes = ["dear", "cheap", "free"];
    const costs: Record<string, number> = { dear: 90, cheap: 40, free: 0 };
    const entropy = seededEntropy("prices");
    const {
      candidate: index,
      outcome,
      privacy,
    } = base2Exponential(outcomes, (o) => costs[o], { ...OPTIONS, entropy });
    expect(outcome).toBe(outcomes[index]);
    expect(privacy.measure).toBe("base2");
    expect(rational(privacy.eta).equals(OPTIONS.eta.eta.times(2n))).toBe(true);
    expect(rational(convert(privacy, { to: "pure" }).epsilon).toNumber()).toBeCloseTo(0.129077042275142, 14);
  });

  it.each([
    { sensitivity: 1, monotone: false, times: 2n },
    { sensitivity: 1, monotone: true, times: 1n },
    { sensitivity: 3n, monotone: false, times: 6n },
    { sensitivity: "3/2", monotone: true, times: 2n },
    { sensitivity: 0.2, monotone: false, times: 2n },
  ])(
    "sensitivity $sensitivity, monotone $monotone: the loss is $times·η",
    ({ sensitivity, monotone, times }) => {
      const options = { ...OPTIONS, sensitivity, monotone, entropy: seededEntropy("loss") };
      const { privacy } = base2Exponential([1, 2], itself, options);
      expect(rational(privacy.eta).equals(OPTIONS.eta.eta.times(times))).toBe(true);
    },
  );

  it("takes an ε instead of η, and spends at most that", () => {
    const { eta: _, ...rest } = OPTIONS;
    for (const monotone of [true, false]) {
      const options = {
        ...rest,
        epsilon: "1/10",
        sensitivity: 2,
        monotone,
        entropy: seededEntropy("epsilon"),
      };
      const { privacy } = base2Exponential([1, 2], itself, options);
      const epsilon = rational(convert(privacy, { to: "pure" }).epsilon).toNumber();
      expect(epsilon).toBeLessThanOrEqual(0.1);
      expect(epsilon).toBeGreaterThan(0.09);
    }
  });

  it("takes any array-like list of outcomes", () => {
    const entropy = seededEntropy("array-likes");
    expect(
      base2Exponential(Int32Array.of(100, 0, 100), itself, { ...OPTIONS, eta: eta(1, 9), entropy }),
    ).toMatchObject({
      candidate: 1,
      outcome: 0,
    });
    expect(base2Exponential({ length: 1, 0: "only" }, () => 5, { ...OPTIONS, entropy }).outcome).toBe("only");
  });

  it("asks for each utility once, in order", () => {
    for (const kinds of [
      [5, 6, 7],
      [5, 6n, "1/2"],
    ]) {
      const asked: number[] = [];
      const utility = (i: number) => {
        asked.push(i);
        return kinds[i];
      };
      base2Exponential([0, 1, 2], utility, { ...OPTIONS, entropy: seededEntropy("order") });
      expect(asked).toEqual([0, 1, 2]);
    }
  });

  it("needs no bit where there is nothing to choose", () => {
    expect(
      base2Exponential(["only"], () => 5, { ...OPTIONS, ...FAST, entropy: replayEntropy("") }).candidate,
    ).toBe(0);
  });

  it("wipes the system's entropy and works without one given", () => {
    expect(base2Exponential([3, 4], itself, OPTIONS).candidate).toBeLessThan(2);
  });
});

describe("the law on every string of bits", () => {
  it.each(vectors.base2_em)("$name", (vector) => {
    const utilities = vector.utilities.map((utility) => rational(utility));
    const options = optionsOf(vector);
    const tree = bitTree(
      (entropy) => base2Exponential(utilities, itself, { ...options, entropy }).candidate,
      {
        depth: 16,
      },
    );
    expect(tree.undecided.compare("1/12")).toBeLessThan(0);
    expectLaw({ tree, probabilities: lawByIndex(vector.probs_exact.map((p) => rational(p))) });
  });

  it("numbers that are no integers, rounded one bit or three bits at a time", () => {
    const mechanism = { x: 1, y: 1, z: 1, lower: -2, upper: 4 };
    const utilities = [0.5, -0.25, 3];
    const { lower, upper } = mechanism;
    const options = { ...OPTIONS, lower, upper, eta: eta(1, 1), ...FAST };
    const probabilities = lawByIndex(exactLaw(utilities, mechanism));
    for (const [wordBits, depth] of [
      [1, 16],
      [3, 15],
    ]) {
      const run = (entropy: Entropy) =>
        base2Exponential(utilities, itself, { ...options, entropy }).candidate;
      const tree = bitTree(run, { depth, wordBits });
      expect(tree.undecided.compare("1/4")).toBeLessThan(0);
      expectLaw({ tree, probabilities });
    }
  });
});

describe("the mode", () => {
  const bitsOf = (options: Partial<Base2ExponentialOptions>, utilities: readonly number[]) => {
    const entropy = seededEntropy("mode");
    base2Exponential(utilities, itself, { ...OPTIONS, ...options, entropy } as Base2ExponentialOptions);
    return entropy.bitsUsed;
  };

  it("is constant work where the range and the parameter make that cheap, up to R·y·z = 16,384", () => {
    for (const upper of [1, 100, 4096]) {
      const precision = 4 * upper + 9; // of (15, 4) and up to 500 outcomes
      expect(bitsOf({ upper }, [0, 1])).toBe(2 * 32 + 64 * precision);
      expect(bitsOf({ upper }, [1, 1])).toBe(2 * 32 + 64 * precision);
    }
  });

  it("is constant work up to 64 retries, of as many bits each", () => {
    expect(bitsOf({ upper: 1, minRetries: 64 }, [0, 1])).toBe(2 * 32 + 64 * (4 + 9));
  });

  it("may be constant work up to its two limits", () => {
    const made = (upper: number, minRetries: number) =>
      makeBase2Exponential({ ...OPTIONS, upper, minRetries, mode: "constant-work" }).precision;
    expect(made(2 ** 18, 1)).toBe(2 ** 20 + 9);
    expect(made(2 ** 18, 512)).toBe(2 ** 20 + 9);
    expect(() => made(2 ** 18, 513)).toThrow("upper must be so small");
    expect(() => made(2 ** 18 + 1, 1)).toThrow("upper must be so small");
  });

  it("is what the caller says beyond that, and if the caller says so before", () => {
    expect(bitsOf({ upper: 4097, mode: "optimised" }, [0, 1])).toBeLessThan(200);
    expect(bitsOf({ upper: 4097, mode: "constant-work" }, [0, 1])).toBe(2 * 32 + 64 * (4 * 4097 + 9));
    expect(bitsOf({ mode: "optimised" }, [0, 1])).toBeLessThan(200);
  });
});

/** An entropy and a utility that must not be touched. */
const untouched = new Entropy({
  fill() {
    throw new Error("a bit was drawn");
  },
});
const unseen = () => {
  throw new Error("a utility was looked at");
};

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

const feasible =
  "upper must be so small that R·y·z <= 1048576 and R·y·z·minRetries <= 536870912 in constant work, where R = upper − lower";

const undecided =
  'mode must be "constant-work", or "optimised" where no one can time it; there is a default only up to R·y·z = 16384 and minRetries = 64, where R = upper − lower';

describe("bad parameters are refused before a utility is looked at or a bit drawn", () => {
  it.each<[object, string]>([
    [{ lower: 3, upper: 2 }, "upper must be an integer >= lower; got 2n"],
    [{ lower: 0.5 }, "lower must be an integer; got 0.5"],
    [{ upper: 2 ** 53 }, "upper must be an integer (a bigint above 2^53); got 9007199254740992"],
    [{ upper: Infinity }, "upper must be an integer; got Infinity"],
    [{ maxCandidates: 0 }, "maxCandidates must be an integer from 1 to 4294967295; got 0"],
    [{ maxCandidates: 2 ** 32 }, "maxCandidates must be an integer from 1 to 4294967295; got 4294967296"],
    [{ maxCandidates: 2 }, "outcomes must be a list of 1 to 2 outcomes"],
    [{ sensitivity: 0 }, "sensitivity must be a rational > 0; got 0"],
    [{ sensitivity: "-1/2" }, 'sensitivity must be a rational > 0; got "-1/2"'],
    [{ monotone: 1 as unknown as boolean }, "monotone must be true or false; got 1"],
    [{ minRetries: 0 }, "minRetries must be an integer from 1 to 65536; got 0"],
    [{ minRetries: 65_537 }, "minRetries must be an integer from 1 to 65536; got 65537"],
    [{ mode: "fast" as "optimised" }, 'mode must be "optimised" or "constant-work"; got "fast"'],
    [{ epsilon: 1 }, 'budget must be exactly one of eta and epsilon; got "eta and epsilon"'],
    [{ upper: 4097 }, `${undecided}; got undefined`],
    [{ minRetries: 65 }, `${undecided}; got undefined`],
    [{ mode: "constant-work", upper: 2 ** 20 }, `${feasible}; got 1048576n`],
    [{ mode: "constant-work", upper: 300_000 }, `${feasible}; got 300000n`],
    [{ mode: "constant-work", upper: 10_000, minRetries: 20_000 }, `${feasible}; got 10000n`],
  ])("%o", (wrong, message) => {
    const options = { ...OPTIONS, ...wrong, entropy: untouched } as Base2ExponentialOptions;
    const error = errorOf(() => base2Exponential([1, 2, 3], unseen, options));
    expect(error).toMatchObject({ code: "invalid-parameter", message });
  });

  it("no budget, an η of x ≥ 2^y, and none that eta() made", () => {
    const { eta: _, ...rest } = OPTIONS;
    const run = (options: object) =>
      base2Exponential([1], unseen, { ...rest, ...options, entropy: untouched } as never);
    const made = "eta must be a parameter made by eta() or etaAtMost()";
    expect(() => run({})).toThrow('budget must be exactly one of eta and epsilon; got "none"');
    expect(() => run({ eta: 0.5 })).toThrow(`${made}; got 0.5`);
    expect(() => run({ eta: { x: 16n, y: 4n, z: 1n } })).toThrow("x must be an integer < 2^y; got 16n");
    expect(() => eta(16, 4)).toThrow("x must be an integer < 2^y; got 16");
    expect(() => run({ epsilon: 0 })).toThrow("epsilon must be a rational > 0; got 0");
  });

  it("no outcomes, or nothing that could be outcomes or a utility", () => {
    const options = { ...OPTIONS, entropy: untouched };
    expect(() => base2Exponential([], unseen, options)).toThrow(
      "outcomes must be a list of 1 to 500 outcomes",
    );
    const nothing = undefined as unknown as string[];
    expect(() => base2Exponential(nothing, unseen, options)).toThrow(
      "outcomes must be a list of 1 to 500 outcomes",
    );
    const noFunction = 5 as unknown as typeof unseen;
    expect(() => base2Exponential([1], noFunction, options)).toThrow(
      "utility must be a function; got a value of type number",
    );
  });
});

describe("a utility that is no number is refused before a bit is drawn, without a word on it", () => {
  const text = "utility must be a number, a bigint or a rational for every outcome";

  it.each([
    ["NaN", [1.5, Number.NaN, 2]],
    ["NaN behind a bigint", [1n, Number.NaN]],
    ["NaN before a bigint", [Number.NaN, 1n]],
    ["undefined", [1, undefined]],
    ["null", [null]],
    ["an unreadable text", [1, "secret 1/2"]],
    ["a text that only looks like a number", ["Infinity"]],
    ["an object", [{}]],
  ])("%s", (_, utilities) => {
    const run = () =>
      base2Exponential(utilities as RationalLike[], itself, { ...OPTIONS, entropy: untouched });
    const error = errorOf(run);
    expect(error).toMatchObject({ code: "invalid-score", message: text, field: "utility", got: undefined });
    expect(error).not.toHaveProperty("cause");
  });

  it.each(["optimised", "constant-work"] as const)("NaN at any place among others, %s", (mode) => {
    const others = [-Infinity, 0, -0, 0.25, 7, 1e300, Infinity];
    for (let place = 0; place <= others.length; place++) {
      const utilities = [...others.slice(0, place), Number.NaN, ...others.slice(place)];
      const run = () => base2Exponential(utilities, itself, { ...OPTIONS, mode, entropy: untouched });
      expect(errorOf(run)).toMatchObject({ code: "invalid-score", message: text });
    }
  });
});
