/**
 * The refusals of the ledger, in sentences made of public values: names of data sets, release ids, and the path of the file.
 * @module
 */
import { ANALYST_RULE, isAnalyst, isReleaseId, LedgerError } from "winnow-release";
import { Refusal } from "../refusal.js";

/** An existing account that a new one may be meant for. */
export interface Lookalike {
  readonly dataset: string;
  /** Whether its name is nearly the same and it has a budget, or the same rows were charged to it. */
  readonly by: "name" | "rows";
}

export function otherLedger(path: string, relation: "behind" | "other"): Refusal {
  const name = JSON.stringify(path);
  return new Refusal(
    "other-ledger",
    relation === "behind"
      ? `The file is an older copy of the ledger ${name}: entries are missing.`
      : `The file is not a copy of the ledger ${name}: their entries differ.`,
  );
}

export function whichDataset(dataset: string, { dataset: other, by }: Lookalike): Refusal {
  const [name, known] = [dataset, other].map((one) => JSON.stringify(one));
  return new Refusal(
    "which-dataset",
    by === "name"
      ? `The ledger has a budget for ${known}, and ${name} would be a new account beside it.`
      : `These rows were charged to ${known} before, and ${name} would be a new account beside it.`,
  );
}

/** The server could not be asked again. `id` is that of the release that may be recorded. */
export function outcomeUnknown(name: string, id: string | undefined): Refusal {
  const what = id === undefined ? "the entry" : `release ${id}`;
  return new Refusal(
    "charge-unknown",
    `The connection to the ledger ${JSON.stringify(name)} broke while ${what} was being recorded, and it could not be reached again.`,
  );
}

export function checkReleaseId(id: string): void {
  if (!isReleaseId(id))
    throw new Refusal(
      "usage",
      "A release id must be 1 to 200 visible characters without leading or trailing spaces.",
    );
}

export function checkAnalyst(name: string): void {
  if (!isAnalyst(name)) throw new Refusal("usage", `The name of an analyst must be ${ANALYST_RULE}.`);
}

/** Which releases of an analyst. */
export interface Page {
  /** Those of earlier entries than the one with this number. */
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

const LARGEST_PAGE = 1000;

export function checkPage({ before, limit }: Required<Page>): void {
  if (!Number.isSafeInteger(before) || Number(before) < 0)
    throw new Refusal("usage", "before must be the number of an entry.");
  if (!Number.isSafeInteger(limit) || Number(limit) < 1 || Number(limit) > LARGEST_PAGE)
    throw new Refusal("usage", `limit must be an integer from 1 to ${LARGEST_PAGE}.`);
}

/** What is stored with the log leads to another entry. */
export function notNamed(sequence: number): LedgerError {
  return new LedgerError("ledger-broken", `Entry ${sequence} isn't the one that its name leads to.`);
}

/** An older copy was put back while the ledger was in use, or it was deleted, moved or replaced. */
export function replaced(what: string): LedgerError {
  return new LedgerError("ledger-replaced", `The ledger was replaced while it was in use: ${what}.`);
}

export function budgetExists(dataset: string): LedgerError {
  return new LedgerError(
    "budget-exists",
    `The data set ${JSON.stringify(dataset)} already has a different budget.`,
  );
}
