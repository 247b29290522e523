/** The rules of the ledger, whatever stores it. */

export { Account } from "./account.js";
export { type BudgetJson, type BudgetLimit, budgetOf, readBudget } from "./budget-json.js";
export { canonicalJson } from "./canonical-json.js";
export {
  type BudgetEntry,
  datasetOf,
  entryText,
  LEDGER_FORMAT,
  type LedgerEntry,
  type NewEntry,
  type RecordedRelease,
  type ReleaseEntry,
  readEntry,
} from "./entry.js";
export { type ChainHead, type ChainRow, chain, EMPTY_CHAIN, hashText } from "./hash-chain.js";
export { LedgerError, type LedgerErrorCode } from "./ledger-error.js";
export { moreReleases } from "./more-releases.js";
export { type Asked, isReleaseId, replay } from "./release-id.js";
export { totalsOf } from "./totals.js";
export {
  type ChainReport,
  type Finding,
  type FindingKind,
  type PublishedRelease,
  type VerifyOptions,
  verifyChain,
} from "./verify-chain.js";
