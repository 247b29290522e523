import { describe, expect, it } from "vitest";
import { eta } from "../../src/accounting/base2-parameter.js";
import { base2Exponential } from "../../src/base2/base2-exponential.js";
import type { RationalLike } from "../../src/exact/rational.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const itself = (utility: RationalLike) => utility;
/** Ranges beyond all doubles have no other mode. */
const FAST = { mode: "optimised" } as const;

describe("hostile utilities", () => {
  it.each([
    ["the largest double", [Number.MAX_VALUE, 0, Number.MAX_VALUE]],
    ["infinities", [Infinity, -Infinity, Infinity]],
    ["1e300", [1e300, -1e300, 1e300]],
    ["bigints of a thousand digits", [10n ** 1000n, -(10n ** 1000n), 10n ** 1000n]],
    ["a mixture", [Infinity, "-1e300", 10n ** 40n]],
  ])("%s are clamped", (_, utilities) => {
    const options = { eta: eta(1, 1, 100), lower: 0, upper: 1000, maxCandidates: 3, ...FAST };
    const entropy = seededEntropy("clamped");
    expect(base2Exponential(utilities as RationalLike[], itself, { ...options, entropy }).candidate).toBe(1);
  });

  it("a range beyond all doubles, with fractions, is exact: the better one wins but for 2^−100", () => {
    const options = {
      eta: eta(1, 1),
      lower: -(10n ** 400n),
      upper: 10n ** 400n,
      maxCandidates: 4,
      ...FAST,
    };
    const entropy = seededEntropy("wide");
    const best = 10n ** 399n;
    const utilities = [best + 100n, Infinity, `${best}.5`, `${best + 101n}/1`];
    for (let run = 0; run < 50; run++)
      expect(base2Exponential(utilities as RationalLike[], itself, { ...options, entropy }).candidate).toBe(
        2,
      );
  });

  it("equal utilities at the ends of a huge range are equally likely", () => {
    const options = {
      eta: eta(1, 1),
      lower: -(10n ** 400n),
      upper: 10n ** 400n,
      maxCandidates: 2,
      ...FAST,
    };
    for (const end of [Infinity, -Infinity]) {
      for (const bit of ["0", "1"]) {
        const entropy = replayEntropy(bit);
        expect(base2Exponential([end, end], itself, { ...options, entropy }).candidate).toBe(Number(bit));
      }
    }
  });

  it("distances that no double tells apart are told apart", () => {
    const options = { eta: eta(1, 1, 200), lower: 0n, upper: 2n ** 80n, maxCandidates: 3, ...FAST };
    const utilities = [2n ** 79n + 2n, 2n ** 79n + 1n, 2n ** 79n + 3n];
    const entropy = seededEntropy("apart");
    for (let run = 0; run < 20; run++)
      expect(base2Exponential(utilities, itself, { ...options, entropy }).candidate).toBe(1);
  });

  it("bounds at the ends of the safe integers", () => {
    const [low, high] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    const options = { eta: eta(1, 1), lower: low, upper: high, maxCandidates: 3, ...FAST };
    const entropy = seededEntropy("safe");
    expect(base2Exponential([high, low, 0], itself, { ...options, entropy }).candidate).toBe(1);
    expect(base2Exponential([-0.5, high, 0.75], itself, { ...options, entropy }).candidate).not.toBe(1);
  });

  it("an η so small that its doubles are 0, and one so large that they are Infinity", () => {
    const tiny = {
      eta: eta((1n << 1200n) - 1n, 1200),
      lower: 0,
      upper: 10,
      maxCandidates: 2,
      ...FAST,
    };
    const entropy = seededEntropy("extreme");
    const indices = Array.from(
      { length: 60 },
      () => base2Exponential([0, 10], itself, { ...tiny, entropy }).candidate,
    );
    expect(new Set(indices)).toEqual(new Set([0, 1]));
    const huge = { eta: eta(1, 1, 10n ** 400n), lower: 0, upper: 10, maxCandidates: 2, ...FAST };
    for (let run = 0; run < 20; run++)
      expect(base2Exponential([1, 0], itself, { ...huge, entropy }).candidate).toBe(1);
  });
});

describe("hostile bits", () => {
  const options = { eta: eta(15, 4), lower: 0, upper: 100, maxCandidates: 400, ...FAST };

  it("zeros without end are an answer like any other", () => {
    const entropy = replayEntropy("0".repeat(4096), { wordBits: 32 });
    expect(base2Exponential([5.5, 2.5, 9, 2], itself, { ...options, entropy }).candidate).toBe(0);
  });

  it("the same bits give the same outcome for numbers, bigints and rationals", () => {
    for (let seed = 0; seed < 60; seed++) {
      const source = seededEntropy(`kinds ${seed}`);
      const utilities = Array.from({ length: 1 + source.bits(8) }, () => source.bits(6));
      const indices = [
        utilities,
        utilities.map(BigInt),
        utilities.map(String),
        utilities.map((utility, i) => (i % 3 === 0 ? BigInt(utility) : utility)),
      ].map((kind) => {
        const entropy = seededEntropy(`bits ${seed}`);
        return base2Exponential<RationalLike>(kind, itself, { ...options, entropy }).candidate;
      });
      expect(new Set(indices).size).toBe(1);
    }
  });

  it("a common shift of utilities and bounds changes nothing", () => {
    for (let seed = 0; seed < 40; seed++) {
      const source = seededEntropy(`shift ${seed}`);
      const utilities = Array.from({ length: 1 + source.bits(8) }, () => source.bits(6));
      const indices = [0n, 17n, -12345n, 10n ** 20n].map((shift) => {
        const bounds = { lower: shift, upper: 100n + shift };
        const entropy = seededEntropy(`bits ${seed}`);
        return base2Exponential(utilities, (u) => BigInt(u) + shift, { ...options, ...bounds, entropy })
          .candidate;
      });
      expect(new Set(indices).size).toBe(1);
    }
  });
});
