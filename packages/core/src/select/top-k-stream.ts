/**
 * `TopKStream`: `topK` and `topKWithGap` for candidates that come one at a time, in any order, from any number of places.
 * Memory is O(k), whatever the number of candidates; streams over parts of the candidates merge into one, exactly.
 *
 * The guarantee is that of `makeNoisyTopK`, if each candidate is pushed once, with its final score, into one of the
 * streams that are merged. A stream holds noise: it is used once and cannot be copied, and none of its state shows in
 * `JSON.stringify`, `console.log` or an error. If something fails while it takes candidates, it is closed: nobody could say
 * which of them it has. To merge with one of another thread or process, `detach` turns it into
 * a value that can be sent, which is as secret.
 *
 * Cost of 41,270 shuffled candidates: about 5 ns and 0.02 random words each at k = 25, 32 ns and 0.3 words at k = 800
 * (docs/benchmarks.md).
 * Proof: docs/proofs/race.md.
 * @module
 */
import { type Entropy, systemEntropy } from "../entropy.js";

import { invalidParameter, WinnowError } from "../errors.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { type PureLoss, pure, type ZcdpLoss, zcdp } from "../privacy/loss.js";
import { skipsOf } from "../race/array-race.js";
import { exponential, gumbel } from "../race/noise.js";
import type { Contents } from "../race/pool.js";
import { farScore, Race, takeAll } from "../race/race.js";
import { exactScore, heldStill, invalidScore, nearestDouble, type Scores, toDouble } from "../race/scores.js";
import { finishRace, type Unlisted, type Winner } from "../race/winners.js";
import { callable, integer, positiveRational, readOptions } from "../validate.js";
import { NoisyTopK } from "./noisy-top-k.js";
import { chooseNoise, rangeDistance, SELECTION, type SelectionOptions } from "./options.js";
import { readState, type StreamState, writeState } from "./stream-state.js";

/**
 * How many winners, a budget (exactly one of `epsilon`, `rho` and `scale`), how one individual can move scores, and
 * where the bits come from.
 */
export interface TopKStreamOptions extends SelectionOptions {
  /** How many winners. */
  readonly k: number;
  /** Release gaps, rounded down to multiples of this; not with `rho`. */
  readonly resolution?: RationalLike | undefined;
  /** The size of a public domain of integers from 0; whoever is never pushed has score 0. */
  readonly domainSize?: number | undefined;
}

/**
 * The winners of a stream, and what they cost.
 *
 * @typeParam Id What candidates are named by.
 */
export interface StreamAnswer<Id> {
  /** The winners, best first. */
  readonly winners: readonly Winner<Id>[];
  /** The loss that was incurred. */
  readonly privacy: PureLoss | ZcdpLoss;
}

const GRID = { scale: positiveRational, resolution: positiveRational, domainSize: integer };

/** The id of unlisted candidates until they are named, which no candidate has. */
const UNLISTED = Symbol("unlisted");

/** At first. */
const ZEROS = 4;
const MOST_ZEROS = 12;
/** After so many that entered we see whether coins should be shared by more candidates, or be rarer. */
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
 * @typeParam Id What candidates are named by: anything. Default: numbers.
 */
export class TopKStream<Id = number> {
  readonly #measurement: NoisyTopK;
  readonly #sensitivity: Rational;
  /** All that streams which are merged must agree on. */
  readonly #parameters: string;
  readonly #entropy: Entropy;
  readonly #ownsEntropy: boolean;
  /** Undefined once the stream is used up. */
  #race: Race<Id | typeof UNLISTED> | undefined;
  /** Whether it was closed by a failure. */
  #hasFailed = false;
  #pushed = 0;
  /** Candidates so far below the cut that their U would have to start with as many zeros share coins. */
  #zeros = ZEROS;
  /** How many of those to pass by before one that has the zeros; negative if that is not drawn yet. */
  #passes = -1;
  /** Scores below this are so far below the cut. */
  #far = -Infinity;
  /** The same where a score need only be compared: not negated, and of no domain. */
  #farNow = -Infinity;
  /** How many candidates entered the race since the last lesson, and how many of them because they were near. */
  #entered = 0;
  #near = 0;

  /** A stream without candidates. Streams that are to be merged must have the same options. */
  constructor(options: TopKStreamOptions) {
    const read = readOptions(options, { k: integer }, { ...SELECTION, ...GRID });
    const { k, monotone = false, negate, domainSize } = read;
    const resolution = read.resolution === undefined ? undefined : rational(read.resolution);
    this.#sensitivity = rational(read.sensitivity ?? 1n);
    const { measure, scale } = chooseNoise(read, rangeDistance(this.#sensitivity, monotone), k);
    this.#measurement = new NoisyTopK({ k, measure, scale, monotone, negate, resolution, domainSize });
    const noise = [k, measure, scale, this.#sensitivity];
    this.#parameters = [...noise, monotone, negate ?? false, resolution, domainSize].join(" ");
    this.#ownsEntropy = read.entropy === undefined;
    this.#entropy = read.entropy ?? systemEntropy();
    const terms = { noise: measure === "pure" ? exponential : gumbel, scale };
    this.#race = new Race(resolution === undefined ? k : k + 1, terms, this.#entropy);
  }

  /**
   * One candidate with its final score.
   *
   * @param id What a winner is named by: anything but undefined.
   * @param score A finite number or a bigint.
   */
  push(id: Id, score: number | bigint): this {
    if (
      typeof score === "number" &&
      score < this.#farNow &&
      score > -Infinity &&
      this.#passes > 0 &&
      id !== undefined
    ) {
      this.#passes--;
      this.#pushed++;
      return this;
    }
    return this.#push(id, score);
  }

  #push(id: Id, score: number | bigint): this {
    const race = this.#open();
    if (id === undefined) throw invalidParameter("id", "anything but undefined", id);
    toDouble(score); // refuses what is not finite
    if (!this.#isInDomain(id)) return this;
    this.#pushed++;
    const value = this.#measurement.negate ? -score : score;
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
    }
    return this;
  }

  /** Ids outside a public domain of integers are none of our candidates. */
  #isInDomain(id: Id): boolean {
    const { domainSize } = this.#measurement;
    if (domainSize === undefined) return true;
    return typeof id === "number" && Number.isInteger(id) && id >= 0 && id < domainSize;
  }

  #enter(race: Race<Id | typeof UNLISTED>, id: Id, score: number | bigint, zeros: number): void {
    const exact = exactScore(score);
    const before = race.changes;
    race.enter(id, nearestDouble(exact), exact, zeros);
    if (++this.#entered === LESSON) this.#learn();
    if (race.changes > before || this.#entered === 0) this.#raise(race);
  }

  /** If most of those who entered were near, fewer zeros, else more. Coins not tossed yet may be exchanged for others. */
  #learn(): void {
    this.#zeros = Math.min(Math.max(this.#zeros + (this.#near > LESSON / 2 ? -1 : 1), 1), MOST_ZEROS);
    this.#passes = -1;
    this.#near = 0;
    this.#entered = 0;
  }

  #raise(race: Race<Id | typeof UNLISTED>): void {
    this.#far = farScore(race, this.#zeros);
    const { negate, domainSize } = this.#measurement;
    this.#farNow = negate || domainSize !== undefined ? -Infinity : this.#far;
  }

  /**
   * Candidates with consecutive numbers as ids.
   *
   * @param this A stream whose candidates are named by numbers.
   * @param scores Their final scores; all of them are taken, or none.
   * @param firstId The id of the first. Default 0.
   */
  pushScores(this: TopKStream<number>, scores: Scores, firstId = 0): TopKStream<number> {
    const all = heldStill(scores, "scores", invalidScore);
    for (let index = 0; index < all.length; index++) toDouble(all[index]); // all or none
    for (let index = 0; index < all.length; index++) this.push(firstId + index, all[index]);
    return this;
  }

  /** Candidates as pairs of id and score. If one of them is refused, or the source fails, the stream is closed. */
  pushAll(candidates: Iterable<readonly [Id, number | bigint]>): this {
    this.#open();
    return this.#orFail(() => {
      for (const [id, score] of candidates) this.push(id, score);
      return this;
    });
  }

  /** Candidates as pairs of id and score that arrive over time. If one is refused, or the source fails, the stream is closed. */
  async pushFrom(candidates: AsyncIterable<readonly [Id, number | bigint]>): Promise<this> {
    this.#open();
    try {
      for await (const [id, score] of candidates) this.push(id, score);
    } catch (error) {
      throw this.#failed(error);
    }
    return this;
  }

  /** Takes over the candidates of another stream with the same parameters, which is used up by that. */
  merge(other: TopKStream<Id>): this {
    const race = this.#open();
    if (!(other instanceof TopKStream)) throw invalidParameter("other", "a TopKStream", other);
    if (other === this) throw invalidParameter("other", "another stream", other);
    const theirs = other.#open();
    if (other.#parameters !== this.#parameters)
      throw invalidParameter("other", "a stream with the same parameters", other);
    other.#close();
    return this.#orFail(() => {
      race.join(theirs);
      this.#pushed += other.#pushed;
      this.#raise(race);
      return this;
    });
  }

  /**
   * The stream as a value that structured clone can carry to another thread or process, to be attached to a stream
   * there; this one is used up by that. The value holds noise: send it to one place only, keep it as secret as the scores, and
   * move its arrays instead of copying them (`postMessage(state, [state.words.buffer, state.bits.buffer])`).
   */
  detach(): StreamState<Id> {
    const race = this.#open();
    this.#close();
    if (this.#ownsEntropy) this.#entropy.wipe();
    // Unlisted candidates enter when it finishes: none is here.
    return writeState(this.#parameters, this.#pushed, takeAll(race) as Contents<Id>);
  }

  /** Takes over the candidates of a stream with the same parameters that was detached. The state is wiped. */
  attach(state: StreamState<Id>): this {
    const race = this.#open();
    const { pushed, contents } = readState(state, this.#parameters);
    const { ids, scores, words, bits } = contents;
    return this.#orFail(() => {
      ids.forEach((id, i) => {
        race.consider(id, nearestDouble(scores[i]), scores[i], words[i], bits[i]);
      });
      race.settle();
      this.#pushed += pushed;
      this.#raise(race);
      return this;
    });
  }

  /**
   * The answer; the stream is used up by that.
   *
   * @param options What a stream over a public domain of a `domainSize` needs; nothing otherwise.
   * @param options.isPushed Tells which ids were pushed, to name winners that never were.
   */
  finish(options: { isPushed?: ((id: number) => boolean) | undefined } = {}): StreamAnswer<Id> {
    const { isPushed } = readOptions(options, {}, { isPushed: callable });
    const race = this.#open();
    const { domainSize, resolution, measure } = this.#measurement;
    const size = domainSize ?? this.#pushed;
    if (domainSize !== undefined && isPushed === undefined)
      throw invalidParameter("isPushed", "a function that tells which ids were pushed", isPushed);
    if (size < this.#pushed) throw invalidParameter("domainSize", "at least the number of candidates", size);
    if (size < race.places)
      throw invalidParameter(
        "k",
        `so small that ${size} candidates fill ${race.places} places`,
        this.#measurement.k,
      );
    const loss = this.#measurement.map(this.#sensitivity);
    this.#close(); // whatever happens from here on, no noise is used twice
    const isTaken = isPushed ?? (() => false);
    const names = { from: 0, to: size };
    const unlisted: Unlisted<Id | typeof UNLISTED> = {
      count: size - this.#pushed,
      id: UNLISTED,
      names,
      isTaken,
    };
    let winners: Winner<Id>[];
    try {
      winners = finishRace(race, unlisted, resolution, this.#entropy) as Winner<Id>[];
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    } finally {
      if (this.#ownsEntropy) this.#entropy.wipe();
    }
    return { winners, privacy: measure === "pure" ? pure(loss) : zcdp(loss) };
  }

  #close(): void {
    this.#race = undefined;
    this.#farNow = -Infinity; // whoever is pushed now is refused
  }

  /** Takes a step that uses noise. If that fails, a candidate may be half in: the stream is closed. */
  #orFail<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #failed(error: unknown): unknown {
    this.#hasFailed ||= this.#race !== undefined;
    this.#close();
    if (this.#ownsEntropy) this.#entropy.wipe();
    return error;
  }

  #open(): Race<Id | typeof UNLISTED> {
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
