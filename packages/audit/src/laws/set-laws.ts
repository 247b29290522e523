/**
 * The law of `topKSet`: each k-subset S of the candidates has a probability proportional to e^(q(S)/τ), or to b^(−q(S)·n) with
 * a base-2 parameter, for q(S) = (1 − λ)·(smallest score inside) − λ·(largest score outside) and the denominator n of λ. By
 * enumeration, and what can be told of it for long lists in closed form, by classes of sets with equal scores.
 *
 * It is computed from the definition alone and shares no code with the mechanism. The classes are those of the proof of `topKSet`.
 * @module
 */
import { type Base2Parameter, Interval, Rational, type RationalLike, rational } from "winnow-dp";
import { type Law, type LawOptions, lawSetting } from "./law.js";

/**
 * An instance of `topKSet` whose law is asked for.
 *
 * @inline
 */
export interface SetLawOptions extends Omit<LawOptions, "scale"> {
  /** The scale τ of the weights e^(q/τ), or the parameter b of the weights b^(−q·n). */
  readonly scale: RationalLike | Base2Parameter;
  /** λ: how much a large score that is left out counts. Default 1/2. */
  readonly outsiderShare?: RationalLike | undefined;
}

/**
 * P(these are released), by outcomes such as `"0,2"`, for `topKSet`.
 *
 * @param scores The scores of all candidates.
 * @param options How many winners, the scale of the weights, and λ.
 *
 * @example
 * ```ts
 * import { setLaw } from "winnow-audit";
 *
 * const law = setLaw([4, 2, 0], { k: 1, scale: 2, outsiderShare: 0 });
 * law.get("0")?.isAbove("0.66"); // → true
 * ```
 */
export function setLaw(scores: readonly RationalLike[], options: SetLawOptions): Law {
  const { exact, k, share, weight, precision } = setSetting(scores, options);
  const sets = [...subsets(exact.length, k)];
  const weights = sets.map((set) => {
    const inside = set.map((index) => exact[index]).reduce((a, b) => (a.compare(b) < 0 ? a : b));
    const outside = exact
      .filter((_, index) => !set.includes(index))
      .reduce((a, b) => (a.compare(b) > 0 ? a : b));
    return inside.times(Rational.ONE.minus(share)).minus(outside.times(share));
  });
  const best = weights.reduce((a, b) => (a.compare(b) > 0 ? a : b));
  const relative = weights.map((score) => weight(best.minus(score)));
  const total = relative.reduce((sum, each) => sum.plus(each));
  return new Map(
    sets.map((set, place) => [String(set), relative[place].dividedBy(total).withPrecision(precision)]),
  );
}

/**
 * What a set of the k largest is worth, before anything is drawn, on scores that are public.
 *
 * @inline
 */
export interface SetUtility {
  /** The probability that the k first by score, the earlier first among equals, are released. */
  readonly first: Interval;
  /** The expected share of them in the answer. */
  readonly recall: Interval;
}

/**
 * How likely the true set is, and how much of it an answer of `topKSet` holds in the mean.
 *
 * @param scores Public scores, or a public guess of private ones.
 * @param options How many winners, the scale of the weights, and λ.
 *
 * @example
 * ```ts
 * import { setUtility } from "winnow-audit";
 *
 * setUtility([100, 90, 10, 5, 1], { k: 2, scale: 10 }).recall.isAbove("0.98"); // → true
 * ```
 */
export function setUtility(scores: readonly RationalLike[], options: SetLawOptions): SetUtility {
  const { exact, k, share, weight, precision } = setSetting(scores, options);
  const sorted = exact.sort((a, b) => b.compare(a));
  const rest = Rational.ONE.minus(share);
  let [total, right] = [Interval.from(1n, precision), Interval.from(k, precision)];
  for (let i = 0; i < k; i++) {
    const outside = weight(sorted[k - 1 - i].minus(sorted[k]).times(share));
    let sets = 1n; // C(i + j, i)
    for (let j = 0; j < sorted.length - k; j++) {
      if (j > 0) sets = (sets * BigInt(i + j)) / BigInt(j);
      const each = outside.times(weight(sorted[k - 1].minus(sorted[k + j]).times(rest))).times(sets);
      total = total.plus(each);
      // k − 1 − i before the one that is left out, and of the i + j between, i in, i of which are among the first.
      const kept = i === 0 ? Rational.ZERO : Rational.of(BigInt(i * i), BigInt(i + j));
      right = right.plus(each.times(kept.plus(k - 1 - i)));
    }
  }
  return { first: Interval.from(1n, precision).dividedBy(total), recall: right.dividedBy(total.times(k)) };
}

/** Digits for products of binomials with tiny weights. */
const GUARD = 512;

function setSetting(
  scores: readonly RationalLike[],
  { scale, outsiderShare = "1/2", ...options }: SetLawOptions,
) {
  const isBase2 = typeof scale === "object" && "eta" in scale;
  const setting = lawSetting(scores, { ...options, scale: isBase2 ? 1 : scale }, 1);
  const share = rational(outsiderShare, "outsiderShare");
  const precision = setting.precision + GUARD;
  const natural = (penalty: Rational) =>
    Interval.from(penalty.dividedBy(setting.scale).negated(), precision).exp();
  const weight = isBase2 ? base2Weight(scale, share.denominator, precision) : natural;
  return { exact: setting.scores, k: setting.k, share, weight, precision };
}

function base2Weight({ x, y, z }: Base2Parameter, parts: bigint, precision: number) {
  const ratio = Interval.from(Rational.of(x, 1n << y), precision);
  return (penalty: Rational) => ratio.power(penalty.times(parts * z).floor());
}

function* subsets(n: number, k: number, from = 0): Generator<readonly number[]> {
  if (k === 0) yield [];
  else
    for (let first = from; first <= n - k; first++)
      for (const others of subsets(n, k - 1, first + 1)) yield [first, ...others];
}
