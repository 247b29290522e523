/**
 * `integerPartition`: a private frequency list. How many people have the most frequent item, the next, and so on, without names: a
 * non-increasing list y is drawn with probability proportional to b^‖x − y‖₁ over **all** such lists, b = (x/2^y)^z [BDB16]. No bound on the
 * number of items, nothing is clamped, δ = 0.
 *
 * A list is a Young diagram. With the side k of its largest square it falls into k rows and k columns, which are independent given k
 * and x; their laws are in `PartitionTable`. Every choice compares one lazily drawn uniform with enclosures, and where these are too wide
 * the table is made again, finer, with the same uniforms.
 *
 * Guarantee: 2Δη in base 2, ε = 2Δ·z·ln(2^y/x), where Δ is the number of items of a person, and twice that where people are replaced.
 * Cost: about 4√n·t cells, t about 50/η: under a second for a million people. With small budgets the table grows with 1/η², whatever
 * the data, so those below ε = 1/20 for each item that an individual can move are refused, and those above 1,000. Proof: docs/proofs/integer-partition.md.
 * @module
 */
import { anEntropy, type Entropy, withEntropy } from "../entropy.js";
import { invalidData, invalidParameter, type WinnowError } from "../errors.js";
import { bitLength, ceilShift } from "../exact/integers.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { type Base2Parameter, etaAtMost } from "../privacy/base2-parameter.js";
import type { BudgetAs, LooseBudget } from "../privacy/budget-as.js";
import { type Base2Loss, base2 } from "../privacy/loss.js";
import { heldStill, type Scores } from "../race/scores.js";
import { PartialUniform } from "../sample/partial-uniform.js";
import { aParameter } from "../threshold/threshold-parameters.js";
import { exactlyOneOf, integer, oneOf, positiveRational, readOptions } from "../validate.js";
import { PartitionTable, powerOf, product, type Scaled } from "./partition-table.js";

/** A budget (exactly one of `epsilon` and `eta`), and how one individual can change the list. */
export type IntegerPartitionOptions = BudgetAs<"epsilon" | "eta"> & IntegerPartitionSettings;

/** The same without the budget. */
export interface IntegerPartitionSettings {
  /** The most items that one individual has, if the data were bounded to that. Default 1. */
  readonly itemsPerPerson?: number | undefined;
  /** Whether one individual is added or removed, or replaced by another. Default "add-remove". */
  readonly neighbours?: "add-remove" | "replace" | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/** A private frequency list, and what it cost. */
export interface IntegerPartition {
  /** How many people the most frequent item has, the next, …; without zeros. */
  readonly frequencies: readonly number[];
  /** The loss. */
  readonly privacy: Base2Loss;
}

type Loose = IntegerPartitionSettings & LooseBudget<"epsilon" | "eta">;

const OPTIONAL = {
  epsilon: positiveRational,
  eta: aParameter,
  itemsPerPerson: integer,
  neighbours: /* @__PURE__ */ oneOf("add-remove", "replace"),
  entropy: anEntropy,
};

/**
 * How many people have the most frequent item, the next, and so on, without names and without any bound.
 *
 * See docs/mechanisms/integer-partition.md.
 *
 * @param counts How many people have each item, in any order; zeros count for nothing.
 * @param options The budget, and how one individual can change the list.
 *
 * @example
 * ```ts
 * import { integerPartition } from "winnow-dp";
 *
 * const { frequencies } = integerPartition([5000, 120, 7000], { epsilon: 2 });
 * Math.abs(frequencies[0] - 7000) < 50; // → true
 * ```
 */
export function integerPartition(counts: Scores, options: IntegerPartitionOptions): IntegerPartition {
  const read = readOptions(options as Loose, {}, OPTIONAL);
  const { epsilon, itemsPerPerson = 1, neighbours } = read;
  exactlyOneOf({ epsilon, eta: read.eta });
  const distance = BigInt(itemsPerPerson) * (neighbours === "replace" ? 2n : 1n);
  const eta = read.eta ?? etaAtMost(epsilon as RationalLike, { sensitivity: distance });
  if (eta.eta.compare(723n) > 0) throw tooLarge(read, distance); // else its powers might not fit a bigint
  const base = baseOf(eta);
  if (base.compare(baseOf(leastEta())) > 0) throw tooSmall(read, distance);
  if (base.compare(SMALLEST_BASE) < 0 || rational(epsilon ?? 0).compare(1000n * distance) > 0)
    throw tooLarge(read, distance);
  const held = readCounts(counts);
  const frequencies = withEntropy(read.entropy, (bits) => drawPartition(held, base, bits));
  return { frequencies, privacy: base2(eta.eta.times(2n * distance)) };
}

/** Longer powers would take minutes, or not fit a bigint. */
const MOST_DIGITS = 65_536n;

function baseOf({ x, y, z }: Base2Parameter): Rational {
  if (y * z > MOST_DIGITS)
    throw invalidParameter("eta", `a parameter with y·z <= ${MOST_DIGITS}`, `eta(${x}, ${y}, ${z})`);
  return Rational.of(x ** z, 1n << (y * z));
}

/** ε for each item by which one individual can move the list; below, the table takes gigabytes. */
const LEAST_EPSILON = "1/20";
let least: Base2Parameter | undefined;

function leastEta(): Base2Parameter {
  least ??= etaAtMost(LEAST_EPSILON);
  return least;
}

/** The refusal of a budget with too large a table. */
function tooSmall({ epsilon, eta }: Loose, distance: bigint): WinnowError {
  const why =
    "(1/20 for each item by which one individual can move the list, because the table grows with 1/ε²)";
  if (eta === undefined)
    return invalidParameter("epsilon", `a rational >= ${Rational.of(distance, 20n)} ${why}`, epsilon);
  const written = ({ x, y, z }: Base2Parameter) => `eta(${x}, ${y}, ${z})`;
  const expected = `at least that of ${written(leastEta())}, because the table grows with 1/η²`;
  return invalidParameter("eta", expected, written(eta));
}

/** That of ε = 1,000 for each item by which one individual can move the list; below, its powers have too many digits. */
const SMALLEST_BASE = /* @__PURE__ */ Rational.of(1n, 1n << 722n);

/** The refusal of a budget that protects no one. */
function tooLarge({ epsilon, eta }: Loose, distance: bigint): WinnowError {
  if (eta !== undefined) return invalidParameter("eta", "at most 722", String(eta.eta));
  return invalidParameter("epsilon", `a rational <= ${1000n * distance}`, epsilon);
}

function readCounts(counts: Scores): Float64Array {
  const held = heldStill(counts, "counts", invalidCounts);
  const list = new Float64Array(held.length);
  for (let i = 0; i < held.length; i++) {
    const count = Number(held[i]);
    if (!Number.isSafeInteger(count) || count < 0) throw invalidCounts();
    list[i] = count;
  }
  return list.sort().reverse();
}

function invalidCounts(): WinnowError {
  return invalidData("counts", "integers from 0 to 2^53 - 1 throughout");
}

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

/** How finely a try computes; a doubt, which is rare, doubles all of them. */
interface Effort {
  readonly digits: number;
  readonly window: number;
  /** How far beyond the side of the diagram squares are considered. */
  readonly extra: number;
}

/** Thrown where enclosures don't decide: they are too short, or too little is listed. */
class Doubt extends Error {}

/** Far weights are below 2^−64 or so; these steer time only, because doubt is noticed. */
function firstEffort(base: Rational): Effort {
  const zeros = bitLength(base.denominator) - bitLength(base.numerator) + 1; // b is between 2^−zeros and 2^(2 − zeros)
  const distance = zeros > 4 ? 0 : Math.ceil(1 / (1 - base.toNumber())); // about 1/ln(1/b), or a little more
  const steps = zeros > 4 ? Math.ceil(80 / (zeros - 2)) : 50 * distance;
  let extra = 3;
  while ((extra - 2) * (extra - 2) < steps + 4 * distance * distance) extra++;
  // A row that is `extra` short of the square weighs b^extra, and its digits come after all these zeros.
  return { digits: 64 + (zeros > 4 ? (extra + 1) * zeros : 0), window: steps + 8, extra };
}

/** The uniforms of one draw, which survive when the table is made again. */
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

/** Draws a list around counts that fall, from a given effort on. */
export function drawPartition(
  counts: Float64Array,
  base: Rational,
  entropy: Entropy,
  first = firstEffort(base),
): number[] {
  const diagram = new Diagram(counts);
  const uniforms = new Uniforms(entropy);
  for (let effort = first; ; ) {
    try {
      return attempt(diagram, base, effort, uniforms);
    } catch (doubt) {
      if (!(doubt instanceof Doubt)) throw doubt;
      effort = { digits: 2 * effort.digits, window: 2 * effort.window, extra: 2 * effort.extra };
    }
  }
}

/** The sum of b^‖x − y‖₁ over all lists y, as rationals around it. */
export function partitionSum(
  counts: Scores,
  base: Rational,
  effort = firstEffort(base),
): { least: Rational; most: Rational } {
  const diagram = new Diagram(readCounts(counts));
  const most = diagram.side + effort.extra;
  const parts = [diagram.rows(most), diagram.columns(most)];
  const sides = parts.map((list) => new PartitionTable(list, base, effort));
  const weights = sideWeights(diagram.total, parts, sides, base, effort.digits);
  const tail = tailBound(weights, diagram.side, most, base, effort.digits);
  const value = (mantissa: bigint, exponent: number) =>
    Rational.of(mantissa << BigInt(Math.max(exponent, 0)), 1n << BigInt(Math.max(-exponent, 0)));
  const sum = (ends: readonly Rational[]) => ends.reduce((a, b) => a.plus(b), Rational.ZERO);
  return {
    least: sum(weights.map(({ lo, exponent }) => value(lo, exponent))),
    most: sum([...weights, tail].map(({ hi, exponent }) => value(hi, exponent))),
  };
}

function attempt(diagram: Diagram, base: Rational, effort: Effort, uniforms: Uniforms): number[] {
  const most = diagram.side + effort.extra;
  const { digits } = effort;
  const parts = [diagram.rows(most), diagram.columns(most)];
  const sides = parts.map((list) => new PartitionTable(list, base, effort));
  const weights = sideWeights(diagram.total, parts, sides, base, digits);
  const tail = tailBound(weights, diagram.side, most, base, digits);
  const side = chooseByWeight(weights, tail, digits, uniforms.of("side"));
  const [rows, lower] = sides.map((table, which) => {
    const parts = new Array<number>(side);
    for (let i = side, least = side; i >= 1; i--) {
      least = chooseRow(table, i, least, effort, uniforms.of(`${which} ${side} ${i}`));
      parts[i - 1] = least;
    }
    return parts;
  });
  // Below the square: row i has as many cells as columns reach down to it.
  for (let i = side + 1; i <= (lower[0] ?? 0); i++) {
    let reach = side;
    while (reach > 0 && lower[reach - 1] < i) reach--;
    rows.push(reach);
  }
  return rows.filter((row) => row > 0);
}

/** b^(o_k − s_k)·S_k(k)·S̄_k(k) for k = 0, 1, …: what all lists with a square of side k weigh together. */
function sideWeights(
  total: number,
  [xs, columns]: readonly (readonly number[])[],
  tables: readonly PartitionTable[],
  base: Rational,
  digits: number,
): Scaled[] {
  const weights: Scaled[] = [powerOf(base, BigInt(total), digits)];
  let [rowSum, columnSum] = [0, 0];
  for (let k = 1; k <= xs.length; k++) {
    rowSum += xs[k - 1];
    columnSum += columns[k - 1];
    let inside = 0;
    for (let i = 0; i < k; i++) inside += Math.min(xs[i], k);
    const outside = total - rowSum - columnSum + inside; // o_k
    const missing = k * k - inside; // s_k
    // Each table leaves out its row 0, which is 2^digits.
    const both = product(tables[0].sum(k, k), tables[1].sum(k, k), digits);
    const scaled = { ...both, exponent: both.exponent - 2 * digits };
    weights.push(product(scaled, powerOf(base, BigInt(outside - missing), digits), digits));
  }
  return weights;
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
function chooseByWeight(weights: readonly Scaled[], tail: Scaled, digits: number, u: PartialUniform): number {
  // The largest weight has so many digits.
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
  const [least, most] = [lo[weights.length], hi[weights.length] + ceil(tail)];
  for (;;) {
    const shift = BigInt(u.bits);
    for (let k = 0; k < weights.length; k++) {
      const isReached = hi[k] << shift <= u.numerator * least;
      const isNotPassed = (u.numerator + 1n) * most <= lo[k + 1] << shift;
      if (isReached && isNotPassed) return k;
    }
    if (u.bits >= digits + 64) throw new Doubt();
    u.reveal();
  }
}

/** The largest Q with U < S_i(Q)/S_i(least), which is at least `least`. */
function chooseRow(
  table: PartitionTable,
  i: number,
  least: number,
  { digits }: Effort,
  u: PartialUniform,
): number {
  const last = table.last(i);
  if (least > last) throw new Doubt();
  const whole = table.sum(i, least);
  const isBelow = (q: number) => {
    const told = isBelowRatio(u, table.sum(i, q), whole, digits);
    if (told === undefined) throw new Doubt();
    return told;
  };
  let [low, high] = [least, last + 1];
  if (isBelow(high)) throw new Doubt();
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
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
