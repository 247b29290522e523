/**
 * A promise that can be checked without chance: the exact laws of a mechanism on small inputs and on all their neighbours,
 * and the largest loss between them, which must be at most what the mechanism says that it costs.
 * @module
 */
import { type Rational, type RationalLike, rational } from "../../exact/rational.js";
import type { Law } from "../law.js";

/** The largest loss that was found beside the one that is stated. */
export interface ExactFinding {
  /** The loss that the mechanism states, as a number rounded up. */
  readonly claimed: number;
  /** The largest loss there is, between these. */
  readonly found: {
    /** It is certainly not below this. */
    readonly least: number;
    /** And not above this. */
    readonly most: number;
  };
  /** Where it is reached. */
  readonly where: string;
  /** How many pairs of neighbours were compared. */
  readonly pairs: number;
  /** Whether the largest loss is at most the stated one. */
  readonly holds: boolean;
}

/**
 * A promise that can be checked without chance: by the exact laws of a mechanism on small inputs and all of their
 * neighbours.
 */
export interface ExactClaim {
  /** The function of the library. */
  readonly mechanism: string;
  /** What it runs on. */
  readonly instance: string;
  /** What is promised, in words. */
  readonly promise: string;
  /** The unit of the figures: ε, ρ or δ. */
  readonly unit: "ε" | "ρ" | "δ";
  /** Computes the laws and compares them. */
  check(): ExactFinding;
}

/** Two neighbouring inputs by name, with their laws. */
export interface Pair {
  readonly from: string;
  readonly to: string;
  readonly laws: readonly [Law, Law];
}

/** Laws of inputs, each computed once. */
export function lawsOnce<Input>(lawOf: (input: Input) => Law): (input: Input) => Law {
  const known = new Map<string, Law>();
  return (input) => {
    const name = String(input);
    const law = known.get(name) ?? lawOf(input);
    known.set(name, law);
    return law;
  };
}

/** Every pair of an input and one of its neighbours, if that is not the input itself. */
export function* pairsOf<Input>(
  inputs: Iterable<Input>,
  neighbours: (input: Input) => Iterable<Input>,
  lawOf: (input: Input) => Law,
): Generator<Pair, void> {
  const law = lawsOnce(lawOf);
  for (const input of inputs)
    for (const neighbour of neighbours(input))
      if (String(input) !== String(neighbour))
        yield { from: String(input), to: String(neighbour), laws: [law(input), law(neighbour)] };
}

/** Enclosures have a width; a loss is not called too large for it. */
const WIDTH = rational("1e-20");

/** Whether a bound is at most the claim, up to the width of enclosures. */
export function isWithin(bound: Rational, claimed: RationalLike): boolean {
  return bound.minus(WIDTH).compare(claimed) <= 0;
}
