/**
 * How good an answer to a question is on average, found by running the mechanism itself, exactly, on scores that are
 * public or generated. Private scores are allowed only if the result stays with the curator, because it is a function
 * of them.
 *
 * Scores are checked and sorted once for a whole plan, largest first; the law of an answer doesn't depend on the order
 * of the candidates. A simulation yields to other work on its thread every few milliseconds and stops when its signal
 * aborts.
 * @module
 */
import { type Entropy, invalidParameter, type Loss, systemEntropy } from "winnow-dp";
import { kindOf } from "../kinds/kinds.js";
import { chargeOf, isCountedApart } from "../mechanisms/of-question.js";
import type { RunAnswer } from "../question/answer.js";
import { sizeOf } from "../question/domain.js";
import type { Question } from "../question/question.js";
import { prepareRun } from "./prepare-run.js";

/**
 * How often a mechanism is run, and with which bits.
 *
 * @inline
 */
export interface SimulationOptions {
  /** Default 200. */
  readonly runs?: number | undefined;
  /** Where the bits come from. Default: the system's generator. */
  readonly entropy?: Entropy | undefined;
  /** Ends the simulation: its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** How good the answers of many runs were. */
export interface Utility {
  readonly runs: number;
  /** The share of the true k largest that is named. */
  readonly recall: Estimate;
  /** How many are named. */
  readonly winners: Estimate;
  /** How many of those are right: they have people, and are among the true first as many as were asked for, or as the data chose. */
  readonly right: Estimate;
  /** How often any item is named. */
  readonly released: Estimate;
  /** The mean distance, in users, between a released gap and the true lead; only where gaps are released. */
  readonly gapError?: Estimate;
  /** The same between a released count and the true one, of all of a person's items; only where counts are released. */
  readonly countError?: Estimate;
  /** The share of its price that a release is counted as where only used rounds are paid. */
  readonly charged?: Estimate;
}

/** Scores in any order; if the domain has more candidates, the others have score 0. */
export async function expectedUtility(
  question: Question,
  scores: ArrayLike<number> | RankedScores,
  { runs = 200, entropy, signal }: SimulationOptions = {},
): Promise<Utility> {
  if (!Number.isSafeInteger(runs) || runs < 1) throw invalidParameter("runs", "an integer >= 1", runs);
  signal?.throwIfAborted();
  const { sorted, bounded } = scores instanceof RankedScores ? scores : new RankedScores(scores);
  checkSize(question, sorted.length);
  const run = prepareRun(question, sorted, bounded);
  const truth = new Truth(sorted, question.k, sizeOf(question.domain));
  const isChosen = kindOf(question).k === "most";
  const price = shareCharged(question);
  const [recall, winners, right, released, gapError, countError, charged] = Array.from(
    { length: 7 },
    () => new RunningMean(),
  );
  const turns = new TurnTaker(signal);
  const bits = entropy ?? systemEntropy();
  for (let done = 0; done < runs; done++) {
    const answer = run(bits);
    recall.add(truth.recall(answer));
    winners.add(answer.winners.length);
    right.add(truth.right(answer, isChosen));
    released.add(answer.winners.length > 0 ? 1 : 0);
    if (answer.gaps !== undefined && answer.gaps.length > 0) gapError.add(truth.gapError(answer));
    if (answer.counts !== undefined && answer.counts.length > 0) countError.add(truth.countError(answer));
    if (price !== undefined) charged.add(price(answer));
    if (turns.isOver) await turns.next();
  }
  return {
    runs,
    recall: recall.estimate,
    winners: winners.estimate,
    right: right.estimate,
    released: released.estimate,
    ...(question.resolution !== undefined && { gapError: gapError.estimate }),
    ...(question.counts && { countError: countError.estimate }),
    ...(price !== undefined && { charged: charged.estimate }),
  };
}

/** The share of its price that an answer is counted as, by its length; undefined where it is always all of it. */
function shareCharged(question: Question): ((answer: RunAnswer) => number) | undefined {
  const counting = { measure: question.rho === undefined ? "approx" : "zcdp", isAtOrder: false } as const;
  const shares = new Map<string, number>();
  if (!isCountedApart(question, counting)) return undefined;
  return ({ winners, stopped = false }) => {
    const key = `${winners.length} ${stopped}`;
    const known = shares.get(key);
    if (known !== undefined) return known;
    const charge = chargeOf(question, { winners: winners.length, stopped }, counting);
    const share = charge === undefined ? 1 : sizeOfLoss(charge.settled) / sizeOfLoss(charge.reserved);
    shares.set(key, share);
    return share;
  };
}

function sizeOfLoss(loss: Loss): number {
  const size = loss.measure === "zcdp" ? loss.rho : loss.measure === "approx" ? loss.epsilon : Infinity;
  return Number(size);
}

function checkSize({ domain }: Question, candidates: number): void {
  const size = sizeOf(domain);
  if (size !== undefined && candidates > size)
    throw invalidParameter("scores", `a list of at most ${size}, one for each candidate`, candidates);
}

/** Scores, largest first; candidates beyond them have score 0. */
export class Truth {
  readonly #scores: Float64Array;
  /** How many there are to find. */
  readonly #k: number;
  /** The k-th largest score, and how many are above it. */
  readonly #last: number;
  readonly #above: number;

  /** `candidates` is how many there are; where that is unknown, those with at least one user. */
  constructor(scores: Float64Array, k: number, candidates: number | undefined) {
    this.#scores = scores;
    this.#k = Math.min(k, candidates ?? firstBelow(scores, 1));
    this.#last = this.#scoreOf(this.#k - 1);
    this.#above = firstBelow(scores, this.#last + 1);
  }

  #scoreOf(index: number): number {
    return index < this.#scores.length ? this.#scores[index] : 0;
  }

  /** The share of the k largest that was found. Among equals at the end any will do, as many as there is room for. */
  recall({ winners }: RunAnswer): number {
    if (this.#k === 0) return 1; // no item was missed
    let above = 0;
    let equal = 0;
    for (const index of winners) {
      const score = this.#scoreOf(index);
      if (score > this.#last) above++;
      else if (score === this.#last) equal++;
    }
    return (above + Math.min(equal, this.#k - this.#above)) / this.#k;
  }

  /** How many of the named have people and belong to the largest: of the k, or of as many as are named. */
  right(answer: RunAnswer, isChosen: boolean): number {
    const { winners } = answer;
    const own = isChosen ? new Truth(this.#scores, winners.length, undefined) : this;
    return Math.min(own.recall(answer) * own.#k, winners.filter((index) => this.#scoreOf(index) > 0).length);
  }

  /**
   * The mean distance between released gaps and true leads: over the next winner, and of the last winner over the best
   * candidate that did not win.
   */
  gapError({ winners, gaps = [] }: RunAnswer): number {
    const next = [...winners.slice(1).map((index) => this.#scoreOf(index)), this.#bestBeside(winners)];
    const errors = winners.map((index, rank) => Math.abs(gaps[rank] - (this.#scoreOf(index) - next[rank])));
    return errors.reduce((sum, error) => sum + error, 0) / errors.length;
  }

  countError({ winners, counts = [] }: RunAnswer): number {
    const errors = winners.map((index, i) => Math.abs(counts[i] - this.#scoreOf(index)));
    return errors.reduce((sum, error) => sum + error, 0) / errors.length;
  }

  #bestBeside(winners: readonly number[]): number {
    const won = new Set(winners);
    let best = 0;
    while (won.has(best)) best++;
    return this.#scoreOf(best);
  }
}

/** How many of the scores, largest first, are at least this. */
function firstBelow(scores: Float64Array, level: number): number {
  const index = scores.findIndex((score) => score < level);
  return index < 0 ? scores.length : index;
}

/** Public counts in order, with which answers are compared. */
export class RankedScores {
  /** Largest first. */
  readonly sorted: Float64Array;
  /** The counts of the same items, in the same order, after people were cut to fewer items. */
  readonly bounded?: Float64Array;

  constructor(scores: ArrayLike<number>, bounded?: ArrayLike<number>) {
    const all = checked(scores);
    if (bounded === undefined) {
      this.sorted = all.sort().reverse();
      return;
    }
    const cut = checked(bounded);
    if (cut.length !== all.length) throw invalidParameter("bounded", `a list of ${all.length}`, cut.length);
    const order = Array.from(all.keys()).sort((a, b) => all[b] - all[a]);
    this.sorted = Float64Array.from(order, (index) => all[index]);
    this.bounded = Float64Array.from(order, (index) => cut[index]);
  }
}

function checked(scores: ArrayLike<number>): Float64Array {
  const all = Float64Array.from(scores);
  if (all.some((score) => !Number.isSafeInteger(score) || score < 0))
    throw invalidParameter("scores", "whole numbers >= 0");
  return all;
}

/** A mean over runs, with how sure it is. */
export interface Estimate {
  readonly mean: number;
  /** The standard error of the mean, which is within two of these 95 times out of 100. 0 if all runs gave the same, which tells nothing about it. */
  readonly standardError: number;
  /** The standard deviation of a single run around the mean. */
  readonly standardDeviation: number;
}

/** Adds up without keeping the values (Welford). */
export class RunningMean {
  #count = 0;
  #mean = 0;
  #squares = 0;

  add(value: number): void {
    const before = value - this.#mean;
    this.#mean += before / ++this.#count;
    this.#squares += before * (value - this.#mean);
  }

  get estimate(): Estimate {
    const variance = this.#count > 1 ? this.#squares / (this.#count - 1) : 0;
    return {
      mean: this.#mean,
      standardError: Math.sqrt(variance / this.#count),
      standardDeviation: Math.sqrt(variance),
    };
  }
}

const LONGEST_TURN = 12; // milliseconds; a page stays smooth

class TurnTaker {
  readonly #signal: AbortSignal | undefined;
  #began = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Whether it is time to let others have theirs. */
  get isOver(): boolean {
    return performance.now() - this.#began >= LONGEST_TURN;
  }

  /** Resolves when it is our turn again; rejects if there is to be none. */
  async next(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#signal?.throwIfAborted();
    this.#began = performance.now();
  }
}
