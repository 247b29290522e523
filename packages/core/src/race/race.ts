/**
 * The engine of all noisy selections: candidates enter with a score, get one lazily revealed uniform each, and those
 * with the largest keys, score + scale·noise, stay. The cut is a number that at least `places` keys are certainly not
 * below; a candidate that is certainly below it can't finish among the first `places` and is dismissed, nearly always by
 * one word of its U. Memory is O(places), whatever the number of candidates: where scores are so large beside the noise
 * that doubles cannot tell keys apart, the race counts them from an exact origin among its contenders.
 *
 * Every comparison that decides is false for NaN and says nothing for an infinity; what doubles cannot tell is decided
 * by the exact keys.
 *
 * Cost: one word and a few nanoseconds per candidate. Proof: race.proof.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
import type { Rational } from "../exact/rational.js";
import { byKeyDescending, Contender, type Terms } from "./contender.js";
import { nthLargest } from "./nth-largest.js";
import { type Contents, Pool, takeContents } from "./pool.js";
import { nearestDouble, Origin } from "./scores.js";

/** ln 2, rounded up by more than the rounding of what it is used in. */
const LN_2_UP = 0.69314718056057;
/** 2^−48, relative: more than the rounding of a score to a double and of the few operations on a key. */
const ROUNDING = 1 / 0x1_0000_0000_0000;
/** Absolute slack, for subnormal doubles; negligible elsewhere. */
const SMALLEST = 1e-300;
/** Within 2^36 scales of the origin, rounding is negligible beside the noise: 2^36·2^−48 scales. */
const FINE = 0x10_0000_0000;

/** Whether keys of about this size are told apart by doubles as well as the noise tells them apart. */
export function isFine(level: number, scale: number): boolean {
  return Math.abs(level) <= FINE * scale;
}

/** The pool is pruned at this size: often enough to keep the cut high, seldom enough to be cheap. */
function roomFor(places: number): number {
  return places + (places >> 1) + 16;
}

export class Race<Id = number> {
  readonly places: number;
  readonly terms: Terms;
  readonly pool: Pool<Id>;
  /** All doubles here are of numbers less this one, if there is one. */
  origin: Origin | undefined;
  /** Counted from the origin. */
  cut = -Infinity;
  readonly #scale: number;
  readonly #entropy: Entropy;
  #room: number;
  /** Whether the cut was only guessed: contenders have not shown yet that it is one. */
  #isGuess = false;
  /** A key below this is below the cut, even if it was computed with rounding. */
  #dismissBelow = -Infinity;

  /** With a `floor`, `places` keys of others are certainly not below it, counted from the origin. */
  constructor(places: number, terms: Terms, entropy: Entropy, origin?: Origin, floor = -Infinity) {
    this.places = places;
    this.terms = terms;
    this.#scale = terms.scale.toNumber();
    this.#entropy = entropy;
    this.origin = origin;
    this.#room = roomFor(places);
    this.pool = new Pool(Math.min(this.#room, 4096));
    this.#raise(floor);
  }

  /** Scores that are below this, counted from the origin, have keys below the cut unless their U starts with `zeros` zero bits. */
  farBelow(zeros: number, cut = this.cut): number {
    return certainlyBelow(cut) - this.#scale * (zeros * LN_2_UP);
  }

  /** An exact score counted from the origin, to the nearest double. */
  relative(score: number | Rational): number {
    return this.origin === undefined ? nearestDouble(score) : this.origin.to(score);
  }

  /** A candidate enters with its exact score; `zeros` is how many leading bits of its U were drawn already, and were 0. */
  enter(id: Id, score: number | Rational, zeros: number): void {
    this.consider(id, score, this.#entropy.word(), this.#entropy.wordBits + zeros);
  }

  /** A candidate enters with the digits of U drawn so far: U ∈ [word, word + 1)·2^−bits. */
  consider(id: Id, score: number | Rational, word: number, bits: number): void {
    const from = this.relative(score);
    if (this.#isFar(from, word, bits)) return;
    const { noise } = this.terms;
    const most = noise.most(word, bits);
    const upper = this.#bound(from, most, 1);
    if (upper < this.cut) return;
    // Written here, and not in a call: most of its time would go into boxes for the numbers.
    const { pool } = this;
    const place = pool.next();
    pool.lower[place] = this.#bound(from, noise.least(word, bits, most), -1);
    pool.upper[place] = upper;
    pool.words[place] = word;
    pool.bits[place] = bits;
    pool.ids[place] = id;
    pool.scores[place] = score;
    if (pool.count >= this.#room) this.settle();
  }

  /** Whether the key of a score, counted from the origin, is certainly below the cut for every U ∈ [word, word + 1)·2^−bits. */
  dismisses(score: number, word: number, bits: number): boolean {
    return (
      this.#isFar(score, word, bits) || this.#bound(score, this.terms.noise.most(word, bits), 1) < this.cut
    );
  }

  /** Whether the leading zeros of U alone show it, as they mostly do: every noise is at most −ln U, and U ≥ word·2^−bits. */
  #isFar(score: number, word: number, bits: number): boolean {
    const zeros = bits - 31 + Math.clz32(word);
    return word !== 0 && score + this.#scale * (zeros * LN_2_UP) < this.#dismissBelow;
  }

  /** A double that is not below the key (sign 1) or not above it (−1) for such a bound of the noise: ±∞ where doubles cannot tell. */
  #bound(score: number, noise: number, sign: 1 | -1): number {
    const scaled = this.#scale * noise;
    const bound = score + scaled + sign * ((Math.abs(score) + Math.abs(scaled)) * ROUNDING + SMALLEST);
    return sign * bound > -Infinity ? bound : sign * Infinity;
  }

  /** Raises the cut to the `places`-th largest lower end and drops contenders below it. */
  settle(): void {
    this.#cutByContenders();
    if (this.pool.count >= roomFor(this.places) && !this.#isGuess) this.#approach();
    this.#room = Math.max(roomFor(this.places), 2 * this.pool.count);
  }

  #cutByContenders(): void {
    const { count, lower } = this.pool;
    if (count >= this.places && this.#raise(nthLargest(lower.slice(0, count), count, this.places)))
      this.#isGuess = false;
    this.pool.dropBelow(this.cut);
  }

  #raise(cut: number): boolean {
    if (!(cut > this.cut)) return false;
    this.cut = cut;
    this.#dismissBelow = certainlyBelow(cut);
    return true;
  }

  /** A cut, counted from the origin, that is only guessed: whether it is one is told by `isCertain` when all have entered. */
  guessCut(cut: number): void {
    if (this.#raise(cut)) this.#isGuess = true;
  }

  /** Whether at least `places` keys are certainly not below the cut. */
  isCertain(): boolean {
    if (this.#isGuess && this.countAboveCut() >= this.places) this.#isGuess = false;
    return !this.#isGuess;
  }

  /**
   * Moves the origin to the `places`-th largest score of the contenders, which is about where the cut is, unless it is
   * there already. The cut is found anew, from contenders that hold it up.
   */
  #approach(): void {
    const scores = Float64Array.from(this.pool.scores, (score) => this.relative(score));
    const level = nthLargest(scores.slice(), scores.length, this.places);
    if (isFine(level, this.#scale)) return;
    this.#moveTo(new Origin(this.pool.scores[scores.indexOf(level)]));
    this.#cutByContenders();
  }

  #moveTo(origin: Origin | undefined): void {
    this.origin = origin;
    this.cut = -Infinity;
    this.#dismissBelow = -Infinity;
    this.#room = Infinity; // no contender is sorted out on the way
    const { count } = this.pool;
    this.pool.count = 0;
    this.#take(this.pool, count);
  }

  /** Takes over another race's contenders, as they are, wherever it counts from. */
  join(other: Race<Id>): void {
    this.#take(other.pool, other.pool.count);
    this.settle();
  }

  #take({ ids, scores, words, bits }: Pool<Id>, count: number): void {
    for (let place = 0; place < count; place++)
      this.consider(ids[place], scores[place], words[place], bits[place]);
  }

  /** How many contenders are certainly not below the cut. */
  countAboveCut(): number {
    let above = 0;
    for (let place = 0; place < this.pool.count; place++) if (this.pool.lower[place] >= this.cut) above++;
    return above;
  }

  /** The first `places` contenders, best first. */
  finish(): Contender<Id>[] {
    if (this.pool.count >= 2 * roomFor(this.places)) this.settle(); // else one sort finds the cut too
    const { lower, upper, ids } = this.pool;
    const order: Contender<Id>[] = [];
    let least = Infinity; // smallest lower end so far; at least `places` keys reach it
    let isDecided = true; // whether each is certainly below those before
    for (const place of this.pool.byLowerDescending()) {
      const isBelow = upper[place] < least;
      if (order.length >= this.places && isBelow) continue;
      isDecided &&= isBelow || order.length === 0;
      order.push(new Contender(ids[place], this.pool, place, this.#entropy));
      if (order.length <= this.places) least = Math.min(least, lower[place]);
    }
    if (!isDecided) order.sort((a, b) => byKeyDescending(this.terms, a, b));
    return order.slice(0, this.places);
  }
}

/** `farBelow` for scores as they are. Streams alone need it: as a function, it isn't part of a selection from an array. */
export function farScore<Id>(race: Race<Id>, zeros: number): number {
  const far = race.farBelow(zeros);
  if (race.origin === undefined) return far;
  const base = race.origin.exact.toNumber();
  const score = base + far - (Math.abs(base) + Math.abs(far)) * ROUNDING;
  return Number.isFinite(score) ? score : -Infinity;
}

/** Takes everyone out who could still finish, to enter another race by `consider`, as they are. A function, as `farScore` is. */
export function takeAll<Id>(race: Race<Id>): Contents<Id> {
  race.settle();
  return takeContents(race.pool);
}

/** Numbers below this are below the cut even if they were computed with a little rounding. */
function certainlyBelow(cut: number): number {
  return cut - (Math.abs(cut) * ROUNDING + SMALLEST);
}
