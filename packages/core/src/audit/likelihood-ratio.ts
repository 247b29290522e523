/**
 * How far apart the laws of neighbouring inputs are: the largest |ln(P(outcome)/P'(outcome))|. A mechanism is ε-private
 * exactly if this is at most ε for all neighbours, so for a law that is known the promise can be checked, and so can
 * that it is not too pessimistic.
 *
 * The answer is an enclosure: the true maximum is from `least` to `most`. Only outcomes that a law names are compared.
 * Proof: docs/proofs/likelihood-ratio.md.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";
import type { Extended } from "../privacy/extended.js";
import { type Law, sideBySide } from "./law.js";

/** The largest loss between a law and its neighbours, enclosed, and where it is reached. */
export interface LikelihoodRatio {
  /** The largest loss is certainly not below this; Infinity if an outcome is certainly possible on one side only. */
  readonly least: Extended;
  /** And not above this; Infinity if some probability may be 0. */
  readonly most: Extended;
  /** Where `least` is reached. */
  readonly outcome: string;
  /** With which of the neighbours, from 0. */
  readonly neighbour: number;
}

/**
 * The largest |ln ratio| between a law and those of its neighbours.
 *
 * A mechanism is ε-private exactly if this is at most ε for all neighbours. Proof: docs/proofs/likelihood-ratio.md.
 *
 * @param law The law on one input.
 * @param neighbours The laws on neighbouring inputs.
 */
export function likelihoodRatio(law: Law, neighbours: Iterable<Law>): LikelihoodRatio {
  let witness: { readonly ratio: Ratio; readonly outcome: string; readonly neighbour: number } | undefined;
  let most: Ratio = { over: 0n, under: 1n };
  let neighbour = 0;
  for (const other of neighbours) {
    for (const [outcome, p, q] of sideBySide(law, other)) {
      if (p.hi <= 0n && q.hi <= 0n) continue; // possible on neither side
      const ratio = larger(leastRatio(p, q), leastRatio(q, p));
      if (witness === undefined || isLarger(ratio, witness.ratio)) witness = { ratio, outcome, neighbour };
      most = larger(most, larger(mostRatio(p, q), mostRatio(q, p)));
    }
    neighbour++;
  }
  if (witness === undefined)
    throw invalidParameter("neighbours", "a list with at least one law that has an outcome", "none");
  const { ratio, ...where } = witness;
  return { least: ln(ratio, "lower"), most: ln(most, "upper"), ...where };
}

/** A bound of a ratio of probabilities; over 0 it is infinite. Logarithms wait until the largest one is found. */
interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

function leastRatio(p: Interval, q: Interval): Ratio {
  return { over: atLeastZero(p.lo), under: atLeastZero(q.hi) };
}

function mostRatio(p: Interval, q: Interval): Ratio {
  return { over: atLeastZero(p.hi), under: atLeastZero(q.lo) };
}

/** Probabilities are not negative, whatever an enclosure says. */
function atLeastZero(end: bigint): bigint {
  return end < 0n ? 0n : end;
}

function isLarger(a: Ratio, b: Ratio): boolean {
  return a.over * b.under > b.over * a.under;
}

function larger(a: Ratio, b: Ratio): Ratio {
  return isLarger(a, b) ? a : b;
}

const PRECISION = 192;

/** A bound of ln(ratio) on that side, or 0: of |ln| of a ratio and of its inverse one is not negative. */
function ln({ over, under }: Ratio, side: "lower" | "upper"): Extended {
  if (over <= under) return Rational.ZERO;
  if (under === 0n) return Infinity;
  const [a, b] = [over, under].map((end) => new Interval(end, end, PRECISION).ln());
  return a.minus(b)[side]();
}
