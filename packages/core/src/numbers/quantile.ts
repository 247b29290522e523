/**
 * `quantile`: the value below which a share p of all values lies, on a public grid. The exponential mechanism by rank: a point x
 * is drawn with probability proportional to e^(−d(x)/τ), where d(x) is the distance of p·n from the ranks that x covers,
 *
 *     d(x) = max(0, p·n − #{≤ x}, #{< x} − p·n)
 *
 * so a tie that holds the quantile has distance 0. The number n of values is private and never needed.
 *
 * Guarantee: pure r/τ and zCDP (r/τ)²/8 with r = 2·max(p, 1 − p) where a record is added or removed (1 for the median, the minimum and
 * the maximum), 2 where one is replaced, times the records of a person; r·b·η in base 2 for p = a/b. Cost: sorting, and
 * a draw over a few hundred runs of equal distance; some hundred bits. Proof: quantile.proof.md.
 * @module
 */

import type { Base2Parameter } from "../accounting/base2-parameter.js";
import { base2, type LossOf, pure, zcdp } from "../accounting/loss.js";
import { pureScale, rhoOfRounds, zcdpScale } from "../accounting/price.js";
import type { LooseOptions, LooseSpend, Spend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { lnOf, roundedUp } from "../exact/certified.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import {
  anyRational,
  exactlyOneOf,
  failureChance,
  integer,
  oneOf,
  positiveRational,
  probability,
  readOptions,
} from "../options.js";
import { withMethods } from "../select/measurement.js";
import { usualScale } from "../select/options.js";
import { withEntropy } from "../system-entropy.js";
import { Grid, type GridOptions, type GridValues, readGridValues } from "./grid-data.js";
import { base2RankWeights, naturalWeights, type RankWeights, SmearedRanks } from "./rank-draw.js";
import { aParameter } from "./threshold-parameters.js";

/**
 * A public grid, and how one individual can change the data.
 *
 * @inline
 */
export interface RecordOptions extends GridOptions {
  /** The most values that one individual has, if the data were bounded to that. Default 1. */
  readonly maxValuesPerUser?: number | undefined;
  /** Whether one individual is added or removed, or replaced by another. Default "add-remove". */
  readonly neighbours?: "add-remove" | "replace" | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/**
 * Which quantile, of which grid, and a budget: exactly one of `epsilon`, `rho`, `scale` and `eta`.
 *
 * @interface
 */
export type QuantileOptions = Spend<"epsilon" | "rho" | "scale" | "eta"> &
  RecordOptions & {
    /** The share of values below: 0 for the minimum, 1/2 for the median, 1 for the maximum. */
    readonly quantile: RationalLike;
  };

/**
 * A quantile, and what it cost.
 *
 * @inline
 */
export type Quantile = {
  /** A point of the grid. */
  readonly value: Rational;
  /** The loss. */
  readonly privacy: LossOf<Rational>["pure" | "zcdp" | "base2"];
  /**
   * With this confidence the ranks that the answer covers are at most so far from p·n; computed without the data.
   *
   * @param confidence A probability above 0 and below 1.
   */
  rankError(confidence: RationalLike): Rational;
};

/** A budget before it is known that just one is given. */
export type LooseQuantileBudget = LooseSpend<"epsilon" | "rho" | "scale" | "eta">;

/** The readers of a budget. */
export const BUDGET = {
  epsilon: positiveRational,
  rho: positiveRational,
  scale: positiveRational,
  eta: aParameter,
};

/** The readers of what quantiles share. */
export const RECORDS = {
  step: positiveRational,
  maxValuesPerUser: integer,
  neighbours: /* @__PURE__ */ oneOf("add-remove", "replace"),
  entropy: anEntropy,
};

export const GRID_ENDS = { lower: anyRational, upper: anyRational };

/**
 * One quantile of private values, on a public grid.
 *
 * See docs/mechanisms/quantile.md.
 *
 * @param values One value for each person (or at most `maxValuesPerUser`), or pairs of a value and how many people have it.
 * @param options Which quantile, the grid, and the budget.
 *
 * @example
 * ```ts
 * import { quantile } from "winnow-dp";
 *
 * const ages = Float64Array.from({ length: 10_001 }, (_, i) => 20 + (i % 60));
 * const median = quantile(ages, { quantile: "1/2", lower: 0, upper: 120, epsilon: 1 });
 * Math.abs(median.value.toNumber() - 49) <= 1; // → true
 * median.rankError("0.95"); // → 7.78322401633604
 * ```
 */
export function quantile(values: GridValues, options: QuantileOptions): Quantile {
  const read = readOptions(
    options as LooseOptions<QuantileOptions>,
    { quantile: probability, ...GRID_ENDS },
    { ...BUDGET, ...RECORDS },
  );
  const grid = new Grid(read);
  const share = rational(read.quantile);
  const noise = rankNoise(read, [{ share, range: rangeOf(share, read) }]);
  const histogram = readGridValues(values, grid);
  const ranks = new SmearedRanks(histogram, 1);
  const cell = withEntropy(read.entropy, (bits) =>
    ranks.draw({ from: 0n, to: BigInt(grid.size - 1), share }, noise.weightsFor(share), bits),
  );
  return withMethods(
    { value: grid.at(Number(cell)), privacy: noise.privacy },
    {
      rankError: (confidence: RationalLike) =>
        noise.rankError(share, grid.size - 1, failureChance(confidence)),
    },
  );
}

/** How far one individual can move distances against each other: r. */
export function rangeOf(share: Rational, { maxValuesPerUser = 1, neighbours }: RecordOptions): Rational {
  return rangeOfRecord(share, neighbours).times(BigInt(maxValuesPerUser));
}

function rangeOfRecord(share: Rational, neighbours: RecordOptions["neighbours"]): Rational {
  if (neighbours === "replace") return Rational.of(2n);
  if (share.numerator === 0n || share.equals(1n)) return Rational.ONE;
  const rest = Rational.ONE.minus(share);
  return (share.compare(rest) > 0 ? share : rest).times(2n);
}

/** A draw by rank, and its range. */
export interface RankQuery {
  readonly share: Rational;
  readonly range: Rational;
}

/** The noise of draws by rank that share a budget. */
export interface RankNoise {
  readonly privacy: LossOf<Rational>["pure" | "zcdp" | "base2"];
  /** τ; undefined in base 2. */
  readonly scale?: Rational;
  weightsFor(share: Rational): RankWeights;
  /** The distance that is exceeded with probability at most `failure`, if `wrong` points may be wrong. */
  rankError(share: Rational, wrong: number, failure: Rational): Rational;
}

/** One scale τ, or one base, for all draws. */
export function rankNoise(budget: LooseQuantileBudget, queries: readonly RankQuery[]): RankNoise {
  const { epsilon, rho, scale, eta } = budget;
  exactlyOneOf({ epsilon, rho, scale, eta });
  if (eta !== undefined) return base2Noise(eta, queries);
  const sum = queries.reduce((total, { range }) => total.plus(range), Rational.ZERO);
  const squares = queries.reduce((total, { range }) => total.plus(range.times(range)), Rational.ZERO);
  const tau = usualScale(
    scale !== undefined
      ? rational(scale)
      : epsilon !== undefined
        ? pureScale(rational(epsilon), sum, 1n)
        : zcdpScaleOf(rational(rho as RationalLike), squares),
  );
  const privacy =
    rho === undefined
      ? pure(sum.dividedBy(tau))
      : zcdp(rhoOfRounds(Rational.ONE.dividedBy(tau), "bounded-range").times(squares));
  return {
    privacy,
    scale: tau,
    weightsFor: (share) => naturalWeights(Rational.ONE.dividedBy(tau.times(share.denominator))),
    rankError: (_, wrong, failure) =>
      distanceFor(wrong, failure, (precision, ln) => ln(precision).times(tau)),
  };
}

/** √(Σr²/(8ρ)), rounded up. */
function zcdpScaleOf(rho: Rational, squares: Rational): Rational {
  return zcdpScale(rho.dividedBy(squares), Rational.ONE, "bounded-range");
}

function base2Noise(eta: Base2Parameter, queries: readonly RankQuery[]): RankNoise {
  const steps = queries.reduce(
    (total, { share, range }) => total.plus(range.times(share.denominator)),
    Rational.ZERO,
  );
  return {
    privacy: base2(eta.eta.times(steps)),
    weightsFor: () => base2RankWeights(eta),
    rankError: (share, wrong, failure) =>
      distanceFor(wrong, failure, (precision, ln) => {
        const each = lnOf(Rational.of(1n << eta.y, eta.x), precision).times(eta.z * share.denominator);
        return ln(precision).dividedBy(each);
      }),
  };
}

type Ln = (precision: number) => ReturnType<typeof lnOf>;

/** What `size` makes of ln(wrong/failure), rounded up; 0 where that is not above 1. */
function distanceFor(
  wrong: number,
  failure: Rational,
  size: (precision: number, ln: Ln) => ReturnType<typeof lnOf>,
): Rational {
  const odds = Rational.of(BigInt(wrong)).dividedBy(failure);
  if (odds.compare(1n) <= 0) return Rational.ZERO;
  return roundedUp((precision) => size(precision, (bits) => lnOf(odds, bits)));
}

/** The reader of a list of shares: increasing, from 0 to 1. */
export function shares(field: string, given: readonly RationalLike[]): Rational[] {
  if (!Array.isArray(given) || given.length === 0)
    throw invalidParameter(field, "a list of rationals from 0 to 1, increasing", given);
  const list = given.map((share: RationalLike) => probability(field, share));
  if (list.some((share, i) => i > 0 && share.compare(list[i - 1]) <= 0))
    throw invalidParameter(field, "a list of rationals from 0 to 1, increasing", "others");
  return list;
}
