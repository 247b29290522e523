/**
 * The law of a rejection loop from the tree of one round. Rounds are independent and alike, so
 *
 *     P(x) = P(a round gives x) / (1 − P(a round is rejected)),
 *
 * and one round is decided by far fewer bits than all of them. What is undecided may belong to either.
 * @module
 */
import { Interval } from "../../src/exact/interval.js";
import type { Rational } from "../../src/exact/rational.js";
import type { BitTree } from "../../src/testing/bit-tree.js";
import type { ChoiceTree } from "../../src/testing/choice-tree.js";

const PRECISION = 160;

/** `rejected` and `unknown` name the outcomes of a round that start another one or that the tree does not follow. */
export function lawOfRounds(
  { mass, undecided }: BitTree | ChoiceTree,
  { rejected, unknown = "unknown" }: { rejected: string; unknown?: string },
): ChoiceTree {
  const given = new Map([...mass].map(([outcome, each]) => [outcome, enclosure(each)]));
  const nothing = Interval.from(0, PRECISION);
  const open = enclosure(undecided).plus(given.get(unknown) ?? nothing);
  const perhapsRejected = (given.get(rejected) ?? nothing).plus(Interval.hull(0, open.upper(), PRECISION));
  const accepted = perhapsRejected.negated().plus(1);
  given.delete(rejected);
  given.delete(unknown);
  return {
    mass: new Map([...given].map(([outcome, each]) => [outcome, each.dividedBy(accepted)])),
    undecided: open.dividedBy(accepted),
  };
}

function enclosure(mass: Rational | Interval): Interval {
  return mass instanceof Interval ? mass.withPrecision(PRECISION) : Interval.from(mass, PRECISION);
}
