/**
 * The candidate with the largest key, score + σ·N, where each has a normal variate N of its own. A normal variate isn't a
 * simple function of one uniform, so there is no cut as in `Race`: every candidate draws. A key is a real number of which
 * only as much is known as the digits drawn so far tell; two are compared when that is enough, and otherwise draw more
 * digits. So each decision is the one that the ideal real keys would give. It is σ² that is rational; σ is enclosed.
 *
 * Cost: three words and about 60 ns per candidate. Proof: select/report-noisy-max.proof.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { bitLength } from "../exact/integers.js";
import { Interval } from "../exact/interval.js";
import type { Rational } from "../exact/rational.js";
import { type LazyGaussian, lazyGaussian } from "../sample/lazy-gaussian.js";
import { byKeyDescending, type Ends, type Keyed, plusScore } from "./contender.js";
import { type ExactScores, nearestDouble } from "./scores.js";

/**
 * The index of the winner, for a variance σ² > 0. Every score is looked at, and a bad one refused, before a bit is
 * drawn. `draw` is replaced in tests, to walk all outcomes of the noise.
 */
export function gaussianMax(
  scores: ExactScores,
  variance: Rational,
  entropy: Entropy,
  draw: (entropy: Entropy) => LazyGaussian = lazyGaussian,
): number {
  for (let index = 0; index < scores.length; index++) scores.at(index);
  const sigma = new Sigma(variance);
  let best = new GaussianContender(0, scores.exact(0), draw(entropy), sigma);
  for (let index = 1; index < scores.length; index++) {
    const score = scores.exact(index);
    const noise = draw(entropy);
    if (upperEnd(score, noise, sigma) < best.lower) continue; // nearly everyone
    const challenger = new GaussianContender(index, score, noise, sigma);
    if (byKeyDescending(sigma, challenger, best) < 0) best = challenger;
  }
  return best.index;
}

/** σ, the root of a rational variance. */
class Sigma {
  private readonly variance: Rational;
  /** Within 2^−52 of σ, relative, where that is a normal double. */
  readonly double: number;

  constructor(variance: Rational) {
    this.variance = variance;
    this.double = this.enclosure(64).toNumber("up");
  }

  /** σ to `digits` binary digits: those of the denominator are added, because as many may be leading zeros. */
  enclosure(digits: number): Interval {
    return Interval.from(this.variance, digits + bitLength(this.variance.denominator)).sqrt();
  }
}

class GaussianContender implements Keyed<Sigma> {
  readonly index: number;
  readonly lower: number;
  readonly upper: number;
  private readonly score: number | Rational;
  private readonly noise: LazyGaussian;

  constructor(index: number, score: number | Rational, noise: LazyGaussian, sigma: Sigma) {
    this.index = index;
    this.lower = lowerEnd(score, noise, sigma);
    this.upper = upperEnd(score, noise, sigma);
    this.score = score;
    this.noise = noise;
  }

  key(sigma: Sigma): Ends {
    const noise = this.noise.enclosure();
    const factor = sigma.enclosure(noise.precision);
    const { lo, hi, precision } = noise.withPrecision(factor.precision).times(factor);
    return plusScore(lo, hi, 1n << BigInt(precision), this.score);
  }

  refine(): void {
    this.noise.refine();
  }
}

/** A double that is not above the key. One that is not finite, or not a number, decides nothing. */
function lowerEnd(score: number | Rational, noise: LazyGaussian, sigma: Sigma): number {
  const [base, least] = [nearestDouble(score), sigma.double * noise.lower];
  return base + least - slack(base, least);
}

/** A double that is not below the key, likewise. */
function upperEnd(score: number | Rational, noise: LazyGaussian, sigma: Sigma): number {
  const [base, most] = [nearestDouble(score), sigma.double * noise.upper];
  return base + most + slack(base, most);
}

/** 2^−48, relative: more than the rounding of a score and of σ to a double and of the few operations on a key. */
const ROUNDING = 1 / 0x1_0000_0000_0000;
/** Absolute slack, for subnormal doubles; negligible elsewhere. */
const SMALLEST = 1e-300;

function slack(score: number, noise: number): number {
  return (Math.abs(score) + Math.abs(noise)) * ROUNDING + SMALLEST;
}
