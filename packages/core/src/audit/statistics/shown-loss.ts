/**
 * `shownLoss`: the ε that runs on two neighbouring inputs prove at least. If an event came with probability p on one side and
 * q on the other, (ε, δ)-privacy means p ≤ e^ε·q + δ, so ε is at least ln((p − δ)/q); p is taken at the lower and q at the
 * upper end of its interval. The event and its complement are looked at from both sides, all with the same two intervals,
 * so one statement about the confidence covers the four.
 *
 * The event must be fixed before the runs are made. Proof: docs/proofs/clopper-pearson.md.
 * @module
 */
import { Interval } from "../../exact/interval.js";
import { Rational, type RationalLike, rational } from "../../exact/rational.js";
import { probability, properProbability, readOptions } from "../../validate.js";
import { type ConfidenceInterval, clopperPearson, type Tally } from "./clopper-pearson.js";

/** How sure the statement is to be, and the δ that the mechanism may use. */
export interface ShownLossOptions {
  /** The share of all such audits whose statement is true. */
  readonly confidence: RationalLike;
  /** The δ that the mechanism may use. Default 0. */
  readonly delta?: RationalLike | undefined;
}

/** The loss that runs on two neighbouring inputs proved. */
export interface ShownLoss {
  /** ε is not below this. */
  readonly epsilon: Rational;
  /** The probability of the event on the first side. */
  readonly one: ConfidenceInterval;
  /** The probability of the event on the second side. */
  readonly other: ConfidenceInterval;
}

/**
 * What two tallies of one event prove about the loss.
 *
 * The event must be fixed before the runs are made. Proof: docs/proofs/clopper-pearson.md.
 *
 * @param one How often it came on one input.
 * @param other How often it came on a neighbouring one.
 * @param options How sure the statement is to be, and the δ that the mechanism may use.
 */
export function shownLoss(one: Tally, other: Tally, options: ShownLossOptions): ShownLoss {
  const read = readOptions(options, { confidence: properProbability }, { delta: probability });
  const [confidence, delta] = [read.confidence, read.delta ?? 0n].map((share) => rational(share));
  const ofEach = Rational.ONE.plus(confidence).dividedBy(2n); // each interval may be wrong half as often
  const [p, q] = [one, other].map((tally) => clopperPearson(tally, ofEach));
  const bounds = [
    [p.lower, q.upper],
    [q.lower, p.upper],
    [missed(p.upper), missed(q.lower)],
    [missed(q.upper), missed(p.lower)],
  ].map(([more, less]) => more.minus(delta).dividedBy(less));
  const ratio = bounds.reduce((a, b) => (a.compare(b) < 0 ? b : a));
  return { epsilon: lnAtMost(ratio), one: p, other: q };
}

/**
 * The δ at least that goes with an ε: p − e^ε·q, for the event, its complement, and both sides.
 *
 * @param shown What `shownLoss` or `auditByRuns` answered.
 * @param epsilon The ε of the promise.
 */
export function shownDelta({ one, other }: ShownLoss, epsilon: RationalLike): Rational {
  const factor = Interval.from(epsilon, PRECISION).exp();
  const excess = (more: Rational, less: Rational) => factor.times(less).negated().plus(more).lower();
  return [
    excess(one.lower, other.upper),
    excess(other.lower, one.upper),
    excess(missed(one.upper), missed(other.lower)),
    excess(missed(other.upper), missed(one.lower)),
  ].reduce((a, b) => (a.compare(b) < 0 ? b : a), Rational.ZERO);
}

function missed(probability: Rational): Rational {
  return Rational.ONE.minus(probability);
}

const PRECISION = 96;

/** A lower bound of ln(ratio), 0 if that is negative. */
function lnAtMost(ratio: Rational): Rational {
  if (ratio.compare(1n) <= 0) return Rational.ZERO;
  return Interval.from(ratio, PRECISION).ln().lower();
}
