/**
 * The refusals of the ledger, in sentences made of public values: names of data sets, release ids, and what the ledger is called.
 * @module
 */

import { Refusal } from "../refusal/refusal.js";
import { byDistance, isNearName } from "../words/near-names.js";
import { ANALYST_RULE, isAnalyst, isReleaseId } from "./entry.js";

export function otherLedger(path: string, relation: "behind" | "other"): Refusal {
  const name = JSON.stringify(path);
  return new Refusal(
    "other-ledger",
    relation === "behind"
      ? `The file is an older copy of the ledger ${name}: entries are missing.`
      : `The file is not a copy of the ledger ${name}: their entries differ.`,
  );
}

/**
 * Refuses a new account that may be meant for an existing one (the one that the rows were charged to, or one with a budget and
 * nearly the same name), or that would have no budget beside those of `limited`.
 */
export function refuseUnclearAccount(
  dataset: string,
  marked: string | undefined,
  limited: readonly string[],
): void {
  const beside = `and ${JSON.stringify(dataset)} would be a new account beside it.`;
  if (marked !== undefined)
    throw new Refusal(
      "which-dataset",
      `These rows were charged to ${JSON.stringify(marked)} before, ${beside}`,
    );
  const near = limited.find((name) => isNearName(name, dataset));
  if (near !== undefined)
    throw new Refusal("which-dataset", `The ledger has a budget for ${JSON.stringify(near)}, ${beside}`);
  const concern = concernAboutNewAccount(dataset, limited);
  if (concern !== undefined) throw new Refusal("no-budget", concern);
}

/**
 * Why a data set that the ledger doesn't know needs a budget, or someone's word that its people are new: in a ledger with budgets
 * any other name would be an account without a limit. `limited` are the data sets that have one.
 */
export function concernAboutNewAccount(dataset: string, limited: readonly string[]): string | undefined {
  if (limited.length === 0) return undefined;
  const near = byDistance(dataset, limited).slice(0, MOST_NAMED);
  const rest = limited.length - near.length;
  const names = near.map((name) => JSON.stringify(name)).join(", ");
  return `The ledger limits ${names}${rest > 0 ? ` and ${rest} more` : ""}, and ${JSON.stringify(dataset)} would be a new account without a budget.`;
}

/** More names are only counted. */
const MOST_NAMED = 3;

/** The store could not be asked again. `id` is that of the release that may be recorded. */
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

/**
 * Which releases of an analyst.
 *
 * @inline
 */
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

/** An index stored with the log points to another entry. */
export function notNamed(sequence: number): Refusal {
  return new Refusal("ledger-broken", `Entry ${sequence} isn't the one that its name leads to.`);
}

/** An older copy was put back while the ledger was in use, or it was deleted, moved or replaced. */
export function ledgerReplaced(what: string): Refusal {
  return new Refusal("ledger-replaced", `The ledger was replaced while it was in use: ${what}.`);
}

export function budgetExists(dataset: string): Refusal {
  return new Refusal(
    "budget-exists",
    `The data set ${JSON.stringify(dataset)} already has a different budget.`,
  );
}
