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
 * Candidates enter a race one by one. Those far below the cut share coins, as in an array's race; the number of zeros adapts to the
 * stream.
 *
 * Cost of 41,270 shuffled candidates: about 5 ns and 0.02 random words each at k = 25, 32 ns and 0.3 words at k = 800
 * (docs/benchmarks.md).
 * Proof: noisy-top-k.proof.md and race/race.proof.md.
 * @module
 */

import type { LossOf } from "../accounting/loss.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import type { Entropy } from "../entropy.js";
import { invalidData, invalidKind, invalidParameter, WinnowError } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { arriving, callable, integer, iterable, positiveRational, readOptions } from "../options.js";
import { raceOverArray } from "../race/array-race.js";
import type { Winner } from "../race/candidates.js";
import type { Contents } from "../race/pool.js";
import { farScore, Race, takeAll } from "../race/race.js";
import { gapsOf, type Revealed, WINNERS } from "../race/ranking.js";
import { exactScore, heldStill, invalidScore, ScoreReader, type Scores, toDouble } from "../race/scores.js";
import { finishRace } from "../race/zeros.js";
import { skipsOf } from "../sample/skips.js";
import { systemEntropy } from "../system-entropy.js";
import { type AbortOptions, aSignal, untilAborted } from "../until-aborted.js";
import type { Ranked } from "./answers.js";
import { type Draw, lossOf, refuseGaps, termsOf } from "./noisy-winners.js";
import { chooseNoise, rangeOf, SELECTION, type SelectionOptions, usualResolution } from "./options.js";
import { type PublicDomain, publicDomain } from "./public-domain.js";
import { agreement, refuseOtherTerms, Turn } from "./stream-rules.js";
import { readState, type StreamState, writeState } from "./stream-state.js";

/**
 * What a `TopKStream` is made from: how many winners, and exactly one of `epsilon`, `rho` and `scale`.
 *
 * @typeParam Names Those that it may be.
 *
 * @interface
 */
export type TopKStreamOptions<Names extends "epsilon" | "rho" | "scale" = "epsilon" | "rho" | "scale"> =
  Spend<Names> &
    SelectionOptions & {
      /** How many winners. */
      readonly k: number;
      /** Release gaps, rounded down to multiples of this; not with `rho`. */
      readonly resolution?: RationalLike | undefined;
      /** `{ size }` if candidates are the first integers, and those that are never pushed have score 0. Default: all are pushed. */
      readonly domain?: PublicDomain | undefined;
    };

/**
 * What `finish` needs to know of a stream over a public domain with a size; nothing otherwise.
 *
 * @inline
 */
export interface FinishOptions {
  /** Tells which candidates were pushed, to name winners that never were. If it is true for others too, `finish` throws. */
  readonly isPushed?: ((candidate: number) => boolean) | undefined;
}

/** What counts where it isn't said. */
const UNSTATED = { sensitivity: Rational.ONE, monotone: false, negate: false };

const GRID = { scale: positiveRational, resolution: positiveRational, domain: publicDomain };

/** A candidate with its score, or a typed array of scores. */
type Item<Candidate> = readonly [Candidate, number | bigint] | (ArrayBufferView & Scores);

/** The id of unlisted candidates until they are named, which no candidate has. */
const UNLISTED = Symbol("unlisted");

/** At first. */
const ZEROS = 4;
const MOST_ZEROS = 12;
/** How many entries before the number of zeros is adjusted. */
const LESSON = 64;

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
export class TopKStream<Candidate = number> {
  readonly #draw: Draw;
  readonly #release: Revealed;
  /** How far one individual can move two scores against each other. */
  readonly #range: Rational;
  /** All that streams which are merged must agree on. */
  readonly #parameters: string;
  readonly #entropy: Entropy;
  readonly #ownsEntropy: boolean;
  /** Undefined once the stream is used up. */
  #race: Race<Candidate | typeof UNLISTED> | undefined;
  readonly #turn = new Turn();
  /** Whether it was closed by a failure. */
  #hasFailed = false;
  #pushed = 0;
  /** Candidates so far below the cut that their U would have to start with as many zeros share coins. */
  #zeros = ZEROS;
  /** How many of those to pass by before one that has the zeros; negative if that is not drawn yet. */
  #passes = -1;
  /** Scores below this are so far below the cut. */
  #far = -Infinity;
  /** `#far` for scores that need only be compared: not negated, and without a domain. */
  #farNow = -Infinity;
  /** How many candidates entered the race since the last lesson, and how many of them because they were near. */
  #entered = 0;
  #near = 0;

  /** A stream without candidates. Streams that are to be merged must have the same options. */
  constructor(options: TopKStreamOptions) {
    const read = readOptions<LooseOptions<TopKStreamOptions>>(
      options,
      { k: integer },
      { ...SELECTION, ...GRID },
    );
    const { epsilon: _, rho: __, scale: ___, entropy, ...stated } = { ...UNSTATED, ...read };
    const { k, negate, domain, resolution } = stated;
    this.#range = rangeOf(read);
    this.#draw = { k, ...chooseNoise(read, this.#range, k), negate, domain };
    const { measure, scale } = this.#draw;
    if (measure === "zcdp") refuseGaps(resolution);
    this.#release = resolution === undefined ? WINNERS : gapsOf(usualResolution(rational(resolution), scale));
    this.#parameters = agreement(stated, { measure, scale });
    this.#ownsEntropy = entropy === undefined;
    this.#entropy = entropy ?? systemEntropy();
    this.#race = new Race(k + this.#release.spare, termsOf(this.#draw), this.#entropy);
  }

  /**
   * One candidate with its final score.
   *
   * @param candidate What a winner is named by: anything but undefined.
   * @param score A finite number or a bigint.
   */
  push(candidate: Candidate, score: number | bigint): this {
    if (
      typeof score === "number" &&
      score < this.#farNow &&
      score > -Infinity &&
      this.#passes > 0 &&
      candidate !== undefined
    ) {
      this.#passes--;
      this.#pushed++;
      return this;
    }
    return this.#push(candidate, score);
  }

  #push(id: Candidate, score: number | bigint): this {
    const race = this.#open();
    if (id === undefined) throw invalidParameter("candidate", "anything but undefined", id);
    toDouble(score); // refuses what is not finite
    if (!this.#isInDomain(id)) return this;
    this.#pushed++;
    const value = this.#draw.negate ? -score : score;
    this.#turn.begin();
    try {
      if (value < this.#far) {
        if (this.#passes < 0) this.#passes = skipsOf(this.#zeros).draw(this.#entropy);
        if (this.#passes-- === 0) this.#enter(race, id, value, this.#zeros);
      } else {
        this.#near++;
        this.#enter(race, id, value, 0);
      }
    } catch (error) {
      throw this.#failed(error);
    } finally {
      this.#turn.end();
    }
    return this;
  }

  /** Ids outside the public domain are ignored. */
  #isInDomain(id: Candidate): boolean {
    const size = this.#draw.domain?.size;
    return size === undefined || (Number.isInteger(id) && Number(id) >= 0 && Number(id) < size);
  }

  #enter(
    race: Race<Candidate | typeof UNLISTED>,
    id: Candidate,
    score: number | bigint,
    zeros: number,
  ): void {
    const { cut } = race;
    race.enter(id, exactScore(score), zeros);
    if (++this.#entered === LESSON) this.#learn();
    if (race.cut !== cut || this.#entered === 0) this.#raise(race); // another origin has another cut
  }

  /** If most of those who entered were near, fewer zeros, else more. Coins not tossed yet may be exchanged for others. */
  #learn(): void {
    this.#zeros = Math.min(Math.max(this.#zeros + (this.#near > LESSON / 2 ? -1 : 1), 1), MOST_ZEROS);
    this.#passes = -1;
    this.#near = 0;
    this.#entered = 0;
  }

  #raise(race: Race<Candidate | typeof UNLISTED>): void {
    this.#far = farScore(race, this.#zeros);
    const { negate, domain } = this.#draw;
    this.#farNow = negate || domain !== undefined ? -Infinity : this.#far;
  }

  /**
   * Candidates with consecutive numbers as names.
   *
   * @param this A stream whose candidates are named by numbers.
   * @param scores Their final scores; all of them are taken, or none.
   * @param first The first candidate. Default 0.
   */
  pushScores(this: TopKStream<number>, scores: Scores, first = 0): TopKStream<number> {
    const { negate = false, domain } = this.#draw;
    const held = heldStill(scores, "scores", invalidScore);
    return first >= 0 && first + held.length <= (domain?.size ?? Infinity)
      ? this.pushReader(new ScoreReader(held, { negate }), first)
      : this.#pushScores(held, first);
  }

  /**
   * They have a race of their own, above our cut, and those who can still win join ours.
   *
   * @internal
   */
  pushReader(this: TopKStream<number>, reader: ScoreReader, first: number): TopKStream<number> {
    const race = this.#open();
    this.#turn.begin();
    try {
      const floor = race.origin === undefined ? race.cut : -Infinity;
      const theirs = raceOverArray(reader, race.places, race.terms, this.#entropy, { floor });
      const { ids } = theirs.pool;
      for (let place = 0; place < ids.length; place++) ids[place] += first;
      race.join(theirs as Race<number | typeof UNLISTED>);
    } catch (error) {
      // Scores are checked before noise is drawn: all of them are taken, or none.
      throw error instanceof WinnowError && error.code === "invalid-score" ? error : this.#failed(error);
    } finally {
      this.#turn.end();
    }
    this.#pushed += reader.length;
    this.#raise(race);
    return this;
  }

  /** One by one, because the domain ends among them. */
  #pushScores(this: TopKStream<number>, scores: Scores, first: number): TopKStream<number> {
    for (let index = 0; index < scores.length; index++) toDouble(scores[index]); // all or none
    for (let index = 0; index < scores.length; index++) this.push(first + index, scores[index]);
    return this;
  }

  /** Candidates as pairs with their scores. If one of them is refused, or the source fails, the stream is closed. */
  pushAll(candidates: Iterable<readonly [Candidate, number | bigint]>): this;
  /**
   * Candidates 0, 1, 2, … with their scores in typed arrays.
   *
   * @param this A stream whose candidates are named by numbers.
   * @param chunks The scores of candidates 0, 1, 2 and so on, any number at a time.
   */
  pushAll(this: TopKStream<number>, chunks: Iterable<ArrayBufferView & Scores>): this;
  pushAll(candidates: Iterable<Item<Candidate>>): this {
    return this.#pushEach(candidates);
  }

  #pushEach(candidates: Iterable<Item<Candidate>>): this {
    this.#open();
    try {
      let next = 0;
      for (const item of iterable("candidates", candidates)) next = this.#pushItem(item, next);
    } catch (error) {
      throw this.#failed(error);
    }
    return this;
  }

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
    this: TopKStream<number>,
    chunks: AsyncIterable<ArrayBufferView & Scores> | Iterable<ArrayBufferView & Scores>,
    options?: AbortOptions,
  ): Promise<this>;
  async pushFrom(
    candidates: AsyncIterable<Item<Candidate>> | Iterable<Item<Candidate>>,
    options: AbortOptions = {},
  ): Promise<this> {
    const { signal } = readOptions(options, {}, { signal: aSignal });
    // Candidates that are there already need no waiting, one by one.
    if (signal === undefined && !(Symbol.asyncIterator in Object(candidates)))
      return this.#pushEach(candidates as Iterable<Item<Candidate>>);
    this.#open();
    try {
      let next = 0;
      const given = arriving("candidates", candidates);
      const source = signal === undefined ? given : untilAborted(given, signal);
      for await (const item of source) next = this.#pushItem(item, next);
    } catch (error) {
      throw this.#failed(error);
    }
    return this;
  }

  /** A pair, or scores of candidates with consecutive numbers from `next` on. What the next number is then. */
  #pushItem(item: Item<Candidate>, next: number): number {
    if (ArrayBuffer.isView(item)) {
      (this as unknown as TopKStream<number>).pushScores(item, next);
      return next + item.length;
    }
    if (typeof item !== "object" || item === null)
      throw invalidData("candidates", "pairs of a candidate and a score, or typed arrays of scores");
    this.push(item[0], item[1]);
    return next;
  }

  /** Takes over the candidates of another stream with the same parameters, which can't be used afterwards. */
  merge(other: TopKStream<Candidate>): this {
    const race = this.#open();
    if (!(other instanceof TopKStream)) throw invalidKind("other", "a TopKStream", other);
    if (other === this) throw invalidKind("other", "another stream", other);
    const theirs = other.#open();
    refuseOtherTerms("other", "a stream with the same parameters", this.#parameters, other.#parameters);
    other.#close();
    return this.#step(() => {
      race.join(theirs);
      this.#pushed += other.#pushed;
      this.#raise(race);
      return this;
    });
  }

  /**
   * The stream as a value that structured clone can carry to another thread or process, to be attached to a stream
   * there; this one can't be used afterwards. The value holds noise: send it to one place only, keep it as secret as the scores,
   * and move its arrays instead of copying them (`postMessage(state, [state.words.buffer, state.bits.buffer])`).
   */
  detach(): StreamState<Candidate> {
    const race = this.#open();
    this.#close();
    if (this.#ownsEntropy) this.#entropy.wipe();
    // Unlisted candidates enter when it finishes: none is here.
    return writeState(this.#parameters, this.#pushed, takeAll(race) as Contents<Candidate>);
  }

  /** Takes over the candidates of a stream with the same parameters that was detached. The state is wiped. */
  attach(state: StreamState<Candidate>): this {
    this.#open();
    const { pushed, contents } = readState(state, this.#parameters);
    const race = this.#open(); // a getter of the state's may have taken the answer
    const { ids, scores, words, bits } = contents;
    return this.#step(() => {
      ids.forEach((id, i) => {
        race.consider(id, scores[i], words[i], bits[i]);
      });
      race.settle();
      this.#pushed += pushed;
      this.#raise(race);
      return this;
    });
  }

  /** The answer; the stream can't be used afterwards. */
  finish(options: FinishOptions = {}): Ranked<Candidate, LossOf["pure" | "zcdp"]> {
    const { isPushed } = readOptions(options, {}, { isPushed: callable });
    const race = this.#open();
    const { k, domain } = this.#draw;
    const stated = domain?.size;
    const size = stated ?? this.#pushed;
    if (stated !== undefined && isPushed === undefined)
      throw invalidParameter("isPushed", "a function that tells which ids were pushed", isPushed);
    if (size < this.#pushed) throw invalidParameter("size", "at least the number of candidates", size);
    if (size < race.places)
      throw invalidParameter("k", `so small that ${size} candidates fill ${race.places} places`, k);
    this.#close(); // whatever happens from here on, no noise is used twice
    const unlisted = {
      count: size - this.#pushed,
      id: UNLISTED as Candidate | typeof UNLISTED,
      from: 0,
      to: size,
      isTaken: isPushed ?? (() => false),
    };
    let winners: Winner<Candidate>[];
    try {
      const placed = this.#release.of(finishRace(race, unlisted, this.#entropy), race.terms);
      winners = placed as Winner<Candidate>[];
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    } finally {
      if (this.#ownsEntropy) this.#entropy.wipe();
    }
    return { winners, privacy: lossOf(this.#draw, this.#range) };
  }

  #close(): void {
    this.#race = undefined;
    this.#farNow = -Infinity; // a candidate that is pushed now is refused
  }

  /** Takes a step that uses noise. If that fails, a candidate may be half in: the stream is closed. */
  #step<T>(step: () => T): T {
    this.#turn.begin();
    try {
      return step();
    } catch (error) {
      throw this.#failed(error);
    } finally {
      this.#turn.end();
    }
  }

  #failed(error: unknown): unknown {
    this.#hasFailed ||= this.#race !== undefined;
    this.#close();
    if (this.#ownsEntropy) this.#entropy.wipe();
    return error;
  }

  #open(): Race<Candidate | typeof UNLISTED> {
    this.#turn.refuseWhileTaken();
    if (this.#race !== undefined) return this.#race;
    if (this.#hasFailed)
      throw new WinnowError(
        "stream-finished",
        "this stream failed while it took candidates or drew noise, and released nothing: start a new one",
      );
    throw new WinnowError(
      "stream-finished",
      "this stream is used up: its answer was taken, or it was merged into another",
    );
  }
}
