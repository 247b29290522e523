/**
 * The error of the table logarithm, as scripts for Gappa: one for each of the 256 cells of its table, for words of 32 bits and
 * for integers up to 2^53. Gappa bounds the rounding of the source's own operations. What it can't know is checked here in
 * integers: how far each entry of the table is from the logarithm it stands for, and what a polynomial of degree 5 leaves out
 * of ln(1 + f).
 * @module
 */
import { Rational } from "winnow-dp";
import { lnEnclosure } from "../../packages/core/src/exact/ln.js";
import { dyadic, upTo } from "./gappa.js";
import type { SourceFile } from "./straight-line.js";

export const CELLS = 256;

/** The 32-bit words, or all integers up to 2^53. */
export type Width = 32 | 53;

const PRECISION = 120;

/** How far a double is from a multiple of ln x, at most. */
export function distance(double: number, multiple: bigint, x: Rational): Rational {
  const scaled = (x.numerator << BigInt(PRECISION)) / x.denominator;
  const isExact = scaled * x.denominator === x.numerator << BigInt(PRECISION);
  const { lo, hi } = lnEnclosure({ lo: scaled, hi: isExact ? scaled : scaled + 1n, precision: PRECISION });
  const one = 1n << BigInt(PRECISION);
  const ends = [lo, hi].map((end) => exactly(double).minus(Rational.of(end * multiple, one)));
  return ends
    .map((end) => (end.numerator < 0n ? end.negated() : end))
    .reduce((a, b) => (a.compare(b) > 0 ? a : b));
}

/** A double is a rational. */
function exactly(double: number): Rational {
  let [digits, power] = [double, 1n];
  while (!Number.isSafeInteger(digits)) [digits, power] = [digits * 2, power * 2n];
  return Rational.of(BigInt(digits), power);
}

/** How far the entries of a table are from what they stand for, at most: any multiple of ln 2, and each −ln r. */
export interface TableErrors {
  readonly multiple: Rational;
  readonly cells: readonly Rational[];
}

export function tableErrors(table: Float64Array, width: Width): TableErrors {
  const multiples = Array.from({ length: width === 32 ? 32 : 54 }, (_, e) =>
    distance(table[e], BigInt(e), Rational.of(2n)),
  );
  const cells = Array.from({ length: CELLS }, (_, cell) =>
    distance(table[512 + cell], -1n, reciprocal(table, cell)),
  );
  return { multiple: largest(multiples), cells };
}

function largest(numbers: readonly Rational[]): Rational {
  return numbers.reduce((a, b) => (a.compare(b) > 0 ? a : b));
}

function absolute(x: Rational): Rational {
  return x.numerator < 0n ? x.negated() : x;
}

/** The reciprocal r of a cell. */
function reciprocal(table: Float64Array, cell: number): Rational {
  return exactly(table[256 + cell]).times(1n << 31n);
}

/** What f + f²(−1/2 + f/3 + f²(−1/4 + f/5)) leaves out of ln(1 + f) in a cell, at most f⁶/6·(1 + |f| + f² + …). */
export function leftOut(table: Float64Array, cell: number): Rational {
  const r = reciprocal(table, cell);
  const ends = [cell, cell + 1].map((place) => r.times(Rational.of(BigInt(256 + place), 256n)).minus(1n));
  const most = largest(ends.map(absolute));
  const sixth = Array.from({ length: 6 }, () => most).reduce((a, b) => a.times(b), Rational.ONE);
  return sixth.dividedBy(Rational.ONE.minus(most).times(6n));
}

/** Asks for the best bound of the rounding in a cell: without what the polynomial leaves out. */
export function fastLnScript(
  source: SourceFile,
  table: Float64Array,
  { multiple, cells }: TableErrors,
  cell: number,
  width: Width,
): string {
  const body = source.bodyOf("evaluate", {
    table: "",
    THIRD: "THIRD",
    FIFTH: "FIFTH",
    "table[cell]": "R",
    "table[exponent]": "K",
    "table[cell + 256]": "T",
  });
  const first = 2 ** 31 + cell * 2 ** 23;
  const [isWord, last] = width === 32 ? ["@FIX(scaled, 0) /\\ ", first + 2 ** 23 - 1] : ["", first + 2 ** 23];
  return `@rnd = float<ieee_64, ne>;
R = ${dyadic(table[256 + cell])};
T = ${dyadic(table[512 + cell])};
THIRD = ${dyadic(source.constant("THIRD"))};
FIFTH = ${dyadic(source.constant("FIFTH"))};
K = rnd(Kx);
scaled = rnd(x);
${body}
F = scaled * R - 1;
EXACT = K0 + (T0 + F + F * F * (F * A - 0.5 + F * F * (F * B - 0.25)));
{ ${isWord}scaled in [${first}, ${last}]
  /\\ K in [0, ${dyadic(table[width === 32 ? 31 : 53])}] /\\ |K - K0| <= ${upTo(multiple)}
  /\\ |T - T0| <= ${upTo(cells[cell])}
  /\\ A - 1/3 in [0, 0] /\\ B - 1/5 in [0, 0]
  -> |result - EXACT| in ? }
`;
}
