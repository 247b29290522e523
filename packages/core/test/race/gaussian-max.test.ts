import { describe, expect, it, vi } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { gaussianMax } from "../../src/race/gaussian-max.js";
import { ScoreReader } from "../../src/race/scores.js";
import { LazyGaussian, lazyGaussian } from "../../src/sample/lazy-gaussian.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectBadScore, untouched } from "../select/refusals.js";

const NOTHING = replayEntropy("");

/** N = 1/2 + whole, with zeros for all further digits. */
function halfPast(whole: number): LazyGaussian {
  const entropy = replayEntropy("0".repeat(32 * 20), { wordBits: 32 });
  return new LazyGaussian(false, whole, 0, { entropy, word: 1 << 30, bits: 31 });
}

describe("gaussianMax", () => {
  // Keys are a + σ/2 and 3σ/2 with σ = √2·10^40, so that a is compared with σ.
  const ROOT_OF_TWO = 14142135623730950488016887242096980785696n;

  it.each([
    { distance: "just below", a: ROOT_OF_TWO, winner: 1 },
    { distance: "just above", a: ROOT_OF_TWO + 1n, winner: 0 },
  ])("tells a score from an irrational σ that it is $distance by a part in 10^40", ({ a, winner }) => {
    const variates = [halfPast(0), halfPast(1)];
    const draw = () => variates.shift()!;
    expect(gaussianMax(new ScoreReader([a, 0n]), rational("2e80"), NOTHING, draw)).toBe(winner);
  });

  it("refines variates that agree in their first digits", () => {
    const digits = "0110".repeat(16);
    const variate = (last: string) => {
      const entropy = replayEntropy(digits + last.repeat(32), { wordBits: 32 });
      return new LazyGaussian(true, 3, 4, { entropy, word: 12345, bits: 31 });
    };
    for (const [first, second, winner] of [
      ["0", "1", 0], // the digits of a negative number: the smaller fraction is the larger number
      ["1", "0", 1],
    ] as const) {
      const variates = [variate(first), variate(second)];
      const draw = () => variates.shift()!;
      expect(gaussianMax(new ScoreReader([5, 5]), rational(3), NOTHING, draw)).toBe(winner);
    }
  });

  it.each(["1e-9", "1/3", "7", "1e12"])(
    "gives the largest key that its variates allow, for σ² = %s",
    (variance) => {
      const sigma = Math.sqrt(rational(variance).toNumber());
      const scores = [0.5, -3, 7, 7.25, 1e6, 999_999, 12];
      for (let run = 0; run < 10; run++) {
        const winner = gaussianMax(new ScoreReader(scores), rational(variance), seededEntropy(run));
        const entropy = seededEntropy(run);
        const keys = scores.map((score) => score + sigma * lazyGaussian(entropy).lower);
        expect(keys[winner]).toBe(Math.max(...keys));
      }
    },
  );

  it.each([
    { variance: "1e-700", scores: [0, 5e-324], winners: [1] },
    { variance: "1e-700", scores: [0, 0], winners: [0, 1] },
    { variance: "1e-646", scores: [0, 5e-324], winners: [0, 1] },
    { variance: "1e700", scores: [-1e308, 1e308], winners: [0, 1] },
    { variance: "1e600", scores: [1.7e308, -1.7e308], winners: [0] },
  ])(
    "draws as usual beyond the doubles: σ² = $variance and scores $scores",
    ({ variance, scores, winners }) => {
      const entropy = seededEntropy(`extreme ${variance}`);
      const seen = new Set<number>();
      for (let run = 0; run < 20; run++)
        seen.add(gaussianMax(new ScoreReader(scores), rational(variance), entropy));
      expect([...seen].sort()).toEqual(winners);
    },
  );

  // N is a fraction of 2^−20 with 31 more digits, so that a key is known to 2^−51 and sums in doubles to 2^−43.
  const tiny = (units: bigint) => {
    const size = units < 0n ? -units - 1n : units;
    const entropy = replayEntropy((units < 0n ? "1" : "0").repeat(320), { wordBits: 32 });
    return new LazyGaussian(units < 0n, Number(size >> 31n), 20, {
      entropy,
      word: Number(size & 0x7fffffffn),
      bits: 31,
    });
  };

  it.each([
    { variance: "1", sigma: rational(1), about: 1 },
    { variance: "9/4", sigma: rational("3/2"), about: 100 },
    { variance: "1/9", sigma: rational("1/3"), about: -3000 },
  ])("is not misled by the rounding of scores and sums, σ² = $variance", ({ variance, sigma, about }) => {
    const choices = seededEntropy(`rounding ${variance}`);
    for (let run = 0; run < 60; run++) {
      const scores = Array.from({ length: 2 }, () => 1000 + choices.bits(30) / 1e7);
      // The second noise makes the second key a little larger or smaller than the first.
      const units = BigInt(Math.round(about * 2 ** 20)) << 31n;
      const isLarger = choices.bit() === 1;
      const difference = rational(scores[0]).minus(scores[1]).dividedBy(sigma);
      const step = isLarger ? 1n << 4n : -(1n << 4n); // 2^−47
      const other = units + difference.times(1n << 51n).floor() + step;
      const variates = [tiny(units), tiny(other)];
      const winner = gaussianMax(
        new ScoreReader(scores),
        rational(variance),
        NOTHING,
        () => variates.shift()!,
      );
      expect(winner).toBe(isLarger ? 1 : 0);
    }
  });

  it("is not misled where a score and its noise are as large and cancel each other", () => {
    const choices = seededEntropy("cancel");
    for (let run = 0; run < 60; run++) {
      const scores = Array.from({ length: 2 }, () => 1000 + choices.bits(30) / 1e7);
      const isLarger = choices.bit() === 1;
      const opposite = scores.map((score) =>
        rational(score)
          .times(1n << 51n)
          .negated()
          .floor(),
      );
      const variates = [tiny(opposite[0]), tiny(opposite[1] + (isLarger ? 16n : -16n))];
      const winner = gaussianMax(new ScoreReader(scores), rational(1), NOTHING, () => variates.shift()!);
      expect(winner).toBe(isLarger ? 1 : 0);
    }
  });

  it("looks at doubles only where these tell", () => {
    const asked = vi.spyOn(LazyGaussian.prototype, "enclosure");
    const scores = Array.from({ length: 50 }, (_, index) => 100 * index);
    const winner = gaussianMax(new ScoreReader(scores), rational("1/7"), seededEntropy("far apart"));
    const { calls } = asked.mock;
    asked.mockRestore();
    expect([winner, calls.length]).toEqual([49, 0]);
  });

  it("refuses a bad score before a bit is drawn", () => {
    for (const bad of [Number.NaN, Infinity, 10n ** 400n])
      for (const scores of [
        [bad, 1],
        [1, bad],
        [1, 2, bad],
      ])
        expectBadScore(() => gaussianMax(new ScoreReader(scores), rational(1), untouched()));
  });
});
