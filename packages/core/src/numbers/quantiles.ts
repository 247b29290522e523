/**
 * `quantiles`: several quantiles at once, in one of two ways, whichever has the smaller public bound of its error.
 *
 *   separate    one draw for each, as `quantile`; the losses add up, the errors don't
 *   recursive   the middle one first, which splits the grid; then those of either side on its part. All draws of a level concern
 *               different people, so a level costs as much as one draw: the loss grows with log₂ of the number of quantiles
 *
 * Values equal to a split go neither wholly to the left nor to the right: every value is spread over `subCells` sub-cells, which are split.
 *
 * Guarantee: separate Σr/τ and Σ(r/τ)²/8; recursive h·ε_level and h·ε_level²/8 for h = ⌈log₂(m + 1)⌉ levels. Cost: as `quantile`, for
 * each quantile. Proof: quantile.proof.md.
 * @module
 */

import { epsilonAtMost } from "../accounting/calibrate.js";
import { type LossOf, pure, zcdp } from "../accounting/loss.js";
import { rhoOfRounds } from "../accounting/price.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import type { Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { lnOf, roundedUp } from "../exact/certified.js";
import { Rational, type RationalLike, rational, shortened } from "../exact/rational.js";
import { bigInteger, exactlyOneOf, failureChance, integer, oneOf, readOptions } from "../options.js";
import { withMethods } from "../select/measurement.js";
import { withEntropy } from "../system-entropy.js";
import { Grid, type GridHistogram, type GridValues, readGridValues } from "./grid-data.js";
import { BUDGET, GRID_ENDS, RECORDS, type RecordOptions, rangeOf, rankNoise, shares } from "./quantile.js";
import { naturalWeights, SmearedRanks } from "./rank-draw.js";

/**
 * Which quantiles, of which grid, and a budget for all of them: exactly one of `epsilon`, `rho`, `scale` and `eta`.
 *
 * @interface
 */
export type QuantilesOptions = Spend<"epsilon" | "rho" | "scale" | "eta"> &
  RecordOptions & {
    /** The shares of values below, increasing. */
    readonly quantiles: readonly RationalLike[];
    /** How they are drawn. Default: the way with the smaller bound of the error. */
    readonly method?: "recursive" | "separate" | undefined;
    /** Over how many sub-cells a value is spread in the recursion: 1 only where values are known to be unique. Default 1024. */
    readonly subCells?: number | undefined;
    /** A public bound on the number of values, for the choice of the method. */
    readonly atMost?: number | bigint | undefined;
  };

/** Quantiles, and what they cost together. */
export interface Quantiles {
  /** Points of the grid, none below the one before it. */
  readonly values: readonly Rational[];
  /** How they were drawn, which the parameters decide. */
  readonly method: "recursive" | "separate";
  /** The loss of all of them. */
  readonly privacy: LossOf<Rational>["pure" | "zcdp" | "base2"];
  /** The scale τ of the draw of each; absent in base 2. */
  readonly scales?: readonly Rational[];
  /**
   * With this confidence, for all quantiles at once, the ranks that each covers are at most so far from its p·n.
   *
   * @param confidence A probability above 0 and below 1.
   * @param options What is public about the data.
   * @param options.atMost A public bound on the number of values; needed after a recursion with sub-cells.
   */
  rankError(
    confidence: RationalLike,
    options?: { readonly atMost?: number | bigint | undefined },
  ): readonly Rational[];
}

const DEFAULT_PARTS = 1024;

type Loose = LooseOptions<QuantilesOptions>;

/**
 * Several quantiles of private values, on a public grid.
 *
 * See docs/mechanisms/quantile.md.
 *
 * @param values One value for each person (or at most `maxValuesPerUser`), or pairs of a value and how many people have it.
 * @param options Which quantiles, the grid, and the budget.
 *
 * @example
 * ```ts
 * import { quantiles } from "winnow-dp";
 *
 * const ages = Float64Array.from({ length: 10_001 }, (_, i) => 20 + (i % 60));
 * const { values, method } = quantiles(ages, { quantiles: ["1/4", "1/2", "3/4"], lower: 0, upper: 120, epsilon: 1 });
 * values.map((value) => Math.abs(value.toNumber() - 49) < 25); // → [true, true, true]
 * method; // → "separate"
 * ```
 */
export function quantiles(values: GridValues, options: QuantilesOptions): Quantiles {
  const read = readOptions(
    options as Loose,
    { quantiles: shares, ...GRID_ENDS },
    {
      ...BUDGET,
      ...RECORDS,
      method: oneOf("recursive", "separate"),
      subCells: integer,
      atMost: (field: string, value: number | bigint) => bigInteger(field, value, 0),
    },
  );
  const { epsilon, rho, scale, eta } = read;
  exactlyOneOf({ epsilon, rho, scale, eta });
  const grid = new Grid(read);
  const plan = planFor(read, grid);
  const histogram = readGridValues(values, grid);
  const cells = withEntropy(read.entropy, (bits) => plan.draw(histogram, bits));
  const answer = {
    values: cells.map((cell) => grid.at(cell)),
    method: plan.method,
    privacy: plan.privacy,
    ...(plan.scales !== undefined && { scales: plan.scales }),
  };
  return withMethods(answer, {
    rankError(confidence: RationalLike, given: { readonly atMost?: number | bigint | undefined } = {}) {
      const { atMost } = readOptions(given, {}, { atMost: bigInteger });
      return plan.rankError(failureChance(confidence), atMost as bigint | undefined);
    },
  });
}

interface Plan {
  readonly method: "recursive" | "separate";
  readonly privacy: LossOf<Rational>["pure" | "zcdp" | "base2"];
  readonly scales?: readonly Rational[] | undefined;
  draw(histogram: GridHistogram, entropy: Entropy): number[];
  rankError(failure: Rational, atMost: bigint | undefined): Rational[];
}

/** At this probability the bounds of the two ways are compared. */
const BETA = /* @__PURE__ */ Rational.of(1n, 20n);

function planFor(read: Loose, grid: Grid): Plan {
  const { method, scale, eta, subCells } = read;
  const isFixed = scale !== undefined || eta !== undefined; // noise of one size, which levels don't share
  if (isFixed && method === "recursive")
    throw invalidParameter("method", '"separate" with scale or eta', method);
  if (method === "separate" || isFixed) return separatePlan(read, grid);
  const recursive = recursivePlan(read, grid);
  if (method === "recursive") return recursive;
  const separate = separatePlan(read, grid);
  // Without a public bound the share that ties may add, n over the sub-cells, is left out of the comparison.
  const atMost = read.atMost === undefined ? 0n : BigInt(read.atMost);
  const [one, other] = [separate, recursive].map((plan) => largest(plan.rankError(BETA, atMost)));
  return subCells === undefined && one.compare(other) <= 0 ? separate : recursive;
}

function largest(list: readonly Rational[]): Rational {
  return list.reduce((a, b) => (a.compare(b) > 0 ? a : b));
}

function separatePlan(read: Loose, grid: Grid): Plan {
  const list = read.quantiles as readonly Rational[];
  const noise = rankNoise(
    read,
    list.map((share) => ({ share, range: rangeOf(share, read) })),
  );
  const to = BigInt(grid.size - 1);
  const { scale } = noise;
  return {
    method: "separate",
    privacy: noise.privacy,
    scales: scale && list.map(() => scale),
    draw(histogram, entropy) {
      const ranks = new SmearedRanks(histogram, 1);
      const cells = list.map((share) =>
        Number(ranks.draw({ from: 0n, to, share }, noise.weightsFor(share), entropy)),
      );
      return cells.sort((a, b) => a - b);
    },
    rankError: (failure) =>
      list.map((share) => noise.rankError(share, grid.size - 1, failure.dividedBy(BigInt(list.length)))),
  };
}

function recursivePlan(read: Loose, grid: Grid): Plan {
  const list = read.quantiles as readonly Rational[];
  const { epsilon, rho, subCells = DEFAULT_PARTS, maxValuesPerUser = 1, neighbours } = read;
  const parts = BigInt(subCells);
  const levels = list.length.toString(2).length; // ⌈log₂(m + 1)⌉
  const each =
    epsilon === undefined
      ? epsilonAtMost(rational(rho as RationalLike), { rounds: levels, class: "bounded-range" })
      : shortened(rational(epsilon).dividedBy(BigInt(levels)), "down");
  // A replaced record is one removed and one added.
  const records = BigInt(maxValuesPerUser) * (neighbours === "replace" ? 2n : 1n);
  const tauFor = (share: Rational) => {
    const rest = Rational.ONE.minus(share);
    return (share.compare(rest) > 0 ? share : rest).times(2n * records).dividedBy(each);
  };
  const all = each.times(BigInt(levels));
  const tree = splitOf(list, 0, list.length - 1, Rational.ZERO, Rational.ONE);
  const concentrated = rhoOfRounds(each, "bounded-range", levels);
  const scales = new Array<Rational>(list.length);
  for (const { index, share } of splitsOf(tree)) scales[index] = tauFor(share);
  return {
    method: "recursive",
    privacy: rho === undefined ? pure(all) : zcdp(concentrated),
    scales,
    draw(histogram, entropy) {
      const ranks = new SmearedRanks(histogram, subCells);
      const cells = new Array<number>(list.length);
      const solve = (split: Split | undefined, from: bigint, to: bigint): void => {
        if (split === undefined) return;
        const { index, share } = split;
        const rate = Rational.ONE.dividedBy(tauFor(share).times(share.denominator * parts));
        // An empty range has only its boundary.
        const cell = from > to ? to : ranks.draw({ from, to, share }, naturalWeights(rate), entropy);
        cells[index] = Number(cell / parts);
        solve(split.left, from, cell);
        solve(split.right, cell + 1n, to);
      };
      solve(tree, 0n, BigInt(grid.size) * parts - 1n);
      return cells;
    },
    rankError(failure, atMost) {
      if (atMost === undefined && subCells > 1)
        throw invalidParameter("atMost", "a public bound on the number of values", atMost);
      const ties = subCells === 1 ? Rational.ONE : Rational.of(atMost ?? 0n, parts);
      const odds = Rational.of(BigInt(grid.size) * parts * BigInt(list.length)).dividedBy(failure);
      const errors = new Array<Rational>(list.length);
      const bound = (split: Split | undefined, above: Rational): void => {
        if (split === undefined) return;
        const reach = roundedUp((precision) => lnOf(odds, precision).times(tauFor(split.share)));
        errors[split.index] = above.plus(reach).plus(ties);
        bound(split.left, errors[split.index]);
        bound(split.right, errors[split.index]);
      };
      bound(tree, Rational.ZERO);
      return errors;
    },
  };
}

/** A quantile that splits a part of the grid: which one, and its share of that part. */
interface Split {
  readonly index: number;
  readonly share: Rational;
  readonly left: Split | undefined;
  readonly right: Split | undefined;
}

/** All of them. */
function* splitsOf(split: Split | undefined): Generator<Split, void> {
  if (split === undefined) return;
  yield split;
  yield* splitsOf(split.left);
  yield* splitsOf(split.right);
}

/** The middle one of the quantiles from `first` to `last`, which lie between two shares of the whole, and those of either side. */
function splitOf(
  list: readonly Rational[],
  first: number,
  last: number,
  least: Rational,
  most: Rational,
): Split | undefined {
  if (first > last) return undefined;
  const index = (first + last) >> 1;
  const here = list[index];
  return {
    index,
    share: here.minus(least).dividedBy(most.minus(least)),
    left: splitOf(list, first, index - 1, least, here),
    right: splitOf(list, index + 1, last, here, most),
  };
}
