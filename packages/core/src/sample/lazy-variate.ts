/**
 * Real random numbers that are revealed as far as a decision needs: `lazyExponential` and `lazyGumbel`. Each is
 * one uniform U, of which digits are drawn on demand, seen through a quantile function: −ln U is exponential of
 * mean 1 and −ln(−ln U) is standard Gumbel. A comparison is made only when the enclosures are disjoint, so it
 * equals the comparison of the ideal reals, and the digits not drawn yet stay fair.
 *
 * Cost: one word of 32 bits for each variate of most comparisons. Proofs: lazy-exponential.proof.md,
 * lazy-gumbel.proof.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { asInterval, type Interval } from "../exact/interval.js";
import { type Enclosure, minusLnEnclosure } from "../exact/ln.js";
import { minusLn } from "./minus-ln.js";
import { PartialUniform } from "./partial-uniform.js";

/** The numbers that the variate may still be, given the digits of U drawn so far (it may draw a few more). */
type Quantile = (u: PartialUniform) => Enclosure;

/**
 * A real random number that is revealed as far as a decision needs, made by `lazyExponential` or `lazyGumbel`.
 *
 * A comparison equals that of the ideal reals, and the digits that are not drawn yet stay fair.
 */
export class LazyVariate {
  readonly #uniform: PartialUniform;
  readonly #quantile: Quantile;
  #enclosure: Interval | undefined;

  /**
   * Made by `lazyExponential` or `lazyGumbel`.
   *
   * @internal
   */
  constructor(entropy: Entropy, quantile: Quantile) {
    this.#uniform = new PartialUniform(entropy);
    this.#quantile = quantile;
  }

  /** The numbers that this may still be. */
  enclosure(): Interval {
    this.#enclosure ??= asInterval(this.#quantile(this.#uniform));
    return this.#enclosure;
  }

  /** Draws one more word of U, with which the enclosure shrinks. */
  refine(): void {
    this.#uniform.reveal();
    this.#enclosure = undefined;
  }

  /** Whether this is below the other, refining both until it is certain. */
  isBelow(other: LazyVariate): boolean {
    if (other === this) return false; // no digit would ever tell
    for (;;) {
      const precision = Math.max(this.enclosure().precision, other.enclosure().precision);
      const [mine, theirs] = [
        this.enclosure().withPrecision(precision),
        other.enclosure().withPrecision(precision),
      ];
      if (mine.isBelow(theirs)) return true;
      if (theirs.isBelow(mine)) return false;
      this.refine();
      other.refine();
    }
  }
}

/**
 * Exponential of mean 1.
 *
 * @example
 * ```ts
 * import { lazyExponential } from "winnow-dp/sample";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const bits = seededEntropy("winnow");
 * lazyExponential(bits).isBelow(lazyExponential(bits)); // → true
 * ```
 */
export function lazyExponential(entropy: Entropy): LazyVariate {
  return new LazyVariate(entropy, minusLn);
}

/**
 * Standard Gumbel, P(G ≤ x) = e^(−e^(−x)).
 *
 * @example
 * ```ts
 * import { lazyGumbel } from "winnow-dp/sample";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const bits = seededEntropy("winnow");
 * lazyGumbel(bits).isBelow(lazyGumbel(bits)); // → false
 * ```
 */
export function lazyGumbel(entropy: Entropy): LazyVariate {
  return new LazyVariate(entropy, (u) => {
    let exponential = minusLn(u);
    while (exponential.lo <= 0n) {
      u.reveal(); // U may still be 1 for all we know
      exponential = minusLn(u);
    }
    return minusLnEnclosure(exponential);
  });
}
