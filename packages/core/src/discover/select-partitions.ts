/**
 * `selectPartitions`: every name that enough people have, from an unknown domain, with or without counts. Each person is in
 * at most `maxItemsPerUser` counts (`boundContributions`); without that bound one person could bring in any number of names.
 *
 *   "optimal"    names only, each kept as often as privacy allows [DVGM20]: (ε/m, δ/m) a name, so (ε, δ)
 *   "renyi"      names only, by a table of probabilities for one Rényi order: (ε, δ), or with `order` ε at that order except for δ
 *   "zcdp"       names only, by a table for all orders: δ-approximately ρ-zCDP
 *   "laplace"    counts with discrete Laplace noise between −κ and κ, published above κ: (ε, δ) as with "optimal"
 *   "gaussian"   counts with discrete Gaussian noise, published from a threshold on: (ε, δ) by the exact δ of both, or
 *                δ-approximately m/(2σ²)-zCDP
 *
 * Where people are replaced, 2m counts move. By default names are kept by the first if up to two counts move and by the second
 * otherwise, which then needs fewer people for a name: 49 instead of 81 for ten items a person at (1, 10⁻⁶). In ρ it is the third. With
 * counts it is "laplace" for up to two, and the last otherwise. Names are listed by their bytes, never by count.
 *
 * Near the threshold a published count is one whose noise was large: it has no interval. Measure the names again
 * (`measureCounts`) if you need one. How many are kept doesn't change the loss.
 *
 * Cost: a word or two per name; far less for names that few people have, without counts. A table takes some 50 ms once for ε = 1, and half a
 * second for "zcdp".
 * Proof: select-partitions.proof.md, accounting/profile/keep-table.proof.md, accounting/profile/sparse-histogram.proof.md.
 * @module
 */

import { rhoAtMost } from "../accounting/calibrate.js";
import { convert } from "../accounting/convert.js";
import { renyi } from "../accounting/curve.js";
import { isAtMost } from "../accounting/extended.js";
import { varianceAtLeast } from "../accounting/least-noise.js";
import { approx, type LossOf, zcdp } from "../accounting/loss.js";
import { curveOfTable, tableOfAllOrders, tableOfFailingOrder } from "../accounting/profile/failing-steps.js";
import type { KeepTable } from "../accounting/profile/keep-table.js";
import { tableOfOneOrder } from "../accounting/profile/one-order-steps.js";
import { sparseHistogram } from "../accounting/profile/sparse-histogram.js";
import { gaussianThreshold, laplaceThreshold } from "../accounting/profile/tails.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import {
  boolean,
  exactlyOneOf,
  integer,
  oneOf,
  positiveRational,
  properProbability,
  readOptions,
} from "../options.js";
import { byBytes, type NamedCounts } from "../race/candidates.js";
import { preparedNoise } from "../sample/prepared-noise.js";
import { TruncatedLaplace } from "../sample/truncated-laplace.js";
import { withEntropy } from "../system-entropy.js";
import { levelOfEach } from "./count-noise.js";
import { KeepCoin } from "./keep-probabilities.js";
import type { Neighbours } from "./limited-losses.js";
import { type NameCoin, TableCoin } from "./name-coin.js";
import { countOf, hasUniqueNames, invalidHistogram, nameOf, pairsOf } from "./named-counts.js";

/**
 * How names are chosen.
 *
 * @inline
 */
export type PartitionMethod = "optimal" | "renyi" | "zcdp" | "laplace" | "gaussian";

/**
 * How many names a person is counted for, a budget (exactly one of `epsilon` and `rho`, with a `delta`), and whether
 * counts are wanted.
 *
 * @interface
 */
export type SelectPartitionsOptions = Spend<"epsilon" | "rho"> & {
  /** The most counts that one person is in. The histogram must have been bounded to that. */
  readonly maxItemsPerUser: number;
  /** The δ of the whole release, above 0 and below 1. */
  readonly delta: RationalLike;
  /** Whether noisy counts are published with the names. Default false. */
  readonly counts?: boolean | undefined;
  /** For a budget that counts at this integer order of Rényi divergence, names only: `epsilon` is a loss at this order. */
  readonly order?: number | undefined;
  /** How names are chosen. Default: what needs the fewest people for a name. */
  readonly method?: PartitionMethod | undefined;
  /** Whether one person is added or removed, or replaced by another. Default "add-remove". */
  readonly neighbours?: Neighbours | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
};

/** The same before it is known that just one budget is given. */
type Loose = LooseOptions<SelectPartitionsOptions>;

/**
 * A name that enough people have.
 *
 * @inline
 */
export interface Partition {
  /** The name. */
  readonly candidate: string;
  /** Its count with noise; only where counts were asked for. */
  readonly count?: Rational;
}

/**
 * The numbers from which the probabilities of "renyi" follow (docs/mechanisms/select-partitions.md).
 *
 * @inline
 */
export interface KeepNumbers {
  /** The Rényi order. */
  readonly order: number;
  /** The most by which one moved name multiplies the moment of that order. */
  readonly growth: Rational;
  /** The probability that a name of one person is kept. */
  readonly failure: Rational;
}

/** The names, and what they cost. */
export interface SelectPartitions {
  /** By the bytes of their names. */
  readonly winners: readonly Partition[];
  /** How names were chosen. */
  readonly method: PartitionMethod;
  /** The least noisy count that is published; undefined where names are kept without noise. */
  readonly threshold?: Rational;
  /** σ² of the noise of "gaussian". */
  readonly variance?: Rational;
  /** The table of "renyi" without an `order`: it is determined by these numbers. */
  readonly table?: KeepNumbers;
  /** The least number of people whose name is kept at least every other time, with "renyi" and "zcdp". */
  readonly halfKeep?: number;
  /** The loss that was incurred, whatever the answer. */
  readonly privacy: LossOf<Rational>["approx" | "zcdp" | "renyi"];
}

const OPTIONS = {
  epsilon: positiveRational,
  rho: positiveRational,
  counts: boolean,
  order: integer,
  method: /* @__PURE__ */ oneOf("optimal", "renyi", "zcdp", "laplace", "gaussian"),
  neighbours: /* @__PURE__ */ oneOf("add-remove", "replace"),
  entropy: anEntropy,
};

/**
 * Every name that enough people have, where no one knows beforehand which names there are.
 *
 * Guarantee: with `rho`, δ-approximate ρ-zCDP; with `epsilon`, (ε, δ)-DP, or with `order` a Rényi divergence of ε at
 * that order except for δ; each if every person is in at most
 * `maxItemsPerUser` of the counts, by 1 each. See docs/mechanisms/select-partitions.md.
 *
 * @param histogram How many people have each name, after `boundContributions`.
 * @param options The bound, the budget, and whether counts are wanted.
 *
 * @example
 * ```ts
 * import { selectPartitions } from "winnow-dp";
 *
 * const people = { Dove: 900, Alster: 800, Elbe: 1 };
 * const { winners } = selectPartitions(people, { maxItemsPerUser: 1, epsilon: 1, delta: "1e-9" });
 * winners.map(({ candidate }) => candidate); // → ["Alster", "Dove"]
 * ```
 */
export const selectPartitions = /* @__PURE__ */ Object.assign(select, {
  /**
   * What decides on the names of releases with these options, for many of them: tables are computed once. Called with the bits
   * of a release, it gives what to call with each count: a count with noise, or `true` where none is published, if the name
   * is kept.
   */
  prepare(options: SelectPartitionsOptions): (entropy: Entropy) => Decide {
    return planOf(readPartitionOptions(options)).decider;
  },
});

function select(histogram: NamedCounts, options: SelectPartitionsOptions): SelectPartitions {
  const read = readPartitionOptions(options);
  const { decider, ...plan } = planOf(read);
  const names: string[] = [];
  const counts: (number | bigint)[] = [];
  for (const pair of pairsOf(histogram)) {
    names.push(nameOf(pair));
    counts.push(countOf(pair[1]));
  }
  if (!hasUniqueNames(histogram) && new Set(names).size < names.length) throw invalidHistogram();
  const winners = withEntropy(read.entropy, (entropy) => {
    const decide = decider(entropy);
    const published: Partition[] = [];
    for (let i = 0; i < names.length; i++) {
      const kept = counts[i] > 0 ? decide(counts[i]) : undefined;
      if (kept === undefined) continue;
      const candidate = names[i];
      published.push(read.counts && kept !== true ? { candidate, count: Rational.of(kept) } : { candidate });
    }
    return published;
  });
  return { winners: winners.sort((a, b) => byBytes(a.candidate, b.candidate)), ...plan };
}

function readPartitionOptions(options: SelectPartitionsOptions): Loose {
  return readOptions(options as Loose, { maxItemsPerUser: integer, delta: properProbability }, OPTIONS);
}

/** A count with noise, or `true` where there is none, if the name is kept. */
type Decide = (count: number | bigint) => bigint | true | undefined;

interface Plan extends Omit<SelectPartitions, "winners"> {
  /** What decides on the names of one release. */
  readonly decider: (entropy: Entropy) => Decide;
}

/** If at most this many counts move, choosing name by name needs fewer people than all names together. */
const FEW = 2;

/** The same against Gaussian noise by its zCDP. */
const FEW_BY_ZCDP = 3;

function planOf(options: Loose): Plan {
  const { epsilon, rho, order, counts = false, maxItemsPerUser, neighbours, method } = options;
  exactlyOneOf({ epsilon, rho });
  const moved = neighbours === "replace" ? 2 * maxItemsPerUser : maxItemsPerUser;
  const isNamesOnly = method === "optimal" || method === "renyi" || method === "zcdp";
  if (counts && isNamesOnly) throw invalidParameter("method", '"laplace" or "gaussian" with counts', method);
  if (order !== undefined) return planAtOrder(options, order, moved);
  if (rho !== undefined) {
    if (method !== undefined && method !== "gaussian" && method !== "zcdp")
      throw invalidParameter("method", '"zcdp" or "gaussian" with rho', method);
    const plan = counts || method === "gaussian" ? undefined : zcdpPlan(rational(rho), options, moved);
    if (plan === undefined && method === "zcdp")
      throw invalidParameter(
        "rho",
        'from 1/10000 to 100 for each name that moves for method "zcdp", with a delta from 1e-40',
        rho,
      );
    return plan ?? gaussianByZcdp(options, moved);
  }
  const target = { epsilon: rational(epsilon as RationalLike), delta: rational(options.delta), moved };
  switch (method) {
    case "optimal":
      return optimalPlan(target);
    case "renyi":
      return renyiPlan(target) ?? refuseRenyi(options);
    case "laplace":
      return laplacePlan(target);
    case "gaussian":
      return gaussianPlan(options, moved) ?? gaussianByZcdp(options, moved);
    case "zcdp":
      throw invalidParameter("method", '"zcdp" with rho only', method);
    default: {
      const few = counts ? laplacePlan : optimalPlan;
      if (moved <= FEW) return few(target);
      const plan = counts ? gaussianPlan(options, moved) : renyiPlan(target);
      return (
        plan ??
        (moved <= FEW_BY_ZCDP
          ? few(target)
          : (gaussianPlan(options, moved) ?? gaussianByZcdp(options, moved)))
      );
    }
  }
}

/** What all names of one person may cost, and how many of them move. */
interface Target {
  readonly epsilon: Rational;
  readonly delta: Rational;
  readonly moved: number;
}

/** Every name has its share of ε and δ. */
function shareOf({ epsilon, delta, moved }: Target): readonly [each: Rational, failure: Rational] {
  return [epsilon.dividedBy(moved), delta.dividedBy(moved)];
}

function optimalPlan(target: Target): Plan {
  const decider = namesBy(new KeepCoin(...shareOf(target)));
  return { method: "optimal", privacy: approx(target.epsilon, target.delta), decider };
}

/** Undefined where there is no such table, or too long a one. */
function renyiPlan(target: Target): Plan | undefined {
  const found = tableOfOneOrder(target);
  if (found === undefined) return undefined;
  const { order, growth, failure } = found.numbers;
  return {
    method: "renyi",
    table: Object.freeze({ order, growth, failure }),
    ...keptBy(found.table),
    privacy: approx(target.epsilon, target.delta),
  };
}

/** Undefined where the table would be too long. */
function zcdpPlan(rho: Rational, { delta }: Loose, moved: number): Plan | undefined {
  const budget = { size: rho, delta: rational(delta), moved };
  const table = tableOfAllOrders(budget);
  return table && { method: "zcdp", ...keptBy(table), privacy: zcdp(rho, budget.delta) };
}

/** For a budget at one order: of losses at other orders no more is said than the table has there. */
function planAtOrder({ epsilon, delta, counts, method }: Loose, order: number, moved: number): Plan {
  if (epsilon === undefined) throw invalidParameter("order", "absent with rho", order);
  if (counts === true) throw invalidParameter("order", "absent with counts", order);
  if (method !== undefined && method !== "renyi")
    throw invalidParameter("method", '"renyi" with an order', method);
  const budget = { size: rational(epsilon), delta: rational(delta), moved };
  const table = tableOfFailingOrder(budget, order);
  if (table === undefined)
    throw invalidParameter(
      "epsilon",
      "from 1/1000 to 100 for each name that moves with an order from 2 to 10000, with a delta from 1e-40",
      epsilon,
    );
  return {
    method: "renyi",
    ...keptBy(table),
    privacy: renyi(curveOfTable(table, budget, order), budget.delta),
  };
}

function keptBy(table: KeepTable): Pick<Plan, "halfKeep" | "decider"> {
  return { halfKeep: table.halfKeep, decider: namesBy(new TableCoin(table)) };
}

function refuseRenyi({ epsilon }: Loose): never {
  throw invalidParameter(
    "epsilon",
    'from 1/20 to 100 for method "renyi", with a delta from 1e-40 and at most 1000 names that move',
    epsilon,
  );
}

function namesBy(coin: NameCoin): Plan["decider"] {
  return (entropy) => {
    const keeps = coin.tosses(entropy);
    return (count) => keeps(count) || undefined;
  };
}

function laplacePlan(target: Target): Plan {
  const noise = new TruncatedLaplace(...shareOf(target));
  const decider =
    (entropy: Entropy): Decide =>
    (count) =>
      noise.publish(count, entropy);
  const threshold = Rational.of(noise.bound + 1n);
  const privacy = approx(target.epsilon, noise.failure.times(target.moved));
  return { method: "laplace", threshold, privacy, decider };
}

/** By the exact δ of noise and threshold together; undefined where that would take too long. */
function gaussianPlan(options: Loose, moved: number): Plan | undefined {
  const { maxItemsPerUser: items } = options;
  const [epsilon, delta] = [rational(options.epsilon as RationalLike), rational(options.delta)];
  const found = sparseHistogram({ epsilon, delta, items, isReplaced: moved > items });
  if (found === undefined) return undefined;
  const { variance, threshold } = found;
  return {
    method: "gaussian",
    threshold: Rational.of(threshold),
    variance,
    privacy: approx(epsilon, found.delta),
    decider: aboveThreshold(variance, threshold),
  };
}

/** In ρ; for an ε, half of δ is for the threshold and half for the conversion. */
function gaussianByZcdp({ epsilon, rho, delta, maxItemsPerUser }: Loose, moved: number): Plan {
  const whole = rational(delta);
  const failure = rho === undefined ? whole.dividedBy(2n) : whole;
  const target = rho ?? rhoAtMost({ epsilon: epsilon as RationalLike, delta: failure });
  const variance = varianceAtLeast(zcdp(target), { rounds: moved });
  const least = sparseThreshold("gaussian", variance, maxItemsPerUser, failure);
  const loss = zcdp(Rational.of(BigInt(moved)).dividedBy(variance.times(2n)), failure);
  const plan = {
    method: "gaussian",
    threshold: Rational.of(least),
    variance,
    decider: aboveThreshold(variance, least),
  } as const;
  if (epsilon === undefined) return { ...plan, privacy: loss };
  const spent = convert(loss, { to: "approx", delta: whole });
  // Rounded up, the conversion may end a digit above the target, which is met all the same.
  const privacy = isAtMost(spent.epsilon, rational(epsilon)) ? spent : approx(rational(epsilon), whole);
  return { ...plan, privacy };
}

function aboveThreshold(variance: Rational, least: bigint): Plan["decider"] {
  const noise = preparedNoise("gaussian", variance);
  return (entropy) => (count) => {
    const noisy = BigInt(count) + noise(entropy);
    return noisy >= least ? noisy : undefined;
  };
}

/**
 * The least noisy count to publish, such that m names of one person each pass it together with probability at most δ:
 * 1 − (1 − P(noise ≥ threshold − 1))^m ≤ δ.
 */
export function sparseThreshold(
  law: "gaussian" | "laplace",
  size: Rational,
  names: number,
  delta: Rational,
): bigint {
  const least = law === "gaussian" ? gaussianThreshold : laplaceThreshold;
  return 2n + least(size, levelOfEach(delta, names), "smallest");
}
