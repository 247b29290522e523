/**
 * Answers, and the counts that they are drawn from.
 * @module
 */
import type { Entropy, Loss } from "winnow-dp";
import type { GroupName } from "./groups.js";

/** Items with how many users each has: private. */
export interface CountedItems {
  readonly items: readonly string[];
  /** As many, whole numbers below 2^53. */
  readonly users: readonly number[];
}

export type Batches = Iterable<CountedItems> | AsyncIterable<CountedItems>;

/**
 * One line of an answer: a name, a value or a place, with what was released about it.
 *
 * @inline
 */
export interface Winner {
  /** A name, or the value of a quantile as an exact number. */
  readonly item: string;
  /** The share of values below it, of a quantile. */
  readonly quantile?: string;
  /** By how much it leads the next, exactly as released: a multiple of the resolution. */
  readonly gap?: string;
  /** How many users it has, with noise: an integer, or a multiple of 1/factor where counts share noise; perhaps below 0. */
  readonly count?: string;
}

/** The answer to a question. */
export interface Answer {
  /** Whether any item is named. "Nothing can be released" is an answer and costs the same. */
  readonly released: boolean;
  /** How many were asked for; for adaptive questions the chosen k, even if nothing is named. */
  readonly k: number;
  readonly winners: readonly Winner[];
  /** For frequencies, in place of winners: the most people first. */
  readonly frequencies?: readonly Frequency[];
  /** Best first; otherwise by name (UTF-16 code units), which says nothing about the counts. */
  readonly ordered: boolean;
  /** For a limited-domain top k: whether the list ended because the next name wasn't safe to publish. */
  readonly stopped?: boolean;
  /**
   * The answers of a question in groups, in place of winners: every listed group in the order of the list, or the selected ones in the
   * order of their names. Then `released` says whether any of them tells something.
   */
  readonly groups?: readonly GroupAnswer[];
  /** The loss incurred, whatever the answer. */
  readonly loss: Loss;
}

/**
 * The answer for one group.
 *
 * @inline
 */
export interface GroupAnswer {
  readonly name: GroupName;
  readonly answer: Omit<Answer, "loss" | "groups">;
}

/** Counts of a question in groups: private. */
export interface GroupedRows {
  /** The public list of groups, in its order; undefined where they are selected. */
  readonly listed?: readonly GroupName[] | undefined;
  /** The public list of candidates. */
  readonly items?: readonly string[] | undefined;
  /** How many people are counted in each group, by its text; asked for only where groups are selected. */
  people(): Batches;
  /** The items of each group, or of these only. The batches of a group follow one another; items without users are left out. */
  counts(only?: readonly string[]): AsyncIterable<CountedItems & { readonly group: string }>;
}

/** Which candidates a count must return for a question. */
export type CandidatesWanted =
  /** Every candidate of the public list once, 0 users if it has no row. */
  | { readonly kind: "listed"; readonly size: number }
  /** The whole numbers from 0 below this that have rows. */
  | { readonly kind: "integers"; readonly below: number }
  /** The items with the most users, at most `rows`. */
  | { readonly kind: "largest"; readonly rows: number }
  /** Each number of people that items have, once, as `items`, with how many items have it as `users`. */
  | { readonly kind: "frequencies" }
  /** Values: all items that are numbers, with how many times each is kept; what isn't one is left out before people are cut. */
  | { readonly kind: "numbers" };

/**
 * `items` items that have `users` users each.
 *
 * @inline
 */
export interface Frequency {
  readonly users: number;
  readonly items: number;
}

export interface RunAnswer {
  /** Candidates by their position in the scores; best first where the answer is ordered. */
  readonly winners: readonly number[];
  /** By how much each leads the next, where gaps are released. */
  readonly gaps?: readonly number[];
  /** How many users each has, where counts are released. */
  readonly counts?: readonly number[];
  /** Whether ⊥ ended the list, where it can. */
  readonly stopped?: boolean;
}

/** One more run on the same scores. */
export type Run = (entropy?: Entropy) => RunAnswer;

/**
 * What holds for all data, 95 times out of 100.
 *
 * @inline
 */
export interface Near {
  /** Every winner is at most this many people below the k-th; rounded up. */
  readonly within: number;
}

/** About how many users an item needs, to be named in half of the runs or more. */
export type NeededUsers =
  /** More than the best item outside the first `candidates`. */
  | { readonly over: "outsiders"; readonly users: number; readonly candidates: number }
  /** In all, if each person counts for at most `maxItemsPerUser` items. */
  | { readonly over: "none"; readonly users: number; readonly maxItemsPerUser: number }
  /** More than the next item. */
  | { readonly over: "next"; readonly users: number };
