/**
 * Whether every release of a log was charged what it costs: its loss, the parameters of its noise and what it is counted as
 * are computed again from its question and its answer, and every charge must have fitted into the budget in force. The chain
 * says that no one changed an entry; this says that the entries were right when they were written.
 *
 * A release of another version of the packages may have been calibrated in another way, so its price isn't computed again here,
 * nor is that of a document that isn't ours: both are listed as not priced. `verify.py`, which shares no code with this, goes by
 * the recorded parameters and prices other versions too.
 * @module
 */

import { type Loss, lossFromJson, lossToJson, WinnowError } from "winnow-dp";
import { readableLoss } from "../document/loss-text.js";
import { PACKAGES, releaseLoss } from "../document/new-release.js";
import { readRelease } from "../document/read-release.js";
import type { Release } from "../document/release-document.js";
import { lossOf, mechanismOf } from "../mechanisms/of-question.js";
import { Refusal } from "../refusal/refusal.js";
import { Account } from "./account.js";
import { canonicalJson } from "./canonical-json.js";
import {
  datasetOf,
  hasDataset,
  type LedgerEntry,
  type RecordedRelease,
  type ReleaseEntry,
  type ReservationEntry,
} from "./entry.js";
import type { Finding } from "./hash-chain.js";
import { type AccountSummary, EMPTY_SUMMARY, summarise } from "./summary.js";

/**
 * The result of checking charges against prices.
 *
 * @inline
 */
export interface ChargeCheck {
  /** Empty, or the first that is wrong: it is the cause of others. */
  readonly findings: readonly Finding[];
  /** How many releases were priced again. */
  readonly recomputed: number;
  /** The others: what they cost isn't known here. */
  readonly unpriced: readonly Unpriced[];
  /** The entries of reservations whose release was never recorded. */
  readonly open: readonly number[];
}

/** "1 reservation is open, …"; empty if none is. */
export function openSentence(open: readonly number[]): string {
  if (open.length === 0) return "";
  const isOne = open.length === 1;
  const named = open.slice(0, MOST_NAMED).join(", ") + (open.length > MOST_NAMED ? ", …" : "");
  return `${isOne ? "1 reservation is" : `${open.length} reservations are`} open (${isOne ? "entry" : "entries"} ${named}): each is a run that ended early, or an answer that was drawn and not recorded.`;
}

/**
 * A release whose price wasn't computed again, and why.
 *
 * @inline
 */
export interface Unpriced {
  readonly sequence: number;
  readonly reason: "version" | "schema";
}

/** The loss of a release with a document of its own, such as labels; undefined for one that isn't known. */
export type PriceOf = (release: RecordedRelease) => Loss | undefined;

/** Reads all entries of a log, in its order. */
export async function checkCharges(
  entries: Iterable<LedgerEntry> | AsyncIterable<LedgerEntry>,
  priceOf: PriceOf = () => undefined,
): Promise<ChargeCheck> {
  const check = new Check(priceOf);
  for await (const entry of entries) {
    const problem = check.problemOf(entry);
    if (problem === undefined || !hasDataset(entry)) continue;
    const sentence = `Entry ${entry.sequence}, about ${JSON.stringify(datasetOf(entry))}: ${problem}`;
    return check.after([{ kind: "charge", sequence: entry.sequence, sentence }]);
  }
  return check.after([]);
}

/** "1 release was not priced, because another version of Winnow recorded it (entry 4)."; empty if all were. */
export function unpricedSentence(unpriced: readonly Unpriced[]): string {
  const sentences = (["version", "schema"] as const).flatMap((reason) => {
    const entries = unpriced.filter((one) => one.reason === reason).map(({ sequence }) => sequence);
    return entries.length === 0 ? [] : [sentenceOf(reason, entries)];
  });
  return sentences.join(" ");
}

/** At most this many entries are named. */
const MOST_NAMED = 10;

function sentenceOf(reason: Unpriced["reason"], entries: readonly number[]): string {
  const isOne = entries.length === 1;
  const why = {
    version: `another version of Winnow recorded ${isOne ? "it" : "them"}`,
    schema: `${isOne ? "its document isn't one" : "their documents aren't ones"} that Winnow knows`,
  };
  const named = entries.slice(0, MOST_NAMED).join(", ") + (entries.length > MOST_NAMED ? ", …" : "");
  const count = isOne ? "1 release was" : `${entries.length} releases were`;
  return `${count} not priced, because ${why[reason]} (${isOne ? "entry" : "entries"} ${named}).`;
}

class Check {
  #recomputed = 0;
  readonly #unpriced: Unpriced[] = [];
  readonly #priceOf: PriceOf;
  readonly #accounts = new Map<string, AccountSummary>();
  readonly #reservations = new Map<string, ReservationEntry>();
  readonly #ids = new Set<string>();
  readonly #open = new Map<string, number>();

  constructor(priceOf: PriceOf) {
    this.#priceOf = priceOf;
  }

  after(findings: readonly Finding[]): ChargeCheck {
    const open = [...this.#open.values()];
    return { findings, recomputed: this.#recomputed, unpriced: this.#unpriced, open };
  }

  /** The problem with the next entry, as a sentence. */
  problemOf(entry: LedgerEntry): string | undefined {
    if (!hasDataset(entry)) return undefined;
    const dataset = datasetOf(entry);
    const before = this.#accounts.get(dataset) ?? EMPTY_SUMMARY;
    try {
      const problem = entry.kind === "release" ? this.#releaseProblem(entry, before) : undefined;
      if (problem !== undefined) return problem;
      if (entry.kind === "reservation") {
        this.#reservations.set(entry.id, entry);
        this.#open.set(entry.id, entry.sequence);
      }
      if (entry.kind === "release") this.#open.delete(entry.release.id);
      const after = summarise(before, entry);
      new Account(dataset, after); // throws if more was charged than the budget allows
      this.#accounts.set(dataset, after);
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return error.message;
      if (error instanceof WinnowError) return `${error.message}.`; // names a field, and never quotes an answer
      throw error;
    }
  }

  #releaseProblem({ release, sequence }: ReleaseEntry, before: AccountSummary): string | undefined {
    if (this.#ids.has(release.id)) return "its id is that of another release.";
    this.#ids.add(release.id);
    const account = new Account(release.dataset, before);
    const reservation = this.#reservations.get(release.id);
    const price = this.#priceOf(release);
    const reason = price === undefined ? whyNotPriced(release) : undefined;
    if (reason === undefined) this.#recomputed++;
    else this.#unpriced.push({ sequence, reason });
    const problem =
      differentBits(release, reservation) ??
      differentWords(release) ??
      (reason === undefined ? priceProblem(release, price, account, reservation) : undefined);
    if (problem === undefined && reservation === undefined)
      account.admit(
        release.charge?.reserved ?? release.loss,
        release.question,
        release.charge ? "settled" : "charge",
      );
    return problem;
  }
}

/** What a person reads beside the numbers; a document that isn't ours may say it in another way. */
function differentWords(release: RecordedRelease): string | undefined {
  if (!isOfWinnow(release)) return undefined;
  const { loss, charge } = release;
  for (const each of [loss, charge?.reserved, charge?.settled]) {
    const { readable = undefined } = { ...each } as { readonly readable?: unknown };
    if (each !== undefined && readable !== readableLoss(lossFromJson(each)))
      return `it costs ${readableLoss(lossFromJson(each))}, and in words it states ${JSON.stringify(readable)}.`;
  }
  return undefined;
}

/** Bits that a release is drawn with are committed to before its rows are read. */
function differentBits({ bits }: RecordedRelease, reservation: ReservationEntry | undefined) {
  const reserved = reservation?.bits;
  if (bits?.seed === reserved?.seed && bits?.generator === reserved?.generator) return undefined;
  return reserved === undefined
    ? "it commits to bits, and no reservation before it does."
    : "it isn't drawn with the bits that were reserved for it.";
}

function whyNotPriced(release: RecordedRelease): Unpriced["reason"] | undefined {
  if (!isDocument(release)) return "schema";
  const { software } = readRelease(JSON.stringify(release));
  return canonicalJson(software.packages) === canonicalJson(PACKAGES) ? undefined : "version";
}

function priceProblem(
  release: RecordedRelease,
  price: Loss | undefined,
  account: Account,
  reservation: ReservationEntry | undefined,
): string | undefined {
  if (price !== undefined) return differentLoss(release, price);
  const document = readRelease(JSON.stringify(release));
  return (
    differentLoss(release, lossOf(document.question)) ??
    differentMechanism(document) ??
    differentCharge(document, account, reservation)
  );
}

function isDocument(release: RecordedRelease): boolean {
  return isOfWinnow(release, "winnow-release/");
}

function isOfWinnow(release: RecordedRelease, schemas = "winnow-"): boolean {
  return "schema" in release && String(release.schema).startsWith(schemas);
}

function differentLoss({ loss }: RecordedRelease, price: Loss): string | undefined {
  const stated = lossFromJson(loss);
  if (canonicalJson(lossToJson(stated)) === canonicalJson(lossToJson(price))) return undefined;
  return `its noise costs ${readableLoss(price)}, and it states ${readableLoss(stated)}.`;
}

function differentMechanism({ question, mechanism }: Release): string | undefined {
  if (canonicalJson(mechanismOf(question)) === canonicalJson(mechanism)) return undefined;
  return "its parameters are not those that its question leads to.";
}

function differentCharge(
  { question, answer, charge }: Release,
  account: Account,
  reservation: ReservationEntry | undefined,
): string | undefined {
  const counted = account.chargeFor(question, answer, reservation);
  const expected = counted && {
    reserved: releaseLoss(counted.reserved),
    settled: releaseLoss(counted.settled),
  };
  if (canonicalJson({ charge }) === canonicalJson({ charge: expected })) return undefined;
  return expected === undefined
    ? "it is counted as less than it promises, without a reason."
    : `its rounds cost ${expected.settled.readable}, and it is counted as ${charge?.settled.readable ?? "all of them"}.`;
}
