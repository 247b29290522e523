/**
 * The reference samplers over the outcomes of their primitives: geometric variates, their digits, uniform integers and
 * coins are choices with the probabilities that their own trees have proven.
 * @module
 */

import { Reference } from "../../../packages/audit/src/reference-samplers.js";
import { Interval } from "../../../packages/core/src/exact/interval.js";
import { Rational } from "../../../packages/core/src/exact/rational.js";
import type { Choose } from "../../../packages/core/src/testing/choice-tree.js";
import { replayEntropy } from "../../../packages/core/src/testing/replay-entropy.js";

const PRECISION = 160;
/** So many values of a geometric variate are told apart at once; what is larger is as many more than a fresh one. */
const VALUES = 8;

export class ChoosingReference extends Reference {
  readonly #choose: Choose;

  constructor(choose: Choose) {
    super(replayEntropy(""));
    this.#choose = choose;
  }

  override uniformBelow(n: bigint): bigint {
    return BigInt(this.#choose(kept(`1/${n}`, () => Array.from({ length: Number(n) }, () => share(n)))));
  }

  override bernoulliExp(p: bigint, q: bigint): boolean {
    return this.#choose(kept(`coin ${p}/${q}`, () => [complement(expOfMinus(p, q)), expOfMinus(p, q)])) === 1;
  }

  override geometric(s: bigint, t: bigint): bigint {
    const weights = kept(`geometric ${s}/${t}`, () => [
      ...powers(s, t, VALUES).map((power) => power.times(complement(expOfMinus(s, t)))),
      expOfMinus(s * BigInt(VALUES), t),
    ]);
    const chosen = this.#choose(weights);
    return chosen < VALUES ? BigInt(chosen) : BigInt(VALUES) + this.geometric(s, t);
  }

  override truncatedGeometric(s: bigint, t: bigint, M: bigint): bigint {
    const weights = kept(`digit ${s}/${t} of ${M}`, () => {
      const each = powers(s, t, Number(M));
      const total = each.reduce((sum, power) => sum.plus(power));
      return each.map((power) => power.dividedBy(total));
    });
    return BigInt(this.#choose(weights));
  }
}

/** e^(−y·s/t) for y = 0, 1, … */
function powers(s: bigint, t: bigint, count: number): Interval[] {
  return Array.from({ length: count }, (_, y) => expOfMinus(BigInt(y) * s, t));
}

function expOfMinus(p: bigint, q: bigint): Interval {
  return Interval.from(Rational.of(-p, q), PRECISION).exp();
}

function share(n: bigint): Interval {
  return Interval.from(Rational.of(1n, n), PRECISION);
}

function complement(probability: Interval): Interval {
  return probability.negated().plus(1);
}

/** Weights by name: a tree asks for the same few of them over and over. */
const known = new Map<string, readonly Interval[]>();

function kept(name: string, make: () => readonly Interval[]): readonly Interval[] {
  const weights = known.get(name) ?? make();
  known.set(name, weights);
  return weights;
}
