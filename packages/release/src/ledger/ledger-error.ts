/**
 * The errors of the ledger: a code, and a sentence made of public values only (names of data sets, release ids, and what the
 * ledger is called).
 * @module
 */

export type LedgerErrorCode =
  | "over-budget" // the release does not fit, or cannot be counted in the measure of the budget
  | "budget-exists" // the data set has another budget already
  | "release-id-taken" // the id belongs to a release that was asked for with other parameters
  | "which-dataset" // a new account may be meant for one that is there
  | "no-budget" // a new account would have no budget beside those that have one
  | "other-ledger" // a text that isn't a longer copy of the ledger
  | "ledger-broken" // what is stored cannot be relied on
  | "ledger-replaced" // entries that were there are gone: an older copy was put back, or another ledger
  | "charge-unknown" // the store was lost while it recorded, and could not be asked again
  | "usage"; // an argument that can't be meant, such as an id with a line break

export class LedgerError extends Error {
  override readonly name = "LedgerError";

  constructor(
    readonly code: LedgerErrorCode,
    sentence: string,
    options?: ErrorOptions,
  ) {
    super(sentence, options);
  }
}
