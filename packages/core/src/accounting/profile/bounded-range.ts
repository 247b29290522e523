/**
 * δ(ε; η, k): the least δ for which any k rounds of bounded range η are (ε, δ)-DP, each round chosen by looking at the answers
 * before and the last one by any rule that looks at them. With W₀(x) = (x − e^ε)₊, W_j(x) is the highest chord of W_{j−1}
 * above x among the intervals whose ends have the ratio e^η, and δ = W_k(1).
 *
 * The recursion runs on a grid of losses of step h = η/M. It stores V_j(s) = e^−s·W_j(e^s) at ε + nh and bounds what a chord
 * between grid points can have more than one through them (Lemma 2 of the proof). Its doubles are only added, subtracted,
 * multiplied, divided and compared, their constants are enclosures rounded up, and each step has slack for its roundings. So the
 * answer is at least δ, and equal on every engine.
 *
 * Rounds whose ranges are fixed beforehand may have different ones: then each has a chord ratio of its own, on one grid on which
 * the ranges are rounded up, and the recursion goes from the last round to the first.
 *
 * If counts are measured after the rounds, with a profile δ_G(e) of their own for all real e, W₀(x) = x·δ_G(ε − ln x) takes the place of
 * (x − e^ε)₊: names and counts share one δ. Then nothing is known of V outside the window but that it grows.
 *
 * Cost: about 4·k^1.5·M² inner steps of some nanoseconds. Proof: rounds-of-bounded-range.proof.md.
 * @module
 */

import { invalidParameter } from "../../errors.js";
import { roundedUp, zerosAfterPoint } from "../../exact/certified.js";
import { bitLength, integerSqrt } from "../../exact/integers.js";
import { Interval } from "../../exact/interval.js";
import { Rational, type RationalLike, rational, toDigits } from "../../exact/rational.js";
import { integer, nonNegativeRational, positiveRational, readOptions } from "../../options.js";
import { deltaOfCounts, hasExactDelta } from "./discrete-gaussian.js";

/** Rounds of bounded range: how many at most, and the range of each. */
export interface RangeRounds {
  readonly range: Rational;
  readonly rounds: number;
}

/**
 * An ε, and the rounds whose δ is asked.
 *
 * @inline
 */
export interface BoundedRangeDeltaOptions {
  /** The ε to find the δ for. */
  readonly epsilon: RationalLike;
  /** η, the bounded range of each round: r/scale for Gumbel noise. */
  readonly range?: RationalLike | undefined;
  /** How many rounds there are at most, from 1 to 1,000. */
  readonly rounds?: number | undefined;
  /** In place of both: the range of each round, first to last, fixed before the first one. */
  readonly ranges?: readonly RationalLike[] | undefined;
  /** Integer counts that are measured after the rounds, with discrete Gaussian noise of its own for each. */
  readonly counts?: MeasuredAfter | undefined;
}

/**
 * The δ for which some rounds of bounded range are (ε, δ)-DP together, rounded up: each may be chosen by looking at the
 * answers before, and the last by any rule that looks at them. No smaller δ holds for all such rounds, except for the
 * error of the grid: about 0.1 % for 10 rounds, 1 % for 100.
 *
 * @param options An ε, how many rounds, and their range.
 *
 * @example
 * ```ts
 * import { boundedRangeDelta } from "winnow-dp";
 *
 * boundedRangeDelta({ epsilon: 1, range: "0.1534", rounds: 10 }).toNumber(); // → 0.000001006654219828133
 * boundedRangeDelta({ epsilon: 1, range: "0.1", rounds: 10 }); // → 0
 * boundedRangeDelta({ epsilon: 1, ranges: ["0.5", "0.25", "0.25", "0.5"] }).toNumber(); // → 0.001039127632858657
 * ```
 */
export function boundedRangeDelta(options: BoundedRangeDeltaOptions): Rational {
  const read = readOptions(
    options,
    { epsilon: positiveRational },
    { range: nonNegativeRational, rounds: upToMostRounds, ranges: someRanges, counts: readCounts },
  );
  const { range, rounds, ranges } = read;
  const after = read.counts as Profile | undefined;
  if (ranges !== undefined) {
    if (range !== undefined || rounds !== undefined)
      throw invalidParameter("ranges", "absent beside range and rounds", ranges.length);
    return deltaOfRanges(
      rational(read.epsilon),
      ranges.map((each) => rational(each)),
      { after },
    );
  }
  if (range === undefined || rounds === undefined)
    throw invalidParameter(range === undefined ? "range" : "rounds", "given, or ranges", "none");
  if (after !== undefined)
    return deltaOfRanges(rational(read.epsilon), new Array<Rational>(rounds).fill(rational(range)), {
      after,
    });
  return deltaAtMost(rational(read.epsilon), { range: rational(range), rounds });
}

function someRanges(field: string, value: readonly RationalLike[]): readonly RationalLike[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MOST_ROUNDS)
    throw invalidParameter(field, `a list of 1 to ${MOST_ROUNDS} rationals >= 0`, typeof value);
  return Object.freeze(value.map((each, i) => nonNegativeRational(`${field}[${i}]`, each)));
}

function upToMostRounds(field: string, value: number): number {
  return integer(field, value, 1, MOST_ROUNDS);
}

/**
 * Counts with discrete Gaussian noise.
 *
 * @inline
 */
export interface MeasuredAfter {
  /** σ² of the noise of each count. */
  readonly variance: RationalLike;
  /** How many counts one individual moves at most, each by 1. */
  readonly moved: number;
}

/** At least δ(e) of what follows the rounds, for any real e. */
export type Profile = (e: Rational) => Rational;

/** The profile at all e of a pair that is its own mirror image, from e ≥ 0: H(e) = 1 − e^e + e^e·H(−e). */
export function bothSigns(profile: Profile): Profile {
  return (e) => {
    if (e.numerator >= 0n) return profile(e);
    const factor = Interval.from(e, 256).exp().lower();
    return Rational.ONE.minus(factor.times(Rational.ONE.minus(profile(e.negated()))));
  };
}

function readCounts(field: string, given: MeasuredAfter): Profile {
  const read = readOptions(given, { variance: positiveRational, moved: integer }, {}, field);
  const variance = rational(read.variance);
  return bothSigns((e) => {
    if (hasExactDelta(e, variance, read.moved)) return deltaOfCounts(e, variance, read.moved);
    // Where e is far out, δ is at most that of a smaller e.
    const reach = Rational.of(7000n * BigInt(read.moved)).dividedBy(variance);
    const near = Rational.of(integerSqrt(reach.times(10n ** 12n).floor()), 10n ** 6n);
    return deltaOfCounts(near.compare(e) < 0 ? near : e, variance, read.moved);
  });
}

/** With more rounds a conversion of their zCDP is as good. */
export const MOST_ROUNDS = 1000;

/** Up to this sum of ranges the powers of e are within reach, and the slack of c suffices. */
const MOST_TOTAL = 700n;

/** A range or an ε below this one leaves the doubles. */
const LEAST = /* @__PURE__ */ Rational.of(1n, 10n ** 30n);

/** M, the grid points of a range: [rounds up to this number, M]. The error of η is about M⁻²/2. */
const GRIDS = [
  [3, 512],
  [10, 128],
  [30, 64],
  [100, 32],
  [300, 24],
  [MOST_ROUNDS, 16],
] as const;

/** The grid for a number of rounds. */
export function gridFor(rounds: number): number {
  return (GRIDS.find(([most]) => rounds <= most) as readonly [number, number])[1];
}

/** Whether the recursion can be run for such an ε and such rounds. */
export function isComputable(epsilon: Rational, { range, rounds }: RangeRounds): boolean {
  const isReached = range.times(rounds).compare(MOST_TOTAL) <= 0 && rounds <= MOST_ROUNDS;
  return isReached && range.compare(LEAST) >= 0 && epsilon.compare(LEAST) >= 0;
}

/** At least δ(ε; η, k), with at most fifteen digits; 0 exactly where k·η ≤ ε. */
export function deltaAtMost(
  epsilon: Rational,
  { range, rounds }: RangeRounds,
  grid = gridFor(rounds),
): Rational {
  if (range.times(rounds).compare(epsilon) <= 0) return Rational.ZERO;
  if (!isComputable(epsilon, { range, rounds }))
    throw invalidParameter("range", "such that rounds·range <= 700, and at least 1e-30, as epsilon", range);
  if (rounds === 1) return deltaOfOne(epsilon, range);
  return new Recursion(epsilon, range.dividedBy(grid), new Array<number>(rounds).fill(grid)).delta();
}

/** What follows the rounds, and the grid. */
interface Around {
  readonly after?: Profile | undefined;
  readonly grid?: number;
}

/** At least the δ of rounds whose ranges were fixed before the first one, first to last; ranges of 0 count for nothing. */
export function deltaOfRanges(
  epsilon: Rational,
  given: readonly Rational[],
  { after, grid = gridFor(given.length) }: Around = {},
): Rational {
  const ranges = given.filter(({ numerator }) => numerator > 0n);
  const total = ranges.reduce((sum, range) => sum.plus(range), Rational.ZERO);
  // Without counts, whose own δ comes on top.
  if (after === undefined && total.compare(epsilon) <= 0) return Rational.ZERO;
  if (after !== undefined && ranges.length === 0) return toDigits(after(epsilon), "up");
  const widest = ranges.reduce((most, range) => (range.compare(most) > 0 ? range : most));
  if (!isComputable(epsilon, { range: widest, rounds: ranges.length }))
    throw invalidParameter(
      "ranges",
      "such that rounds·largest <= 700, and at least 1e-30, as epsilon",
      widest,
    );
  if (ranges.length === 1 && after === undefined) return deltaOfOne(epsilon, widest);
  const step = widest.dividedBy(grid);
  const grids = ranges.map((range) => Number(range.dividedBy(step).ceil()));
  return new Recursion(epsilon, step, grids, after).delta();
}

/** (1 − e^((ε − η)/2))²/(1 − e^−η), which the two-point law with t = (ε + η)/2 attains. */
function deltaOfOne(epsilon: Rational, range: Rational): Rational {
  const half = epsilon.minus(range).dividedBy(2n);
  return roundedUp((precision) => {
    const bits = precision + zerosAfterPoint(range);
    const oneMinusExp = (x: Rational) => Interval.from(x, bits).exp().negated().plus(1n);
    const root = oneMinusExp(half);
    return root.times(root).dividedBy(oneMinusExp(range.negated())).withPrecision(precision);
  });
}

/** 1 + 2^−50, 1 + 2^−49, and the slack of differences: the proof says of which roundings. */
const [UP_50, UP_49] = [1 + 1 / 0x4_0000_0000_0000, 1 + 1 / 0x2_0000_0000_0000];
const [SLACK_46, SLACK_48] = [1 / 0x4000_0000_0000, 1 / 0x1_0000_0000_0000];
const DOWN_50 = 1 - 1 / 0x4_0000_0000_0000;
/** 2^−900: below it doubles could underflow. */
const FLOOR = 1 / Number(1n << 900n);

/** The fewest standard deviations, times four, of a sum of losses that the window holds. */
const LEAST_WIDTH = 8;

class Recursion {
  readonly #epsilon: Rational;
  /** h. */
  readonly #spacing: Rational;
  /** The grid points of each range, last round first. */
  readonly #grids: readonly number[];
  readonly #widest: number;
  /** The grid point at or below the loss 0. */
  readonly #zero: number;
  readonly #width: number;
  /** At most e^(−ih). */
  readonly #powers: number[] = [1];
  readonly #step: number;
  readonly #after: Profile | undefined;

  /** `grids` has the grid points of each round, first to last; `after` is the profile of what follows them. */
  constructor(epsilon: Rational, h: Rational, grids: readonly number[], after?: Profile) {
    this.#epsilon = epsilon;
    this.#after = after;
    this.#spacing = h;
    this.#grids = [...grids].reverse();
    this.#widest = Math.max(...grids);
    this.#zero = -Number(epsilon.dividedBy(h).ceil());
    const root = rootOf(this.#squares(grids));
    const widths = epsilon.dividedBy(h.times(this.#widest)).toNumber("up");
    this.#width = Math.max(LEAST_WIDTH, (2 * widths) / root + 2);
    const precision = 128 + zerosAfterPoint(h);
    this.#step = Interval.from(h.negated(), precision).exp().toNumber("down") * DOWN_50;
  }

  /** At most e^(−nh): each step is rounded down. */
  #power(n: number): number {
    const powers = this.#powers;
    while (powers.length <= n) powers.push(powers[powers.length - 1] * this.#step);
    return powers[n];
  }

  /** The sum of the squares of some ranges, in units of the widest. */
  #squares(grids: readonly number[]): number {
    return grids.reduce((sum, grid) => sum + (grid / this.#widest) * (grid / this.#widest), 0);
  }

  /** How many grid points the window has on each side of 0 after rounds of these ranges. */
  #spread(grids: readonly number[]): number {
    const wide =
      Math.ceil((this.#width * rootOf(this.#squares(grids)) * this.#widest) / 2) + 2 * this.#widest;
    return Math.min(totalOf(grids), wide);
  }

  delta(): Rational {
    const [grids, zero] = [this.#grids, this.#zero];
    let values: Values = { from: 0, bounds: Float64Array.of(0) };
    for (const [round, grid] of grids.entries()) {
      const [folded, toCome] = [
        this.#spread(grids.slice(0, round + 1)),
        this.#spread(grids.slice(round + 1)),
      ];
      const isAlone = this.#after === undefined;
      const from = Math.max(isAlone ? -folded : zero - toCome - 1, zero - toCome - 1);
      const to = Math.max(zero + 2, Math.min(isAlone ? folded : zero + toCome + 2, zero + toCome + 2));
      if (!(from <= to)) throw new Error("the window of the recursion is empty");
      const [lowest, highest] = [from - grid, to + grid + 1];
      const known =
        this.#after !== undefined && round === 0
          ? this.#profiled(this.#after, lowest, highest)
          : this.#filled(values, totalOf(grids.slice(0, round)), lowest, highest);
      values = this.#folded(known, from, to, grid);
    }
    const at = zero - values.from;
    if (!(at >= 0 && at + 1 < values.bounds.length)) throw new Error("the window of the recursion misses 0");
    return this.#between(values.bounds[at], values.bounds[at + 1]);
  }

  /** V₀ of what follows the rounds: δ_G(ε − s) at s = ε + nh. */
  #profiled(after: Profile, from: number, to: number): Float64Array {
    const values = new Float64Array(to - from + 1);
    for (let n = from; n <= to; n++)
      values[n - from] = Math.min(1, after(this.#spacing.times(-n)).toNumber("up"));
    return values;
  }

  /** The bounds after rounds that reach this far, at all points from `from` to `to`, of which only a window was stored. */
  #filled(stored: Values, reach: number, from: number, to: number): Float64Array {
    const { bounds } = stored;
    const [lowest, highest] = [stored.from, stored.from + bounds.length - 1];
    const filled = new Float64Array(to - from + 1);
    for (let n = from; n <= to; n++) filled[n - from] = this.#filler(n, lowest, highest, reach, bounds);
    return filled;
  }

  /**
   * V is 0 up to −jη (the sum of the ranges) and 1 − e^−s from jη on. Between, it grows, so below the window it is at most the lowest that is stored;
   * and W has slope at most 1, so above it 1 − V falls at most like e^−s.
   */
  #filler(n: number, lowest: number, highest: number, reach: number, bounds: Float64Array): number {
    if (this.#after === undefined && n <= -reach) return 0;
    if (this.#after === undefined && n >= reach) return 1 - this.#power(n);
    if (n < lowest) return bounds[0];
    if (n <= highest) return bounds[n - lowest];
    return Math.min(1, (1 - this.#power(n - highest) * (1 - bounds[highest - lowest])) * UP_50);
  }

  /** One round more: the highest chord above each point. `known[0]` is the bound at from − M. */
  #folded(known: Float64Array, from: number, to: number, grid: number): Values {
    const { upper, lower, ratio, inverse, curvature, slope } = this.#constantsFor(grid);
    const cells = to - from + grid + 1;
    const excess = new Float64Array(cells);
    for (let n = 0; n < cells; n++) {
      const c =
        known[n + grid] -
        known[n] +
        ratio * inverse * (known[n + grid + 1] - known[n + grid] - (known[n + 1] - known[n])) +
        SLACK_46 * inverse * known[n + grid + 1];
      excess[n] = c > 0 ? c * curvature * UP_50 : 0;
    }
    const bounds = new Float64Array(to - from + 1);
    for (let i = 0; i < bounds.length; i++) {
      let best = 0;
      let before = known[i + grid]; // the chord of t = 0 is the point itself
      for (let m = 1; m <= grid; m++) {
        const chord = upper[m] * known[i + m + grid] + lower[m] * known[i + m];
        const higher = chord > before ? chord : before;
        const most = excess[i + m - 1];
        if (higher + most > best) {
          const distance = (chord > before ? chord - before : before - chord) - SLACK_48 * higher;
          const part = distance <= 0 ? 1 : 1 - (slope * distance) / (4 * most);
          const bound = part > 0 ? higher + most * part * part : higher;
          if (bound > best) best = bound;
        }
        before = chord;
      }
      bounds[i] = Math.min(1, Math.max(best * UP_49, FLOOR));
    }
    return { from, bounds };
  }

  readonly #constants = new Map<number, Constants>();

  /** Each at least what it stands for. */
  #constantsFor(grid: number): Constants {
    const known = this.#constants.get(grid) ?? constantsFor(this.#spacing.times(grid), grid);
    this.#constants.set(grid, known);
    return known;
  }

  /** W_k(1), between its bounds at the points around 1: linear in x, because a convex function is below its chord. */
  #between(low: number, high: number): Rational {
    const [below, above] = [exactly(low), exactly(high)];
    const h = this.#spacing;
    const loss = this.#epsilon.plus(h.times(this.#zero));
    const delta = roundedUp((precision) => {
      const bits = precision + 2 * zerosAfterPoint(h);
      const [x, next] = [loss, loss.plus(h)].map((s) => Interval.from(s, bits).exp()) as [Interval, Interval];
      const share = x.negated().plus(1n).dividedBy(next.minus(x));
      const left = share.negated().plus(1n).times(x).times(below);
      return left.plus(share.times(next).times(above)).withPrecision(precision);
    });
    return delta.compare(1n) > 0 ? Rational.ONE : delta;
  }
}

/** Bounds of V at the grid points from `from` on. */
interface Values {
  readonly from: number;
  readonly bounds: Float64Array;
}

interface Constants {
  /** P(loss t) and P(loss t − η) for t = mh. */
  readonly upper: Float64Array;
  readonly lower: Float64Array;
  /** e^h and 1/(e^h − 1). */
  readonly ratio: number;
  readonly inverse: number;
  /** (e^(h/2) − 1)²·e^η/(e^η − 1). */
  readonly curvature: number;
  /** 1 − h, at most, and at least 0. */
  readonly slope: number;
}

function constantsFor(range: Rational, grid: number): Constants {
  const h = range.dividedBy(grid);
  const bits = 192 + 4 * zerosAfterPoint(h) + 8 * bitLength(BigInt(grid)) + 3 * Number(range.ceil());
  const one = Interval.from(1n, bits);
  const factor = Interval.from(h.negated(), bits).exp();
  const powers = [one];
  for (let m = 1; m <= grid; m++) powers.push(powers[m - 1].times(factor)); // e^(−mh)
  const whole = one.minus(powers[grid]);
  const [upper, lower] = [new Float64Array(grid + 1), new Float64Array(grid + 1)];
  for (let m = 1; m < grid; m++) {
    upper[m] = one
      .minus(powers[grid - m])
      .dividedBy(whole)
      .toNumber("up");
    lower[m] = powers[grid - m].minus(powers[grid]).dividedBy(whole).toNumber("up");
  }
  [upper[0], lower[grid]] = [1, 1];
  const half = Interval.from(h.dividedBy(2n), bits).exp().minus(1n);
  const slope = h.compare(1n) >= 0 ? Rational.ZERO : Rational.ONE.minus(h);
  return {
    upper,
    lower,
    ratio: Interval.from(h, bits).exp().toNumber("up"),
    inverse: factor.dividedBy(one.minus(factor)).toNumber("up"),
    curvature: half.times(half).dividedBy(whole).toNumber("up"),
    slope: slope.toNumber("down"),
  };
}

function totalOf(grids: readonly number[]): number {
  return grids.reduce((sum, grid) => sum + grid, 0);
}

/** √n in doubles that every engine computes alike; only the size of the window hangs on it. */
function rootOf(n: number): number {
  return Number(integerSqrt(BigInt(Math.ceil(n * 0x100_0000_0000)))) / 0x10_0000;
}

/** The number that a double is, not the decimal that it prints as. */
function exactly(value: number): Rational {
  let [whole, places] = [value, 0n];
  for (; !Number.isInteger(whole); places++) whole *= 2;
  return Rational.of(BigInt(whole), 1n << places);
}
