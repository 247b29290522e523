import { describe, expect, it, vi } from "vitest";
import { KeepCoin } from "../../src/discover/keep-probabilities.js";
import { Interval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { RareCoins } from "../../src/sample/rare-coins.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const seeded = () => seededEntropy("keep");

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

describe("The coin of a name that no one has", () => {
  it("is never heads, and takes no bit", () => {
    const toss = new KeepCoin(rational(1), rational("3/10")).tosses(replayEntropy(""));
    expect([0, 0n, -1].map(toss)).toEqual([false, false, false]);
  });
});

describe("The probability of keeping a name", () => {
  it("is compared with as many digits of U as it takes", () => {
    const digits = (3n << 448n) / 10n; // of one person it is δ
    for (const [u, isKept] of [
      [digits, true],
      [digits + 1n, false],
    ] as const) {
      const entropy = replayEntropy(u.toString(2).padStart(448, "0").padEnd(512, "0"), { wordBits: 32 });
      expect(new KeepCoin(rational(1), rational("3/10")).tosses(entropy)(1)).toBe(isKept);
    }
  });

  it.each([
    ["1", "1e-100"],
    ["1e-50", "1e-3"],
    ["1e-50", "1e-100"],
  ])("is enclosed by as much as was asked for, however small ε and δ are: %s and %s", (epsilon, delta) => {
    const coin = new KeepCoin(rational(epsilon), rational(delta));
    for (const count of [1, 2, 500]) {
      const [coarse, fine] = [coin.enclose(count, 64), coin.enclose(count, 800)] as [Interval, Interval];
      if (coarse === undefined) continue;
      expect(coarse.hi - coarse.lo).toBeLessThanOrEqual(1n << BigInt(coarse.precision - 64));
      expect(coarse.contains(fine.lower())).toBe(true);
    }
  });

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
