/**
 * What an account needs to know of its entries, in a size that does not grow with their number: a ledger keeps it
 * beside the log and moves it on with each entry, so a charge costs the same after ten entries and after a million.
 * It is derived from the log alone. A verification derives it anew and compares.
 *
 * A release may be counted as less than it promises, if its account paid for the rounds that were used only. That holds
 * for the limit that was in force, so another budget counts it in full again. A reservation counts in full until the
 * release with its id is there.
 *
 * The order of charges matters in one place only: an (ε, δ) budget counts every loss at a Rényi order from the first loss
 * on that has no ε of its own (zCDP). So losses from that one on are kept apart (`isLate`).
 *
 * The rule, step by step, so that any language can follow it:
 *
 * 1. A loss is the object that the entry has, without `readable`. Two losses are equal if their texts are; nothing is
 *    reduced or converted.
 * 2. A budget takes the place of the one before, and its `promise`, if it has one, that of the one before. All `settled` and `folded.counted` are dropped. If there are
 *    reservations, `budgetSequence` is the number of the entry. A budget in ρ may have the `rule` 2, by which an ε counts as ε·tanh(ε/2)
 *    and not as ε²/2, if there was no budget, if it had a `rule`, or if there are no `charges` and nothing is `folded`.
 * 3. A reservation or a release adds the `unit` of its question to `units`, if that is a text and not one of them and they
 *    are fewer than 16, and sets `neighbours`, if that is a text and there are none.
 * 4. A charge is late if its `settled` (or else its loss) is in zCDP, or if anything in the summary is late. A release
 *    whose reservation is in `charges` takes its `isLate` instead, and the reservation is removed first.
 * 5. A release joins the group with equal loss, equal `settled` and equal `isLate` that is not a reservation: `times` + 1.
 *    Else it is a new group at the end, if fewer than 64 groups are not `isFolded`. Else it is folded (folded.ts): its loss
 *    into `folded.promised`, and if it has a `settled`, or `folded.counted` is there, also into `folded.counted`, which
 *    starts as a copy of `folded.promised` before this charge, its `settled` (or else its loss).
 * 6. A reservation is a new group at the end, `isFolded` if 64 groups are not.
 * 7. A release adds 1 to `releases`, and its `reserved` (or else its loss) is `last`.
 *
 * A charge whose question has a `period` with the text `name` keeps it in its group: `name`, or `name` and `key` with a space between, if that
 * is a text. Such groups are equal only within a period, don't count among the 64, and are never folded.
 *
 * Groups that are `isFolded` are open reservations that found no place: they are counted as folded charges are, so that
 * their release costs no more than was set aside. Open reservations are as many as releases that never came; an account
 * refuses more than 1,000 (account.ts).
 * @module
 */
import { type LossJson, lossFromJson } from "winnow-dp";
import { type AccountPromise, periodText } from "../question/period.js";
import { Refusal } from "../refusal/refusal.js";
import type { RecordedBudget } from "./budget.js";
import { canonicalJson } from "./canonical-json.js";
import type { LedgerEntry } from "./entry.js";
import { type Folded, fold } from "./folded.js";

/** At most this many different losses are kept apart, with the open reservations. */
export const MOST_GROUPS = 64;
const MOST_UNITS = 16;

/** `times` charges of one loss. */
export interface ChargeGroup {
  /** The loss that each promises on its own. */
  readonly loss: LossJson;
  /** What each is counted as towards the limit, where that is less. */
  readonly settled?: LossJson;
  /** The id of a reservation whose release is not there. */
  readonly reservation?: string;
  readonly times: number;
  /** At or after the first loss that has no ε of its own. */
  readonly isLate: boolean;
  /** A reservation that found no place among the losses that are told apart. */
  readonly isFolded?: true;
  /** The period that it is about, with the mark of its key (periods.ts). */
  readonly period?: string;
}

/**
 * The charges of an account, in a form that stays small.
 *
 * @inline
 */
export interface AccountSummary {
  /** The budget as it was recorded last. */
  readonly budget?: RecordedBudget;
  /** What it promises over time, which never changes. */
  readonly promise?: AccountPromise;
  /** The number of its entry, once there are reservations that may be older. */
  readonly budgetSequence?: number;
  /** What the releases call one person. */
  readonly units: readonly string[];
  /** Those of the first release that names any. */
  readonly neighbours?: string;
  readonly charges: readonly ChargeGroup[];
  /** The sums of all other charges. */
  readonly folded?: Folded;
  readonly releases: number;
  /** The loss that had to fit for the last release. */
  readonly last?: LossJson;
}

/** The summary of a data set that isn't in the ledger yet. */
export const EMPTY_SUMMARY: AccountSummary = Object.freeze({ units: [], charges: [], releases: 0 });

/** The summary after one more entry about the data set; an entry about none changes nothing. */
export function summarise(summary: AccountSummary, entry: LedgerEntry): AccountSummary {
  if (entry.kind === "key") return summary;
  if (entry.kind === "budget") checkPromise(summary, entry.promise);
  if (entry.kind === "budget") checkRule(summary, entry.budget);
  if (entry.kind === "budget")
    return {
      ...inFull(summary),
      budget: entry.budget,
      ...(entry.promise !== undefined && { promise: entry.promise }),
      ...(summary.charges.some(({ reservation }) => reservation !== undefined) && {
        budgetSequence: entry.sequence,
      }),
    };
  const { question } = entry.kind === "release" ? entry.release : entry;
  const { unit, neighbours } = protectionOf(question);
  const known = summary.neighbours ?? neighbours;
  const isNewUnit = unit !== undefined && !summary.units.includes(unit) && summary.units.length < MOST_UNITS;
  const next = {
    ...summary,
    units: isNewUnit ? [...summary.units, unit] : summary.units,
    ...(known !== undefined && { neighbours: known }),
  };
  const period = periodIn(question);
  const about = period !== undefined && { period };
  if (entry.kind === "reservation")
    return charged(next, { loss: exactly(entry.loss), reservation: entry.id, ...about });
  const { id, loss, charge } = entry.release;
  const settled = charge !== undefined && { settled: exactly(charge.settled) };
  const group = { loss: exactly(loss), ...settled, ...about };
  return {
    ...charged(next, group, id),
    releases: summary.releases + 1,
    last: exactly(charge?.reserved ?? loss),
  };
}

/**
 * The share of one analyst in an account after one more entry, which is theirs or the budget of the data set: it counts
 * their charges as the account does. Its limit is not in the ledger: the service that answers them sets a cap.
 */
export function summariseShare(share: AccountSummary, entry: LedgerEntry): AccountSummary {
  return entry.kind === "budget" ? inFull(share) : summarise(share, entry);
}

/** A promise comes before the first charge, and never changes; a ledger in which it does was forged. */
function checkPromise({ promise, charges, folded }: AccountSummary, next: AccountPromise | undefined): void {
  if (canonicalJson({ promise }) === canonicalJson({ promise: next })) return;
  if (promise === undefined && charges.length === 0 && folded === undefined) return;
  throw new Refusal("ledger-broken", "What an account promises over time was changed.");
}

/** Whether a budget in ρ may count an ε as ε·tanh(ε/2): if nothing was charged to a budget before, or if that one had a rule. */
export function mayHaveRule({ budget, charges, folded }: AccountSummary): boolean {
  return budget === undefined || "rule" in budget || (charges.length === 0 && folded === undefined);
}

/** No release is ever charged less than it was; a ledger that does so was forged. */
function checkRule(summary: AccountSummary, budget: RecordedBudget): void {
  if ("rule" in budget && !mayHaveRule(summary))
    throw new Refusal("ledger-broken", "The rule by which an account counts was changed.");
}

/** As it is written, without the words beside the numbers; throws if it can't be read. */
function exactly(loss: LossJson): LossJson {
  lossFromJson(loss);
  const { readable: _, ...exact } = loss as LossJson & { readonly readable?: string };
  return exact;
}

/** The summary after one more charge that isn't recorded. */
export function summariseCharge(summary: AccountSummary, loss: LossJson, period?: string): AccountSummary {
  return charged(summary, { loss, ...(period !== undefined && { period }) });
}

/** The period of a question, as groups tell it apart. */
export function periodIn(question: unknown): string | undefined {
  const { period } = Object(question);
  const { name, key } = Object(period);
  if (typeof name !== "string") return undefined;
  return periodText({ name, ...(typeof key === "string" && { key }) });
}

export type NewCharge = Omit<ChargeGroup, "times" | "isLate" | "isFolded">;

interface Place {
  readonly isLate: boolean;
  /** It found no place among the losses that are told apart. */
  readonly isFolded: boolean;
  /** The group that it joins, or −1. */
  readonly same: number;
  /** All groups except for the reservation that it takes the place of. */
  readonly others: readonly ChargeGroup[];
}

/** Where a charge would be counted. `id` names the reservation that it takes the place of, if there is one. */
export function placeOf(summary: AccountSummary, charge: NewCharge, id?: string): Place {
  const { charges } = summary;
  const reserved = charges.find(({ reservation }) => reservation !== undefined && reservation === id);
  const others = reserved === undefined ? charges : charges.filter((group) => group !== reserved);
  const { measure } = charge.settled ?? charge.loss;
  const isLate = reserved?.isLate ?? (measure === "zcdp" || isAtOrder(summary));
  const same = others.findIndex((group) => group.isLate === isLate && isSame(group, charge));
  const isFull =
    charge.period === undefined &&
    others.filter(({ isFolded, period }) => !isFolded && period === undefined).length >= MOST_GROUPS;
  return { isLate, isFolded: same < 0 && isFull, same, others };
}

function charged(summary: AccountSummary, charge: NewCharge, id?: string): AccountSummary {
  const { isLate, isFolded, same, others } = placeOf(summary, charge, id);
  if (same >= 0) {
    const group = others[same]!;
    return { ...summary, charges: others.with(same, { ...group, times: group.times + 1 }) };
  }
  if (isFolded && charge.reservation === undefined)
    return { ...summary, charges: others, folded: withCharge(summary.folded, charge, isLate) };
  const group = { ...charge, times: 1, isLate, ...(isFolded && { isFolded: true as const }) };
  return { ...summary, charges: [...others, group] };
}

function withCharge(folded: Folded | undefined, { loss, settled }: NewCharge, isLate: boolean): Folded {
  const { promised, counted } = folded ?? { promised: [] };
  const all = fold(promised, loss, isLate);
  if (settled === undefined && counted === undefined) return { promised: all };
  return { promised: all, counted: fold(counted ?? promised, settled ?? loss, isLate) };
}

/** Whether a loss without an ε of its own was charged. */
export function isAtOrder({ charges, folded }: AccountSummary): boolean {
  return [...charges, ...(folded?.promised ?? [])].some(({ isLate }) => isLate);
}

/** All of what each release promises, as another limit has to count it. */
function inFull(summary: AccountSummary): AccountSummary {
  const { charges, folded } = summary;
  if (charges.every(({ settled }) => settled === undefined) && folded?.counted === undefined) return summary;
  return {
    ...summary,
    charges: charges.map(({ settled: _, ...group }) => group),
    ...(folded !== undefined && { folded: { promised: folded.promised } }),
  };
}

/** Whether a charge belongs to the group; a reservation never does. */
function isSame(group: ChargeGroup, { loss, settled, reservation, period }: NewCharge): boolean {
  if (group.reservation !== undefined || reservation !== undefined) return false;
  if (group.period !== period) return false;
  const areEqual = (one: LossJson | undefined, other: LossJson | undefined) =>
    (one && textOf(one)) === (other && textOf(other));
  return areEqual(group.loss, loss) && areEqual(group.settled, settled);
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
