/**
 * A noise for exhaustion: 0, 0.69 or 1.38, decided by the first two digits of U. It obeys what the race asks of a noise (it
 * falls in U and is at most −ln U), and as a key then takes two digits instead of infinitely many, the tree of all
 * bits proves cuts, coins, repairs and merges exactly, with nothing undecided but endless runs of bad luck.
 * @module
 */
import { Interval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import type { Terms } from "../../src/race/contender.js";
import type { Noise } from "../../src/race/noise.js";
import type { Law } from "../support/law.js";

/** U below these is at least on the first and on the second stair. */
const EDGES = [Rational.of(1n, 2n), Rational.of(1n, 4n)];
const HEIGHTS = [0, 0.69, 1.38];
const CHANCES = [Rational.of(1n, 2n), Rational.of(1n, 4n), Rational.of(1n, 4n)];

/** The stair at U = numerator·2^−bits, or just below it. */
function stair(numerator: number | bigint, bits: number, side: "at" | "below"): number {
  const u = Rational.of(BigInt(numerator), 1n << BigInt(bits));
  const onStair = (edge: Rational) => u.compare(edge) < (side === "at" ? 0 : 1);
  return HEIGHTS[EDGES.filter(onStair).length];
}

const noise: Noise = {
  name: "exponential",
  depth: 0,
  least: (word, bits) => stair(word + 1, bits, "below"),
  most: (word, bits) => stair(word, bits, "at"),
  enclose(u) {
    while (stair(u.numerator + 1n, u.bits, "below") !== stair(u.numerator, u.bits, "at")) u.reveal();
    return Interval.from(stair(u.numerator, u.bits, "at"), 64);
  },
};

/** A race on stairs; no two keys are equal if scores differ by no 0.69 or 1.38. */
export const STAIRS: Terms = { noise, scale: rational(1) };

/** The exact law of the first `places` of these scores, by all combinations of stairs; `name` tells candidates apart. */
export function lawOnStairs(
  scores: readonly number[],
  places: number,
  name: (index: number) => number | string = (index) => index,
): Law {
  const law = new Map<string, Rational>();
  for (const stairs of combinations(scores.length)) {
    const keys = scores.map((score, index) => score + HEIGHTS[stairs[index]]);
    const order = [...keys.keys()].sort((a, b) => keys[b] - keys[a]).slice(0, places);
    const outcome = String(order.map(name));
    const mass = stairs.reduce((product, each) => product.times(CHANCES[each]), Rational.ONE);
    law.set(outcome, mass.plus(law.get(outcome) ?? 0n));
  }
  return Object.fromEntries(
    [...law].map(([outcome, mass]) => [outcome, `${mass.numerator}/${mass.denominator}`]),
  );
}

function combinations(length: number): number[][] {
  if (length === 0) return [[]];
  return combinations(length - 1).flatMap((rest) => HEIGHTS.map((_, each) => [each, ...rest]));
}
