/**
 * Numbers for people.
 * @module
 */

/** 98.2 %. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** 1,234.5 with at most so many places. */
export function decimal(number: number, places = 6): string {
  return number.toLocaleString("en", { maximumFractionDigits: places });
}
