/**
 * Rounds over a public list in (ε, δ): the least Gumbel noise whose k rounds are certified to keep it
 * (packages/core/src/accounting/profile/rounds-of-bounded-range.proof.md), and whether that is less noise than exponential noise
 * for ε alone, which uses no δ and is the better choice for a short list. Public numbers decide.
 * @module
 */
import { approx, type Rational, type RationalLike, rational, scaleAtLeast } from "winnow-dp";
import type { Neighbours, Question } from "../question/question.js";
import { distanceOf, rhoOf } from "./budget.js";
import { countShare } from "./counts.js";
import { remembered } from "./remembered.js";

/** As much of a question as its noise depends on. */
interface ApproxAsked {
  readonly k: number;
  readonly epsilon: string;
  readonly delta: string;
  readonly neighbours: Neighbours;
}

const gumbelScale = remembered(({ k, epsilon, delta, neighbours }: ApproxAsked): Rational => {
  const distance = distanceOf({ neighbours });
  return scaleAtLeast(approx(epsilon, delta), { distance, rounds: k, class: "bounded-range" });
});

/** The ρ of the least noise for an (ε, δ): k·(r/scale)²/8. It determines the scale, which a stream is told in ρ. */
export function gumbelRho({ k, epsilon = "", delta = "", neighbours }: Question): Rational {
  const range = distanceOf({ neighbours }).dividedBy(gumbelScale({ k, epsilon, delta, neighbours }));
  return range.times(range).times(k).dividedBy(8n);
}

/** The standard deviation of Gumbel noise, in units of that of exponential noise of one scale, rounded up: π/√6. */
const GUMBEL_DEVIATION = rational("1.2826");

/** Sizes for which a search makes sense; others are refused later, or δ is not used. */
const [LEAST, MOST] = ["1e-200", "1e200"].map((text) => rational(text));

/** As much of a question, before it is checked. */
export interface ApproxDraft {
  readonly k: number;
  readonly epsilon?: RationalLike | undefined;
  readonly delta?: RationalLike | undefined;
  readonly neighbours?: Neighbours | undefined;
  readonly counts?: boolean | undefined;
}

/** Whether Gumbel noise in (ε, δ) has the smaller standard deviation. */
export function prefersGumbel(asked: ApproxDraft): boolean {
  const ratio = varianceRatio(asked);
  return ratio !== undefined && ratio.compare(1n) < 0;
}

/**
 * The variance of Gumbel noise in (ε, δ) on the names, in units of that of exponential noise for ε alone; undefined where one of
 * them can't be. With counts, both are for what the counts leave of the budget.
 */
export function varianceRatio({
  k,
  neighbours = "add-remove",
  counts,
  ...given
}: ApproxDraft): Rational | undefined {
  if (given.epsilon === undefined || given.delta === undefined) return undefined;
  const [epsilon, delta] = [rational(given.epsilon, "epsilon"), rational(given.delta, "delta")];
  const isUsual = [epsilon, delta].every((size) => size.compare(LEAST) >= 0 && size.compare(MOST) <= 0);
  if (!isUsual || delta.compare(1n) >= 0) return undefined;
  const texts = { epsilon: String(epsilon), delta: String(delta) };
  const namesShare = (law: "epsilon" | "rho") =>
    counts ? rational(1n).minus(countShare({ k, neighbours }, law)) : rational(1n);
  const exponential = rational(k).dividedBy(epsilon).dividedBy(namesShare("epsilon")); // in units of how far one person moves two counts
  const square = counts
    ? rational(k).dividedBy(rhoOf(texts).times(8n)).dividedBy(namesShare("rho"))
    : gumbelSquare({ k, ...texts, neighbours });
  return square.times(GUMBEL_DEVIATION).times(GUMBEL_DEVIATION).dividedBy(exponential.times(exponential));
}

function gumbelSquare(asked: ApproxAsked): Rational {
  const scale = gumbelScale(asked).dividedBy(distanceOf(asked));
  return scale.times(scale);
}
