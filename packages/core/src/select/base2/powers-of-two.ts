/**
 * 2^0 … 2^62 as doubles, exactly: what words, octaves and counts are scaled by.
 * @module
 */
export const POWERS_OF_TWO = Float64Array.from({ length: 63 }, (_, exponent) =>
  Number(1n << BigInt(exponent)),
);
