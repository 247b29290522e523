/**
 * Thousands of scores of only two levels, whose laws are known: large enough for cuts and coins to matter.
 * @module
 */

/** Scores of two levels, scattered: `high` candidates of the level given, all others 0. */
export function twoLevels(length: number, high: number, level: number): Float64Array {
  const scores = new Float64Array(length);
  for (let i = 0; i < high; i++) scores[(i * 7919 + 13) % length] = level;
  return scores;
}

/** Rounds of the exponential mechanism: each pattern of levels and its probability. */
export function patternsOfRounds(
  high: number,
  low: number,
  ratio: number,
  k: number,
): Record<string, number> {
  if (k === 0) return { "": 1 };
  const win = (high * ratio) / (high * ratio + low);
  const after = (first: string, p: number, rest: Record<string, number>) =>
    Object.entries(rest).map(([pattern, q]) => [first + pattern, p * q]);
  return Object.fromEntries([
    ...after("H", win, patternsOfRounds(high - 1, low, ratio, k - 1)),
    ...after("L", 1 - win, patternsOfRounds(high, low - 1, ratio, k - 1)),
  ]);
}

/** P(a high one wins) by exponential noise: high·∫(1 − t)^(high − 1)·(1 − t/ratio)^low dt from 0 to 1. */
export function winOfHigh(high: number, low: number, ratio: number): number {
  const steps = 50_000;
  let sum = 0;
  for (let i = 0; i < steps; i++) {
    const t = (i + 0.5) / steps;
    sum += high * Math.exp((high - 1) * Math.log1p(-t) + low * Math.log1p(-t / ratio));
  }
  return sum / steps;
}
