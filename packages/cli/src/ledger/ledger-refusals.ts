/**
 * The refusals of the ledger, in sentences made of public values: names of data sets, release ids, and the path of the file.
 * @module
 */
import { isReleaseId, LedgerError } from "winnow-release";
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

export function budgetExists(dataset: string): LedgerError {
  return new LedgerError(
    "budget-exists",
    `The data set ${JSON.stringify(dataset)} already has a different budget.`,
  );
}
