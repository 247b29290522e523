/**
 * What it costs to release the best of K runs, or the first above a public threshold, from the loss of one run. With
 * ψ = ln((e^ε + γ)/(1 + γ·e^ε)) < ε, L = ln(1/γ), and for
 *
 *   the best of K, truncated negative binomial    m = 1 + η, M = E[K]        [PS22]
 *   the first above, stop with γ                  m = 1,     M = 1/γ         [LT19]
 *
 *   pure      ε + m·ψ, exactly
 *   zCDP      the curve ρα + m·(2√(ρL) − ρ) + ln M/(α − 1), or m·L where L < ρ
 *   Rényi     ε_α + m·((1 − 1/α̂)·ε̂ + L/α̂) + ln M/(α − 1) for the best α̂ > 1 of a list, ε̂ the curve at α̂
 *   (ε, δ)    (ε + m·ε̂, M·δ), ε̂ the least ≥ ε with (1 − γ)·δ ≤ γ·(e^ε̂ − 1)
 *   the same from any profile δ_run(ε) of a run, where a δ is asked for: (ε₁ + m·ε̂, M·δ_run(ε₁))
 *
 * and for K of a Poisson law ε + μ·tanh(ε/2), or ln(e^−μ + μ·e^((α − 1)(ε_α + μ·δ̂)))/(α − 1) with δ̂ = δ_run(ln(α/(α − 1))).
 * Every number is rounded up. Proof: candidates.proof.md.
 * @module
 */
import { invalidParameter, type WinnowError } from "../../errors.js";
import { lnOf, roundedDown, roundedUp, zerosAfterPoint } from "../../exact/certified.js";
import { Interval } from "../../exact/interval.js";
import { Rational } from "../../exact/rational.js";
import type { ReadRunsLaw } from "../../sample/runs-law.js";
import { convert } from "../convert.js";
import { renyi } from "../curve.js";
import { isBounded } from "../extended.js";
import { approx, isFiniteLoss, type Loss, type LossOf, pure } from "../loss.js";
import { RenyiCurve } from "../renyi-curve.js";

/** How a choice multiplies the loss of a run. */
export interface ChoiceRule {
  /** How often ψ or ε̂ is charged. */
  readonly factor: Rational;
  /** γ: the chance to stop after a run. */
  readonly gamma: Rational;
  /** Whether runs that are zCDP or Rényi except for a δ have a price in the same measure. */
  readonly coversFailures: boolean;
  /** Encloses by how much probabilities of failure are multiplied. */
  mean(precision: number): Interval;
}

/** The rule of the best of K runs, K truncated negative binomial. */
export function ruleOfBest({ eta, gamma }: ReadRunsLaw & { law: "truncated-negative-binomial" }): ChoiceRule {
  const mean = (precision: number) => meanOf(eta, gamma, precision);
  return { factor: eta.plus(1n), gamma, coversFailures: true, mean };
}

/** The rule of the first run above a threshold. */
export function ruleOfFirstAbove(stop: Rational): ChoiceRule {
  const mean = (precision: number) => Interval.from(Rational.ONE.dividedBy(stop), precision);
  return { factor: Rational.ONE, gamma: stop, coversFailures: false, mean };
}

/** E[K] = η(1 − γ)/(γ(1 − γ^η)), for η = 0 (1/γ − 1)/ln(1/γ). */
function meanOf(eta: Rational, gamma: Rational, precision: number): Interval {
  const size = eta.numerator < 0n ? eta.negated() : eta;
  const bits = precision + zerosAfterPoint(gamma) + (eta.numerator === 0n ? 0 : zerosAfterPoint(size)) + 16;
  const odds = Rational.ONE.minus(gamma).dividedBy(gamma);
  const logarithm = lnOf(gamma, bits);
  const mean =
    eta.numerator === 0n
      ? Interval.from(odds, bits).dividedBy(logarithm.negated())
      : Interval.from(odds.times(eta), bits).dividedBy(logarithm.times(eta).exp().negated().plus(1n));
  return mean.withPrecision(precision);
}

/** The loss of a choice by this rule, with runs of this loss; as (ε, δ) for this δ if it is given and a profile helps. */
export function lossOfChoice(run: Loss, rule: ChoiceRule, delta?: Rational): Loss {
  if (!isFiniteLoss(run)) return pure(Infinity);
  if (run.measure === "pure" || run.measure === "base2") return pureOf(run, rule);
  if (run.measure === "approx") return run.delta.numerator === 0n ? pureOf(run, rule) : approxOf(run, rule);
  return delta === undefined ? renyiOf(run, rule) : profileOf(run, rule, delta);
}

function pureOf(run: Loss, rule: ChoiceRule): LossOf["pure"] {
  const { epsilon } = convert(run, { to: "pure" });
  return pure(pureChoice(epsilon as Rational, rule));
}

function pureChoice(epsilon: Rational, { factor, gamma }: ChoiceRule): Rational {
  return roundedUp((precision) => {
    const inverse = Interval.from(epsilon.negated(), precision).exp();
    const psi = inverse.times(gamma).plus(1n).dividedBy(inverse.plus(gamma)).ln();
    return psi.times(factor).plus(epsilon);
  });
}

function approxOf(
  { epsilon, delta }: LossOf["approx"],
  { factor, gamma, mean }: ChoiceRule,
): LossOf["approx"] {
  const least = roundedUp((precision) => lnOf(needed(delta, gamma).plus(1n), precision));
  const hat = isBounded(epsilon) && epsilon.compare(least) >= 0 ? epsilon : least;
  const failure = roundedUp((precision) => mean(precision).times(delta));
  return approx((epsilon as Rational).plus(hat.times(factor)), atMostOne(failure));
}

/** (1 − γ)·δ/γ, which e^ε̂ − 1 must reach. */
function needed(delta: Rational, gamma: Rational): Rational {
  return Rational.ONE.minus(gamma).times(delta).dividedBy(gamma);
}

function atMostOne(probability: Rational): Rational {
  return probability.compare(1n) < 0 ? probability : Rational.ONE;
}

function renyiOf(run: Loss & { measure: "zcdp" | "renyi" }, rule: ChoiceRule): Loss {
  const { curve, delta } = convert(run, { to: "renyi" });
  const hat = run.measure === "zcdp" ? zcdpHat(run.rho as Rational, rule) : curveHat(curve, rule);
  const formula = (alpha: Rational, precision: number) =>
    curve
      .enclose(alpha, precision)
      .plus(hat(precision).times(rule.factor))
      .plus(rule.mean(precision).ln().dividedBy(alpha.minus(1n)));
  const bounds = isBounded(curve.epsilon) ? { epsilon: pureChoice(curve.epsilon, rule) } : {};
  const choice = RenyiCurve.of(formula, bounds);
  if (delta === undefined) return renyi(choice);
  if (!rule.coversFailures)
    throw invalidParameter("loss", "without a δ, or told as (ε, δ) with the option delta", run.measure);
  return renyi(choice, atMostOne(roundedUp((precision) => rule.mean(precision).times(delta))));
}

/** 2√(ρL) − ρ where L > ρ; L holds always. */
function zcdpHat(rho: Rational, { gamma }: ChoiceRule): (precision: number) => Interval {
  return (precision) => {
    const logarithm = lnOf(gamma, precision).negated();
    return logarithm.isAbove(rho) ? logarithm.times(rho).sqrt().times(2n).minus(rho) : logarithm;
  };
}

/** (1 − 1/α̂)·ε̂ + L/α̂ at the best of these orders: 1 + m·2^e. */
function curveHat(curve: RenyiCurve, { gamma }: ChoiceRule): (precision: number) => Interval {
  const bounds: Rational[] = [roundedUp((precision) => lnOf(gamma, precision).negated())];
  for (let exponent = -4; exponent <= 16; exponent++)
    for (const quarters of [4n, 5n, 6n, 7n]) {
      const step = Rational.of(quarters << BigInt(exponent + 4), 64n);
      const order = step.plus(1n);
      const rest = roundedUp((precision) => lnOf(gamma, precision).negated().dividedBy(order));
      bounds.push(curve.at(order).times(step.dividedBy(order)).plus(rest));
    }
  const best = bounds.reduce((a, b) => (a.compare(b) <= 0 ? a : b));
  return (precision) => Interval.from(best, precision);
}

/** The largest ε that is tried, and the digits to which the least is found. */
const LARGEST_EPSILON = 1 << 20;
const STEPS = 24;

function profileOf(run: Loss, { factor, gamma, mean }: ChoiceRule, delta: Rational): LossOf["approx"] {
  const failure = (epsilon: Rational) => convert(run, { to: "approx", epsilon }).delta;
  const total = (epsilon: Rational) => roundedUp((precision) => mean(precision).times(failure(epsilon)));
  const hat = leastThat((epsilon) => {
    const reached = roundedDown((precision) => Interval.from(epsilon, precision).exp().minus(1n));
    return needed(failure(epsilon), gamma).compare(reached) <= 0;
  });
  const own = leastThat((epsilon) => total(epsilon).compare(delta) <= 0);
  if (hat === undefined || own === undefined)
    throw invalidParameter("delta", "large enough for the δ of the runs, times their mean number", delta);
  return approx(own.plus(hat.times(factor)), total(own));
}

/** The least ε, nearly, for which this holds, and for all larger ones. */
function leastThat(holds: (epsilon: Rational) => boolean): Rational | undefined {
  let [low, high] = [Rational.ZERO, Rational.ONE];
  while (!holds(high)) {
    if (high.compare(LARGEST_EPSILON) > 0) return undefined;
    [low, high] = [high, high.times(2n)];
  }
  for (let step = 0; step < STEPS; step++) {
    const middle = low.plus(high).dividedBy(2n);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The loss of the best of K runs, K Poisson with this mean. */
export function lossOfPoissonBest(run: Loss, mean: Rational): Loss {
  if (!isFiniteLoss(run)) return pure(Infinity);
  if (run.measure === "approx" && run.delta.numerator > 0n) throw refusedByPoisson(run);
  if (run.measure === "zcdp" || run.measure === "renyi") {
    if (run.delta !== undefined) throw refusedByPoisson(run);
    const { curve } = convert(run, { to: "renyi" });
    return renyi(RenyiCurve.of((alpha, precision) => poissonCurve(run, curve, mean, alpha, precision)));
  }
  const { epsilon } = convert(run, { to: "pure" });
  return pure(
    roundedUp((precision) => {
      const inverse = Interval.from((epsilon as Rational).negated(), precision).exp();
      return inverse
        .negated()
        .plus(1n)
        .dividedBy(inverse.plus(1n))
        .times(mean)
        .plus(epsilon as Rational);
    }),
  );
}

function refusedByPoisson({ measure }: Loss): WinnowError {
  return invalidParameter("loss", "pure, zCDP or Rényi without a δ, with a Poisson number of runs", measure);
}

function poissonCurve(
  run: Loss,
  curve: RenyiCurve,
  mean: Rational,
  alpha: Rational,
  precision: number,
): Interval {
  const order = alpha.minus(1n);
  const at = roundedDown((digits) => lnOf(alpha.dividedBy(order), digits));
  const { delta } = convert(run, { to: "approx", epsilon: at });
  return poissonBound(curve.enclose(alpha, precision), delta, mean, order, precision);
}

/** ln(e^−μ + μ·e^((α − 1)(ε_α + μ·δ̂)))/(α − 1), with the large power taken out of the logarithm. */
export function poissonBound(
  each: Interval,
  delta: Rational,
  mean: Rational,
  order: Rational,
  precision: number,
) {
  const exponent = each.plus(mean.times(delta)).times(order);
  const rest = exponent.plus(mean).negated().exp();
  return rest.plus(Interval.from(mean, precision)).ln().plus(exponent).dividedBy(order);
}
