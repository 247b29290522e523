/**
 * The table behind `integerPartition`: for one side of a Young diagram (its rows x₁ ≥ x₂ ≥ …, or its columns) the sums
 *
 *     A_i(Q) = b^|x_i − Q|·S_(i−1)(Q),    S_i(Q) = Σ_(Q′ ≥ Q) A_i(Q′),    S_0 = 1
 *
 * over all non-increasing y₁ ≥ … ≥ y_i ≥ Q, as enclosures by integers with one exponent per row. Row i is asked for Q ≥ i
 * only, so where x_i < i it leaves out the factor b^(i − x_i) that all of them have: Ŝ has max(x_i, i) in place of x_i. Only
 * a window around that is listed; what lies above and below it is bounded. A bound that is too wide to decide by is computed
 * again with more digits or a wider window.
 *
 * Cost: two multiplications a cell. A long table keeps every hundredth row or so, and computes the others again where they are asked for,
 * from the last to the first; that takes twice the time. Proof: integer-partition.proof.md.
 * @module
 */
import { bitLength, ceilShift, integerSqrt } from "../exact/integers.js";
import { Rational } from "../exact/rational.js";

/** A number > 0 between lo·2^exponent and hi·2^exponent. */
export interface Scaled {
  readonly lo: bigint;
  readonly hi: bigint;
  readonly exponent: number;
}

/** The interval with at most `digits` digits, rounded outward. */
export function trimmed({ lo, hi, exponent }: Scaled, digits: number): Scaled {
  const surplus = bitLength(hi) - digits;
  if (surplus <= 0) return { lo, hi, exponent };
  const shift = BigInt(surplus);
  return { lo: lo >> shift, hi: ceilShift(hi, shift), exponent: exponent + surplus };
}

export function product(a: Scaled, b: Scaled, digits: number): Scaled {
  return trimmed({ lo: a.lo * b.lo, hi: a.hi * b.hi, exponent: a.exponent + b.exponent }, digits);
}

/** base^exponent for an integer exponent, negative ones too. */
export function powerOf(base: Rational, exponent: bigint, digits: number): Scaled {
  const isNegative = exponent < 0n;
  const { numerator, denominator } = isNegative ? Rational.ONE.dividedBy(base) : base;
  const shift = BigInt(2 * digits);
  const start = (numerator << shift) / denominator;
  let square: Scaled = { lo: start, hi: start + 1n, exponent: -2 * digits };
  let result: Scaled = { lo: 1n, hi: 1n, exponent: 0 };
  for (let rest = isNegative ? -exponent : exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = product(result, square, 2 * digits);
    square = product(square, square, 2 * digits);
  }
  return trimmed(result, digits);
}

/** How finely a table is computed. */
export interface Fineness {
  /** Binary digits. */
  readonly digits: number;
  /** How far from x_i cells are listed. */
  readonly window: number;
}

/** S_i over a window; lo and hi in units of 2^exponent. */
interface Row {
  readonly from: number;
  readonly lo: readonly bigint[];
  readonly hi: readonly bigint[];
  readonly exponent: number;
  /** S_i(Q) beyond the window is at most this. */
  readonly above: bigint;
  /** S_i(Q) before the window exceeds that at its start by at most this. */
  readonly before: bigint;
}

/** b^d for d = 0, 1, 2, … in units of 2^−digits. */
function weightTable(base: Rational, length: number, digits: number): { lo: bigint[]; hi: bigint[] } {
  const { numerator, denominator } = base;
  const [lo, hi] = [[1n << BigInt(digits)], [1n << BigInt(digits)]];
  for (let d = 1; d < length; d++) {
    lo.push((lo[d - 1] * numerator) / denominator);
    hi.push((hi[d - 1] * numerator) / denominator + 1n);
  }
  return { lo, hi };
}

/** Cells of a table that are listed at once, some 30 MB; in longer tables as many rows as the root of their number. */
const LISTED_AT_ONCE = 524_288;

export class PartitionTable {
  readonly #parts: readonly number[];
  readonly #fineness: Fineness;
  /** An integer ≥ 1/(1 − b). */
  readonly #tail: bigint;
  readonly #weights: { readonly lo: readonly bigint[]; readonly hi: readonly bigint[] };
  /** Ŝ_k(k), for k at k − 1. */
  readonly #wholes: Scaled[] = [];
  /** How many rows a stretch has; of all but one stretch only the row before it is kept. */
  readonly #stretch: number;
  readonly #beforeStretch: (Row | undefined)[] = [];
  #listed: Stretch = { number: -1, rows: [] };
  #isNarrow = false;

  /** For these parts, padded with zeros by the caller. */
  constructor(parts: readonly number[], base: Rational, fineness: Fineness, listedAtOnce = LISTED_AT_ONCE) {
    this.#parts = parts;
    this.#fineness = fineness;
    this.#tail = Rational.ONE.dividedBy(Rational.ONE.minus(base)).ceil();
    this.#weights = weightTable(base, fineness.window + 2, fineness.digits);
    const atOnce = Math.floor(listedAtOnce / (2 * fineness.window + 1));
    this.#stretch = Math.max(Number(integerSqrt(BigInt(parts.length))), atOnce, 1);
    let previous: Row | undefined;
    for (let number = 0; number * this.#stretch < parts.length; number++) {
      this.#beforeStretch.push(previous);
      previous = this.#list(number).at(-1);
      for (const row of this.#listed.rows) this.#wholes.push(sumFrom(row, this.#wholes.length + 1));
    }
  }

  /** Whether what lies beyond the windows widens the enclosures more than their digits do. */
  get isNarrow(): boolean {
    return this.#isNarrow;
  }

  /** Ŝ_k(k). */
  whole(k: number): Scaled {
    return this.#wholes[k - 1];
  }

  /** Ŝ_i(Q). Before the window it is that at the start and a little more; beyond it between 0 and a little. */
  sum(i: number, q: number): Scaled {
    return sumFrom(this.#row(i), q);
  }

  /** The last Q of the window of row i. */
  last(i: number): number {
    const { from, lo } = this.#row(i);
    return from + lo.length - 1;
  }

  /** Row i; from a stretch that is not listed it lists that one. */
  #row(i: number): Row {
    const number = Math.floor((i - 1) / this.#stretch);
    const rows = number === this.#listed.number ? this.#listed.rows : this.#list(number);
    return rows[i - 1 - number * this.#stretch];
  }

  #list(number: number): readonly Row[] {
    const rows: Row[] = [];
    const first = number * this.#stretch + 1;
    const last = Math.min(first - 1 + this.#stretch, this.#parts.length);
    let previous = this.#beforeStretch[number];
    this.#listed = { number, rows };
    for (let i = first; i <= last; i++) {
      previous = this.#rowAfter(previous, i);
      rows.push(previous);
    }
    return rows;
  }

  /** Row i from the one before it. */
  #rowAfter(previous: Row | undefined, i: number): Row {
    const { digits, window } = this.#fineness;
    const shift = BigInt(digits);
    const x = Math.max(this.#parts[i - 1], i);
    const from = Math.max(i, x - window);
    const to = x + window;
    const one = 1n << shift;
    const start = previous === undefined ? one : previous.lo[0];
    const startMost = previous === undefined ? one : previous.hi[0] + previous.before;
    const length = to - from + 1;
    const [lo, hi] = [new Array<bigint>(length), new Array<bigint>(length)];
    const weights = this.#weights;
    // Σ over Q > to of b^(Q − x)·S_(i−1)(Q), which falls in Q.
    const beyond = previous === undefined ? one : hiAt(previous, to + 1, startMost);
    const above = this.#missed(to + 1 - x, beyond, length);
    let [sumLo, sumHi] = [0n, above];
    for (let at = length - 1; at >= 0; at--) {
      const q = from + at;
      const distance = q > x ? q - x : x - q;
      const place = previous === undefined ? -1 : q - previous.from;
      const isListed = previous !== undefined && place >= 0 && place < previous.lo.length;
      const [least, most] = isListed
        ? [previous.lo[place], previous.hi[place]]
        : place < 0
          ? [start, startMost]
          : [0n, previous?.above ?? 0n];
      sumLo += (weights.lo[distance] * least) >> shift;
      sumHi += ((weights.hi[distance] * most) >> shift) + 1n;
      lo[at] = sumLo;
      hi[at] = sumHi;
    }
    // Σ over Q < from of b^(x − Q)·S_(i−1)(Q); there are none where rows must be at least i.
    const before = from > i ? this.#missed(x - from + 1, startMost, length) : 0n;
    return scaledRow({ from, lo, hi, exponent: previous?.exponent ?? 0, above, before }, digits);
  }

  /** What cells from a distance on add at most, if the sums there are at most `most`. */
  #missed(distance: number, most: bigint, length: number): bigint {
    const part = ((this.#weights.hi[distance] * most) >> BigInt(this.#fineness.digits)) * this.#tail;
    if (part > BigInt(length)) this.#isNarrow = true; // more than a unit for each cell, which is what rounding adds
    return part + this.#tail;
  }
}

/** Rows one after another. */
interface Stretch {
  readonly number: number;
  readonly rows: readonly Row[];
}

function sumFrom({ from, lo, hi, exponent, above, before }: Row, q: number): Scaled {
  const at = q - from;
  if (at < 0) return { lo: lo[0], hi: hi[0] + before, exponent };
  return at < lo.length ? { lo: lo[at], hi: hi[at], exponent } : { lo: 0n, hi: above, exponent };
}

function hiAt({ from, hi, above }: Row, q: number, startMost: bigint): bigint {
  const at = q - from;
  return at < 0 ? startMost : at < hi.length ? hi[at] : above;
}

/** The row scaled to `digits` digits at its start, so that none are lost as sums grow or shrink. Row 0 would have the exponent −digits. */
function scaledRow(row: Row, digits: number): Row {
  const surplus = bitLength(row.hi[0]) - digits;
  const shift = BigInt(Math.abs(surplus));
  const down = surplus > 0 ? (end: bigint) => end >> shift : (end: bigint) => end << shift;
  const up = surplus > 0 ? (end: bigint) => ceilShift(end, shift) : down;
  return {
    from: row.from,
    lo: row.lo.map(down),
    hi: row.hi.map(up),
    exponent: row.exponent + surplus,
    above: up(row.above),
    before: up(row.before),
  };
}
