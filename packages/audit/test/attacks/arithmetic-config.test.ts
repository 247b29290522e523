import { describe, expect, it } from "vitest";
import { eta } from "../../../core/src/accounting/base2-parameter.js";
import { precisionRules } from "../../../core/src/base2/precision-rules.js";
import { Rational, rational } from "../../../core/src/exact/rational.js";
import {
  ArithmeticConfig,
  analyticPrecision,
  FixedPrecisionError,
  powerBound,
  powerOfTwo,
  publishedDigits,
} from "../../src/attacks/arithmetic-config.js";

const refusal = (reason: string) => expect.objectContaining({ name: "FixedPrecisionError", reason });

/** What a call is refused for; undefined if it isn't. */
function reasonOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof FixedPrecisionError) return error.reason;
    throw error;
  }
}

const SETTINGS = [
  { eta: eta(1, 1), lower: 0, upper: 60, maxCandidates: 50 },
  { eta: eta(15, 4), lower: 0, upper: 100, maxCandidates: 500 },
  { eta: eta(3, 2, 2), lower: 2, upper: 9, maxCandidates: 7 },
  { eta: eta(2, 3), lower: -4, upper: 3, maxCandidates: 100 },
];

describe("an exact scope [Ilv20p, Proposition 5.1]", () => {
  it("notices every rounded number between its beginning and its end, and none before it", () => {
    const config = new ArithmeticConfig(8);
    config.float(rational("1/3"));
    expect(config.isRounded).toBe(true);
    config.enterExactScope();
    expect(config.float(rational("255/256")).equals("255/256")).toBe(true);
    config.exitExactScope();
    config.enterExactScope();
    config.float(rational("257/256"));
    expect(() => config.exitExactScope()).toThrow(refusal("inexact arithmetic"));
  });

  it("can't be left before it was entered, and can't be entered again once something was rounded in it", () => {
    const config = new ArithmeticConfig(8);
    expect(reasonOf(() => config.exitExactScope())).toBe("not in exact scope");
    config.enterExactScope();
    config.float(rational("1/3"));
    expect(reasonOf(() => config.enterExactScope())).toBe("inexact arithmetic"); // it doesn't clear the flag a second time
    expect(reasonOf(() => config.enterExactScope())).toBe("arithmetic configuration invalid");
    expect(reasonOf(() => config.exitExactScope())).toBe("arithmetic configuration invalid");
  });

  it("has flags that work: the canary of the published code [Ilv20p, §9.1]", () => {
    const rounds = (value: string, precision: number) => {
      const config = new ArithmeticConfig(precision);
      config.float(rational(value));
      return config.isRounded;
    };
    // Sums, products and powers that fit, and the same with a digit less.
    for (const [value, digits] of [
      ["5/4", 3],
      ["1025/1024", 11],
      ["255", 8],
      ["1e-3", Infinity],
      ["3/1024", 2],
    ] as const)
      for (const precision of [1, 2, 3, 7, 8, 10, 11, 64])
        expect(rounds(value, precision)).toBe(precision < digits);
  });

  it("rounds to the nearest number, ties to even", () => {
    const config = new ArithmeticConfig(3);
    const rounded = ["9/8", "11/8", "5/4", "15/8", "31/16", "17"].map((value) =>
      String(config.float(rational(value))),
    );
    expect(rounded).toEqual(["1", "1.5", "1.25", "2", "2", "16"]);
  });
});

describe("get_power_bound [Ilv20p, Lemma 6.1]", () => {
  it("is the smallest k with 2^k at least the total, above and below 1", () => {
    for (let n = 1n; n <= 130n; n++)
      for (const d of [1n, 2n, 3n, 64n, 1000n]) {
        const total = Rational.of(n, d);
        const k = powerBound(total);
        expect(powerOfTwo(k).compare(total)).toBeGreaterThanOrEqual(0);
        expect(powerOfTwo(k - 1).compare(total)).toBeLessThan(0);
      }
  });

  it("is 0 for a total that isn't positive", () => {
    expect([powerBound(rational(0)), powerBound(rational(-3))]).toEqual([0, 0]);
  });
});

describe("the precision for the exponential mechanism", () => {
  it.each(SETTINGS)("by the formula is Lemma 5.3: %o", (setting) => {
    const { analytic } = precisionRules(setting);
    expect(rational(ArithmeticConfig.forExponential(setting).precision).equals(analytic)).toBe(true);
  });

  it.each(SETTINGS)("by the search from 1 is what precisionRules has in closed form: %o", (setting) => {
    const searched = { ...setting, empiricalPrecision: true, startingPrecision: 1 };
    const { empirical } = precisionRules(setting);
    expect(rational(ArithmeticConfig.forExponential(searched).precision).equals(empirical!)).toBe(true);
  });

  it.each(SETTINGS)("by the search from 53 is the first of 53, 106, 212, … that suffices: %o", (setting) => {
    const { precision } = ArithmeticConfig.forExponential({ ...setting, empiricalPrecision: true });
    const least = precisionRules(setting).empirical!;
    expect([53, 106, 212, 424, 848]).toContain(precision);
    expect(least.compare(2 * precision)).toBeLessThan(0);
    if (precision > 53) expect(least.compare(precision / 2)).toBeGreaterThan(0);
  });

  it("ends in an error where no precision suffices, or none that is allowed", () => {
    const thirds = { eta: eta(3, 2), lower: -1, upper: 0, maxCandidates: 2, maxPrecision: 4096 };
    const exceeded = "maximum precision exceeded";
    expect(reasonOf(() => ArithmeticConfig.forExponential({ ...thirds, empiricalPrecision: true }))).toBe(
      exceeded,
    );
    expect(reasonOf(() => ArithmeticConfig.forExponential({ ...SETTINGS[1], maxPrecision: 1307 }))).toBe(
      exceeded,
    );
  });

  it("of the published code is short of its lemma where x is a power of two, or rounds to one", () => {
    const setting = { eta: eta(2, 2), lower: 0, upper: 1, maxCandidates: 8 };
    expect(publishedDigits(2n)).toBe(1);
    expect(analyticPrecision({ ...setting, lower: -2, upper: 4 }, publishedDigits)).toBe(26);
    expect(analyticPrecision({ ...setting, lower: -2, upper: 4 })).toBe(32);
    expect([publishedDigits(3n), publishedDigits(2n ** 24n + 1n), publishedDigits(2n ** 24n + 3n)]).toEqual([
      2, 24, 25,
    ]);
  });

  it("of the published code suffices all the same", () => {
    for (const x of [1n, 2n, 4n, 8n, 2n ** 24n + 1n])
      for (const maxCandidates of [1, 2, 8, 100])
        for (const [lower, upper] of [
          [0, 1],
          [0, 9],
          [1, 6],
        ]) {
          const setting = { eta: eta(x, 25), lower, upper, maxCandidates };
          const precision = analyticPrecision(setting, publishedDigits);
          expect(precisionRules(setting).corrected.compare(precision)).toBeLessThanOrEqual(0);
        }
  });
});
