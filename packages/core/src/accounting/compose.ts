/**
 * Sequential composition: the loss of running several mechanisms on the same data, each possibly chosen by looking
 * at the answers before it. Losses of one measure add up, exactly while their fractions are short (upper-sum.ts). Losses
 * of several measures are first converted to the one that can express them all: Rényi if there is any, else zCDP, else
 * (ε, δ), else ε.
 *
 * Within one measure the order does not matter, nor does the grouping while sums are exact. Across measures, composing all
 * at once is at least as tight as composing in groups, because the ρ of ε₁ and that of ε₂ add up to at most that of ε₁ + ε₂.
 * Proof: composition.proof.md.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { Rational } from "../exact/rational.js";
import { bigInteger } from "../options.js";
import { inMeasure } from "./convert.js";
import { renyi } from "./curve.js";
import { multiple } from "./extended.js";
import { approx, base2, isFiniteLoss, type Loss, type LossOf, type Measure, pure, zcdp } from "./loss.js";
import { type LossLike, readLoss } from "./loss-json.js";
import { lossCurve, RenyiCurve } from "./renyi-curve.js";
import { upperSum } from "./upper-sum.js";

/**
 * The loss of all of them together. Where one of them promises nothing, that one: nothing is promised.
 *
 * @param losses In any measures; the answer is in one that can express them all.
 *
 * @example
 * ```ts
 * import { compose, pure, zcdp } from "winnow-dp";
 *
 * compose(pure("1/3"), pure("1/6")); // → { measure: "pure", epsilon: 0.5 }
 * compose(pure("0.2"), zcdp("0.03")); // → { measure: "zcdp", rho: 0.0499335989249912 }
 * ```
 */
export function compose<L extends readonly LossOf<Rational>[Measure][]>(
  ...losses: L
): LossOf<Rational>[Common<L>];

export function compose<L extends readonly LossLike[]>(...losses: L): LossOf[L[number]["measure"]];

export function compose(...given: readonly LossLike[]): Loss {
  if (given.length === 0) throw invalidParameter("losses", "at least one loss", given);
  const losses = given.map((loss) => readLoss(loss));
  const unbounded = losses.find((loss) => !isFiniteLoss(loss));
  return unbounded ?? total(losses, commonMeasure(losses));
}

/**
 * The loss of `times` runs of one mechanism.
 *
 * @param loss What a run costs.
 * @param times How many runs; 0 cost nothing.
 *
 * @example
 * ```ts
 * import { repeat, zcdp } from "winnow-dp";
 *
 * repeat(zcdp("0.001"), 100); // → { measure: "zcdp", rho: 0.1 }
 * ```
 */
export function repeat<L extends LossOf<Rational>[Measure]>(
  loss: L,
  times: number | bigint,
): LossOf<Rational>[L["measure"]];

export function repeat<L extends LossLike>(loss: L, times: number | bigint): LossOf[L["measure"]];

export function repeat(given: LossLike, times: number | bigint): Loss {
  const loss = readLoss(given);
  const count = bigInteger("times", times, 0n);
  switch (loss.measure) {
    case "pure":
      return pure(multiple(loss.epsilon, count));
    case "base2":
      return base2(multiple(loss.eta, count));
    case "zcdp":
      return zcdp(multiple(loss.rho, count), unionBound([loss.delta?.times(count)]));
    case "renyi":
      return renyi(lossCurve(loss.curve).times(count), unionBound([loss.delta?.times(count)]));
    case "approx":
      return approx(multiple(loss.epsilon, count), unionBound([loss.delta.times(count)]));
  }
}

/** The measure of a sum, by those of its parts: the last of them in this order. */
type Common<L extends readonly Loss[], Found extends Measure = "base2"> = L extends readonly [
  infer First extends Loss,
  ...infer Rest extends readonly Loss[],
]
  ? Common<Rest, Later<Found, First["measure"]>>
  : Later<Found, L extends readonly [] ? Found : L[number]["measure"]>;

/** The measure that expresses both; where one of them may be one of several, each that it may be. */
type Later<A extends Measure, B extends Measure> = A extends Measure
  ? B extends Measure
    ? "renyi" extends A | B
      ? "renyi"
      : "zcdp" extends A | B
        ? "zcdp"
        : "approx" extends A | B
          ? "approx"
          : "pure" extends A | B
            ? "pure"
            : "base2"
    : never
  : never;

/** The measure in which all of the losses can be expressed. */
export function commonMeasure(losses: readonly Loss[]): Measure {
  const measures = new Set(losses.map(({ measure }) => measure));
  if (measures.size === 1) return losses[0].measure;
  return (["renyi", "zcdp", "approx"] as const).find((measure) => measures.has(measure)) ?? "pure";
}

function total(losses: readonly Loss[], measure: Measure): Loss {
  switch (measure) {
    case "pure":
      return pure(upperSum(losses.map((loss) => inMeasure(loss, "pure").epsilon)));
    case "base2":
      return base2(upperSum(losses.map((loss) => inMeasure(loss, "base2").eta)));
    case "zcdp": {
      const parts = losses.map((loss) => inMeasure(loss, "zcdp"));
      return zcdp(upperSum(parts.map(({ rho }) => rho)), unionBound(parts.map(({ delta }) => delta)));
    }
    case "renyi": {
      const parts = losses.map((loss) => inMeasure(loss, "renyi"));
      const curve = RenyiCurve.sum(parts.map((part) => lossCurve(part.curve)));
      return renyi(curve, unionBound(parts.map(({ delta }) => delta)));
    }
    case "approx": {
      const parts = losses.map((loss) => inMeasure(loss, "approx"));
      return approx(
        upperSum(parts.map(({ epsilon }) => epsilon)),
        unionBound(parts.map(({ delta }) => delta)),
      );
    }
  }
}

/** The probability that any of the failures happens is at most the sum of theirs, and at most 1. */
export function unionBound(deltas: readonly (Rational | undefined)[]): Rational {
  const all = upperSum(deltas.map((delta) => delta ?? Rational.ZERO)) as Rational;
  return all.compare(1n) > 0 ? Rational.ONE : all;
}
