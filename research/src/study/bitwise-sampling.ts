/**
 * For study only: two published ways to draw an index with probability w_i/Σw that look at one random bit after the other
 * and stop when one index is left [Ilv20, Algorithms 2 and 4]. Both have the law. How many bits they look at depends on
 * the weights, and so on the data: that is the channel which `base2Exponential` in constant work closes, and why neither
 * is used for a release.
 *
 * Index i owns [c_(i−1), c_i) of [0, Σw). Bits halve an interval that starts as [0, 2^k), 2^k ≥ Σw; an index remains as
 * long as its part meets the interval. Algorithm 4 draws the bits as it goes and starts again if they lead beyond Σw
 * (its line 8 gives the part beyond the end 2^k − Σw, where 2^k is meant). Algorithm 2 is given a number below Σw that
 * was drawn before, and reveals it from the top.
 *
 * Cost: Algorithm 4 about the entropy of the weights + 3 bits per try, and less than two tries; Algorithm 2 at most k bits
 * of its number. Proof: packages/core/src/sample/normalized-sample.proof.md.
 * @module
 */
import { type Entropy, invalidParameter, readers, withEntropy } from "winnow-dp";

/** An index, and what an observer with a stopwatch learns. */
export interface BitwiseSample {
  /** The index that was drawn. */
  readonly index: number;
  /** How many bits were looked at. It depends on the weights. */
  readonly bits: number;
}

/** Where each index ends, and the size of the first interval. */
interface Parts {
  readonly ends: readonly bigint[];
  readonly total: bigint;
  /** The least power of two that is not below the total. */
  readonly size: bigint;
}

function partsOf(weights: ArrayLike<number | bigint>): Parts {
  let total = 0n;
  const ends = Array.from(readers.arrayLike("weights", weights), (weight) => {
    total += readers.bigInteger("weights", weight, 0n);
    return total;
  });
  if (total === 0n) throw invalidParameter("weights", "a list with at least one weight > 0", "none");
  let size = 1n;
  while (size < total) size <<= 1n;
  return { ends, total, size };
}

/** Halves the interval by bits until it meets one part only. */
function narrow(ends: readonly bigint[], whole: bigint, bitOf: (size: bigint) => boolean): BitwiseSample {
  let [low, size, bits] = [0n, whole, 0];
  let [first, last] = [0, ends.length - 1];
  for (;;) {
    while (ends[first] <= low) first++;
    while (last > first && ends[last - 1] >= low + size) last--;
    if (first === last) return { index: first, bits };
    size >>= 1n;
    bits++;
    if (bitOf(size)) low += size;
  }
}

/**
 * An index with probability proportional to its weight, by as few random bits as it takes [Ilv20, Algorithm 4]. For study
 * only: `bits` depends on the weights.
 *
 * @param weights Integers ≥ 0, of which at least one is above 0.
 * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
 */
export function sampleBitByBit(weights: ArrayLike<number | bigint>, entropy?: Entropy): BitwiseSample {
  const { ends, total, size } = partsOf(weights);
  const withDummy = size > total ? [...ends, size] : ends;
  return withEntropy(entropy, (source) => {
    for (let before = 0; ; ) {
      const { index, bits } = narrow(withDummy, size, () => source.bit() === 1);
      if (index < ends.length) return { index, bits: before + bits };
      before += bits; // ⊥: start again
    }
  });
}

/**
 * The index whose part holds a number that was drawn before, found from its leading bits [Ilv20, Algorithm 2]. For study
 * only: `bits` depends on the weights.
 *
 * @param weights Integers ≥ 0, of which at least one is above 0.
 * @param sample An integer from 0 on, below their sum.
 */
export function eliminateByBits(weights: ArrayLike<number | bigint>, sample: number | bigint): BitwiseSample {
  const { ends, total, size } = partsOf(weights);
  const drawn = readers.bigInteger("sample", sample, 0n);
  if (drawn >= total) throw invalidParameter("sample", "an integer below the sum of the weights", sample);
  return narrow(ends, size, (half) => (drawn & half) !== 0n);
}
