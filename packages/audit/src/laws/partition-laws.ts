/**
 * The law of `integerPartition`: P(y) = b^‖x − y‖₁/Z over all non-increasing lists y, by outcomes such as `"3,1"`, and `"none"` for
 * the empty list. Z is computed by another way than the mechanism's table: row by row from the last,
 *
 *     C_i(Q) = Σ_(Q′ ≤ Q) b^|x_i − Q′|·C_(i+1)(Q′),    C_(m+1)(Q) = ∏_(j ≤ Q) 1/(1 − b^j),
 *
 * where the product is the weight of all that may follow the m rows of x below a row of Q. Rows above a limit are bounded by a geometric
 * series, so Z is an enclosure and so is every probability.
 *
 * `boundedPartitionLaw` is that of the published mechanism with public bounds on every row, in rationals, for study.
 *
 * Cost: m·(x₁ + 192/η) products, and all lists that are asked for. Proof: packages/core/src/numbers/integer-partition.proof.md.
 * @module
 */
import { type Base2Parameter, Interval, invalidParameter, Rational, readers, readOptions } from "winnow-dp";

import type { Law } from "./law.js";

/**
 * An instance of `integerPartition` whose law is asked for.
 *
 * @inline
 */
export interface PartitionLawOptions {
  /** The base, made by `eta`. */
  readonly eta: Base2Parameter;
  /** Lists with a sum of at most this are outcomes; the law names no others. */
  readonly people: number;
  /** Binary places of the probabilities. Default 192. */
  readonly precision?: number | undefined;
}

const DEFAULT_PRECISION = 192;
/** Digits beyond those of the probabilities: rounding adds up over a row. */
const GUARD = 32;

function baseOf({ x, y, z }: Base2Parameter): Rational {
  return Rational.of(x ** z, 1n << (y * z));
}

function counts(field: string, list: readonly number[]): number[] {
  return Array.from(readers.arrayLike(field, list), (count) => readers.integer(field, count, 0));
}

function distance(x: readonly number[], y: readonly number[]): number {
  const rows = Math.max(x.length, y.length);
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += Math.abs((x[i] ?? 0) - (y[i] ?? 0));
  return sum;
}

/** Every non-increasing list of positive integers with a sum of at most `people`. */
export function* listsOf(people: number, largest = people): Generator<number[], void> {
  yield [];
  for (let first = 1; first <= Math.min(people, largest); first++)
    for (const rest of listsOf(people - first, first)) yield [first, ...rest];
}

/**
 * P(this list), for `integerPartition`.
 *
 * @param frequencies How many people have each item.
 * @param options The base, and which lists are named.
 *
 * @example
 * ```ts
 * import { integerPartitionLaw } from "winnow-audit";
 * import { eta } from "winnow-dp";
 *
 * const law = integerPartitionLaw([1], { eta: eta(1, 1), people: 2 });
 * [...law.keys()].join("; "); // → "none; 1; 1,1; 2"
 * ```
 */
export function integerPartitionLaw(frequencies: readonly number[], options: PartitionLawOptions): Law {
  const read = readOptions(
    options,
    { eta: readers.object, people: atLeastZero },
    { precision: readers.integer },
  );
  const { precision = DEFAULT_PRECISION, people } = read;
  const x = counts("frequencies", frequencies)
    .filter((count) => count > 0)
    .sort((a, b) => b - a);
  const powers = new Powers(baseOf(read.eta), precision + GUARD);
  const total = sumOfWeights(x, powers);
  return new Map(
    [...listsOf(people)].map((y) => [
      y.join(",") || "none",
      powers.of(distance(x, y)).dividedBy(total).withPrecision(precision),
    ]),
  );
}

function atLeastZero(field: string, value: number): number {
  return readers.integer(field, value, 0);
}

/** b^d, enclosed. */
class Powers {
  readonly precision: number;
  readonly base: Rational;
  readonly #known: Interval[];

  constructor(base: Rational, precision: number) {
    this.base = base;
    this.precision = precision;
    this.#known = [Interval.from(1n, precision)];
  }

  of(exponent: number): Interval {
    for (let d = this.#known.length; d <= exponent; d++)
      this.#known.push(this.#known[d - 1].times(this.base));
    return this.#known[exponent];
  }

  /** The first exponent at which a power is as good as 0. Rounded up, powers stop falling at 1/(1 − b) last places. */
  get last(): number {
    const least = 4n * Rational.ONE.dividedBy(Rational.ONE.minus(this.base)).ceil();
    let d = 1;
    while (this.of(d).hi > least) d++;
    return d;
  }

  /** From 0 to factor·Σ_(d ≥ from) b^d. */
  tail(factor: Interval, from: number): Interval {
    const most = factor.times(this.of(from)).dividedBy(Rational.ONE.minus(this.base));
    return new Interval(0n, most.hi, this.precision);
  }
}

/** Z: the sum of b^‖x − y‖₁ over all y. */
function sumOfWeights(x: readonly number[], powers: Powers): Interval {
  const { last, precision } = powers;
  const top = (x[0] ?? 0) + last;
  const one = Interval.from(1n, precision);
  const below: Interval[] = [one]; // C_(m+1)
  for (let q = 1; q <= top; q++) below.push(below[q - 1].dividedBy(one.minus(powers.of(q))));
  // The part beyond the top makes the whole at most 1/(1 − b^(top + 1)/(1 − b)) times as large.
  const spread = one.dividedBy(one.minus(powers.tail(one, top + 1)));
  let [cumulative, whole] = [below, below[top].times(spread)];
  for (const row of [...x].reverse()) {
    let sum = Interval.from(0n, precision);
    const next = cumulative.map((rest, q) => {
      sum = sum.plus(powers.of(Math.abs(row - q)).times(rest));
      return sum;
    });
    [cumulative, whole] = [next, sum.plus(powers.tail(whole, top + 1 - row))];
  }
  return whole;
}

/**
 * P(this list), for the published mechanism with public bounds on every row; lists keep their zeros.
 *
 * @param frequencies The frequencies, falling, one for each row.
 * @param options The base, and the bounds.
 */
export function boundedPartitionLaw(
  frequencies: readonly number[],
  options: {
    /** The base, made by `eta`. */
    readonly eta: Base2Parameter;
    /** The least count of each row. */
    readonly lower: readonly number[];
    /** The largest. */
    readonly upper: readonly number[];
  },
): Law {
  const read = readOptions(options, { eta: readers.object, lower: counts, upper: counts }, {});
  const x = counts("frequencies", frequencies);
  for (const field of ["lower", "upper"] as const)
    if (read[field].length !== x.length)
      throw invalidParameter(field, `a list of ${x.length} bounds`, read[field].length);
  const base = baseOf(read.eta);
  const lists = within(read.lower, read.upper, Number.MAX_SAFE_INTEGER);
  if (lists.length === 0) throw invalidParameter("upper", "bounds that admit a falling list", read.upper);
  const weights = lists.map((y) => {
    const d = BigInt(distance(x, y));
    return Rational.of(base.numerator ** d, base.denominator ** d);
  });
  const total = weights.reduce((a, b) => a.plus(b));
  return new Map(
    lists.map((y, i) => [y.join(","), Interval.from(weights[i].dividedBy(total), DEFAULT_PRECISION)]),
  );
}

/** Every non-increasing list within the bounds, from at most `most` on. */
function within(lower: readonly number[], upper: readonly number[], most: number): number[][] {
  if (lower.length === 0) return [[]];
  const lists: number[][] = [];
  for (let first = lower[0]; first <= Math.min(upper[0], most); first++)
    for (const rest of within(lower.slice(1), upper.slice(1), first)) lists.push([first, ...rest]);
  return lists;
}
