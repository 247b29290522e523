/**
 * What the ledger says no to, in sentences made of public values: names of data sets, release ids, and the path of the file.
 * @module
 */
import { isReleaseId, LedgerError } from "winnow-release";
import { Refusal } from "../refusal.js";

/** An account that a new one could be mistaken for. */
export interface Lookalike {
  readonly dataset: string;
  /** Whether it has nearly the same name and a budget, or was charged for the same rows. */
  readonly by: "name" | "rows";
}

export function otherLedger(path: string, relation: "behind" | "other"): Refusal {
  const name = JSON.stringify(path);
  return new Refusal(
    "other-ledger",
    relation === "behind"
      ? `The file is an older copy of the ledger ${name}: entries are missing from it.`
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
      "A release id must be 1 to 200 visible characters without spaces around them.",
    );
}

export function budgetExists(dataset: string): LedgerError {
  return new LedgerError(
    "budget-exists",
    `The data set ${JSON.stringify(dataset)} has another budget already.`,
  );
}
