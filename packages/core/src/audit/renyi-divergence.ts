/**
 * The Rényi divergence of two laws at an integer order α ≥ 2: ln(Σ P^α/P'^(α−1))/(α − 1), as an enclosure. A mechanism is ρ-zCDP
 * only if this is at most α·ρ for all neighbours.
 * @module
 */
import { Interval } from "../exact/interval.js";
import { integer } from "../validate.js";
import { commonPrecision, type Law, sideBySide } from "./law.js";

/**
 * The Rényi divergence from the first law to the second, enclosed; both must name the same outcomes, all of them
 * possible.
 *
 * A mechanism is ρ-zCDP only if this is at most α·ρ for all neighbours.
 *
 * @param law The law on one input.
 * @param other The law on a neighbouring input.
 * @param order α, an integer ≥ 2.
 */
export function renyiDivergence(law: Law, other: Law, order: number): Interval {
  integer("order", order, 2);
  let sum = Interval.from(0n, commonPrecision(law, other));
  for (const [, here, there] of sideBySide(law, other))
    sum = sum.plus(here.times(here.dividedBy(there).power(order - 1)));
  return sum.ln().dividedBy(BigInt(order - 1));
}
