/**
 * How large the loss of a mechanism is at least, from runs alone, for instances that are too large for an exact law.
 *
 * If an event came with probability p on one input and q on a neighbour, (ε, δ)-privacy means p ≤ e^ε·q + δ, so ε is
 * at least ln((p − δ)/q); p is taken at the lower and q at the upper end of its interval. The event and its complement
 * are looked at from both sides, all with the same two intervals, so one statement about the confidence covers the
 * four. The event must be fixed before the runs are made.
 *
 * `auditByRuns` runs the mechanism on two neighbouring inputs. One half of the runs chooses the event that tells them
 * apart best, and the other half bounds its probabilities. Choice and judgement share no run, so the statement holds
 * at the stated confidence however many outcomes were looked through. It can refute a promise and never prove one:
 * with few runs, or an event unlike every set of outcomes seen, a fault stays unseen. Proof:
 * clopper-pearson.proof.md.
 * @module
 */
import {
  type Entropy,
  Interval,
  Rational,
  type RationalLike,
  rational,
  readers,
  readOptions,
  withEntropy,
} from "winnow-dp";
import { integerSqrt } from "../integer-sqrt.js";
import { type ConfidenceInterval, clopperPearson, type Tally } from "./clopper-pearson.js";

/**
 * A mechanism, two neighbouring inputs, and how many runs to judge by.
 *
 * @typeParam Input The private data.
 *
 * @inline
 */
export interface RunsAuditOptions<Input> extends ShownLossOptions {
  /** Runs on an input and names the outcome. Names that keep what matters and drop the rest show more with fewer runs. */
  readonly mechanism: (input: Input, entropy: Entropy) => string;
  /** Two neighbours. */
  readonly inputs: readonly [Input, Input];
  /** How many runs on each of them, for choice and judgement together. */
  readonly runs: number;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/**
 * The loss that runs proved, and the event that shows it.
 *
 * @inline
 */
export interface RunsAudit extends ShownLoss {
  /** The outcomes of the event that was judged. */
  readonly event: readonly string[];
  /** How often it came in the half that judges, on either side. */
  readonly tallies: readonly [Tally, Tally];
}

/**
 * A lower bound of ε from runs alone, at the stated confidence, with the event that shows it.
 *
 * By one half of the runs the event is chosen, by the other half it is judged. It can refute a promise and never prove
 * one. Proof: clopper-pearson.proof.md.
 *
 * @example
 * ```ts
 * import { auditByRuns } from "winnow-audit";
 * import { permuteAndFlip } from "winnow-dp";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const { epsilon } = auditByRuns<number[]>({
 *   mechanism: (scores, entropy) => String(permuteAndFlip(scores, { scale: "1/4", entropy }).candidate),
 *   inputs: [[1, 0], [0, 1]],
 *   runs: 4000,
 *   confidence: "0.999",
 *   entropy: seededEntropy("runs"),
 * });
 * epsilon.compare(1) > 0; // → true
 * epsilon.compare(8) <= 0; // → true
 * ```
 */
export function auditByRuns<Input>(options: RunsAuditOptions<Input>): RunsAudit {
  const read = readOptions(options, RUNS, { delta: readers.probability, entropy: readers.entropy });
  const { mechanism, inputs, runs, confidence, delta } = read;
  return withEntropy(read.entropy, (entropy) => {
    const half = Math.floor(runs / 2);
    const outcomes = (input: Input, count: number) =>
      Array.from({ length: count }, () => mechanism(input, entropy));
    const event = telling(outcomes(inputs[0], half), outcomes(inputs[1], half));
    const isIn = new Set(event);
    const tally = (input: Input): Tally => ({
      hits: outcomes(input, runs - half).filter((outcome) => isIn.has(outcome)).length,
      runs: runs - half,
    });
    const tallies = [tally(inputs[0]), tally(inputs[1])] as const;
    return { ...shownLoss(...tallies, { confidence, delta }), event, tallies };
  });
}

const RUNS = {
  mechanism: readers.callable,
  inputs: readers.arrayLike,
  runs: (field: string, value: number) => readers.integer(field, value, 2),
  confidence: readers.properProbability,
};

/** How often an outcome came on either side. */
interface Seen {
  readonly outcome: string;
  readonly one: number;
  readonly other: number;
}

/**
 * The set of outcomes that promises to show the most; it steers the audit and decides nothing. Outcomes are ranked by their
 * ratio in one half of these runs, and how many of them to take is seen in the other: what ranks high by luck does not last.
 */
function telling(one: readonly string[], other: readonly string[]): string[] {
  const middle = one.length >> 1;
  const ranked = seenIn(one.slice(0, middle), other.slice(0, middle))
    .sort((a, b) => (b.one + 0.5) * (a.other + 0.5) - (a.one + 0.5) * (b.other + 0.5))
    .map(({ outcome }) => outcome);
  const fresh = new Map(
    seenIn(one.slice(middle), other.slice(middle)).map((seen) => [seen.outcome, seen] as const),
  );
  const runs = one.length - middle;
  let best = { promise: 0, size: 0 };
  let [inOne, inOther] = [0, 0];
  for (const [index, outcome] of ranked.entries()) {
    inOne += fresh.get(outcome)?.one ?? 0;
    inOther += fresh.get(outcome)?.other ?? 0;
    const promise = Math.max(promiseOf(inOne, inOther), promiseOf(runs - inOther, runs - inOne));
    if (promise > best.promise) best = { promise, size: index + 1 };
  }
  return ranked.slice(0, best.size);
}

function seenIn(one: readonly string[], other: readonly string[]): Seen[] {
  const [ofOne, ofOther] = [one, other].map((outcomes) => {
    const counts = new Map<string, number>();
    for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    return counts;
  });
  return [...new Set([...one, ...other])].map((outcome) => ({
    outcome,
    one: ofOne.get(outcome) ?? 0,
    other: ofOther.get(outcome) ?? 0,
  }));
}

/** Counts are trusted up to five standard deviations, lest a set be chosen for its luck. */
const DEVIATIONS = 5n;

/** About how much larger the one probability will be shown to be than the other. */
function promiseOf(more: number, less: number): number {
  return Math.max(0, more - uncertainty(more)) / (less + uncertainty(less));
}

/** Five deviations of a count, and some for a count of none. */
function uncertainty(count: number): number {
  return Number(DEVIATIONS * integerSqrt(BigInt(count + 9)));
}

/**
 * How sure the statement is to be, and the δ that the mechanism may use.
 *
 * @inline
 */
export interface ShownLossOptions {
  /** The share of all such audits whose statement is true. */
  readonly confidence: RationalLike;
  /** The δ that the mechanism may use. Default 0. */
  readonly delta?: RationalLike | undefined;
}

/**
 * The loss that runs on two neighbouring inputs proved.
 *
 * @inline
 */
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
 * The event must be fixed before the runs are made. Proof: clopper-pearson.proof.md.
 *
 * @param one How often it came on one input.
 * @param other How often it came on a neighbouring one.
 * @param options How sure the statement is to be, and the δ that the mechanism may use.
 *
 * @example
 * ```ts
 * import { shownLoss } from "winnow-audit";
 *
 * const shown = shownLoss({ hits: 900, runs: 1000 }, { hits: 100, runs: 1000 }, { confidence: "0.99" });
 * shown.epsilon.toNumber() > 1.9; // → true
 * ```
 */
export function shownLoss(one: Tally, other: Tally, options: ShownLossOptions): ShownLoss {
  const read = readOptions(
    options,
    { confidence: readers.properProbability },
    { delta: readers.probability },
  );
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
 *
 * @example
 * ```ts
 * import { shownDelta, shownLoss } from "winnow-audit";
 *
 * const shown = shownLoss({ hits: 900, runs: 1000 }, { hits: 100, runs: 1000 }, { confidence: "0.99" });
 * shownDelta(shown, 1).toNumber() > 0.5; // → true
 * ```
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
