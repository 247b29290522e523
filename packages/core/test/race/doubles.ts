/**
 * Doubles under the microscope: their exact values and their neighbours. Elsewhere a number is the decimal that it
 * prints as; a bound computed in doubles is the double itself.
 * @module
 */
import { Rational } from "../../src/exact/rational.js";

const view = new DataView(new ArrayBuffer(8));

/** The value of a finite double, to the last bit. */
export function exactly(x: number): Rational {
  view.setFloat64(0, x);
  const word = view.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xf_ffff_ffff_ffffn;
  const significand = exponent === 0 ? fraction : fraction | 0x10_0000_0000_0000n;
  const shift = BigInt(Math.max(exponent, 1) - 1075);
  const sign = x < 0 ? -1n : 1n;
  return shift >= 0n
    ? Rational.of((sign * significand) << shift)
    : Rational.of(sign * significand, 1n << -shift);
}

/** The double so many places above x (below for negative `places`); both stay finite. */
export function neighbour(x: number, places: number): number {
  view.setFloat64(0, x === 0 ? 0 : x);
  const word = view.getBigInt64(0);
  const rank = (word < 0n ? -(word & 0x7fff_ffff_ffff_ffffn) : word) + BigInt(places);
  view.setBigInt64(0, rank < 0n ? -rank | -0x8000_0000_0000_0000n : rank);
  return view.getFloat64(0);
}
