/**
 * Whether every release of a log was charged what it costs: its loss, the parameters of its noise and what it is counted as
 * are computed again from its question and its answer, and every charge must have fitted into the budget in force. The chain
 * says that no one changed an entry; this says that the entries were right when they were written.
 *
 * A release of another version of the packages may have been calibrated in another way, so its price isn't computed again here.
 * `verify.py`, which shares no code with this, goes by the recorded parameters and checks those too.
 * @module
 */
import { type Loss, lossFromJson, lossToJson, WinnowError } from "winnow-dp";
import { readableLoss } from "../document/loss-text.js";
import { PACKAGES, releaseLoss } from "../document/new-release.js";
import { readRelease } from "../document/read-release.js";
import type { Release } from "../document/release-document.js";
import { lossOf, mechanismOf } from "../question/mechanism.js";
import { Account } from "./account.js";
import {
  canonicalJson,
  datasetOf,
  type LedgerEntry,
  LedgerError,
  type RecordedRelease,
  type ReservationEntry,
} from "./entry.js";
import type { Finding } from "./hash-chain.js";
import { type AccountSummary, EMPTY_SUMMARY, summarise } from "./summary.js";

export interface ChargeCheck {
  /** Empty, or the first that is wrong: it is the cause of others. */
  readonly findings: readonly Finding[];
  /** How many releases were priced again; the others are of another version, or not documents of ours. */
  readonly recomputed: number;
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
    if (problem === undefined) continue;
    const sentence = `Entry ${entry.sequence}, about ${JSON.stringify(datasetOf(entry))}: ${problem}`;
    return {
      findings: [{ kind: "charge", sequence: entry.sequence, sentence }],
      recomputed: check.recomputed,
    };
  }
  return { findings: [], recomputed: check.recomputed };
}

class Check {
  recomputed = 0;
  readonly #priceOf: PriceOf;
  readonly #accounts = new Map<string, AccountSummary>();
  readonly #reservations = new Map<string, ReservationEntry>();
  readonly #ids = new Set<string>();

  constructor(priceOf: PriceOf) {
    this.#priceOf = priceOf;
  }

  /** What is wrong with the next entry, as a sentence. */
  problemOf(entry: LedgerEntry): string | undefined {
    const dataset = datasetOf(entry);
    const before = this.#accounts.get(dataset) ?? EMPTY_SUMMARY;
    try {
      const problem = entry.kind === "release" ? this.#releaseProblem(entry.release, before) : undefined;
      if (problem !== undefined) return problem;
      if (entry.kind === "reservation") this.#reservations.set(entry.id, entry);
      const after = summarise(before, entry);
      new Account(dataset, after); // throws if more was charged than the budget allows
      this.#accounts.set(dataset, after);
      return undefined;
    } catch (error) {
      if (error instanceof LedgerError) return error.message;
      if (error instanceof WinnowError) return `${error.message}.`; // names a field, and never quotes an answer
      throw error;
    }
  }

  #releaseProblem(release: RecordedRelease, before: AccountSummary): string | undefined {
    if (this.#ids.has(release.id)) return "its id is that of another release.";
    this.#ids.add(release.id);
    const account = new Account(release.dataset, before);
    const reservation = this.#reservations.get(release.id);
    const problem = this.#priceProblem(release, account, reservation);
    if (problem === undefined && reservation === undefined)
      account.admit(
        release.charge?.reserved ?? release.loss,
        release.question,
        release.charge ? "settled" : "charge",
      );
    return problem;
  }

  #priceProblem(
    release: RecordedRelease,
    account: Account,
    reservation: ReservationEntry | undefined,
  ): string | undefined {
    const price = this.#priceOf(release);
    if (price !== undefined) {
      this.recomputed++;
      return differentLoss(release, price);
    }
    if (!isDocument(release)) return undefined;
    const document = readRelease(JSON.stringify(release));
    if (canonicalJson(document.software.packages) !== canonicalJson(PACKAGES)) return undefined;
    this.recomputed++;
    return (
      differentLoss(release, lossOf(document.question)) ??
      differentMechanism(document) ??
      differentCharge(document, account, reservation)
    );
  }
}

function isDocument(release: RecordedRelease): boolean {
  return "schema" in release && String(release.schema).startsWith("winnow-release/");
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
