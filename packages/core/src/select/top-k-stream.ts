/**
 * `TopKStream`: `topK` and `topKWithGap` for candidates that come one at a time, in any order, from any number of places.
 * Memory is O(k), whatever the number of candidates; streams over parts of the candidates merge into one, exactly.
 *
 * The guarantee is that of `makeNoisyTopK`, if each candidate is pushed once, with its final score, into one of the
 * streams that are merged. A stream holds noise: it is used once and cannot be copied, and none of its state shows in
 * `JSON.stringify`, `console.log` or an error. If something fails while it takes candidates, it is closed: no one could say
 * which of them it has. To merge with one of another thread or process, `detach` turns it into
 * a value that can be sent, which is as secret.
 *
 * Cost of 41,270 shuffled candidates: about 5 ns and 0.02 random words each at k = 25, 32 ns and 0.3 words at k = 800
 * (docs/benchmarks.md).
 * Proof: noisy-top-k.proof.md and race/race.proof.md.
 * @module
 */

import type { BudgetAs } from "../accounting/budget-as.js";
import type { LossOf } from "../accounting/loss.js";
import type { RationalLike } from "../exact/rational.js";
import type { NamedWinner } from "../race/candidates.js";
import type { Scores } from "../race/scores.js";
import type { AbortOptions } from "../until-aborted.js";
import type { SelectionOptions } from "./options.js";
import type { PublicDomain } from "./public-domain.js";
import { TopKStream as Stream } from "./stream.js";
import type { StreamState } from "./stream-state.js";

/** How many winners, whether with gaps, how one individual can move scores, and where the bits come from. */
export interface TopKStreamSettings extends SelectionOptions {
  /** How many winners. */
  readonly k: number;
  /** Release gaps, rounded down to multiples of this; not with `rho`. */
  readonly resolution?: RationalLike | undefined;
  /** `{ size }` if candidates are the first integers, and those that are never pushed have score 0. Default: all are pushed. */
  readonly domain?: PublicDomain | undefined;
}

/**
 * What a `TopKStream` is made from: the settings, and exactly one of `epsilon`, `rho` and `scale`.
 *
 * @typeParam Names Those that it may be.
 */
export type TopKStreamOptions<Names extends "epsilon" | "rho" | "scale" = "epsilon" | "rho" | "scale"> =
  TopKStreamSettings & BudgetAs<Names, "epsilon" | "rho" | "scale">;

/**
 * The winners of a stream, and what they cost.
 *
 * @typeParam Candidate What candidates are named by.
 * @typeParam Privacy The measure of the budget.
 */
export interface StreamAnswer<Candidate = number, Privacy = LossOf["pure" | "zcdp"]> {
  /** The winners, best first. */
  readonly winners: readonly NamedWinner<Candidate>[];
  /** The loss that was incurred. */
  readonly privacy: Privacy;
}

/** What `finish` needs to know of a stream over a public domain with a size; nothing otherwise. */
export interface FinishOptions {
  /** Tells which candidates were pushed, to name winners that never were. If it is true for others too, `finish` throws. */
  readonly isPushed?: ((candidate: number) => boolean) | undefined;
}

/**
 * `topK` and `topKWithGap` for candidates that come one at a time, in any order, from any number of places.
 *
 * Memory is O(k), whatever the number of candidates; streams over parts of the candidates merge into one, exactly. A
 * stream holds noise: it is used once and cannot be copied, and nothing of it shows in `JSON.stringify`, `console.log`
 * or an error.
 *
 * Guarantee: that of `makeNoisyTopK`, if each candidate is pushed once, with its final score, into one of the streams
 * that are merged. See docs/mechanisms/top-k-stream.md.
 *
 * @typeParam Candidate What candidates are named by: anything. Default: numbers.
 * @typeParam Privacy The measure of the budget.
 */
export interface TopKStream<
  Candidate = number,
  Privacy extends LossOf["pure" | "zcdp"] = LossOf["pure" | "zcdp"],
> {
  /**
   * One candidate with its final score.
   *
   * @param candidate What a winner is named by: anything but undefined.
   * @param score A finite number or a bigint.
   */
  push(candidate: Candidate, score: number | bigint): this;

  /**
   * Candidates with consecutive numbers as names.
   *
   * @param this A stream whose candidates are named by numbers.
   * @param scores Their final scores; all of them are taken, or none.
   * @param first The first candidate. Default 0.
   */
  pushScores(this: TopKStream<number, Privacy>, scores: Scores, first?: number): TopKStream<number, Privacy>;

  /** Candidates as pairs with their scores. If one of them is refused, or the source fails, the stream is closed. */
  pushAll(candidates: Iterable<readonly [Candidate, number | bigint]>): this;

  /**
   * Candidates 0, 1, 2, … with their scores in typed arrays.
   *
   * @param this A stream whose candidates are named by numbers.
   * @param chunks The scores of candidates 0, 1, 2 and so on, any number at a time.
   */
  pushAll(this: TopKStream<number, Privacy>, chunks: Iterable<ArrayBufferView & Scores>): this;

  /**
   * Candidates as pairs with their scores that arrive over time. If one is refused, the source fails or the signal is
   * aborted, the stream is closed.
   *
   * @param candidates An async iterable, or one that is not.
   * @param options How to stop.
   */
  pushFrom(
    candidates:
      | AsyncIterable<readonly [Candidate, number | bigint]>
      | Iterable<readonly [Candidate, number | bigint]>,
    options?: AbortOptions,
  ): Promise<this>;

  /**
   * Candidates 0, 1, 2, … with their scores in typed arrays that arrive over time: much faster than pairs.
   *
   * @param this A stream whose candidates are named by numbers.
   * @param chunks The scores of candidates 0, 1, 2 and so on, any number at a time.
   * @param options How to stop.
   */
  pushFrom(
    this: TopKStream<number, Privacy>,
    chunks: AsyncIterable<ArrayBufferView & Scores> | Iterable<ArrayBufferView & Scores>,
    options?: AbortOptions,
  ): Promise<this>;

  /** Takes over the candidates of another stream with the same parameters, which can't be used afterwards. */
  merge(other: TopKStream<Candidate, Privacy>): this;

  /**
   * The stream as a value that structured clone can carry to another thread or process, to be attached to a stream
   * there; this one can't be used afterwards. The value holds noise: send it to one place only, keep it as secret as the scores,
   * and move its arrays instead of copying them (`postMessage(state, [state.words.buffer, state.bits.buffer])`).
   */
  detach(): StreamState<Candidate>;

  /** Takes over the candidates of a stream with the same parameters that was detached. The state is wiped. */
  attach(state: StreamState<Candidate>): this;

  /** The answer; the stream can't be used afterwards. */
  finish(options?: FinishOptions): StreamAnswer<Candidate, Privacy>;
}

/** Makes streams: the budget decides in which measure the answer's loss is. */
export interface TopKStreamConstructor {
  /** A stream with a budget in pure ε. Streams that are to be merged must have the same options. */
  new <Candidate = number>(
    options: TopKStreamOptions<"epsilon" | "scale">,
  ): TopKStream<Candidate, LossOf["pure"]>;
  /** A stream with a budget in ρ. */
  new <Candidate = number>(options: TopKStreamOptions<"rho">): TopKStream<Candidate, LossOf["zcdp"]>;
  /** A stream with a budget in one of them. */
  new <Candidate = number>(options: TopKStreamOptions): TopKStream<Candidate>;
  /** What streams have in common. */
  readonly prototype: TopKStream<unknown>;
}

/**
 * `topK` and `topKWithGap` for candidates that come one at a time. A stream has no candidates yet; streams that are to
 * be merged must have the same options.
 *
 * @example
 * ```ts
 * import { TopKStream } from "winnow-dp";
 *
 * const [here, there] = [1, 2].map(() => new TopKStream<string>({ k: 1, epsilon: 1, monotone: true }));
 * here.push("search", 9000).push("mail", 31);
 * there.pushAll(new Map([["news", 412]]));
 * here.merge(there).finish().winners; // → [{ candidate: "search" }]
 * ```
 */
export const TopKStream: TopKStreamConstructor = Stream;
