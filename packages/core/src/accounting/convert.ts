/**
 * The same guarantee in another measure. Every answer is a loss that the mechanism certainly satisfies: what is
 * irrational is rounded up, and a conversion that does not exist is refused.
 *
 * - pure ↔ base2: ε = η·ln 2.
 * - pure, base2 → zcdp: ε·tanh(ε/2). About a quarter of it holds for bounded range only (`boundedRangeCurve`).
 * - pure, base2, zcdp → renyi: the curve of that class; zcdp and renyi keep their δ.
 * - approx → zcdp, renyi: an (ε, δ)-DP mechanism is ε-DP except for an event of probability δ.
 * - renyi → zcdp, pure: where the curve knows such a bound.
 * - everything → approx, for a given `delta` or a given `epsilon`, by the `simple` or the `optimal` formula.
 *
 * Proofs: conversions.proof.md, bounded-range.proof.md.
 * @module
 */

import { invalidParameter, type WinnowError } from "../errors.js";
import type { Rational, RationalLike } from "../exact/rational.js";
import { nonNegativeRational, oneOf, probability, readOptions } from "../options.js";
import { type ApproxOptions, toApprox } from "./approx.js";
import { base2Of, naturalOf } from "./base2-parameter.js";
import { pureCurve, renyi, zcdpCurve } from "./curve.js";
import { type Extended, isBounded } from "./extended.js";
import { approx, base2, type Loss, type LossOf, type Measure, pure, zcdp } from "./loss.js";
import { type LossLike, readLoss } from "./loss-json.js";
import { rhoOfPure } from "./price.js";
import { lossCurve } from "./renyi-curve.js";

/**
 * The measure to convert to; for `approx` also the δ or the ε to convert at, and how.
 *
 * @typeParam M The name of the measure.
 */
export type ConvertOptions<M extends Measure> = {
  /** The measure to convert to. */
  readonly to: M;
} & (M extends "approx" ? ApproxOptions : unknown);

/**
 * The same guarantee in another measure.
 *
 * The answer is a loss that the mechanism certainly satisfies: what is irrational is rounded up, and a conversion that
 * does not exist, such as from zCDP to pure ε, is refused. See docs/guide/accounting.md and conversions.proof.md.
 *
 * @param loss What is promised.
 * @param options The measure to convert to; for `approx` also the δ or the ε to convert at.
 *
 * @example
 * ```ts
 * import { convert, pure, zcdp } from "winnow-dp";
 *
 * convert(pure(1), { to: "zcdp" }).rho; // → 0.4621171572600098
 * convert(zcdp("0.1"), { to: "approx", delta: "1e-6" }).epsilon; // → 2.141938928385474
 * ```
 */
export function convert<M extends Measure>(
  loss: LossOf<Rational>[Measure],
  options: ConvertOptions<M>,
): LossOf<Rational>[M];

export function convert<M extends Measure>(loss: LossLike, options: ConvertOptions<M>): LossOf[M];

export function convert(given: LossLike, options: AllOptions): Loss {
  const read = readOptions<AllOptions>(options, { to: MEASURE }, options?.to === "approx" ? APPROX : NONE);
  const loss = readLoss(given);
  if (loss.measure === "renyi") lossCurve(loss.curve);
  switch (read.to) {
    case "pure":
      return toPure(loss);
    case "base2":
      return toBase2(loss);
    case "zcdp":
      return toZcdp(loss);
    case "renyi":
      return toRenyi(loss);
    default:
      return toApprox(loss, read as ConvertOptions<"approx">);
  }
}

type AllOptions = { readonly to: Measure } & Partial<Record<keyof typeof APPROX, unknown>>;

const MEASURE = oneOf("pure", "base2", "zcdp", "renyi", "approx");

const APPROX = {
  delta: probability,
  epsilon: nonNegativeRational,
  conversion: oneOf("simple", "optimal"),
};

/** Other measures take no options. */
const NONE = {} as typeof APPROX;

function toPure(loss: Loss): LossOf["pure"] {
  if (loss.measure === "pure") return loss;
  if (loss.measure === "base2") return pure(naturalOf(loss.eta));
  if (loss.measure === "approx" && loss.delta.numerator === 0n) return pure(loss.epsilon);
  if (loss.measure === "renyi" && loss.delta === undefined && isBounded(loss.curve.epsilon))
    return pure(loss.curve.epsilon);
  throw noSuchConversion(loss, "pure");
}

function toBase2(loss: Loss): LossOf["base2"] {
  return loss.measure === "base2" ? loss : base2(base2Of(toPure(loss).epsilon));
}

function toZcdp(loss: Loss): LossOf["zcdp"] {
  switch (loss.measure) {
    case "zcdp":
      return loss;
    case "approx":
      return zcdp(rhoOfPure(loss.epsilon), loss.delta);
    case "renyi":
      if (!isBounded(loss.curve.rho)) throw noSuchConversion(loss, "zcdp");
      return zcdp(loss.curve.rho, loss.delta);
    default:
      return zcdp(rhoOfPure(toPure(loss).epsilon));
  }
}

function toRenyi(loss: Loss): LossOf["renyi"] {
  if (loss.measure === "renyi") return loss;
  if (loss.measure === "zcdp") return renyi(zcdpCurve(finite(loss.rho, loss)), loss.delta);
  if (loss.measure === "approx") return renyi(pureCurve(finite(loss.epsilon, loss)), loss.delta);
  return renyi(pureCurve(finite(toPure(loss).epsilon, loss)));
}

/** A curve has values, so what is unbounded has none. */
function finite(size: Extended, loss: Loss): RationalLike {
  if (!isBounded(size)) throw noSuchConversion(loss, "renyi");
  return size;
}

function noSuchConversion(loss: Loss, to: Measure): WinnowError {
  return invalidParameter("loss", `a loss that is bounded in the measure ${to}`, loss.measure);
}

export function inMeasure<M extends Measure>(
  loss: LossOf<Rational>[Measure],
  measure: M,
): LossOf<Rational>[M];

export function inMeasure<M extends Measure>(loss: Loss, measure: M): LossOf[M];

export function inMeasure(loss: Loss, measure: Measure): Loss {
  if (loss.measure === measure) return loss;
  if (measure !== "approx") return convert(loss, { to: measure });
  return approx(convert(loss, { to: "pure" }).epsilon, 0n);
}
