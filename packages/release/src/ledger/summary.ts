/**
 * What an account needs to know of its entries, in a size that does not grow with their number: a ledger keeps it
 * beside the log and moves it on with each entry, so a charge costs the same after ten entries and after a million.
 * It is derived from the log alone. A verification derives it anew and compares.
 *
 * Equal losses are counted together. The order of charges matters in one place only: an (ε, δ) budget counts every
 * loss at a Rényi order from the first loss on that has no ε of its own (zCDP). So losses from that one on are kept
 * apart (`isLate`), and that one stays the first of them.
 * @module
 */
import { type LossJson, lossFromJson, lossToJson } from "winnow-dp";
import type { BudgetJson } from "./budget.js";
import { canonicalJson, type LedgerEntry } from "./entry.js";

/** So many charges of one loss. */
export interface ChargeGroup {
  readonly loss: LossJson;
  readonly times: number;
  /** At or after the first loss that has no ε of its own. */
  readonly isLate: boolean;
}

export interface AccountSummary {
  /** The budget as it was recorded last. */
  readonly budget?: BudgetJson;
  /** What the releases call one person. */
  readonly units: readonly string[];
  /** Those of the first release that names any. */
  readonly neighbours?: string;
  /** Those that are not late first, each kind in the order of its first charge. */
  readonly charges: readonly ChargeGroup[];
  readonly releases: number;
  /** What the last release cost. */
  readonly last?: LossJson;
}

/** Of a data set that nobody has met. */
export const EMPTY_SUMMARY: AccountSummary = Object.freeze({ units: [], charges: [], releases: 0 });

/** The summary after one more entry about the data set. */
export function summarise(summary: AccountSummary, entry: LedgerEntry): AccountSummary {
  if (entry.kind === "budget") return { ...summary, budget: entry.budget };
  const { unit, neighbours } = protectionOf(entry.release.question);
  const loss = lossToJson(lossFromJson(entry.release.loss));
  const known = summary.neighbours ?? neighbours;
  return {
    ...summary,
    units: unit === undefined || summary.units.includes(unit) ? summary.units : [...summary.units, unit],
    ...(known !== undefined && { neighbours: known }),
    charges: charged(summary.charges, loss),
    releases: summary.releases + 1,
    last: loss,
  };
}

function charged(charges: readonly ChargeGroup[], loss: LossJson): readonly ChargeGroup[] {
  const isLate = loss.measure === "zcdp" || charges.at(-1)?.isLate === true;
  const text = textOf(loss);
  const place = charges.findIndex((group) => group.isLate === isLate && textOf(group.loss) === text);
  if (place < 0) return [...charges, { loss, times: 1, isLate }];
  return charges.with(place, { ...charges[place]!, times: charges[place]!.times + 1 });
}

/** A group keeps its loss while it counts on, so its text is made once. */
const texts = new WeakMap<LossJson, string>();

function textOf(loss: LossJson): string {
  const text = texts.get(loss) ?? canonicalJson(loss);
  texts.set(loss, text);
  return text;
}

interface Protection {
  readonly unit: string | undefined;
  readonly neighbours: string | undefined;
}

/** As far as the question says it. */
export function protectionOf(question: unknown): Protection {
  const fields: Readonly<Record<string, unknown>> =
    typeof question === "object" && question !== null ? { ...question } : {};
  return { unit: text(fields.unit), neighbours: text(fields.neighbours) };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
