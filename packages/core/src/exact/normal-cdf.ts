/**
 * A certified normal distribution function, Φ(x) = 1/2 + φ(x)·Σ x^(2n+1)/(1·3·5⋯(2n+1)) for x ≥ 0 and
 * Φ(−x) = 1 − Φ(x). All terms are positive, so nothing cancels. A point gives at most two units in the last
 * place. Cost: at most a few times `precision` terms of one multiplication each; none at all where the tail is
 * below the last place. The bounds are proven beside each function.
 * @module
 */
import { bitLength, ceilDiv, ceilShift } from "./integers.js";
import { Interval } from "./interval.js";
import { Rational } from "./rational.js";

/**
 * The distribution function Φ of the normal law, as an interval that holds it. It is increasing, so the ends are those of
 * the end points.
 *
 * @example
 * ```ts
 * import { Interval } from "winnow-dp";
 * import { normalCdfEnclosure } from "winnow-dp/testing";
 *
 * normalCdfEnclosure(Interval.from(2, 64)).toNumber("down").toFixed(4); // → "0.9772"
 * ```
 */
export function normalCdfEnclosure(x: Interval): Interval {
  const lower = cdfOfPoint(x.lo, x.precision);
  if (x.lo === x.hi) return lower;
  return new Interval(lower.lo, cdfOfPoint(x.hi, x.precision).hi, x.precision);
}

/** Φ(a·2^−precision). */
function cdfOfPoint(a: bigint, precision: number): Interval {
  if (a < 0n) return cdfOfPoint(-a, precision).negated().plus(1n);
  const square = ceilShift(a * a, BigInt(2 * precision)); // ⌈x²⌉
  const one = 1n << BigInt(precision);
  // Then x² > 2·precision too, and 1 − Φ(x) ≤ e^(−x²/2)/2 < 2^−precision.
  if (square > 2n * BigInt(precision)) return new Interval(one - 1n, one, precision);
  // The sum is below 1.26·e^(x²/2) < 2^(x² + 1): φ loses that many digits to it, and a few more to the roundings.
  const bits = precision + Number(square) + bitLength(BigInt(precision)) + 12;
  const x = new Interval(a, a, precision).withPrecision(bits);
  return density(x).times(series(x, square)).plus(Rational.of(1n, 2n)).withPrecision(precision);
}

/** φ(x) = e^(−x²/2)/√(2π). */
function density(x: Interval): Interval {
  const { precision } = x;
  const root = pi(precision).times(2n).sqrt();
  return x.times(x).dividedBy(-2n).exp().dividedBy(root);
}

/**
 * Σ x^(2n+1)/(1·3⋯(2n+1)) for x ≥ 0, a sum from below and one from above. Each term is the one before times
 * x²/(2n+1); once 2n + 1 ≥ 2x² they at least halve, so all that follow the last one are together at most as large.
 */
function series({ lo: x, precision }: Interval, square: bigint): Interval {
  const shift = BigInt(precision);
  const [low, high] = [(x * x) >> shift, ceilShift(x * x, shift)];
  let [lower, upper, odd] = [x, x, 1n];
  let [sumLower, sumUpper] = [x, x];
  while (upper > 1n || odd < 2n * square) {
    odd += 2n;
    lower = ((lower * low) >> shift) / odd;
    upper = ceilDiv(ceilShift(upper * high, shift), odd);
    sumLower += lower;
    sumUpper += upper;
  }
  return new Interval(sumLower, sumUpper + upper, precision);
}

const PI_STEP = 64;
const piOfBits = new Map<number, Interval>();

/** π = 16·atan(1/5) − 4·atan(1/239), at most two units wide; computed once for every 64 bits of precision. */
export function pi(precision: number): Interval {
  // Two units for each of less than `bits` terms, times 20: these guard digits make it less than a unit.
  const bits = PI_STEP * Math.ceil((precision + bitLength(BigInt(precision)) + 8) / PI_STEP);
  let wide = piOfBits.get(bits);
  if (wide === undefined) {
    wide = atanOfInverse(5n, bits).times(16n).minus(atanOfInverse(239n, bits).times(4n));
    piOfBits.set(bits, wide);
  }
  return wide.withPrecision(precision);
}

/** atan(1/k) = Σ (−1)^j/((2j + 1)·k^(2j+1)) for k > 1: the terms fall and alternate, so the last one bounds the rest. */
function atanOfInverse(k: bigint, bits: number): Interval {
  let power = Interval.from(Rational.of(1n, k), bits);
  let [sum, odd, sign] = [power, 1n, -1n];
  while (power.hi > 1n) {
    power = power.dividedBy(k * k);
    odd += 2n;
    sum = sum.plus(power.dividedBy(odd * sign));
    sign = -sign;
  }
  return new Interval(sum.lo - 1n, sum.hi + 1n, bits);
}
