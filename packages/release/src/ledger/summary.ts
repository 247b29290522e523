/**
 * What an account needs to know of its entries, in a size that does not grow with their number: a ledger keeps it
 * beside the log and moves it on with each entry, so a charge costs the same after ten entries and after a million.
 * It is derived from the log alone. A verification derives it anew and compares.
 *
 * A release may be counted as less than it promises, if its account paid for the rounds that were used only. That holds
 * for the limit that was in force, so another budget counts it in full again. A reservation counts in full until the
 * release with its id is there.
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
  /** What each promises on its own. */
  readonly loss: LossJson;
  /** What each is counted as towards the limit, where that is less. */
  readonly settled?: LossJson;
  /** The id of a reservation whose release is not there. */
  readonly reservation?: string;
  readonly times: number;
  /** At or after the first loss that has no ε of its own. */
  readonly isLate: boolean;
}

export interface AccountSummary {
  /** The budget as it was recorded last. */
  readonly budget?: BudgetJson;
  /** The number of its entry, once there are reservations that may be older. */
  readonly budgetSequence?: number;
  /** What the releases call one person. */
  readonly units: readonly string[];
  /** Those of the first release that names any. */
  readonly neighbours?: string;
  /** Those that are not late first, each kind in the order of its first charge. */
  readonly charges: readonly ChargeGroup[];
  readonly releases: number;
  /** What had to fit for the last release. */
  readonly last?: LossJson;
}

/** Of a data set that isn't in the ledger yet. */
export const EMPTY_SUMMARY: AccountSummary = Object.freeze({ units: [], charges: [], releases: 0 });

/** The summary after one more entry about the data set. */
export function summarise(summary: AccountSummary, entry: LedgerEntry): AccountSummary {
  if (entry.kind === "budget")
    return {
      ...summary,
      budget: entry.budget,
      ...(summary.charges.some(({ reservation }) => reservation !== undefined) && {
        budgetSequence: entry.sequence,
      }),
      charges: inFull(summary.charges),
    };
  const { question } = entry.kind === "release" ? entry.release : entry;
  const { unit, neighbours } = protectionOf(question);
  const known = summary.neighbours ?? neighbours;
  const next = {
    ...summary,
    units: unit === undefined || summary.units.includes(unit) ? summary.units : [...summary.units, unit],
    ...(known !== undefined && { neighbours: known }),
  };
  if (entry.kind === "reservation") {
    const group = { loss: exactly(entry.loss), reservation: entry.id };
    return { ...next, charges: charged(summary.charges, group) };
  }
  const { id, loss, charge } = entry.release;
  const group = { loss: exactly(loss), ...(charge !== undefined && { settled: exactly(charge.settled) }) };
  return {
    ...next,
    charges: charged(summary.charges, group, id),
    releases: summary.releases + 1,
    last: exactly(charge?.reserved ?? loss),
  };
}

/**
 * The share of one analyst in an account after one more entry, which is theirs or the budget of the data set: it counts
 * their charges as the account does. Its limit is not in the ledger: the service that answers them sets a cap.
 */
export function summariseShare(share: AccountSummary, entry: LedgerEntry): AccountSummary {
  if (entry.kind !== "budget") return summarise(share, entry);
  const charges = inFull(share.charges);
  return charges === share.charges ? share : { ...share, charges };
}

/** Without the words beside the numbers. */
function exactly(loss: LossJson): LossJson {
  return lossToJson(lossFromJson(loss));
}

type NewCharge = Omit<ChargeGroup, "times" | "isLate">;

/** `id` names the reservation that the charge takes the place of, if there is one. */
function charged(groups: readonly ChargeGroup[], charge: NewCharge, id?: string): readonly ChargeGroup[] {
  const reserved = id === undefined ? -1 : groups.findIndex(({ reservation }) => reservation === id);
  if (reserved >= 0) return groups.with(reserved, { ...charge, times: 1, isLate: groups[reserved]!.isLate });
  const { measure } = charge.settled ?? charge.loss;
  const isLate = measure === "zcdp" || groups.at(-1)?.isLate === true;
  const text = textOfCharge(charge);
  const place = groups.findIndex((group) => group.isLate === isLate && textOfCharge(group) === text);
  if (place < 0) return [...groups, { ...charge, times: 1, isLate }];
  return groups.with(place, { ...groups[place]!, times: groups[place]!.times + 1 });
}

/** All of what each release promises, as another limit has to count it. */
function inFull(groups: readonly ChargeGroup[]): readonly ChargeGroup[] {
  if (groups.every(({ settled }) => settled === undefined)) return groups;
  return groups.map(({ settled: _, ...group }) => group);
}

function textOfCharge({ loss, settled, reservation }: NewCharge): string {
  if (reservation !== undefined) return `reservation ${reservation}`;
  return settled === undefined ? textOf(loss) : `${textOf(loss)} ${textOf(settled)}`;
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
