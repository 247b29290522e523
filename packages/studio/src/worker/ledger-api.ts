/**
 * What the page may ask of the ledger in this browser.
 * @module
 */
import type { Published } from "./api.js";

/** A budget in one measure: exactly one of `epsilon` and `rho`. */
export interface BudgetRequest {
  readonly epsilon?: string;
  readonly delta?: string;
  readonly rho?: string;
}

export type LedgerStatus =
  /** This browser has never held a budget for the data set. */
  | { readonly state: "absent" }
  | {
      readonly state: "ready";
      readonly budget: string;
      readonly spent: string;
      readonly remaining: string;
      /** The largest share of the budget that is spent in any of its numbers, 0 to 1, for a picture. */
      readonly share: number;
      readonly releases: number;
    }
  /** There was a ledger and it is gone or broken: nothing can be released. */
  | { readonly state: "unknown"; readonly why: string };

export interface LedgerEntry {
  readonly sequence: number;
  readonly time: string;
  readonly loss: string;
  readonly question: string;
  readonly head: string;
  readonly published?: Published;
}

export interface LedgerApi {
  status(dataset: string): Promise<LedgerStatus>;
  init(dataset: string, budget: BudgetRequest): Promise<LedgerStatus>;
  /** Oldest first. */
  log(dataset: string): Promise<readonly LedgerEntry[]>;
  /** The names of all data sets with a budget in this browser. */
  datasets(): Promise<readonly string[]>;
}
