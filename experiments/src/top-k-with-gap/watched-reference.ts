/**
 * The reference samplers, watched: how often each primitive is called, and when the published algorithm goes over from
 * one of its parts to the next. It draws all noise first, then digits to break ties, then one permutation for the gaps.
 * @module
 */
import { Reference } from "winnow-audit";

export class WatchedReference extends Reference {
  readonly calls = { geometric: 0, bernoulli: 0, uniformBelow: 0 };
  /** How often the grid was refined. */
  refinements = 0;
  readonly #start = performance.now();
  #firstDigit: number | undefined;
  #permutation = 0;
  #finest = 0n;

  override geometric(s: bigint, t: bigint): bigint {
    this.calls.geometric++;
    return super.geometric(s, t);
  }

  override bernoulli(p: bigint, q: bigint): boolean {
    this.calls.bernoulli++;
    return super.bernoulli(p, q);
  }

  override uniformBelow(n: bigint): bigint {
    this.calls.uniformBelow++;
    return super.uniformBelow(n);
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
