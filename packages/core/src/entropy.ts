/**
 * All randomness in Winnow comes from fair bits. An `Entropy` hands out bits of a source, whole
 * words for the fast paths or a few at a time, and uses each bit once.
 *
 * One class serves every source (the system's generator, a seeded one, replayed bits, the bit tree), so that
 * V8 sees one shape in the hot loops. What differs is in the `EntropySource`; its `wordBits` is 32 in
 * production and small when a test walks all bit strings, and every sampler works at any word size.
 * @module
 */
import { invalidKind, invalidParameter, WinnowError } from "./errors.js";
import { boolean, callable, integer, object } from "./options.js";

/** Where an `Entropy` gets its fair bits from. */
export interface EntropySource {
  /** Fills every element with `wordBits` fair, independent bits, or throws. */
  fill(words: Uint32Array<ArrayBuffer>): void;
  /** Bits in each word, 1 to 32. Default 32. */
  readonly wordBits?: number;
  /** The most words asked for at once. Default 16,384 (64 KiB, the most that Web Crypto gives in a call). */
  readonly poolWords?: number;
  /**
   * Whether bits that were fetched but not used are wiped when the running script yields. Then a copy of the
   * process (a fork, a restored snapshot) holds no bits that the original uses too. Default false.
   */
  readonly transient?: boolean;
}

const LARGEST_POOL = 16_384;
/** Small first: a single draw should not pay for 64 KiB, but 1 KiB costs no more than a word. Each refill is four times as large. */
const FIRST_POOL = 256;
const NO_WORDS = new Uint32Array(0);
/** More do not fit a double's significand. */
const MOST_BITS = 53;

/**
 * Fair bits of a source, each handed out once.
 *
 * All randomness of Winnow goes through one of these: `systemEntropy()` in production, a seeded or a replayed one in
 * tests.
 *
 * @example
 * ```ts
 * import { Entropy, topK } from "winnow-dp";
 *
 * // Bits of your own: they must be fair, independent and secret.
 * const entropy = new Entropy({ fill: (words) => crypto.getRandomValues(words) });
 * topK([900, 1], { k: 1, epsilon: 1, entropy }).winners; // → [{ candidate: 0 }]
 * ```
 */
export class Entropy {
  /** Bits in a `word()`. */
  readonly wordBits: number;
  readonly #source: EntropySource;
  readonly #largestPool: number;
  #pool = NO_WORDS;
  #next = 0;
  /** The low `#held` bits of `#slice` are fetched but not yet handed out by `bits()`. */
  #slice = 0;
  #held = 0;
  #wordsBefore = 0;
  #wipeScheduled = false;
  #isFilling = false;

  /** Hands out the bits of this source; none are fetched before the first draw. */
  constructor(source: EntropySource) {
    callable("fill", object("source", source).fill);
    this.wordBits = integer("wordBits", source.wordBits ?? 32, 1, 32);
    this.#largestPool = integer("poolWords", source.poolWords ?? LARGEST_POOL);
    boolean("transient", source.transient ?? false);
    this.#source = source;
  }

  /** The next `wordBits` bits as an unsigned integer. */
  word(): number {
    if (this.#next === this.#pool.length) this.#refill();
    const word = this.#pool[this.#next];
    this.#pool[this.#next++] = 0; // used words are wiped
    return word;
  }

  /** The next `count` bits as an unsigned integer, 0 ≤ count ≤ 53. The earlier bit is the more significant. */
  bits(count: number): number {
    // Refused, not answered: NaN or −1 would otherwise draw nothing and return a 0 that looks random.
    if (count >>> 0 !== count || count > MOST_BITS)
      throw invalidParameter("count", `an integer from 0 to ${MOST_BITS}`, count);
    let value = 0;
    for (let missing = count; missing > 0; ) {
      if (this.#held === 0) {
        this.#slice = this.word();
        this.#held = this.wordBits;
      }
      const take = Math.min(missing, this.#held);
      this.#held -= take;
      const chunk = this.#held === 0 ? this.#slice : this.#slice >>> this.#held;
      this.#slice = this.#held === 0 ? 0 : this.#slice & ((1 << this.#held) - 1);
      value = value * (take < 32 ? (1 << take) >>> 0 : 0x1_0000_0000) + chunk;
      missing -= take;
    }
    return value;
  }

  /** The next bit. */
  bit(): 0 | 1 {
    return this.bits(1) as 0 | 1;
  }

  /** The next `count` bits as a bigint, for any count ≥ 0. */
  bigBits(count: number): bigint {
    integer("count", count, 0);
    let value = 0n;
    for (let missing = count; missing > 0; missing -= 32) {
      const take = Math.min(missing, 32);
      value = (value << BigInt(take)) | BigInt(this.bits(take));
    }
    return value;
  }

  /** How many bits have been handed out so far, a word's every bit counted. Depends on private data: keep it. */
  get bitsUsed(): number {
    return (this.#wordsBefore + this.#next) * this.wordBits - this.#held;
  }

  /** Forgets every bit that was fetched and not used. The next draw fetches anew. */
  wipe(): void {
    this.#pool.fill(0);
    this.#wordsBefore += this.#next;
    this.#pool = NO_WORDS;
    this.#next = 0;
    // The bits still held count as used: they can never be handed out.
    this.#slice = 0;
    this.#held = 0;
  }

  #refill(): void {
    // A source that draws from the entropy it fills would get words of a pool that is filled again, and used twice.
    if (this.#isFilling)
      throw new WinnowError("entropy-unavailable", "the source of bits drew from the entropy that it fills");
    const size = Math.min(Math.max(this.#pool.length * 4, FIRST_POOL), this.#largestPool);
    const pool = this.#pool.length === size ? this.#pool : new Uint32Array(size);
    this.#isFilling = true;
    try {
      this.#source.fill(pool); // if this throws, the old pool stays exhausted and nothing is handed out
    } finally {
      this.#isFilling = false;
    }
    this.#wordsBefore += this.#next;
    this.#pool = pool;
    this.#next = 0;
    if (this.#source.transient === true) this.#wipeSoon();
  }

  #wipeSoon(): void {
    if (this.#wipeScheduled) return;
    this.#wipeScheduled = true;
    queueMicrotask(() => {
      this.#wipeScheduled = false;
      this.wipe();
    });
  }
}

/** The reader of an option or argument that is an `Entropy`. */
export function anEntropy(field: string, value: Entropy): Entropy {
  if (!(value instanceof Entropy)) throw invalidKind(field, "an Entropy", value);
  return value;
}
