import { describe, expect, it, vi } from "vitest";
import { KeepCoin } from "../../src/discover/keep-probabilities.js";
import { Interval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { drawDiscreteGaussian } from "../../src/sample/discrete-gaussian.js";
import { drawDiscreteLaplace } from "../../src/sample/discrete-laplace.js";
import { preparedNoise } from "../../src/sample/prepared-noise.js";
import { RareCoins } from "../../src/sample/rare-coins.js";
import { StripSampler } from "../../src/sample/strip-sampler.js";
import { TruncatedLaplace } from "../../src/sample/truncated-laplace.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const seeded = () => seededEntropy("keep");

describe("Noise of one size for many names", () => {
  const LARGEST = 2n ** 40n;

  it("is drawn without tables above 2^40", () => {
    for (const size of [LARGEST + 1n, LARGEST * 1000n].map((each) => Rational.of(each))) {
      const [laplace, gaussian] = [seeded(), seeded()];
      const [drawLaplace, drawGaussian] = [preparedNoise("laplace", size), preparedNoise("gaussian", size)];
      const [a, b] = [seeded(), seeded()];
      for (let i = 0; i < 5; i++) {
        expect(drawLaplace(laplace)).toBe(drawDiscreteLaplace(size, a));
        expect(drawGaussian(gaussian)).toBe(drawDiscreteGaussian(size, b));
      }
    }
  });

  it("is drawn from tables up to 2^40", () => {
    for (const size of ["3", String(LARGEST)].map((each) => rational(each))) {
      const rate = Rational.ONE.dividedBy(size);
      const tables = new StripSampler({ linear: rate, quadratic: Rational.ZERO }, { signed: true });
      const squares = new StripSampler(
        { linear: Rational.ZERO, quadratic: rate.dividedBy(2n) },
        { signed: true },
      );
      for (const [law, sampler] of [
        ["laplace", tables],
        ["gaussian", squares],
      ] as const) {
        const [entropy, same] = [seeded(), seeded()];
        const draw = preparedNoise(law, size);
        for (let i = 0; i < 20; i++) expect(draw(entropy)).toBe(BigInt(sampler.sample(same)));
      }
    }
  });
});

describe("Truncated noise", () => {
  it("is that of the whole law, drawn again where it is beyond the bound on either side", () => {
    const [epsilon, delta] = [rational(1), rational("1/20")];
    const noise = new TruncatedLaplace(epsilon, delta);
    const whole = preparedNoise("laplace", rational(1));
    const [entropy, same] = [seeded(), seeded()];
    const found = new Set<bigint>();
    for (let i = 0; i < 400; i++) {
      let expected = whole(same);
      while (expected > noise.bound || expected < -noise.bound) expected = whole(same);
      expect(noise.publish(1000, entropy)).toBe(1000n + expected);
      found.add(expected);
    }
    expect(found.size).toBe(2 * Number(noise.bound) + 1);
  });

  it("keeps a count above the bound only, and draws nothing for a name that no one has", () => {
    const noise = new TruncatedLaplace(rational(1), rational("1/20"));
    const silent = { ...seeded(), word: () => expect.unreachable(), bits: () => expect.unreachable() };
    for (const count of [0, 0n, -1]) expect(noise.publish(count, silent as never)).toBeUndefined();
    for (let seed = 0; seed < 100; seed++) {
      const published = noise.publish(noise.bound, seededEntropy(`bound ${seed}`));
      expect(published === undefined || published > noise.bound).toBe(true);
    }
  });

  it("has a bound of at least 1, however large δ is, and fails at most as often as that", () => {
    const loose = new TruncatedLaplace(rational(1), rational("9/10"));
    expect(loose.bound).toBe(1n);
    expect(loose.failure.compare("9/10")).toBe(-1);
    // P(1) = a/(1 + 2a) for a = e^(-1).
    expect(loose.failure.toNumber()).toBeCloseTo(Math.exp(-1) / (1 + 2 * Math.exp(-1)), 12);
  });
});

describe("The coin of a name", () => {
  it("encloses its probability once for each count, and not at all from where names are certain", () => {
    const toss = new KeepCoin(rational(1), rational("1/100")).tosses(seeded());
    toss(7); // kept about as often as not: no one is passed by
    toss(1000);
    const exp = vi.spyOn(Interval.prototype, "exp");
    for (let i = 0; i < 20; i++) toss(7);
    const kept = [1000, 1000n, 1001, 10n ** 20n].map(toss);
    const { length } = exp.mock.calls;
    exp.mockRestore();
    expect([kept, length]).toEqual([[true, true, true, true], 0]);
  });

  it("is one word of U where one zero at most is known of it, and passes names by from two zeros on", () => {
    const [epsilon, entropy, same] = [rational(1), seeded(), seeded()];
    // Of one person the probability is δ: between 1/4 and 1/2 one zero is known, between 1/8 and 1/4 two.
    const [plain, rare] = ["3/10", "3/16"].map((delta) => new KeepCoin(epsilon, rational(delta)));
    const toss = plain.tosses(entropy);
    for (let i = 0; i < 200; i++) expect(toss(1)).toBe(same.word() / 2 ** 32 < 0.3);
    const tossRare = rare.tosses(entropy);
    const coins = new RareCoins(2, same);
    for (let i = 0; i < 200; i++) expect(tossRare(1)).toBe(!coins.passBy() && same.word() / 2 ** 34 < 3 / 16);
  });
});

describe("The probability of keeping a name", () => {
  it("is enclosed where more digits would be needed to tell the two branches apart", () => {
    // Next to δ = 1/(e + 2), where the second person is just the last one of the first branch.
    const scale = 10n ** 24n;
    const inverse = rational("4.718281828459045235360287471352662497757");
    const delta = Rational.of(Rational.of(scale).dividedBy(inverse).floor(), scale);
    const coin = new KeepCoin(rational(1), delta);
    for (const count of [1, 2, 3]) {
      const [coarse, fine] = [coin.enclose(count, 1), coin.enclose(count, 300)];
      expect([coarse === undefined, fine === undefined]).toEqual([false, false]);
      expect(coarse?.contains(fine?.lower() as Rational)).toBe(true);
    }
    expect(coin.enclose(2, 1)?.isBelow("0.9")).toBe(true);
  });
});
