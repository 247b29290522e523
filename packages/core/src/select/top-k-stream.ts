/**
 * `TopKStream`: `topK` and `topKWithGap` for candidates that come one at a time, in any order, from any number of places.
 * Memory is O(k), whatever the number of candidates; streams over parts of the candidates merge into one, exactly.
 *
 * The guarantee is that of `makeNoisyTopK`, if each candidate is pushed once, with its final score, into one of the
 * streams that are merged. A stream holds noise: it is used once and cannot be copied, and none of its state shows in
 * `JSON.stringify`, `console.log` or an error.
 *
 * Cost: a few nanoseconds and 0.1 random words a candidate. Proof: docs/proofs/race.md.
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import { systemEntropy } from "../entropy/system-entropy.js";
import { invalidParameter, WinnowError } from "../errors.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import { type PureLoss, pure, type ZcdpLoss, zcdp } from "../privacy/loss.js";
import type { Terms } from "./contender.js";
import { FarCoins } from "./far-coins.js";
import { drawUnlisted, enterZeros } from "./implicit-zeros.js";
import { NoisyTopK, onGrid } from "./make-noisy-top-k.js";
import { exponential, gumbel } from "./noise.js";
import { chooseNoise, count, positive, rangeDistance, type SelectionOptions } from "./options.js";
import { Race } from "./race.js";
import { inSteps, invalidScore, type Scores } from "./scores.js";
import { type Winner, winnersOf } from "./winners.js";

export interface TopKStreamOptions extends SelectionOptions {
  /** How many winners. */
  readonly k: number;
  /** Release gaps, rounded down to multiples of this; not with `rho`. */
  readonly resolution?: RationalLike | undefined;
  /** The size of a public domain of integers from 0; whoever is never pushed has score 0. */
  readonly domainSize?: number | undefined;
}

export interface StreamAnswer<Id> {
  /** The winners, best first. */
  readonly winners: readonly Winner<Id>[];
  /** The loss that was incurred. */
  readonly privacy: PureLoss | ZcdpLoss;
}

/** Candidates so far below the cut that their U would have to start with as many zeros share coins. */
const ZEROS = 8;

export class TopKStream<Id = number> {
  readonly #measurement: NoisyTopK;
  readonly #sensitivity: Rational;
  readonly #terms: Terms;
  readonly #perUnit: bigint;
  readonly #entropy: Entropy;
  readonly #coins: FarCoins;
  /** Undefined once the stream is used up. */
  #race: Race<Id> | undefined;
  #pushed = 0;
  /** Scores below this are far below the cut. */
  #far = -Infinity;

  constructor(options: TopKStreamOptions) {
    const { k, monotone = false, negate, domainSize } = options;
    const resolution =
      options.resolution === undefined ? undefined : positive("resolution", options.resolution);
    this.#sensitivity = onGrid(positive("sensitivity", options.sensitivity ?? 1n), resolution);
    const { measure, scale } = chooseNoise(
      options,
      rangeDistance(this.#sensitivity, monotone),
      count("k", k),
    );
    if (scale.numerator === 0n) throw invalidParameter("scale", "a rational > 0", options.scale);
    this.#measurement = new NoisyTopK({ k, measure, scale, monotone, negate, resolution, domainSize });
    this.#perUnit = resolution?.denominator ?? 1n;
    this.#terms = { noise: measure === "pure" ? exponential : gumbel, scale: scale.times(this.#perUnit) };
    this.#entropy = options.entropy ?? systemEntropy();
    this.#race = new Race(resolution === undefined ? k : k + 1, this.#terms, this.#entropy);
    this.#coins = new FarCoins(ZEROS, this.#entropy);
  }

  /** One candidate with its final score. */
  push(id: Id, score: number | bigint): this {
    const race = this.#open();
    if (typeof score === "number" && score - score !== 0) throw invalidScore(); // not finite
    this.#pushed++;
    const value = this.#measurement.negate ? -score : score;
    if (value >= this.#far) this.#enter(race, id, value, 0);
    else if (this.#coins.passBy(1) === 0) this.#enter(race, id, value, ZEROS);
    return this;
  }

  #enter(race: Race<Id>, id: Id, score: number | bigint, zeros: number): void {
    const exact = inSteps(score, this.#perUnit);
    const before = race.cut;
    race.enter(id, typeof exact === "number" ? exact : exact.toNumber(), exact, zeros);
    if (race.cut > before) this.#far = race.farBelow(ZEROS) / Number(this.#perUnit);
  }

  /** Candidates with consecutive numbers as ids, from `firstId` on. */
  pushScores(this: TopKStream<number>, scores: Scores, firstId = 0): TopKStream<number> {
    for (let index = 0; index < scores.length; index++) this.push(firstId + index, scores[index]);
    return this;
  }

  /** Candidates as pairs of id and score. */
  pushAll(candidates: Iterable<readonly [Id, number | bigint]>): this {
    for (const [id, score] of candidates) this.push(id, score);
    return this;
  }

  /** Candidates as pairs of id and score that arrive over time. */
  async pushFrom(candidates: AsyncIterable<readonly [Id, number | bigint]>): Promise<this> {
    for await (const [id, score] of candidates) this.push(id, score);
    return this;
  }

  /** Takes over the candidates of another stream with the same parameters, which is used up by that. */
  merge(other: TopKStream<Id>): this {
    const race = this.#open();
    if (other === this) throw invalidParameter("other", "another stream", other);
    const theirs = other.#open();
    if (!other.#isLike(this)) throw invalidParameter("other", "a stream with the same parameters", other);
    race.join(theirs);
    this.#pushed += other.#pushed;
    this.#far = race.farBelow(ZEROS) / Number(this.#perUnit);
    other.#race = undefined;
    return this;
  }

  #isLike(other: TopKStream<Id>): boolean {
    const [mine, theirs] = [this.#measurement, other.#measurement];
    return (
      mine.k === theirs.k &&
      mine.measure === theirs.measure &&
      mine.scale.equals(theirs.scale) &&
      mine.negate === theirs.negate &&
      mine.metric.monotone === theirs.metric.monotone &&
      mine.domainSize === theirs.domainSize &&
      this.#sensitivity.equals(other.#sensitivity) &&
      String(mine.resolution) === String(theirs.resolution)
    );
  }

  /**
   * The answer; the stream is used up by that. With a `domainSize`, `isPushed` tells which ids were pushed, to name
   * winners that never were.
   */
  finish({ isPushed }: { isPushed?: (id: number) => boolean } = {}): StreamAnswer<Id> {
    const race = this.#open();
    const { domainSize, resolution, measure } = this.#measurement;
    const size = domainSize ?? this.#pushed;
    if (domainSize !== undefined && isPushed === undefined)
      throw invalidParameter("isPushed", "a function that tells which ids were pushed", isPushed);
    if (size < this.#pushed) throw invalidParameter("domainSize", "at least the number of candidates", size);
    if (size < race.places) throw invalidParameter("k", `candidates for ${race.places} places`, size);
    this.#race = undefined;
    const unnamed = undefined as Id;
    if (size > this.#pushed) enterZeros(race, size - this.#pushed, unnamed, this.#entropy);
    const winners = winnersOf(race.finish(), this.#terms, resolution);
    const named = isPushed === undefined ? winners : this.#named(winners, size, isPushed);
    this.#entropy.wipe();
    const loss = this.#measurement.map(this.#sensitivity);
    return { winners: named, privacy: measure === "pure" ? pure(loss) : zcdp(loss) };
  }

  #named(winners: Winner<Id>[], size: number, isPushed: (id: number) => boolean): Winner<Id>[] {
    const unlisted = winners.filter(({ index }) => index === undefined).length;
    const names = drawUnlisted(unlisted, { from: 0, to: size }, isPushed, this.#entropy);
    return winners.map((winner) =>
      winner.index === undefined ? { ...winner, index: names.pop() as Id } : winner,
    );
  }

  #open(): Race<Id> {
    if (this.#race !== undefined) return this.#race;
    throw new WinnowError(
      "stream-finished",
      "this stream is used up: its answer was taken, or it was merged into another",
    );
  }
}
