import { describe, expect, it } from "vitest";
import { eta } from "../../../core/src/accounting/base2-parameter.js";
import { Rational, type RationalLike, rational } from "../../../core/src/exact/rational.js";
import { parameterOf, vectors } from "../../../core/test/support/more-vectors.js";
import { base2ExponentialLaw } from "../../src/laws/base2-laws.js";

/** What rounding utilities at random changes in the law [Ilv20, Proposition 3.6, Lemmas A.1 and A.2]. */

type Round = (utility: Rational) => readonly (readonly [value: bigint, chance: Rational])[];

const fraction = (utility: Rational) => utility.minus(utility.floor());
const rightly: Round = (utility) => [
  [utility.floor(), Rational.ONE.minus(fraction(utility))],
  [utility.ceil(), fraction(utility)],
];
/** As [Ilv20, Mechanism 4] prints it. */
const swapped: Round = (utility) => [
  [utility.floor(), fraction(utility)],
  [utility.ceil(), Rational.ONE.minus(fraction(utility))],
];

/** P(outcome) for weights 2^−utility, by all ways of rounding. */
function roundedLaw(utilities: readonly Rational[], round: Round): Rational[] {
  const law = utilities.map(() => Rational.ZERO);
  const walk = (rounded: readonly bigint[], chance: Rational): void => {
    if (chance.numerator === 0n) return;
    if (rounded.length < utilities.length) {
      for (const [value, p] of round(utilities[rounded.length])) walk([...rounded, value], chance.times(p));
      return;
    }
    const weights = rounded.map((utility) => Rational.of(1n, 1n << utility));
    const sum = weights.reduce((a, b) => a.plus(b));
    for (const [i, weight] of weights.entries()) law[i] = law[i].plus(chance.times(weight.dividedBy(sum)));
  };
  walk([], Rational.ONE);
  return law;
}

const exact = (utilities: readonly RationalLike[]) => utilities.map((utility) => rational(utility));

/** 2·ln M, M = ((e^e − 1)/e)·e^(e/(e^e − 1) − 1). */
function sharpened(rate: number): number {
  const grown = Math.expm1(rate);
  return 2 * (Math.log(grown / rate) + rate / grown - 1);
}

/** The largest |ln p′/p| over a grid of two or three utilities, in doubles. */
function largestChange(rate: number): number {
  const weight = (utility: number) => Math.exp(-rate * utility);
  const fractions = Array.from({ length: 21 }, (_, i) => i / 20);
  let most = 0;
  for (const first of fractions)
    for (const second of fractions)
      for (const whole of [0, 1, 2, 4, 8]) {
        const utilities = [first, whole + second, whole + second];
        for (const few of [utilities.slice(0, 2), utilities]) {
          const sum = few.reduce((total, utility) => total + weight(utility), 0);
          let [p, q] = [0, 0];
          for (let ways = 0; ways < 1 << few.length; ways++) {
            const parts = few.map((u, i) => ({
              up: (ways >> i) & 1,
              f: u - Math.floor(u),
              floor: Math.floor(u),
            }));
            const chance = parts.reduce((product, { up, f }) => product * (up === 1 ? f : 1 - f), 1);
            const weights = parts.map(({ up, floor }) => weight(floor + up));
            const total = weights.reduce((a, b) => a + b, 0);
            p += (chance * weights[0]) / total;
            q += (chance * weights[1]) / total;
          }
          const changes = [Math.log(p / (weight(few[0]) / sum)), Math.log(q / (weight(few[1]) / sum))];
          most = Math.max(most, ...changes.map(Math.abs));
        }
      }
  return most;
}

describe("Randomized rounding", () => {
  const reference = vectors.rounding_bounds.filter(({ kind }) => kind === "prop36");

  it.each(reference)(
    "has the reference law: utilities $utilities",
    ({ utilities, eta: base, rounded_exact }) => {
      const law = base2ExponentialLaw(utilities!, { eta: parameterOf(base), lower: -1, upper: 4 });
      for (const [i, p] of rounded_exact!.entries()) {
        expect(law.get(String(i))!.lower().compare(p)).toBeLessThanOrEqual(0);
        expect(law.get(String(i))!.upper().compare(p)).toBeGreaterThanOrEqual(0);
      }
    },
  );

  it("moves the logarithm of a probability by at most 2·ln M, which is at most ε²/4 and at most 2ε", () => {
    for (const [rate, found] of [
      [0.25, 0],
      [1, 0.2],
      [2, 0.92],
      [4, 0],
    ]) {
      const change = largestChange(rate);
      expect(change).toBeLessThanOrEqual(sharpened(rate));
      expect(change).toBeGreaterThan(found);
      expect(sharpened(rate)).toBeLessThanOrEqual(Math.min(2 * rate, (rate * rate) / 4) + 1e-12);
    }
  });

  it("keeps the order of any two outcomes, whatever the third [Ilv20, Lemma A.1]", () => {
    const grid = Array.from({ length: 9 }, (_, i) => Rational.of(BigInt(i), 4n));
    let compared = 0;
    for (const a of grid)
      for (const b of grid)
        for (const c of exact(["0", "1/3", "7/4"])) {
          if (a.compare(b) > 0) continue;
          const [first, second] = roundedLaw([a, b, c], rightly);
          expect(first.compare(second)).toBeGreaterThanOrEqual(0);
          compared++;
        }
    expect(compared).toBe(135);
  });

  it("would not with the probabilities exchanged: of 0.1 and 0.9 the worse one wins more often", () => {
    const [better, worse] = roundedLaw(exact(["0.1", "0.9"]), swapped);
    expect(better.compare(worse)).toBe(-1);
    const [first, second] = roundedLaw(exact(["0.1", "0.9"]), rightly);
    expect(first.compare(second)).toBe(1);
  });

  it("is the law of base2Exponential", () => {
    const utilities = ["1/3", "5/4", "3/2"];
    const law = base2ExponentialLaw(utilities, { eta: eta(1, 1), lower: 0, upper: 2 });
    for (const [i, p] of roundedLaw(exact(utilities), rightly).entries())
      expect(law.get(String(i))!.contains(p)).toBe(true);
  });
});
