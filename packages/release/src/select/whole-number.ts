/**
 * The candidates of a domain of whole numbers are texts in plain decimal: "007", "1e3", "7.0" and " 7" are none of them.
 * @module
 */

/** The number that is written so, if it is from 0 and below the bound. */
export function wholeNumber(text: string, below: number): number | undefined {
  const number = Number(text);
  const isOne = String(number) === text && Number.isInteger(number) && number >= 0 && number < below;
  return isOne ? number : undefined;
}
