/**
 * The law of k rounds of a selection, each among those who have not won yet: the product of the rounds' probabilities.
 * With the exponential mechanism it is the law of `topK` with rho, with permute-and-flip that of `topK` with the
 * method "peel".
 * @module
 */
import { Interval } from "../exact/interval.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import type { Law } from "./law.js";
import { type LawOptions, lawSetting } from "./law-options.js";

/** One selection: the probability of each candidate to win it. */
export type Round = (scores: readonly Rational[], scale: Rational, precision: number) => Interval[];

/**
 * P(these k win in this order), by outcomes such as `"2,0"`, for k rounds of a selection without the winners before.
 *
 * @param round One selection.
 * @param scores The scores of all candidates.
 * @param options How many rounds, and the scale of the noise.
 */
export function peeledLaw(round: Round, scores: readonly RationalLike[], options: LawOptions): Law {
  const { scores: exact, k, scale, precision } = lawSetting(scores, options);
  const law = new Map<string, Interval>();
  const peel = (winners: readonly number[], probability: Interval) => {
    if (winners.length === k) return law.set(String(winners), probability);
    const left = [...exact.keys()].filter((candidate) => !winners.includes(candidate));
    const chances = round(
      left.map((candidate) => exact[candidate]),
      scale,
      precision,
    );
    for (const [place, candidate] of left.entries())
      peel([...winners, candidate], probability.times(chances[place]));
    return law;
  };
  return peel([], Interval.from(1, precision));
}
