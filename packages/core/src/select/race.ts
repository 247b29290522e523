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
import { byKeyDescending, Contender, type Terms } from "./contender.js";
import { LargestValues } from "./largest-values.js";

/** ln 2, rounded up by more than the rounding of what it is used in. */
const LN_2_UP = 0.69314718056057;
/** 2^−48, relative: more than the rounding of a score to a double and of the few operations on a key. */
const ROUNDING = 1 / 0x1_0000_0000_0000;

/** Contenders are sorted out when there are so many to a place. */
const ROOM = 2;

export class Race<Id = number> {
  readonly places: number;
  readonly terms: Terms;
  readonly #scale: number;
  readonly #entropy: Entropy;
  readonly #contenders: Contender<Id>[] = [];
  /** The largest lower ends; the least of them is a cut. */
  readonly #lowers: LargestValues;
  #room: number;
  #cut = -Infinity;
  /** A key below this is below the cut, even if it was computed with rounding. */
  #dismissBelow = -Infinity;

  constructor(places: number, terms: Terms, entropy: Entropy) {
    this.places = places;
    this.terms = terms;
    this.#scale = terms.scale.toNumber();
    this.#entropy = entropy;
    this.#lowers = new LargestValues(places);
    this.#room = ROOM * places + 16;
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
    this.#add(new Contender(id, exactScore, this.#entropy, word, bits, lower, upper));
  }

  #add(contender: Contender<Id>): void {
    this.#contenders.push(contender);
    this.#lowers.offer(contender.lower);
    this.raiseCut(this.#lowers.least);
    if (this.#contenders.length >= this.#room) this.settle();
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

  /** Drops whoever is below the cut. */
  settle(): void {
    const contenders = this.#contenders;
    let kept = 0;
    for (const contender of contenders) if (contender.upper >= this.#cut) contenders[kept++] = contender;
    contenders.length = kept;
    this.#room = Math.max(ROOM * this.places + 16, 2 * kept);
  }

  raiseCut(cut: number): void {
    if (cut <= this.#cut) return;
    this.#cut = cut;
    this.#dismissBelow = certainlyBelow(cut);
  }

  /** Takes over another race's contenders, as they are. */
  join(other: Race<Id>): void {
    for (const contender of other.#contenders) this.#add(contender);
    other.#contenders.length = 0;
  }

  ids(): Id[] {
    return this.#contenders.map(({ id }) => id);
  }

  /** How many contenders are certainly not below the cut. */
  countAboveCut(): number {
    return this.#contenders.filter(({ lower }) => lower >= this.#cut).length;
  }

  /** The first `places` contenders, best first. */
  finish(): Contender<Id>[] {
    this.settle();
    const order = byLowerDescending(this.#contenders);
    if (order.some(({ upper }, i) => i > 0 && upper >= order[i - 1].lower)) {
      order.sort((a, b) => byKeyDescending(this.terms, a, b));
    }
    return order.slice(0, this.places);
  }
}

/** Numbers below this are below the cut even if they were computed with a little rounding. */
function certainlyBelow(cut: number): number {
  return cut - Math.abs(cut) * ROUNDING;
}

/** A sort of the lower ends without a call for each comparison; each contender then looks up its place. */
function byLowerDescending<Id>(contenders: readonly Contender<Id>[]): Contender<Id>[] {
  const last = contenders.length - 1;
  const lowers = new Float64Array(contenders.length);
  for (let i = 0; i <= last; i++) lowers[i] = contenders[i].lower;
  lowers.sort();
  const order: Contender<Id>[] = new Array(contenders.length);
  const taken = new Uint32Array(contenders.length); // how many of equal lower ends have their places
  for (const contender of contenders) {
    const first = firstNotBelow(lowers, contender.lower);
    order[last - first - taken[first]++] = contender;
  }
  return order;
}

function firstNotBelow(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
