/**
 * `topKInGroups`: the k most frequent items of every group, in one release. Each person is counted in at most g groups
 * (`boundGroups`), so the whole costs the g largest losses of a group, however many groups there are (`inGroups`). Groups share the
 * budget equally: each has 1/g of it, and more groups don't make it smaller. Fewer than g groups may have more (`groupBudgets`).
 *
 * Guarantee: with a public list of items `topK` in each group, pure ε or ρ-zCDP; without one `limitedTopK`, (ε, δ) or δ-approximate
 * ρ-zCDP. Every listed group has an answer, also an empty one, in the order of the list.
 *
 * Sizes of groups, and how many people or rows the limits cut, are private: they aren't in the answer.
 *
 * Cost: that of `boundGroups` and of one selection a group. Proof: top-k-in-groups.proof.md.
 * @module
 */

import {
  distinctNames,
  type GroupBudget,
  groupBudgets,
  inGroups,
  readBudgets,
} from "../accounting/in-groups.js";
import type { LossOf, Measure } from "../accounting/loss.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import {
  exactlyOneOf,
  integer,
  oneOf,
  positiveRational,
  properProbability,
  readOptions,
} from "../options.js";
import { topK } from "../select/top-k.js";
import { withEntropy } from "../system-entropy.js";
import { boundGroups, type GroupRow } from "./bound-groups.js";
import type { LimitedCharge, Neighbours } from "./limited-losses.js";
import { limitedTopK } from "./limited-top-k.js";

/**
 * Which groups, how many items in each, the limits of a person, and a budget: exactly one of `epsilon` and `rho`.
 *
 * @interface
 */
export type TopKInGroupsOptions = Spend<"epsilon" | "rho"> & {
  /** The public list of groups. */
  readonly groups: ArrayLike<string>;
  /** The public list of items. Default: not known, which takes a `delta`. */
  readonly items?: ArrayLike<string> | undefined;
  /** The most groups that a person is counted in. */
  readonly maxGroupsPerUser: number;
  /** The most items that a person is counted for in each group. Default: all of them. */
  readonly maxItemsPerUser?: number | undefined;
  /** How many items of each group. */
  readonly k: number;
  /** What preferred groups get of the budget: fewer than `maxGroupsPerUser` groups, each at least as much as the others. */
  readonly budgets?: Iterable<GroupBudget> | undefined;
  /** The δ of the whole release, without a list of items. */
  readonly delta?: RationalLike | undefined;
  /** Whether one person is added or removed, or replaced by another. Default "add-remove". */
  readonly neighbours?: Neighbours | undefined;
  /** Where the fair bits come from, those of the key included. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
};

/**
 * The items of a group.
 *
 * @inline
 */
export interface GroupAnswer {
  /** The group. */
  readonly group: string;
  /** Best first. */
  readonly winners: readonly { readonly candidate: string }[];
  /** Without a list of items: whether the next name could not be published safely. */
  readonly stopped?: boolean;
}

/** The items of every group, and what they cost. */
export interface TopKInGroups {
  /** All listed groups in the order of the list. */
  readonly groups: readonly GroupAnswer[];
  /** What the release of a group without a budget of its own promises on its own. */
  readonly perGroup: LossOf<Rational>["pure" | "zcdp" | "approx"];
  /** The loss of all of them together. */
  readonly privacy: LossOf<Rational>["pure" | "zcdp" | "approx"];
  /** Without a list of items: what a ledger that reserved `privacy` may count for these answers. */
  readonly charge?: LimitedCharge;
}

const OPTIONS = {
  items: distinctNames,
  budgets: readBudgets,
  maxItemsPerUser: integer,
  epsilon: positiveRational,
  rho: positiveRational,
  delta: properProbability,
  neighbours: oneOf("add-remove", "replace"),
  entropy: anEntropy,
};

/**
 * The k most frequent items of every group, in one release that costs what a person's groups cost.
 *
 * @param rows A person, a group and an item each, in any order; the same row twice counts once.
 * @param options Which groups, how many items in each, the limits of a person, and the budget.
 *
 * @example
 * ```ts
 * import { topKInGroups } from "winnow-dp";
 *
 * const rows: [string, string, string][] = [];
 * for (let user = 0; user < 900; user++) rows.push([`u${user}`, user % 2 ? "DE" : "FR", user % 2 ? "Alster" : "Seine"]);
 * const options = { groups: ["DE", "FR"], items: ["Alster", "Seine"], maxGroupsPerUser: 1, k: 1, epsilon: 1 };
 * const { groups, privacy } = topKInGroups(rows, options);
 * groups[1]; // → { group: "FR", winners: [{ candidate: "Seine" }] }
 * privacy; // → { measure: "pure", epsilon: 1 }
 * ```
 */
export function topKInGroups(rows: Iterable<GroupRow>, options: TopKInGroupsOptions): TopKInGroups {
  const read = readOptions<Loose>(
    options,
    { groups: distinctNames, maxGroupsPerUser: integer, k: integer },
    OPTIONS,
  );
  const { epsilon, rho, delta, k, items, neighbours, maxGroupsPerUser } = read;
  exactlyOneOf({ epsilon, rho });
  if ((items === undefined) !== (delta !== undefined))
    throw invalidParameter("delta", "given without a list of items, and only then", delta);
  if (items !== undefined) integer("k", k, 1, items.length);
  const parts = groupBudgets((epsilon ?? rho) as RationalLike, {
    ...{ groups: read.groups, maxGroupsPerUser, budgets: read.budgets },
  });
  const preferred = new Map((read.budgets ?? []) as Iterable<GroupBudget>);
  const budgetOf = (group: string) =>
    ({ [epsilon === undefined ? "rho" : "epsilon"]: parts.get(group) }) as { epsilon: Rational };
  const { maxItemsPerUser } = read;
  const limits = { groups: read.groups, items, maxGroupsPerUser, maxItemsPerUser };
  return withEntropy(read.entropy, (entropy) => {
    const tables = [...boundGroups(rows, { ...limits, entropy })];
    const usual = Math.max(
      0,
      tables.findIndex(([group]) => !preferred.has(group)),
    );
    if (items !== undefined) {
      const monotone = neighbours !== "replace";
      const answers = tables.map(([group, table]) => {
        const scores = Array.from(items, (item) => [item, table.get(item) ?? 0] as const);
        return [group, topK(scores, { ...budgetOf(group), k, monotone, entropy })] as const;
      });
      const losses: readonly LossOf<Rational>["pure" | "zcdp"][] = answers.map(([, { privacy }]) => privacy);
      const groups = answers.map(([group, { winners }]) => ({ group, winners }));
      return { groups, perGroup: losses[usual], privacy: inGroups(losses, { maxGroupsPerUser, neighbours }) };
    }
    const failing = Math.min(maxGroupsPerUser, tables.length) * (neighbours === "replace" ? 2 : 1);
    const question = {
      delta: rational(delta as RationalLike).dividedBy(BigInt(failing)),
      ...{ k, neighbours, maxItemsPerUser, entropy },
    };
    const answers = tables.map(
      ([group, table]) => [group, limitedTopK(table, { ...budgetOf(group), ...question })] as const,
    );
    const together = <L extends LossOf<Rational>[Measure]>(of: (answer: (typeof answers)[0][1]) => L) =>
      inGroups(
        answers.map(([, answer]) => of(answer)),
        { maxGroupsPerUser, neighbours },
      );
    return {
      groups: answers.map(([group, { winners, stopped }]) => ({ group, winners, stopped })),
      perGroup: answers[usual][1].privacy,
      privacy: together<LossOf<Rational>["zcdp" | "approx"]>(({ privacy }) => privacy),
      charge: Object.freeze({
        approx: together(({ charge }) => charge.approx),
        zcdp: together(({ charge }) => charge.zcdp),
        renyi: together(({ charge }) => charge.renyi),
      }),
    };
  });
}

/** The options before it is known that just one budget is given. */
type Loose = LooseOptions<TopKInGroupsOptions>;
