/**
 * The question, in public terms only: how many winners, among which candidates, by which mechanism, at what price, and
 * who is protected. It holds no private value, so it may be recorded, printed and compared. Numbers are canonical
 * texts and keys come in one order, so `JSON.stringify` gives equal questions the same text (ask/read-question.ts).
 *
 * A public list of candidates is recorded as its size and a hash that tells which list it was (listed-domain.ts).
 * @module
 */
import type { RationalLike } from "winnow-dp";
import type { Domain } from "./domain.js";
import type { GridInput } from "./grid.js";
import type { GroupName, Groups } from "./groups.js";
import type { ItemMap } from "./items.js";
import type { QuestionPeriod } from "./period.js";
import type { ColumnTypes } from "./where.js";

/** Which data sets are to look alike: one person more or less, or one person in place of another. */
export type Neighbours = "add-remove" | "replace";

/** The best k, a set that stands out, every item that enough people have, quantiles of a column, or how many items have how many people. */
export type QuestionKind = string;

/** All winners are held in memory, by the mechanism and by the code that prints them. */
export const MOST_WINNERS = 1_000_000;

/** A question in public terms only: everything here may be recorded and published. */
export interface Question {
  readonly kind: QuestionKind;
  /** How many winners or quantiles, or the most that there may be; 1 for a list of frequencies. */
  readonly k: number;
  readonly domain: Domain;
  readonly neighbours: Neighbours;
  /** The name of the mechanism that answers. */
  readonly mechanism: string;
  /** Exactly one of epsilon and rho. */
  readonly epsilon?: string;
  readonly rho?: string;
  readonly delta?: string;
  /** Gaps are multiples of this. */
  readonly resolution?: string;
  /** Whether noisy counts of users come with the names. */
  readonly counts?: true;
  /** The most items that a person counts for, chosen by a keyed hash; absent if all count. */
  readonly maxItemsPerUser?: number;
  /** For quantiles: the shares of values below, rising. The items are the values of people. */
  readonly quantiles?: readonly string[];
  /** A public bound on the number of values. */
  readonly atMost?: number;
  /** For a set: how much a large count outside weighs against a small one inside, from 0 to 1. */
  readonly outsiderShare?: string;
  /** One answer for each of these. Then the numbers of the budget are those of all answers together. */
  readonly groups?: Groups;
  /** How many groups a person is counted in, in the question of one group, which is never recorded. */
  readonly maxGroupsPerUser?: number;
  /** The items of a row, in canonical form (items.ts); absent if they are one column as it is. */
  readonly items?: readonly string[];
  /** A public map that replaces items by others; items that it doesn't have are skipped. */
  readonly map?: ItemMap;
  /** Which rows count: a condition in canonical form (where.ts); absent if all do. */
  readonly where?: string;
  /** The period of an account that promises something over time; absent for other accounts. */
  readonly period?: QuestionPeriod;
  /** What one person is in the data, such as "one value of column user". */
  readonly unit: string;
}

/** Groups as a person or a program puts them. */
export interface GroupsInput {
  /** One or two columns. */
  readonly by: readonly string[];
  /** A public list, or "selected" for those that enough people are in. */
  readonly list: Groups["list"];
  readonly maxGroupsPerUser: number;
  /** What preferred groups get of the whole budget; default: equal parts. */
  readonly budgets?: readonly { readonly group: GroupName; readonly part: RationalLike }[] | undefined;
}

/** A question as a person or a program puts it; what is left out gets its default. */
export interface QuestionInput {
  /** Default: the best k. */
  readonly kind?: QuestionKind | undefined;
  /** Kinds with a default may leave it out; of quantiles it is their number. */
  readonly k?: number | undefined;
  readonly domain: Domain | GridInput;
  /** Default "add-remove". */
  readonly neighbours?: Neighbours | undefined;
  /** Default: the one that says most for this domain and budget. */
  readonly mechanism?: string | undefined;
  readonly epsilon?: RationalLike | undefined;
  readonly rho?: RationalLike | undefined;
  readonly delta?: RationalLike | undefined;
  /** Default 1 where leads are always released; otherwise none are. */
  readonly resolution?: RationalLike | undefined;
  /** Default: where they cost nothing more. */
  readonly counts?: boolean | undefined;
  /** Default: that of the kind; otherwise each person counts for all items. */
  readonly maxItemsPerUser?: number | undefined;
  readonly quantiles?: readonly RationalLike[] | undefined;
  readonly atMost?: number | undefined;
  /** Whether the winners are wanted as a set, at a price that doesn't grow with their number. */
  readonly set?: boolean | undefined;
  /** For a set; default 1/2. */
  readonly outsiderShare?: RationalLike | undefined;
  /** Default: one answer about all rows. */
  readonly groups?: GroupsInput | undefined;
  /** The items of a row, where they aren't one column as it is. */
  readonly items?: readonly string[] | undefined;
  readonly map?: ItemMap | undefined;
  /** Which rows count, as a condition on one row. Default: all. */
  readonly where?: string | undefined;
  /** The types of columns in the condition; the others are texts. */
  readonly types?: ColumnTypes | undefined;
  /** The period that it is about, where the account has periods. */
  readonly period?: QuestionPeriod | undefined;
  readonly unit: string;
}
