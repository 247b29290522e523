/**
 * Assertions about probabilities that are known as enclosures.
 * @module
 */
import { expect } from "vitest";
import type { Interval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import type { BitTree } from "../../src/testing/bit-tree.js";
import type { Decimal } from "../support/vectors.js";

/** The enclosure is narrow and holds a number that rounds to the decimal of so many significant digits. */
export function expectValue(actual: Interval | undefined, decimal: Decimal, digits = 28): void {
  const value = rational(decimal);
  const slack = value.times(rational(`1e-${digits - 1}`));
  const [lower, upper] = [actual?.lower() ?? Rational.ZERO, actual?.upper() ?? Rational.ZERO];
  expect(upper.compare(value.minus(slack))).toBeGreaterThanOrEqual(0);
  expect(lower.compare(value.plus(slack))).toBeLessThanOrEqual(0);
  expect(upper.minus(lower).compare(slack)).toBeLessThanOrEqual(0);
}

/** The tree agrees with a law over named outcomes, leaves little undecided and knows no other outcome. */
export function expectTree(tree: BitTree, law: ReadonlyMap<string, Interval>, undecided = 0.02): void {
  for (const [outcome, probability] of law) {
    const mass = tree.mass.get(outcome) ?? Rational.ZERO;
    expect(mass.compare(probability.upper()), outcome).toBeLessThanOrEqual(0);
    expect(mass.plus(tree.undecided).compare(probability.lower()), outcome).toBeGreaterThanOrEqual(0);
  }
  for (const outcome of tree.mass.keys()) expect([...law.keys()]).toContain(outcome);
  expect(tree.undecided.toNumber()).toBeLessThan(undecided);
}
