/**
 * Draws a list y with probability proportional to b^‖x − y‖₁, the law of `integerPartition`.
 *
 * A list is a Young diagram. With the side k of its largest square it falls into k rows and k columns, which are independent given k
 * and x; their laws are in `PartitionTable`. Every choice compares one lazily drawn uniform with enclosures, and where these are too wide
 * the tables are made again with the same uniforms: with more digits, wider windows or more sides, whichever it was.
 *
 * Cost: two tables of a row for each of the about √n sides. Proof: integer-partition.proof.md.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { bitLength, ceilShift } from "../exact/integers.js";
import { Rational } from "../exact/rational.js";
import { PartialUniform } from "../sample/partial-uniform.js";
import { type Fineness, PartitionTable, powerOf, product, type Scaled } from "./partition-table.js";

/** A Young diagram: rows x₁ ≥ x₂ ≥ … and columns. */
class Diagram {
  readonly #rows: Float64Array;
  readonly total: number;
  /** The side of the largest square in it. */
  readonly side: number;

  constructor(rows: Float64Array) {
    this.#rows = rows;
    this.total = rows.reduce((sum, row) => sum + row, 0);
    let side = 0;
    while (side < rows.length && rows[side] > side) side++;
    this.side = side;
  }

  rows(count: number): number[] {
    return Array.from({ length: count }, (_, i) => this.#rows[i] ?? 0);
  }

  /** How many rows have at least 1, 2, … cells. */
  columns(count: number): number[] {
    const columns: number[] = [];
    for (let at = this.#rows.length, v = 1; v <= count; v++) {
      while (at > 0 && this.#rows[at - 1] < v) at--;
      columns.push(at);
    }
    return columns;
  }
}

/** How finely a try computes; a doubt, which is rare, doubles what it came from. */
export interface Effort extends Fineness {
  /** How far beyond the side of the diagram squares are considered. */
  readonly extra: number;
}

/** Thrown where enclosures don't decide: they are too short, or too little is listed. */
class Doubt extends Error {
  readonly about: keyof Effort;

  constructor(about: keyof Effort) {
    super();
    this.about = about;
  }
}

/** Far weights are below 2^−64 or so; these steer time only, because doubt is noticed. */
function firstEffort(base: Rational): Effort {
  const zeros = bitLength(base.denominator) - bitLength(base.numerator) + 1; // b is between 2^−zeros and 2^(2 − zeros)
  const distance = zeros > 4 ? 0 : Math.ceil(1 / (1 - base.toNumber())); // about 1/ln(1/b), or a little more
  const steps = zeros > 4 ? Math.ceil(80 / (zeros - 2)) : 50 * distance;
  let extra = 3;
  while ((extra - 2) * (extra - 2) < steps + 4 * distance * distance) extra++;
  return { digits: 64, window: steps + 8, extra };
}

/** The uniforms of one draw, which survive when the tables are made again. */
class Uniforms {
  readonly #entropy: Entropy;
  readonly #known = new Map<string, PartialUniform>();

  constructor(entropy: Entropy) {
    this.#entropy = entropy;
  }

  of(name: string): PartialUniform {
    const known = this.#known.get(name) ?? new PartialUniform(this.#entropy);
    this.#known.set(name, known);
    return known;
  }
}

/** Draws a list around counts that fall, from a given effort on; `retry` hears of every further one. */
export function drawPartition(
  counts: Float64Array,
  base: Rational,
  entropy: Entropy,
  first = firstEffort(base),
  retry: (effort: Effort) => void = () => {},
): number[] {
  const diagram = new Diagram(counts);
  const uniforms = new Uniforms(entropy);
  for (let effort = first; ; ) {
    try {
      return attempt(diagram, base, effort, uniforms);
    } catch (doubt) {
      if (!(doubt instanceof Doubt)) throw doubt;
      effort = { ...effort, [doubt.about]: 2 * effort[doubt.about] };
      retry(effort);
    }
  }
}

/** The sum of b^‖x − y‖₁ over all lists y around counts that fall, as rationals around it. */
export function partitionSum(
  counts: ArrayLike<number>,
  base: Rational,
  effort = firstEffort(base),
): { least: Rational; most: Rational } {
  const { weights, tail } = tabulate(new Diagram(Float64Array.from(counts)), base, effort);
  const value = (mantissa: bigint, exponent: number) =>
    Rational.of(mantissa << BigInt(Math.max(exponent, 0)), 1n << BigInt(Math.max(-exponent, 0)));
  const sum = (ends: readonly Rational[]) => ends.reduce((a, b) => a.plus(b), Rational.ZERO);
  return {
    least: sum(weights.map(({ lo, exponent }) => value(lo, exponent))),
    most: sum([...weights, tail].map(({ hi, exponent }) => value(hi, exponent))),
  };
}

/** What a try computes before it chooses. */
interface Tabulated {
  /** The tables of the rows and of the columns. */
  readonly tables: readonly [PartitionTable, PartitionTable];
  /** What all lists with a square of side 0, 1, … weigh together. */
  readonly weights: readonly Scaled[];
  /** What all further ones weigh. */
  readonly tail: Scaled;
}

function tabulate(diagram: Diagram, base: Rational, effort: Effort): Tabulated {
  const most = diagram.side + effort.extra;
  const [rows, columns] = [diagram.rows(most), diagram.columns(most)];
  const tables = [rows, columns].map((list) => new PartitionTable(list, base, effort)) as [
    PartitionTable,
    PartitionTable,
  ];
  const distances = distancesOfSides(diagram, rows, columns);
  const weights = distances.map((distance, k) =>
    product(wholeOf(tables, k, effort.digits), powerOf(base, distance, effort.digits), effort.digits),
  );
  return { tables, weights, tail: tailBound(weights, diagram.side, most, base, effort.digits) };
}

/** Ŝ_k(k) of the rows times that of the columns. */
function wholeOf(tables: readonly [PartitionTable, PartitionTable], k: number, digits: number): Scaled {
  if (k === 0) return { lo: 1n, hi: 1n, exponent: 0 };
  const both = product(tables[0].whole(k), tables[1].whole(k), digits);
  return { ...both, exponent: both.exponent - 2 * digits }; // each table leaves out its row 0, which is 2^digits
}

/** The cells outside of k rows and k columns up to the side of the diagram, and beyond it by how much k exceeds that. */
function distancesOfSides(
  { total, side }: Diagram,
  rows: readonly number[],
  columns: readonly number[],
): bigint[] {
  const distances = [BigInt(total)];
  for (let k = 1, outside = total; k <= rows.length; k++) {
    outside += 2 * k - 1 - rows[k - 1] - columns[k - 1]; // the square is k² − (k − 1)² larger, and counted twice
    distances.push(BigInt(k <= side ? outside : k - side));
  }
  return distances;
}

function attempt(diagram: Diagram, base: Rational, effort: Effort, uniforms: Uniforms): number[] {
  const { tables, weights, tail } = tabulate(diagram, base, effort);
  const limit = tables.some((table) => table.isNarrow) ? "window" : "digits";
  const side = chooseByWeight(weights, tail, effort.digits, uniforms.of("side"), limit);
  const [rows, lower] = tables.map((table, which) => {
    const parts = new Array<number>(side);
    for (let i = side, least = side; i >= 1; i--) {
      least = chooseRow(table, i, least, effort.digits, uniforms.of(`${which} ${side} ${i}`), limit);
      parts[i - 1] = least;
    }
    return parts;
  });
  return rows.concat(rowsBelow(lower));
}

/** The rows below a square: row i has as many cells as columns reach down to it, and fewer do the further down it is. */
export function rowsBelow(columns: readonly number[]): number[] {
  const side = columns.length;
  const rows: number[] = [];
  const last = columns[0] ?? 0;
  for (let i = side + 1, reach = side; i <= last; i++) {
    while (columns[reach - 1] < i) reach--;
    rows.push(reach);
  }
  return rows;
}

/** Σ of all weights beyond the last: at most b^(d²)/((1 − b)·(b; b)∞²) times those up to the side, d = last + 1 − side. */
function tailBound(
  weights: readonly Scaled[],
  side: number,
  last: number,
  base: Rational,
  digits: number,
): Scaled {
  const gap = BigInt(last + 1 - side);
  const power = powerOf(base, gap * gap, digits);
  // ln 1/(b; b)∞ ≤ π²/(6·ln(1/b)) and ln(1/b) ≥ 1 − b; 1.645 > π²/6 and e < 2^1.4427.
  const rate = Rational.ONE.minus(base);
  const bits = Number(
    Rational.of(2n * 1645n * 14427n, 10_000_000n)
      .dividedBy(rate)
      .ceil(),
  );
  const spread = Rational.ONE.dividedBy(rate).ceil();
  const exponent = weights.slice(0, side + 1).reduce((most, w) => Math.max(most, w.exponent), -Infinity);
  const sum = weights
    .slice(0, side + 1)
    .reduce((total, w) => total + ceilShift(w.hi, BigInt(exponent - w.exponent)), 0n);
  const head: Scaled = { lo: 0n, hi: sum * spread, exponent: exponent + bits };
  return { ...product(head, power, digits), lo: 0n };
}

/** ⌊a·2^by⌋. */
function shifted(a: bigint, by: number): bigint {
  return by < 0 ? a >> BigInt(-by) : a << BigInt(by);
}

/** Which of the weights a uniform falls on. */
function chooseByWeight(
  weights: readonly Scaled[],
  tail: Scaled,
  digits: number,
  u: PartialUniform,
  limit: keyof Fineness,
): number {
  // The largest weight has `digits` digits.
  const exponent =
    weights.reduce((most, w) => Math.max(most, w.exponent + bitLength(w.hi)), -Infinity) - digits;
  const floor = (w: Scaled) => shifted(w.lo, w.exponent - exponent);
  const ceil = (w: Scaled) => -shifted(-w.hi, w.exponent - exponent);
  const lo: bigint[] = [0n];
  const hi: bigint[] = [0n];
  for (const [k, weight] of weights.entries()) {
    lo.push(lo[k] + floor(weight));
    hi.push(hi[k] + ceil(weight));
  }
  const [least, listed] = [lo[weights.length], hi[weights.length]];
  const most = listed + ceil(tail);
  for (;;) {
    const shift = BigInt(u.bits);
    for (let k = 0; k < weights.length; k++) {
      const isReached = hi[k] << shift <= u.numerator * least;
      const isNotPassed = (u.numerator + 1n) * most <= lo[k + 1] << shift;
      if (isReached && isNotPassed) return k;
    }
    if (u.bits >= digits + 64) throw new Doubt(most - listed > listed - least ? "extra" : limit);
    u.reveal();
  }
}

/** The largest Q with U < S_i(Q)/S_i(least), which is at least `least`. */
function chooseRow(
  table: PartitionTable,
  i: number,
  least: number,
  digits: number,
  u: PartialUniform,
  limit: keyof Fineness,
): number {
  const last = table.last(i);
  if (least > last) throw new Doubt("window");
  const whole = table.sum(i, least);
  const isBelow = (q: number) => {
    const told = isBelowRatio(u, table.sum(i, q), whole, digits);
    if (told === undefined) throw new Doubt(limit);
    return told;
  };
  let [low, high] = [least, last + 1];
  if (isBelow(high)) throw new Doubt("window");
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Whether U < part/whole, drawing more digits of U; undefined where the enclosures don't tell. */
function isBelowRatio(u: PartialUniform, part: Scaled, whole: Scaled, digits: number): boolean | undefined {
  for (;;) {
    const shift = BigInt(u.bits);
    if ((u.numerator + 1n) * whole.hi <= part.lo << shift) return true;
    if (u.numerator * whole.lo >= part.hi << shift) return false;
    if (u.bits >= digits + 64) return undefined;
    u.reveal();
  }
}
