/**
 * From a budget to the noise of a limited-domain top k: the least scale, the least threshold, and what they cost.
 *
 *   (ρ, δ)   Gumbel r·√(k/8ρ) or exponential k·r/√(2ρ); all of δ for the threshold
 *   (ε, δ)   exponential k·r/ε, all of δ for the threshold; or Gumbel with the least scale for which k rounds of bounded range
 *            r/scale are certified to keep (ε, δ₁), where δ₀ for the threshold and δ₁ share δ = δ₀ + (1 − δ₀)·δ₁; for more than
 *            1,000 rounds and far from usual sizes, for which their Rényi curve converts to ε with half of δ
 *   scale    as it is; all of δ for the threshold
 *
 * If the noise isn't given, it is the one with the lower threshold, which is public: exponential noise up to k = 3 or so
 * and where gaps are wanted, else Gumbel noise.
 *
 * Cost: Gumbel noise for (ε, δ) takes some milliseconds for a few rounds and 40 for 100 (0.1 s by the curve) the first time, and is
 * remembered. Proof: limited-top-k.proof.md, 5.
 * @module
 */

import { mostZcdp } from "../accounting/calibrate.js";
import { boundedRangeCurve } from "../accounting/curve.js";
import { epsilonAtOrder } from "../accounting/curve-to-approx.js";
import { gumbelNoise, isSearchable, lnNearly } from "../accounting/gumbel-scale.js";
import { approx, type LossOf, zcdp } from "../accounting/loss.js";
import { pureScale, rhoOfRounds, roundWithin, zcdpScale } from "../accounting/price.js";
import type { LooseSpend } from "../accounting/spend.js";
import { Rational, type RationalLike, rational, toDigits } from "../exact/rational.js";
import { exactlyOneOf, positiveRational } from "../options.js";
import { usualScale } from "../select/options.js";
import { failureOf, type LimitedNoise, smallestThreshold } from "./limited-threshold.js";

/** What noise a question gets, known before any data are seen. */
export interface LimitedPlan {
  readonly noise: LimitedNoise;
  readonly scale: Rational;
  /** T: how far ⊥ stands above the counts that one individual could bring in. */
  readonly threshold: bigint;
  /** The probability that they beat it all the same, rounded up. */
  readonly failure: Rational;
  /** What the release promises on its own, in the measure of the budget. */
  readonly privacy: LossOf<Rational>["zcdp" | "approx"];
}

/** A question, as far as its noise depends on it. */
export interface LimitedTerms {
  readonly k: number;
  /** r: how far one individual can move two counts against each other. */
  readonly range: Rational;
  /** m: how many names one individual can bring in. */
  readonly newcomers: number;
  readonly delta: Rational;
  /** The noise to take; by default the one with the lower threshold. */
  readonly noise: LimitedNoise | undefined;
}

const remembered = new Map<string, LimitedPlan>();
const MOST_REMEMBERED = 64;

/** The noise for a budget. Nothing here depends on data, so what was found once is remembered. */
export function planFor({ epsilon, rho, scale }: LooseSpend, terms: LimitedTerms): LimitedPlan {
  exactlyOneOf({ epsilon, rho, scale });
  const budget = Object.entries({ epsilon, rho, scale }).flatMap(([name, size]) =>
    size === undefined ? [] : [`${name} ${positiveRational(name, size)}`],
  );
  const { k, range, newcomers, delta, noise } = terms;
  const question = [...budget, k, range, newcomers, delta, noise].join(" ");
  const plan = remembered.get(question) ?? findPlan({ epsilon, rho, scale }, terms);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(question, plan);
  return plan;
}

function findPlan({ epsilon, rho, scale }: LooseSpend, terms: LimitedTerms): LimitedPlan {
  if (scale !== undefined) return forScale(positiveRational("scale", scale), terms);
  if (rho !== undefined) return forRho(positiveRational("rho", rho), terms);
  const target = positiveRational("epsilon", epsilon as RationalLike);
  const byNoise = { exponential: forPure, gumbel: forApprox };
  if (terms.noise !== undefined) return byNoise[terms.noise](target, terms);
  const [first, second] = [forPure(target, terms), forApprox(target, terms)];
  return first.threshold <= second.threshold ? first : second;
}

function forScale(scale: Rational, terms: LimitedTerms): LimitedPlan {
  const noise = terms.noise ?? "exponential"; // as for topK
  const plan = withThreshold(noise, scale, terms, terms.delta);
  const perRound = terms.range.dividedBy(scale);
  return {
    ...plan,
    privacy: noise === "gumbel" ? concentrated(perRound, plan, terms) : bounded(plan, terms),
  };
}

function forRho(rho: Rational, terms: LimitedTerms): LimitedPlan {
  const { k, range, delta, noise = "gumbel" } = terms; // whose scale is 2√k times smaller
  if (noise === "gumbel") {
    const scale = zcdpScale(rho, range, "bounded-range", BigInt(k));
    const plan = withThreshold(noise, scale, terms, delta);
    return { ...plan, privacy: concentrated(range.dividedBy(scale), plan, terms) };
  }
  const scale = zcdpScale(rho, range.times(k), "pure");
  const plan = withThreshold(noise, scale, terms, delta);
  const spent = rhoOfRounds(range.times(k).dividedBy(scale), "pure");
  return { ...plan, privacy: zcdp(spent, plan.failure) };
}

/** All of δ for the threshold. */
function forPure(epsilon: Rational, terms: LimitedTerms): LimitedPlan {
  const scale = pureScale(epsilon, terms.range, BigInt(terms.k));
  const plan = withThreshold("exponential", scale, terms, terms.delta);
  return { ...plan, privacy: bounded(plan, terms) };
}

/** Up to this many rounds their curve may be as good. */
const FEW = 6;

/** By the rounds where they can be certified, otherwise by their curve; of a few rounds the lower threshold. */
function forApprox(epsilon: Rational, terms: LimitedTerms): LimitedPlan {
  const rounds = byRounds(epsilon, terms);
  if (rounds !== undefined && terms.k > FEW) return rounds;
  const curve = byCurve(epsilon, terms);
  return rounds !== undefined && rounds.threshold < curve.threshold ? rounds : curve;
}

/** Undefined where they can't be certified. */
function byRounds(epsilon: Rational, terms: LimitedTerms): LimitedPlan | undefined {
  const { k: rounds, range: distance, delta } = terms;
  const part = delta.times(roundsShare(terms));
  const atThreshold = delta.minus(part);
  const atRounds = part.dividedBy(Rational.ONE.minus(atThreshold));
  if (!isSearchable({ epsilon, delta: atRounds, rounds })) return undefined;
  const { scale, privacy } = gumbelNoise({ epsilon, delta: atRounds, rounds, distance });
  const plan = withThreshold("gumbel", scale, terms, atThreshold);
  const both = plan.failure.plus(Rational.ONE.minus(plan.failure).times(privacy.delta));
  const stated = toDigits(both, "up");
  return { ...plan, privacy: approx(epsilon, stated.compare(delta) <= 0 ? stated : delta) };
}

/**
 * What of δ is for the rounds, in twentieths: any share is valid, and public. With f of δ the scale grows about like √ln(1/(f·δ)) and
 * the threshold in its units is ln(m/((1 − f)·δ)); their product is least where f/(1 − f) = ln(m/δ)/(2·ln(1/δ)). For a few rounds,
 * which are nearly as good for ε alone, half of that is better.
 */
function roundsShare({ k, newcomers, delta }: LimitedTerms): Rational {
  const [ofRounds, ofThreshold] = [delta, delta.dividedBy(newcomers)].map((odds) => -lnNearly(odds));
  const share = Math.round((20 * ofThreshold) / (ofThreshold + 2 * ofRounds));
  return Rational.of(BigInt(Math.min(16, Math.max(4, share))), k > FEW ? 20n : 40n);
}

/** Half of δ for the threshold, half for the conversion of their curve. */
export function byCurve(epsilon: Rational, terms: LimitedTerms): LimitedPlan {
  const half = terms.delta.dividedBy(2n);
  const { scale, spent } = gumbelScale(epsilon, half, terms);
  const plan = withThreshold("gumbel", scale, terms, half);
  return { ...plan, privacy: approx(spent, plan.failure.plus(half)) };
}

type Found = Omit<LimitedPlan, "privacy">;

function withThreshold(
  noise: LimitedNoise,
  scale: Rational,
  { newcomers }: LimitedTerms,
  delta: Rational,
): Found {
  const terms = { noise, scale: usualScale(scale), newcomers }; // refused before a T of thousands of digits is searched
  const threshold = smallestThreshold(terms, delta);
  return { noise, scale, threshold, failure: failureOf(terms, Rational.of(threshold), delta) };
}

function concentrated(perRound: Rational, { failure }: Found, { k }: LimitedTerms): LossOf<Rational>["zcdp"] {
  return zcdp(rhoOfRounds(perRound, "bounded-range", k), failure);
}

function bounded({ scale, failure }: Found, { k, range }: LimitedTerms): LossOf<Rational>["approx"] {
  return approx(range.times(k).dividedBy(scale), failure);
}

/** More are never needed: the error is squared each time. */
const MOST_ROUNDS = 8;
const CLOSE = /* @__PURE__ */ Rational.of(1n, 10n ** 11n);

/**
 * The least Gumbel scale whose k rounds convert to ε with this δ, to eleven digits, and the ε that they convert to. From
 * the zCDP of the same ε, the best order for a range and the largest range for an order are found in turn. Any order
 * gives a valid range: how well this converges decides how small the scale is, never whether it is safe.
 */
function gumbelScale(
  epsilon: Rational,
  delta: Rational,
  { k, range }: LimitedTerms,
): { scale: Rational; spent: Rational } {
  const cost = (perRound: Rational, order: Rational) =>
    epsilonAtOrder(boundedRangeCurve(perRound).times(k), order, delta, "optimal");
  const { rho, order: first } = mostZcdp(epsilon, delta);
  let order = first;
  let perRound = roundWithin(rho, "bounded-range", k);
  for (let round = 0; ; round++) {
    order = lowestNear(order, WIDTHS[Math.min(round, 2)], (alpha) => cost(perRound, alpha));
    const widest = largestBelow(epsilon, perRound, (wider) => cost(wider, order));
    const isClose = widest.minus(perRound).compare(perRound.times(CLOSE)) <= 0;
    perRound = widest;
    if (!isClose && round < MOST_ROUNDS) continue;
    const scale = toDigits(range.dividedBy(perRound), "up");
    return { scale, spent: cost(range.dividedBy(scale), order) };
  }
}

/** How far apart three neighbouring orders are, as a share of α − 1: in the first round, the second and the others. */
const WIDTHS = [
  [1 / 2, 1 / 16],
  [1 / 16, 1 / 128],
  [1 / 128, 1 / 4096],
] as const;
const MOST_MOVES = 64;

/**
 * Walks downhill from one order by steps of each width, and from the lowest of three neighbours to the lowest point of the
 * parabola through them. Costs are certified; doubles, added and multiplied as on every engine, only say where to look.
 */
function lowestNear(
  start: Rational,
  widths: readonly number[],
  cost: (order: Rational) => Rational,
): Rational {
  const orderAt = (distance: number) => toDigits(rational(distance), "up").plus(1n);
  const costAt = (distance: number) => cost(orderAt(distance)).toNumber();
  let [best, least] = [start.minus(1n).toNumber(), cost(start).toNumber()];
  for (const width of widths)
    for (let move = 0; move < MOST_MOVES; move++) {
      const [left, right] = [best / (1 + width), best * (1 + width)];
      const [atLeft, atRight] = [costAt(left), costAt(right)];
      if (least <= atLeft && least <= atRight) {
        const [a, b] = [(best - left) * (least - atRight), (best - right) * (least - atLeft)];
        const lowest = best - ((best - left) * a - (best - right) * b) / (2 * (a - b));
        if (!(lowest > left && lowest < right)) break; // three equal costs
        const atLowest = costAt(lowest);
        if (atLowest < least) [best, least] = [lowest, atLowest];
        break;
      }
      [best, least] = atLeft < atRight ? [left, atLeft] : [right, atRight];
    }
  return orderAt(best);
}

const SECANTS = 6;
/** 1 − 2^−40, to step back from where doubles see the edge. */
const STEP_BACK = /* @__PURE__ */ Rational.of((1n << 40n) - 1n, 1n << 40n);

/**
 * An x next to the largest with cost(x) ≤ limit, where the cost rises with x and cost(known) is within the limit. Doubles
 * say where to look; what is returned was checked.
 */
function largestBelow(limit: Rational, known: Rational, cost: (x: Rational) => Rational): Rational {
  const excess = (x: number) => cost(rational(x)).minus(limit).toNumber();
  const digit = limit.toNumber() * 1e-14; // costs have fifteen
  let [x, y] = [known.toNumber(), known.toNumber() * 1.001];
  let [atX, atY] = [excess(x), excess(y)];
  for (let i = 0; i < SECANTS && atX !== atY; i++) {
    const next = y - (atY * (y - x)) / (atY - atX);
    if (!(next > x / 2 && next < 4 * y)) break;
    [x, atX, y, atY] = [y, atY, next, excess(next)];
    if (Math.abs(atY) <= digit) break;
  }
  const fits = (wider: Rational) => cost(wider).compare(limit) <= 0;
  const near = toDigits(rational(y).times(STEP_BACK), "down");
  if (near.compare(known) > 0 && fits(near)) return near;
  let safe = known;
  while (!fits(safe)) safe = toDigits(safe.times(STEP_BACK), "down"); // by the rounding of the last digit, once or twice
  return safe;
}
