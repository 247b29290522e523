/**
 * A release in every group: the loss of many releases, each on the rows of one group, where one person has rows in at most g
 * groups. Only those groups' releases see the person, so the whole costs the g largest losses, component by component, however
 * many groups there are.
 *
 *   a person added or removed   ε, ρ, η and each order of a Rényi curve: the sum of the g largest; δ likewise
 *   a person replaced           the same from losses for replaced people, and twice the sum of the g largest δ; the 2g largest
 *                               values of Rényi curves, which need not double with the distance
 *
 * `groupBudgets` splits a budget the other way round: the g largest parts add up to it.
 *
 * Proof: discover/top-k-in-groups.proof.md.
 * @module
 */

import { invalidParameter } from "../errors.js";
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike } from "../exact/rational.js";
import { arrayLike, integer, iterable, oneOf, positiveRational, readOptions } from "../options.js";
import { commonMeasure, unionBound } from "./compose.js";
import { inMeasure } from "./convert.js";
import { renyi } from "./curve.js";
import { type Extended, isBounded } from "./extended.js";
import { approx, base2, type Loss, type LossOf, type Measure, pure, zcdp } from "./loss.js";
import { type LossLike, readLoss } from "./loss-json.js";
import { lossCurve, RenyiCurve } from "./renyi-curve.js";
import { upperSum } from "./upper-sum.js";

/**
 * In how many groups a person may be, and which data sets are neighbours.
 *
 * @inline
 */
export interface InGroupsOptions {
  /** The most groups in which one person has rows. */
  readonly maxGroupsPerUser: number;
  /** Whether one person is added or removed, or replaced by another, as in the losses. Default "add-remove". */
  readonly neighbours?: "add-remove" | "replace" | undefined;
}

/**
 * The loss of a release in every group, one loss a group.
 *
 * @param losses What each group's release costs, for the neighbours that are asked for. All groups, also empty ones.
 * @param options In how many groups a person may be.
 *
 * @example
 * ```ts
 * import { inGroups, pure } from "winnow-dp";
 *
 * const losses = [pure(1), pure("1/2"), pure("1/2"), pure("3/4")];
 * inGroups(losses, { maxGroupsPerUser: 2 }); // → { measure: "pure", epsilon: 1.75 }
 * ```
 */
export function inGroups<L extends LossOf<Rational>[Measure]>(
  losses: readonly L[],
  options: InGroupsOptions,
): LossOf<Rational>[L["measure"]];

export function inGroups<L extends LossLike>(
  losses: readonly L[],
  options: InGroupsOptions,
): LossOf[L["measure"]];

export function inGroups(given: readonly LossLike[], options: InGroupsOptions): Loss {
  const read = readOptions(
    options,
    { maxGroupsPerUser: integer },
    { neighbours: oneOf("add-remove", "replace") },
  );
  if (!Array.isArray(given) || given.length === 0)
    throw invalidParameter("losses", "a list of at least one loss", undefined);
  const losses = given.map((loss) => readLoss(loss));
  const most = read.maxGroupsPerUser;
  const isReplaced = read.neighbours === "replace";
  const failure = (deltas: readonly (Rational | undefined)[]) => {
    const largest = largestOf(
      deltas.map((delta) => delta ?? Rational.ZERO),
      most,
    );
    return unionBound((isReplaced ? [...largest, ...largest] : largest) as Rational[]);
  };
  const total = (sizes: readonly Extended[]) => upperSum(largestOf(sizes, most));
  const measure = commonMeasure(losses);
  if (measure === "pure") return pure(total(losses.map((loss) => inMeasure(loss, "pure").epsilon)));
  if (measure === "base2") return base2(total(losses.map((loss) => inMeasure(loss, "base2").eta)));
  if (measure === "zcdp") {
    const parts = losses.map((loss) => inMeasure(loss, "zcdp"));
    return zcdp(total(parts.map(({ rho }) => rho)), failure(parts.map(({ delta }) => delta)));
  }
  if (measure === "approx") {
    const parts = losses.map((loss) => inMeasure(loss, "approx"));
    return approx(total(parts.map(({ epsilon }) => epsilon)), failure(parts.map(({ delta }) => delta)));
  }
  const parts = losses.map((loss) => inMeasure(loss, "renyi"));
  const curve = largestCurves(
    parts.map((part) => lossCurve(part.curve)),
    isReplaced ? 2 * most : most,
  );
  return renyi(curve, failure(parts.map(({ delta }) => delta)));
}

/**
 * A group and its part of a budget.
 *
 * @inline
 */
export type GroupBudget = readonly [group: string, part: RationalLike];

/**
 * Which groups, in how many a person may be, and which of them get more.
 *
 * @inline
 */
export interface GroupBudgetsOptions {
  /** All groups. */
  readonly groups: ArrayLike<string>;
  /** The most groups that a person is counted in. */
  readonly maxGroupsPerUser: number;
  /** What preferred groups get of the whole: fewer than `maxGroupsPerUser` groups, each at least as much as the others. */
  readonly budgets?: Iterable<GroupBudget> | undefined;
}

/**
 * The budget of each group, so that the g largest add up to the whole: equal parts; or the parts of fewer than g preferred groups,
 * and equal parts of the rest for all others. Raising every group to the g-th largest part is free, so no other split is better.
 *
 * @param whole The budget of the whole release, in ε or ρ.
 * @param options Which groups, in how many a person may be, and which of them get more.
 *
 * @example
 * ```ts
 * import { groupBudgets } from "winnow-dp";
 *
 * const parts = groupBudgets(1, { groups: ["all", "DE", "FR"], maxGroupsPerUser: 2, budgets: [["all", "3/4"]] });
 * parts.get("FR")?.toNumber(); // → 0.25
 * ```
 */
export function groupBudgets(whole: RationalLike, options: GroupBudgetsOptions): Map<string, Rational> {
  const { groups, maxGroupsPerUser, budgets } = readOptions(
    options,
    { groups: distinctNames, maxGroupsPerUser: integer },
    { budgets: readBudgets },
  );
  const names = groups as readonly string[];
  const preferred = new Map((budgets ?? []) as [string, Rational][]);
  if (preferred.size > 0 && preferred.size >= maxGroupsPerUser)
    throw invalidParameter("budgets", `of fewer groups than maxGroupsPerUser`, preferred.size);
  if ([...preferred.keys()].some((group) => !names.includes(group)))
    throw invalidParameter("budgets", "of groups in the list", "another group");
  const parts = [...preferred.values()];
  const rest = parts.reduce((sum, part) => sum.minus(part), positiveRational("budget", whole));
  const others = Math.min(maxGroupsPerUser, names.length) - preferred.size;
  const common = others > 0 ? rest.dividedBy(BigInt(others)) : Rational.ZERO;
  const isLargest = parts.every((part) => part.compare(common) >= 0);
  if (rest.compare(0n) < 0 || (others > 0 && rest.equals(0n)) || !isLargest)
    throw invalidParameter(
      "budgets",
      "each at least as much as the others get, and together less than the whole",
      String(rest),
    );
  return new Map(names.map((group) => [group, preferred.get(group) ?? common]));
}

/** The reader of a public list of names, each once. */
export function distinctNames(field: string, given: ArrayLike<string>, least = 1): readonly string[] {
  const list = arrayLike(field, given);
  if (
    list.length < least ||
    list.some((name) => typeof name !== "string") ||
    new Set(list).size < list.length
  )
    throw invalidParameter(field, "a list of names, each once", undefined);
  return list;
}

/** The reader of the parts of preferred groups, each group once. */
export function readBudgets(field: string, given: Iterable<GroupBudget>): [group: string, part: Rational][] {
  const parts = [...iterable(field, given)].map(([group, part]): [string, Rational] => [
    group,
    positiveRational(field, part),
  ]);
  distinctNames(
    field,
    parts.map(([group]) => group),
    0,
  );
  return parts;
}

/** The `most` largest of some sizes. */
function largestOf(sizes: readonly Extended[], most: number): readonly Extended[] {
  const descending = (a: Extended, b: Extended) => {
    if (!isBounded(a)) return isBounded(b) ? -1 : 0;
    return isBounded(b) ? b.compare(a) : 1;
  };
  return [...sizes].sort(descending).slice(0, most);
}

/** At each order the sum of the `most` largest values. Few curves differ, so each is evaluated once. */
function largestCurves(curves: readonly RenyiCurve[], most: number): RenyiCurve {
  const times = new Map<RenyiCurve, number>();
  for (const curve of curves) times.set(curve, (times.get(curve) ?? 0) + 1);
  const formula = (alpha: Rational, precision: number) => {
    const values = [...times].map(([curve, count]) => ({ value: curve.enclose(alpha, precision), count }));
    const end = (of: (value: Interval) => bigint) => {
      let [left, sum] = [most, 0n];
      const falling = values.map(({ value, count }) => ({ size: of(value), count }));
      for (const { size, count } of falling.sort((a, b) =>
        a.size < b.size ? 1 : a.size > b.size ? -1 : 0,
      )) {
        const taken = Math.min(count, left);
        sum += BigInt(taken) * size;
        left -= taken;
      }
      return sum;
    };
    return new Interval(
      end(({ lo }) => lo),
      end(({ hi }) => hi),
      precision,
    );
  };
  const total = (sizes: readonly Extended[]) => upperSum(largestOf(sizes, most));
  const bounds = {
    rho: total(curves.map(({ rho }) => rho)),
    epsilon: total(curves.map(({ epsilon }) => epsilon)),
  };
  return RenyiCurve.of(formula, bounds);
}
