/** Random exact numbers for property tests: small and huge, near 0 and of both signs. */
import fc from "fast-check";
import { Rational } from "../../src/exact/rational.js";

/** Integers of up to `bits` binary digits, all lengths alike. */
export function integersOfBits(bits: number): fc.Arbitrary<bigint> {
  return fc.nat(bits).chain((length) => {
    const most = (1n << BigInt(length)) - 1n;
    return fc.bigInt({ min: -most, max: most });
  });
}

/** Rationals whose numerators and denominators have up to `bits` binary digits. */
export function rationals(bits = 100): fc.Arbitrary<Rational> {
  return fc
    .tuple(integersOfBits(bits), integersOfBits(bits))
    .map(([numerator, denominator]) => Rational.of(numerator, denominator === 0n ? 1n : denominator));
}
