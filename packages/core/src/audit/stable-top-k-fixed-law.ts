/**
 * The law of `stableTopKFixed` over a public domain: the stable set of some j candidates, or none, and then the exponential
 * mechanism that drops some of them or adds others until there are k. Computed from the definitions alone.
 * @module
 */
import { Interval } from "../exact/interval.js";
import type { RationalLike } from "../exact/rational.js";
import { integer, positiveRational, readOptions } from "../validate.js";
import { exponentialMechanismRound } from "./exponential-mechanism-round.js";
import type { Law } from "./law.js";
import { peeledLaw } from "./peeled-law.js";
import { type ChoiceLawOptions, STABLE, stableTopKLaw, type TestLawOptions } from "./stable-top-k-law.js";

/** An instance of `stableTopKFixed` over a public domain whose law is asked for. */
export interface FixedLawOptions extends ChoiceLawOptions, TestLawOptions {
  /** How many candidates are wanted. */
  readonly k: number;
  /** The scale of the Gumbel noise of every later round. */
  readonly roundsScale: RationalLike;
}

const PRECISION = 160;

/**
 * The law of `stableTopKFixed`: `"3 stable: 0 2"` for the candidates 0 and 2 after a stable set of 3, `"3 unstable: 0
 * 2"` after none.
 *
 * @param histogram The count of each candidate.
 * @param options How many candidates, how j is chosen, the test, and the later rounds.
 */
export function stableTopKFixedLaw(histogram: readonly number[], options: FixedLawOptions): Law {
  const read = readOptions(
    options,
    { k: integer, roundsScale: positiveRational, ...STABLE.required },
    STABLE.optional,
  );
  const { k, roundsScale, ...stableOptions } = read;
  const law = new Map<string, Interval>();
  for (const [outcome, chance] of stableTopKLaw(histogram, stableOptions)) {
    const [j, answer] = outcome.split(": ");
    const isStable = answer !== "nothing";
    const stable = isStable ? answer.split(" ").map(Number) : [];
    for (const [set, picked] of completions(histogram, stable, read)) {
      const name = `${j} ${isStable ? "stable" : "unstable"}: ${set}`;
      const probability = chance.times(picked);
      law.set(name, law.get(name)?.plus(probability) ?? probability);
    }
  }
  return law;
}

/** Sets of k that a stable set is made into, the same one several times if it comes about in several orders. */
function completions(
  histogram: readonly number[],
  stable: readonly number[],
  { k, roundsScale }: FixedLawOptions,
): [set: string, chance: Interval][] {
  const missing = k - stable.length;
  if (missing === 0) return [[nameOf(stable), Interval.from(1, PRECISION)]];
  const others = [...histogram.keys()].filter((index) => !stable.includes(index));
  const [kept, pool, rounds] = missing < 0 ? [[], stable, k] : [stable, others, missing];
  const scores = pool.map((index) => histogram[index]);
  const picks = peeledLaw(exponentialMechanismRound, scores, {
    k: rounds,
    scale: roundsScale,
    precision: PRECISION,
  });
  return [...picks].map(([order, chance]) => [
    nameOf([...kept, ...order.split(",").map((place) => pool[Number(place)])]),
    chance,
  ]);
}

/** In the order of the candidates. */
function nameOf(indices: readonly number[]): string {
  return indices.toSorted((a, b) => a - b).join(" ");
}
