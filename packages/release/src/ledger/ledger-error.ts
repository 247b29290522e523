/**
 * Why the ledger says no: a code that programs switch on, and one sentence made of public values.
 * @module
 */

export type LedgerErrorCode =
  | "over-budget" // the release does not fit, or cannot be counted in the measure of the budget
  | "budget-exists" // the data set has another budget already
  | "release-id-taken" // the id belongs to a release that was asked for with other parameters
  | "ledger-broken"; // what is stored cannot be relied on

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
