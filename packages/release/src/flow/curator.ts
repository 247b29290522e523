/**
 * What only the curator may know, and what someone must agree to before a release goes on.
 * @module
 */
import { Refusal } from "../refusal/refusal.js";

/**
 * Something about the rows themselves: skipped lines, entries of a list that match nothing. A class whose words can't be
 * read, so that no table, document or log prints it by accident: only a curator is told.
 */
export class CuratorFact {
  readonly #words: () => string;

  constructor(
    readonly code: FactCode,
    words: () => string,
  ) {
    this.#words = words;
  }

  /** Tells it to the curator, and to no one else. */
  for(curator: Pick<Curator, "tell">): void {
    curator.tell(this.#words());
  }
}

/** What a fact is about, for an operator's log, which has no words of it. */
export const FACT_CODES = [
  "list-match", // how many of the items in the rows the public list names
  "group-match", // how many groups of the public list have users
  "no-numbers", // no value is a number
  "skipped-values", // different values that aren't numbers
  "skipped-lines", // lines that couldn't be parsed
  "skipped-rows", // rows without a person or an item
  "similar-users", // users that differ only in case or spaces
] as const;
/** What a fact for the curator is about. */
export type FactCode = (typeof FACT_CODES)[number];

/**
 * A question before it is too late.
 *
 * @inline
 */
export interface Concern {
  /** The sentence of the refusal, made of public values. */
  readonly why: string;
  /** About which rows it is, where it is about rows: then only a curator may be asked, and a refusal would tell others. */
  readonly fact?: CuratorFact;
}

/** The person who may see the rows: at a terminal, before the page, or the operator of a service. */
export interface Curator {
  /** Private: for their eyes only. */
  tell(words: string): void;
  /** Whether to go on in spite of it. */
  agrees(concern: Concern): Promise<boolean> | boolean;
}

/** Throws `unconfirmed` unless the curator agrees to each of them. */
export async function confirmConcerns(concerns: readonly Concern[], curator: Curator): Promise<void> {
  for (const concern of concerns)
    if (!(await curator.agrees(concern))) throw new Refusal("unconfirmed", concern.why);
}
