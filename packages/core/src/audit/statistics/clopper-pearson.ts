/**
 * `clopperPearson`: what a number of hits in n independent runs proves about the probability of a hit, at a stated
 * confidence and without any approximation [CP34]. The lower end is the largest p for which so many hits, or more, would
 * come with probability at most half of what the confidence leaves; the upper end is the same for misses.
 *
 * Both ends are multiples of 2^−32, found by bisection with certified tails: the interval is never narrower than it should
 * be, and wider by at most 2^−32 at each end. Proof: docs/proofs/clopper-pearson.md.
 * @module
 */
import { ceilDiv } from "../../exact/integers.js";
import { Rational, type RationalLike } from "../../exact/rational.js";
import { integer, properProbability } from "../../validate.js";
import { binomialTail } from "./binomial-tail.js";

/** How often something came. */
export interface Tally {
  /** In how many runs it came. */
  readonly hits: number;
  /** How many runs there were. */
  readonly runs: number;
}

/** Probabilities from one end to the other. */
export interface ConfidenceInterval {
  /** The lower end, a multiple of 2^−32. */
  readonly lower: Rational;
  /** The upper end, a multiple of 2^−32. */
  readonly upper: Rational;
}

const RESOLUTION = 1n << 32n;

/**
 * An interval that covers the probability of a hit, whatever it is, in a share of at least `confidence` of all trials
 * [CP34].
 *
 * Proof: docs/proofs/clopper-pearson.md.
 *
 * @param tally How many hits came in how many independent runs.
 * @param confidence Above 0 and below 1.
 */
export function clopperPearson({ hits, runs }: Tally, confidence: RationalLike): ConfidenceInterval {
  integer("runs", runs);
  integer("hits", hits, 0, runs);
  const eachSide = Rational.ONE.minus(properProbability("confidence", confidence)).dividedBy(2n);
  return {
    lower: lowerEnd(hits, runs, eachSide),
    upper: Rational.ONE.minus(lowerEnd(runs - hits, runs, eachSide)),
  };
}

/** The largest p on the grid that certainly makes so many hits no more likely than `chance`. */
function lowerEnd(hits: number, runs: number, chance: Rational): Rational {
  let certain = 0n;
  let beyond = ceilDiv(BigInt(hits) * RESOLUTION, BigInt(runs));
  while (beyond - certain > 1n) {
    const middle = (certain + beyond) >> 1n;
    const tail = binomialTail(hits, runs, Rational.of(middle, RESOLUTION));
    if (tail.upper().compare(chance) <= 0) certain = middle;
    else beyond = middle;
  }
  return Rational.of(certain, RESOLUTION);
}
