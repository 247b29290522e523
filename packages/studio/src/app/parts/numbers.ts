/**
 * Numbers as people read them. Nothing here decides anything: what is asked and charged stays the text that was typed.
 * @module
 */
const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const SHORT = { maximumSignificantDigits: 3 } as const;
const NEAREST = new Intl.NumberFormat("en", SHORT);
const UPWARD = new Intl.NumberFormat("en", { ...SHORT, roundingMode: "ceil" });
const DOWNWARD = new Intl.NumberFormat("en", { ...SHORT, roundingMode: "floor" });

export const whole = (value: number): string => WHOLE.format(value);
export const short = (value: number): string => NEAREST.format(value);
/** For "at most": never below the value. */
export const atMost = (value: number): string => UPWARD.format(value);
/** For "at least": never above the value. */
export const atLeast = (value: number): string => DOWNWARD.format(value);
/** `26 %`, with a space that does not break; with so many decimals. */
export const percent = (share: number, decimals = 0): string => `${(100 * share).toFixed(decimals)}\u{a0}%`;

const SIZES = ["bytes", "kB", "MB", "GB"];

export function bytes(count: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), SIZES.length - 1);
  return `${short(count / 1000 ** power)} ${SIZES[power]}`;
}

/** About what was typed: `1/3`, `0.1` or `1e-6`; undefined if it is no number above zero. */
export function about(text: string): number | undefined {
  const [numerator, denominator = "1", ...more] = text.split("/").map((part) => part.trim());
  const value = Number(numerator) / Number(denominator);
  return more.length === 0 && numerator !== "" && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** One thing or several: `1 person`, `2 people`. */
export function counted(count: number, one: string, many: string): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}
