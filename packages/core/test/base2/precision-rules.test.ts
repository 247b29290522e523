import { describe, expect, it } from "vitest";
import { eta } from "../../src/accounting/base2-parameter.js";
import { precisionRules } from "../../src/base2/precision-rules.js";
import { bitLength } from "../../src/exact/integers.js";
import { Rational, rational } from "../../src/exact/rational.js";

interface Setting {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly lower: number;
  readonly upper: number;
  readonly maxCandidates: number;
}

function rulesOf({ x, y, z, ...rest }: Setting) {
  return precisionRules({ eta: eta(x, y, z), ...rest });
}

/** (x/2^y)^(z·utility). */
function weightOf({ x, y, z }: Setting, utility: number): Rational {
  const power = BigInt(z * Math.abs(utility));
  const weight = Rational.of(BigInt(x) ** power, 1n << (BigInt(y) * power));
  return utility < 0 ? Rational.ONE.dividedBy(weight) : weight;
}

/** Whether a number has at most so many significant binary digits. */
function fits({ numerator, denominator }: Rational, precision: number): boolean {
  const isDyadic = (denominator & (denominator - 1n)) === 0n;
  return isDyadic && bitLength(numerator) - bitLength(numerator & -numerator) < precision;
}

/** [Ilv20, Algorithm 1], line by line. */
function computePrecision(setting: Setting): number {
  let p = 1; // 2
  while (!checkPrecision(setting, p)) p *= 2; // 3–4
  return p; // 5
}

function checkPrecision(setting: Setting, p: number): boolean {
  const sum = weightOf(setting, setting.lower).times(BigInt(setting.maxCandidates)); // 9
  const ceiling = Rational.of(sum.ceil());
  const numbers = [sum, ceiling];
  for (let u = setting.lower; u <= setting.upper; u++) {
    const weight = weightOf(setting, u); // 10
    numbers.push(weight, weight.plus(ceiling)); // 11
  }
  return numbers.every((number) => fits(number, p));
}

/** Digits before and after the point of all sums of weights, with utilities counted from the least. */
function neededFromLeast({ x, y, z, lower, upper, maxCandidates }: Setting): number {
  const whole = bitLength(BigInt(maxCandidates));
  const shift = (y - Math.log2(x & -x)) * z; // places of b
  return whole + shift * (upper - lower);
}

const settings: Setting[] = [];
for (const [x, y] of [
  [1, 1],
  [2, 3],
  [3, 2],
  [15, 4],
  [12, 4],
])
  for (const z of [1, 2])
    for (const [lower, upper] of [
      [0, 0],
      [0, 5],
      [2, 6],
      [3, 3],
      [-4, -1],
      [-3, -3],
      [-2, 3],
      [-4, 0],
    ])
      for (const maxCandidates of [1, 2, 3, 8, 100]) settings.push({ x, y, z, lower, upper, maxCandidates });

describe("the rules of precision", () => {
  it("the analytic one is the formula of the paper", () => {
    const setting = { x: 15, y: 4, z: 1, lower: 0, upper: 100, maxCandidates: 500 };
    expect(rulesOf(setting)).toEqual({
      analytic: rational((1n + 100n) * (4n + 4n) + 500n),
      empirical: rational(512n),
      corrected: rational(4n * 100n + 9n + 1n),
      finite: true,
    });
  });

  it("the empirical one is what the paper's algorithm finds, wherever it ends", () => {
    for (const setting of settings) {
      const { empirical, finite } = rulesOf(setting);
      if (finite) expect(empirical, JSON.stringify(setting)).toEqual(rational(computePrecision(setting)));
      else expect(empirical).toBeUndefined();
    }
  });

  it("are told apart where the largest sum is next to a power of two", () => {
    const [two, four, three] = [2n ** 120n, 4n ** 100n, 3n ** 100n];
    const least = (two * four + three - 1n) / three; // of 2^120 or more, times (3/4)^100
    const empirical = (maxCandidates: bigint) =>
      precisionRules({ eta: eta(3, 2), lower: 100, upper: 196, maxCandidates }).empirical;
    expect(empirical(least)).toEqual(rational(1024)); // 121 + 2·196 digits
    expect(empirical(least - 10n ** 14n)).toEqual(rational(512)); // 120 + 2·196
  });

  it("the corrected one counts the digits of the largest number of outcomes less one", () => {
    const setting = { x: 15, y: 4, z: 1, lower: 0, upper: 10, maxCandidates: 512 };
    expect(rulesOf(setting).corrected).toEqual(rational(4 * 10 + 9 + 1));
    expect(rulesOf({ ...setting, maxCandidates: 513 }).corrected).toEqual(rational(4 * 10 + 10 + 1));
  });

  it("negative utilities of a base that is a power of two have a finite precision", () => {
    expect(rulesOf({ x: 1, y: 1, z: 1, lower: -3, upper: 0, maxCandidates: 2 }).finite).toBe(true);
    expect(rulesOf({ x: 2, y: 3, z: 1, lower: -3, upper: 0, maxCandidates: 2 }).finite).toBe(true);
  });

  it("negative utilities of a base like 3/4 have no finite precision: the paper's lemma is wrong there", () => {
    const setting = { x: 3, y: 2, z: 1, lower: -1, upper: 0, maxCandidates: 2 };
    expect(rulesOf(setting)).toMatchObject({ finite: false, empirical: undefined, analytic: rational(10) });
    expect(weightOf(setting, -1).equals("4/3")).toBe(true);
    expect(fits(weightOf(setting, -1), 1000)).toBe(false);
  });

  it("the corrected one suffices always, and is never above the analytic one", () => {
    for (const setting of settings) {
      const { analytic, corrected } = rulesOf(setting);
      expect(corrected.compare(neededFromLeast(setting))).toBeGreaterThanOrEqual(0);
      expect(corrected.compare(analytic)).toBeLessThanOrEqual(0);
    }
  });

  it("are figures, also where nobody could compute with them", () => {
    const range = { lower: 2n ** 60n, upper: 2n ** 70n };
    const { analytic, empirical, corrected } = precisionRules({
      eta: eta(1023, 10),
      ...range,
      maxCandidates: 10n ** 30n,
    });
    expect(analytic).toEqual(rational((2n ** 60n + 2n ** 70n) * 20n + 10n ** 30n));
    expect(empirical).toEqual(rational(2n ** 74n));
    expect(corrected).toEqual(rational(10n * (2n ** 70n - 2n ** 60n) + 100n + 1n));
  });

  it("refuse what the mechanism refuses", () => {
    const good = { eta: eta(1, 1), lower: 0, upper: 1, maxCandidates: 1 };
    expect(() => precisionRules({ ...good, lower: 2 })).toThrow("upper must be an integer >= lower; got 1");
    expect(() => precisionRules({ ...good, maxCandidates: 0 })).toThrow(
      "maxCandidates must be an integer >= 1",
    );
  });
});
