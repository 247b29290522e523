/**
 * The engine of all noisy selections: candidates enter with a score, get one lazily revealed uniform each, and those
 * with the largest keys, score + scale·noise, stay. The cut is a number that at least `places` keys are certainly not
 * below; whoever is certainly below it can never finish among the first `places` and is dismissed, nearly always by
 * one word of its U. The cut never falls. Memory is O(places), whatever the number of candidates.
 *
 * Cost: one word and a few nanoseconds a candidate. Proof: docs/proofs/race.md.
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import type { Rational } from "../exact/rational.js";
import { byKeyDescending, type Contender, type Terms } from "./contender.js";
import { nthLargest } from "./nth-largest.js";
import { type Contents, Pool } from "./pool.js";

/** ln 2, rounded up by more than the rounding of what it is used in. */
const LN_2_UP = 0.69314718056057;
/** 2^−48, relative: more than the rounding of a score to a double and of the few operations on a key. */
const ROUNDING = 1 / 0x1_0000_0000_0000;

/** Contenders are sorted out when there are so many: often enough to keep the cut high, seldom enough to be cheap. */
function roomFor(places: number): number {
  return places + (places >> 1) + 16;
}

export class Race<Id = number> {
  readonly places: number;
  readonly terms: Terms;
  readonly #scale: number;
  readonly #entropy: Entropy;
  readonly #pool: Pool<Id>;
  #room: number;
  #cut = -Infinity;
  /** A key below this is below the cut, even if it was computed with rounding. */
  #dismissBelow = -Infinity;

  constructor(places: number, terms: Terms, entropy: Entropy) {
    this.places = places;
    this.terms = terms;
    this.#scale = terms.scale.toNumber();
    this.#entropy = entropy;
    this.#room = roomFor(places);
    this.#pool = new Pool(Math.min(this.#room, 4096));
  }

  get cut(): number {
    return this.#cut;
  }

  /** Scores below this have keys below the cut unless their U starts with `zeros` zero bits. */
  farBelow(zeros: number, cut = this.#cut): number {
    return certainlyBelow(cut) - this.#scale * (zeros * LN_2_UP);
  }

  /**
   * A candidate enters. `score` is its exact score or the double nearest to it; `zeros` is how many leading bits of its U
   * were drawn already, and were 0.
   */
  enter(id: Id, score: number, exactScore: number | Rational, zeros: number): void {
    this.consider(id, score, exactScore, this.#entropy.word(), this.#entropy.wordBits + zeros);
  }

  /** The same with digits of U that are drawn: U ∈ [word, word + 1)·2^−bits. */
  consider(id: Id, score: number, exactScore: number | Rational, word: number, bits: number): void {
    if (this.#isFar(score, word, bits)) return;
    const upper = this.#upper(score, word, bits);
    if (upper < this.#cut) return;
    const least = this.#scale * this.terms.noise.least(word, bits);
    const lower = score + least - (Math.abs(score) + Math.abs(least)) * ROUNDING;
    this.#pool.add(id, exactScore, lower, upper, word, bits, this.#entropy);
    if (this.#pool.count >= this.#room) this.settle();
  }

  /** Whether the key is certainly below the cut for every U ∈ [word, word + 1)·2^−bits. */
  dismisses(score: number, word: number, bits: number): boolean {
    return this.#isFar(score, word, bits) || this.#upper(score, word, bits) < this.#cut;
  }

  /** The same where the leading zeros of U tell, as they mostly do: every noise is at most −ln U, and U ≥ word·2^−bits. */
  #isFar(score: number, word: number, bits: number): boolean {
    const zeros = bits - 31 + Math.clz32(word);
    return word !== 0 && score + this.#scale * (zeros * LN_2_UP) < this.#dismissBelow;
  }

  #upper(score: number, word: number, bits: number): number {
    const most = this.#scale * this.terms.noise.most(word, bits);
    return score + most + (Math.abs(score) + Math.abs(most)) * ROUNDING;
  }

  /** Raises the cut to the `places`-th largest lower end and drops whoever is below. */
  settle(): void {
    const { count, lower } = this.#pool;
    if (count >= this.places) this.raiseCut(nthLargest(lower.slice(0, count), count, this.places));
    this.#pool.dropBelow(this.#cut);
    this.#room = Math.max(roomFor(this.places), 2 * this.#pool.count);
  }

  raiseCut(cut: number): void {
    if (cut <= this.#cut) return;
    this.#cut = cut;
    this.#dismissBelow = certainlyBelow(cut);
  }

  /** Takes over another race's contenders, as they are. */
  join(other: Race<Id>): void {
    for (let place = 0; place < other.#pool.count; place++) this.#pool.addFrom(other.#pool, place);
    this.settle();
  }

  /** Takes everyone out who could still finish, to enter another race by `consider`, as they are. */
  takeAll(): Contents<Id> {
    this.settle();
    return this.#pool.takeAll();
  }

  /** Who is in the race. */
  ids(): readonly Id[] {
    return this.#pool.ids;
  }

  /** How many contenders are certainly not below the cut. */
  countAboveCut(): number {
    return this.#pool.lower.subarray(0, this.#pool.count).filter((lower) => lower >= this.#cut).length;
  }

  /** The first `places` contenders, best first. */
  finish(): Contender<Id>[] {
    this.settle();
    const order = this.#pool.byLowerDescending();
    if (!isDecided(order)) order.sort((a, b) => byKeyDescending(this.terms, a, b));
    if (order.length > this.places) order.length = this.places;
    return order;
  }
}

/** Whether each key is certainly below the one before. */
function isDecided(order: readonly Contender<unknown>[]): boolean {
  for (let i = 1; i < order.length; i++) if (order[i].upper >= order[i - 1].lower) return false;
  return true;
}

/** Numbers below this are below the cut even if they were computed with a little rounding. */
function certainlyBelow(cut: number): number {
  return cut - Math.abs(cut) * ROUNDING;
}
