/**
 * Any loss as (ε, δ)-DP: the ε for a given δ, or the δ for a given ε. The δ of a δ-approximate loss is set aside
 * first, and what is left of δ pays for the conversion. Proof: docs/proofs/conversions.md.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { Interval } from "../exact/interval.js";
import { Rational } from "../exact/rational.js";
import { nonNegativeRational, probability } from "../validate.js";
import { bestOrder, type Order } from "./conversion-order.js";
import { zcdpCurve } from "./curves.js";
import type { GaussianApproxOptions } from "./gaussian-to-approx.js";
import { type ApproxLoss, approx, type Extended, isBounded, type Loss, smaller } from "./loss.js";
import type { RenyiCurve } from "./renyi-curve.js";
import { lnOf, naturalOf, roundedDown, roundedUp } from "./rounding.js";

/** How a loss becomes (ε, δ): the ε for a given `delta`, or the δ for a given `epsilon`. */
export type ApproxOptions = GaussianApproxOptions & {
  /** The textbook formula, or (the default) the smallest bound known. */
  readonly method?: Method | undefined;
};

export function toApprox(loss: Loss, { delta, epsilon, method = "optimal" }: ApproxOptions): ApproxLoss {
  if (delta !== undefined && epsilon === undefined)
    return withDelta(loss, probability("delta", delta), method);
  if (epsilon !== undefined && delta === undefined)
    return withEpsilon(loss, nonNegativeRational("epsilon", epsilon), method);
  throw invalidParameter(
    "delta",
    "given, or epsilon instead, but not both",
    delta === undefined ? undefined : "both",
  );
}

function withDelta(loss: Loss, delta: Rational, method: Method): ApproxLoss {
  const failure = failureOf(loss);
  const spare = delta.minus(failure);
  if (needsDelta(loss) ? spare.numerator <= 0n : spare.numerator < 0n)
    throw invalidParameter("delta", `a rational ${needsDelta(loss) ? ">" : ">="} ${failure}`, delta);
  return approx(epsilonFor(loss, spare, method), delta);
}

/** Concentrated losses say nothing about ε at δ = 0. */
function needsDelta({ measure }: Loss): boolean {
  return measure === "zcdp" || measure === "renyi";
}

function epsilonFor(loss: Loss, delta: Rational, method: Method): Extended {
  switch (loss.measure) {
    case "zcdp":
      if (!isBounded(loss.rho)) return Infinity;
      if (method === "simple") return epsilonOfZcdp(loss.rho, delta);
      return curveEpsilonFor(zcdpCurve(loss.rho), delta, method);
    case "renyi":
      return curveEpsilonFor(loss.curve, delta, method);
    case "base2":
      return pureEpsilonFor(naturalOf(loss.eta), delta, method);
    default:
      return pureEpsilonFor(loss.epsilon, delta, method);
  }
}

/** The smallest that the search over orders and the two bounds at all orders give. */
function curveEpsilonFor(curve: RenyiCurve, delta: Rational, method: Method): Extended {
  const { rho, epsilon } = curve;
  return [
    epsilonOfCurve(curve, delta, method).value,
    isBounded(rho) ? epsilonOfZcdp(rho, delta) : rho,
    pureEpsilonFor(epsilon, delta, method),
  ].reduce(smaller);
}

function pureEpsilonFor(epsilon: Extended, delta: Rational, method: Method): Extended {
  return isBounded(epsilon) && method === "optimal" ? epsilonOfPure(epsilon, delta) : epsilon;
}

function withEpsilon(loss: Loss, epsilon: Rational, method: Method): ApproxLoss {
  const delta = failureOf(loss).plus(deltaFor(loss, epsilon, method));
  return approx(epsilon, delta.compare(1n) > 0 ? 1n : delta);
}

function deltaFor(loss: Loss, epsilon: Rational, method: Method): Rational {
  switch (loss.measure) {
    case "zcdp":
      if (!isBounded(loss.rho)) return Rational.ONE;
      if (method === "simple") return deltaOfZcdp(loss.rho, epsilon);
      return curveDeltaFor(zcdpCurve(loss.rho), epsilon, method);
    case "renyi":
      return curveDeltaFor(loss.curve, epsilon, method);
    case "base2":
      return pureDeltaFor(naturalOf(loss.eta), epsilon, method);
    default:
      return pureDeltaFor(loss.epsilon, epsilon, method);
  }
}

function curveDeltaFor(curve: RenyiCurve, epsilon: Rational, method: Method): Rational {
  const { rho } = curve;
  return [
    deltaOfCurve(curve, epsilon, method),
    isBounded(rho) ? deltaOfZcdp(rho, epsilon) : Rational.ONE,
    pureDeltaFor(curve.epsilon, epsilon, method),
  ].reduce((least, delta) => (delta.compare(least) < 0 ? delta : least));
}

/** The simple reading of ε-DP has δ = 0 from ε on, and says nothing below it. */
function pureDeltaFor(epsilon: Extended, target: Rational, method: Method): Rational {
  if (isBounded(epsilon) && method === "optimal") return deltaOfPure(epsilon, target);
  return isBounded(epsilon) && epsilon.compare(target) <= 0 ? Rational.ZERO : Rational.ONE;
}

function failureOf(loss: Loss): Rational {
  return ("delta" in loss ? loss.delta : undefined) ?? Rational.ZERO;
}

/*
 * From Rényi to (ε, δ): at one order by a formula, over all orders by search. `simple` is ε(α) + ln(1/δ)/(α − 1)
 * [Mir17]; `optimal` is ε(α) + ln(1 − 1/α) − (ln δ + ln α)/(α − 1), never larger [BBGHS20] [CKS20].
 * Proof: docs/proofs/conversions.md.
 */

/** Which of two valid conversions: the textbook formula, or the smallest bound known. */
export type Method = "simple" | "optimal";

/** The smallest ε ≥ 0 over all orders, rounded up, with the order that gives it. */
function epsilonOfCurve(curve: RenyiCurve, delta: Rational, method: Method): Order {
  return bestOrder((alpha) => epsilonAtOrder(curve, alpha, delta, method));
}

/** The ε ≥ 0 that order α gives for δ, rounded up. */
export function epsilonAtOrder(
  curve: RenyiCurve,
  alpha: Rational,
  delta: Rational,
  method: Method,
): Rational {
  const order = alpha.minus(1n);
  return atLeastZero(
    roundedUp((precision) => {
      const ln = (value: Rational) => lnOf(value, precision);
      const divergence = curve.enclose(alpha, precision);
      if (method === "simple") return divergence.minus(ln(delta).dividedBy(order));
      return divergence.plus(ln(order.dividedBy(alpha))).minus(ln(delta.times(alpha)).dividedBy(order));
    }),
  );
}

/** The smallest δ ≤ 1 over all orders, rounded up. */
function deltaOfCurve(curve: RenyiCurve, epsilon: Rational, method: Method): Rational {
  const lnDelta = bestOrder((alpha) => lnDeltaAtOrder(curve, alpha, epsilon, method)).value;
  if (lnDelta.numerator >= 0n) return Rational.ONE;
  return roundedUp((precision) => Interval.from(lnDelta, precision).exp());
}

/** (α − 1)·(ε(α) − ε), and for `optimal` (α − 1)·(ε(α) − ε + ln(1 − 1/α)) − ln α: the same conversions, solved for ln δ. */
function lnDeltaAtOrder(curve: RenyiCurve, alpha: Rational, epsilon: Rational, method: Method): Rational {
  const order = alpha.minus(1n);
  return roundedUp((precision) => {
    const ln = (value: Rational) => lnOf(value, precision);
    const excess = curve.enclose(alpha, precision).minus(epsilon);
    if (method === "simple") return excess.times(order);
    return excess
      .plus(ln(order.dividedBy(alpha)))
      .times(order)
      .minus(ln(alpha));
  });
}

function atLeastZero(value: Rational): Rational {
  return value.numerator < 0n ? Rational.ZERO : value;
}

/*
 * The simple conversion between ρ-zCDP and (ε, δ): ε = ρ + 2·√(ρ·ln(1/δ)) [BS16], in all three directions. The
 * factor 2 is outside the root; √(2ρ·ln(1/δ)) would be false. Proof: docs/proofs/conversions.md.
 */

/** ρ + 2·√(ρ·ln(1/δ)), rounded up. */
export function epsilonOfZcdp(rho: Rational, delta: Rational): Rational {
  if (rho.numerator === 0n) return Rational.ZERO;
  return roundedUp((precision) => lnInverse(delta, precision).times(rho).sqrt().times(2n).plus(rho));
}

/** e^(−(ε − ρ)²/(4ρ)) where ε > ρ, rounded up. */
function deltaOfZcdp(rho: Rational, epsilon: Rational): Rational {
  if (rho.numerator === 0n) return Rational.ZERO;
  const excess = epsilon.minus(rho);
  if (excess.numerator <= 0n) return Rational.ONE;
  const exponent = excess.times(excess).dividedBy(rho.times(-4n));
  return roundedUp((precision) => Interval.from(exponent, precision).exp());
}

/** The largest ρ with ρ + 2·√(ρ·ln(1/δ)) ≤ ε, rounded down: (√(L + ε) − √L)², written so that nothing cancels. */
export function rhoOfEpsilon(epsilon: Rational, delta: Rational): Rational {
  return roundedDown((precision) => {
    const logarithm = lnInverse(delta, precision);
    const roots = logarithm.plus(epsilon).sqrt().plus(logarithm.sqrt());
    return Interval.from(epsilon, precision).dividedBy(roots).power(2);
  });
}

function lnInverse(delta: Rational, precision: number): Interval {
  return lnOf(delta, precision).negated();
}

/*
 * What ε-DP is worth as (ε', δ)-DP with a smaller ε': δ = (e^ε − e^ε')/(1 + e^ε), which randomized response
 * attains, so that no better conversion exists [KOV15]. Proof: docs/proofs/conversions.md.
 */

/** ε' = ε + ln(1 − δ·(1 + e^−ε)), at least 0, rounded up. */
function epsilonOfPure(epsilon: Rational, delta: Rational): Rational {
  if (delta.numerator === 0n) return epsilon;
  if (delta.compare(deltaOfPure(epsilon, Rational.ZERO)) >= 0) return Rational.ZERO;
  return roundedUp((precision) => {
    const part = onePlusExp(epsilon, precision).times(delta).negated().plus(1n);
    // ε' lies between 0 and ε whatever the logarithm is; more precision tells.
    return part.lo <= 0n ? Interval.hull(0n, epsilon, precision) : part.ln().plus(epsilon);
  });
}

/** δ = (1 − e^(ε' − ε))/(1 + e^−ε), at least 0, rounded up. */
function deltaOfPure(epsilon: Rational, target: Rational): Rational {
  const excess = epsilon.minus(target);
  if (excess.numerator <= 0n) return Rational.ZERO;
  return roundedUp((precision) =>
    Interval.from(excess.negated(), precision)
      .exp()
      .negated()
      .plus(1n)
      .dividedBy(onePlusExp(epsilon, precision)),
  );
}

/** 1 + e^−ε. */
function onePlusExp(epsilon: Rational, precision: number): Interval {
  return Interval.from(epsilon.negated(), precision).exp().plus(1n);
}
