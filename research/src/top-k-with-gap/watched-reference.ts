/**
 * The reference samplers, watched: how often each primitive is called and how long that takes, and when the published algorithm goes over from
 * one of its parts to the next. It draws all noise first, then digits to break ties, then one permutation for the gaps.
 * @module
 */
import { Reference } from "winnow-audit";
import type { Entropy } from "winnow-dp";

export class WatchedReference extends Reference {
  readonly calls = { geometric: 0, bernoulli: 0, uniformBelow: 0 };
  /** Milliseconds in each, with all that it calls. */
  readonly times = { geometric: 0, bernoulli: 0, uniformBelow: 0 };
  /** How often the grid was refined. */
  refinements = 0;
  readonly #start = performance.now();
  #firstDigit: number | undefined;
  #permutation = 0;
  #finest = 0n;
  readonly #isTimed: boolean;

  /** With `timed`, each call is under a stopwatch, which slows it down. */
  constructor(entropy: Entropy, { timed = false } = {}) {
    super(entropy);
    this.#isTimed = timed;
  }

  override geometric(s: bigint, t: bigint): bigint {
    return this.#watch("geometric", () => super.geometric(s, t));
  }

  override bernoulli(p: bigint, q: bigint): boolean {
    return this.#watch("bernoulli", () => super.bernoulli(p, q));
  }

  override uniformBelow(n: bigint): bigint {
    return this.#watch("uniformBelow", () => super.uniformBelow(n));
  }

  #watch<T>(primitive: keyof WatchedReference["calls"], draw: () => T): T {
    this.calls[primitive]++;
    if (!this.#isTimed) return draw();
    const start = performance.now();
    const drawn = draw();
    this.times[primitive] += performance.now() - start;
    return drawn;
  }

  override truncatedGeometric(s: bigint, t: bigint, M: bigint): bigint {
    this.#firstDigit ??= performance.now();
    if (t > this.#finest) {
      this.#finest = t;
      this.refinements++;
    }
    return super.truncatedGeometric(s, t, M);
  }

  override shuffle<T>(items: T[]): T[] {
    this.#permutation = performance.now();
    return super.shuffle(items);
  }

  /** Milliseconds for the possible top k, the ties, and the gaps. Asked for when the algorithm has ended. */
  phases(): readonly [number, number, number] {
    const firstDigit = this.#firstDigit ?? this.#permutation;
    return [firstDigit - this.#start, this.#permutation - firstDigit, performance.now() - this.#permutation];
  }
}
