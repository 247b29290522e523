/**
 * Figures as people read them, the same in the text and on the page.
 * @module
 */

/** Two to three significant digits: 0.0123, 1.39, 12.3, 1,234. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  if (Math.abs(value) < 0.001) return value.toExponential(1).replace("e-", "·10^−");
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** A time in nanoseconds with its unit. */
export function duration(nanoseconds: number): string {
  return nanoseconds >= 1000 ? `${figure(nanoseconds / 1000)} µs` : `${figure(nanoseconds)} ns`;
}

/** "1 thing", "2 things". */
export function counted(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}

/** What is to be said about so many claims, of which some failed. */
export function verdictOf(claims: readonly { readonly holds: boolean }[]): string {
  const failed = claims.filter(({ holds }) => !holds).length;
  if (failed > 0) return `${counted(failed, "claim")} of ${claims.length} failed`;
  return claims.length === 1 ? "The claim holds" : `All ${counted(claims.length, "claim")} hold`;
}
