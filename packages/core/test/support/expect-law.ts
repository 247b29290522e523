/**
 * The assertion of every exact distribution test: each probability of the law lies between the decided mass of
 * its outcome and that plus the undecided mass.
 * @module
 */
import { expect } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import type { BitTree } from "../../src/testing/bit-tree.js";
import type { ChoiceTree } from "../../src/testing/choice-tree.js";
import type { Law } from "./law.js";

/** The vectors' decimals are correct to 28 significant digits; this is all that is forgiven, relative to p. */
const ROUNDING = rational("1e-27");

export function expectLaw({ tree, probabilities }: { tree: BitTree | ChoiceTree; probabilities: Law }): void {
  const named = Object.entries(probabilities).flatMap(([outcome, decimal]) => {
    const { least, most } = unrounded(decimal);
    const mass = tree.mass.get(outcome) ?? Rational.ZERO;
    const reachable = upper(mass).plus(upper(tree.undecided));
    if (lower(mass).compare(most) > 0) return [`${outcome}: mass ${show(lower(mass))} is above ${decimal}`];
    if (reachable.compare(least) < 0) return [`${outcome}: mass ${show(reachable)} is below ${decimal}`];
    return [];
  });
  const violations = [...named, ...excessOfUnnamed(tree, probabilities)];
  if (violations.length > 0) expect.fail(violations.join("; "));
}

/** Outcomes that the law does not name share what it leaves of 1. */
function excessOfUnnamed(tree: BitTree | ChoiceTree, probabilities: Law): string[] {
  let left = Rational.ONE;
  for (const decimal of Object.values(probabilities)) left = left.minus(unrounded(decimal).least);
  for (const [outcome, mass] of tree.mass)
    if (!Object.hasOwn(probabilities, outcome)) left = left.minus(lower(mass));
  return left.compare(0) < 0 ? [`unnamed outcomes have ${show(left.negated())} too much mass`] : [];
}

/** The numbers that a decimal of the vectors may stand for. */
function unrounded(decimal: string | number): { least: Rational; most: Rational } {
  const p = rational(decimal);
  return { least: p.minus(p.times(ROUNDING)), most: p.plus(p.times(ROUNDING)) };
}

function show(mass: Rational): string {
  return String(mass.toNumber());
}

function lower(mass: Rational | Interval): Rational {
  return mass instanceof Interval ? mass.lower() : mass;
}

function upper(mass: Rational | Interval): Rational {
  return mass instanceof Interval ? mass.upper() : mass;
}
