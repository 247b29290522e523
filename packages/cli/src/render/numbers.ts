/**
 * Numbers for people.
 * @module
 */

/** 98.2 %. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** From here on digits are too many to read. */
const MANY = 1e15;

/** 1,234.5 with at most so many places; 1.23e+45 for what is very large. */
export function decimal(number: number, places = 6): string {
  if (Math.abs(number) >= MANY) return number.toExponential(2);
  return number.toLocaleString("en", { maximumFractionDigits: places });
}
