/**
 * Turns whatever was thrown into a refusal that the page may show. The sentences of the library and of the ledger are made
 * of public values and are kept; any other text may quote a row and is dropped.
 * @module
 */
import { WinnowError } from "winnow-dp";
import { LedgerError, type LedgerErrorCode } from "winnow-release";
import { type RefusalCode, StudioRefusal } from "./studio-refusal.js";

const LEDGER_CODES: Readonly<Record<LedgerErrorCode, RefusalCode>> = {
  "over-budget": "over-budget",
  "budget-exists": "budget-exists",
  "release-id-taken": "release-id-taken",
  "ledger-broken": "ledger-unknown",
};

export function asRefusal(error: unknown): StudioRefusal {
  if (error instanceof StudioRefusal) return error;
  if (error instanceof LedgerError) return new StudioRefusal(LEDGER_CODES[error.code], error.message);
  if (error instanceof WinnowError) return fromLibrary(error);
  return new StudioRefusal("unexpected", "Something went wrong that should not.");
}

function fromLibrary({ code, message }: WinnowError): StudioRefusal {
  switch (code) {
    case "invalid-parameter":
      return new StudioRefusal("invalid-question", `${message}.`);
    case "entropy-unavailable":
      return new StudioRefusal("no-entropy", "This browser has no cryptographic source of randomness.");
    default:
      return new StudioRefusal("unexpected", "Something went wrong that should not.");
  }
}
