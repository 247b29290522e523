/**
 * How the budget of `topKWithCounts` is split: what chooses the names, the noise of their counts, and what each costs.
 *
 *   unknown domain, ε, exponential noise   (1 − share)·ε and all of δ for the names, share·ε for Laplace noise on the counts
 *   unknown domain, ε, Gumbel noise        the same of the largest ρ that half of δ converts; the other half for the names
 *   unknown domain, ρ                      (1 − share)·ρ and all of δ for the names, share·ρ for Gaussian noise on the counts
 *   public domain                          the same without δ, by `topK`
 *
 * The share is 1/4, and 1/5 where the counts share a part of their noise.
 *
 * Nothing here depends on data. Proof: top-k-with-counts.proof.md.
 * @module
 */

import { rhoAtMost } from "../accounting/calibrate.js";
import { convert } from "../accounting/convert.js";
import { isAtMost } from "../accounting/extended.js";
import { approx, type Loss, type LossOf } from "../accounting/loss.js";
import type { LooseSpend, Spend } from "../accounting/spend.js";
import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { NoisyTopK } from "../select/noisy-top-k.js";
import { chooseNoise } from "../select/options.js";
import { CountNoise, type IntervalOptions } from "./count-noise.js";
import { type LimitedQuestion, rangeFor } from "./limited-losses.js";
import type { LimitedNoise } from "./limited-threshold.js";
import { type LimitedTopKMeasurement, limitedFor } from "./limited-top-k.js";

/** The parameters before it is known that there is just one budget, and what the domain needs. */
export type LooseCounted = LooseSpend<"epsilon" | "rho"> &
  LimitedQuestion &
  IntervalOptions & {
    readonly [Name in "delta" | "countShare" | "resolution"]?: RationalLike | undefined;
  } & {
    readonly domain?: "unknown" | "public" | undefined;
    readonly noise?: LimitedNoise | undefined;
  };

/** What chooses the names, and the noise of their counts. */
export interface CountedSteps {
  readonly measurement: LimitedTopKMeasurement | NoisyTopK;
  /** What the names cost on their own. */
  readonly names: Loss;
  readonly noise: CountNoise;
  /** The loss of everything, in the measure of the budget. */
  readonly report: (all: Loss) => Loss;
}

/** Noise that counts share is smaller, and so is the best share of the budget for it. */
const SHARE_ALONE = /* @__PURE__ */ Rational.of(1n, 4n);
const SHARE_SHARED = /* @__PURE__ */ Rational.of(1n, 5n);

/** The share for the counts: as asked, or a quarter, or a fifth where the noise is shared, which doesn't depend on the budget. */
function shareFor(
  { countShare, k, neighbours, maxItemsPerUser, sharing }: LooseCounted,
  law: "rho" | "epsilon",
) {
  if (countShare !== undefined) return rational(countShare);
  const { shared } = new CountNoise(k, { neighbours, maxItemsPerUser, sharing, [law]: 1n });
  return shared === undefined ? SHARE_ALONE : SHARE_SHARED;
}

/** The budget for the names, and that for the counts. */
function split(budget: Rational, options: LooseCounted, law: "rho" | "epsilon"): [Rational, Rational] {
  const counts = budget.times(shareFor(options, law));
  return [budget.minus(counts), counts];
}

/** Names of an unknown domain, with their δ. */
export function unknownSteps(options: LooseCounted): CountedSteps {
  const { epsilon, rho, k, resolution, countShare, confidence, domain, delta, sharing, ...rest } = options;
  const failure = rational(delta as RationalLike);
  const noise =
    rest.noise ?? (resolution !== undefined || (k <= 3 && rho === undefined) ? "exponential" : "gumbel");
  const limited = (budget: Spend<"epsilon" | "rho"> & { delta: Rational }) =>
    limitedFor({ ...rest, k, resolution, noise, ...budget });
  const stepsFrom = (
    { measurement }: ReturnType<typeof limitedFor>,
    noise: CountNoise,
    report: CountedSteps["report"],
  ): CountedSteps => ({ measurement, names: measurement.privacy, noise, report });
  if (epsilon !== undefined && noise === "exponential") {
    const [names, counts] = split(rational(epsilon), options, "epsilon");
    const laplace = new CountNoise(k, { ...rest, sharing, epsilon: counts });
    return stepsFrom(limited({ epsilon: names, delta: failure }), laplace, (loss) => loss);
  }
  const half = failure.dividedBy(2n);
  const whole =
    rho === undefined ? rhoAtMost({ epsilon: epsilon as RationalLike, delta: half }) : rational(rho);
  const [names, counts] = split(whole, options, "rho");
  const gaussian = new CountNoise(k, { ...rest, sharing, rho: counts });
  if (rho !== undefined) return stepsFrom(limited({ rho: names, delta: failure }), gaussian, (loss) => loss);
  const report = (loss: Loss) =>
    approximate(loss as LossOf["zcdp"], rational(epsilon as RationalLike), failure);
  return stepsFrom(limited({ rho: names, delta: half }), gaussian, report);
}

/** Rounded up, the conversion may end a digit above the target, which is met all the same. */
function approximate(loss: LossOf["zcdp"], epsilon: Rational, delta: Rational): Loss {
  const spent = convert(loss, { to: "approx", delta });
  return isAtMost(spent.epsilon, epsilon) ? spent : approx(epsilon, delta);
}

/** Names of a public list. */
export function publicSteps(options: LooseCounted): CountedSteps {
  const { epsilon, rho, k, resolution, neighbours = "add-remove", sensitivity = 1n } = options;
  if (resolution !== undefined && rho !== undefined)
    throw invalidParameter("resolution", "absent with rho for a public domain", resolution);
  for (const field of ["noise", "maxCandidates"] as const)
    if (options[field] !== undefined)
      throw invalidParameter(field, "absent for a public domain", options[field]);
  const law = epsilon === undefined ? "rho" : "epsilon";
  const [names, counts] = split(rational((epsilon ?? rho) as RationalLike), options, law);
  const monotone = neighbours === "add-remove";
  const budget = epsilon === undefined ? { rho: names } : { epsilon: names };
  const { measure, scale } = chooseNoise(budget, rangeFor(options), k);
  const measurement = new NoisyTopK({ k, measure, scale, monotone, resolution });
  return {
    measurement,
    names: measurement.map(sensitivity),
    noise: new CountNoise(k, {
      ...{ neighbours, sensitivity, maxItemsPerUser: options.maxItemsPerUser, sharing: options.sharing },
      [law]: counts,
    }),
    report: (all) => all,
  };
}
