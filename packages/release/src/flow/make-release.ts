/**
 * One release of a question, in the safe order (safe-order.ts), with all guards. The command line, the service, the agents' tools
 * and the page make their releases here. A front end says how someone is asked, when a charge may happen, and what it prints;
 * whether something is asked, refused, counted or charged is decided here.
 * @module
 */
import type { Loss } from "winnow-dp";
import { newRelease, withBits } from "../document/new-release.js";
import type {
  EpsilonFrom,
  NewRelease,
  ReleaseAnswer,
  ReleaseSource,
  Software,
} from "../document/release-document.js";
import type { Account, Spender } from "../ledger/account.js";
import { canonicalJson } from "../ledger/canonical-json.js";
import type { ReservationEntry } from "../ledger/entry.js";
import type { ChargeOptions } from "../ledger/ledger.js";
import { isGrouped } from "../mechanisms/in-groups.js";
import { lossOf, select, selectInGroups } from "../mechanisms/of-question.js";
import type { Batches, GroupedRows } from "../question/answer.js";
import type { Question } from "../question/question.js";
import { Refusal } from "../refusal/refusal.js";
import { bitsOf, type Opening, orderedCounts, releaseBits, reservedBits } from "./committed-bits.js";
import { type Concern, type Curator, confirmConcerns } from "./curator.js";
import { concernAbout, concernAboutTotal } from "./guards.js";
import type { GuardedInputs } from "./public-inputs.js";
import { type RowFacts, RowWatch } from "./row-guards.js";
import { inSafeOrder } from "./safe-order.js";

/** The part of a ledger that a release needs. */
export interface ReleaseLedger<R> {
  /** With the analyst's cap as its budget, where there is one. */
  account(dataset: string, spender?: Spender): Promise<Account>;
  reservation(id: string): Promise<Pick<ReservationEntry, "time"> | undefined>;
  /** Throws if someone must say first which account is meant: the rows were charged to another, or no budget would limit this one. */
  admitAccount(dataset: string, charge: ChargeOptions): Promise<void>;
  /** Throws if the question fits neither the budget nor the cap; returns its highest price. */
  admit(dataset: string, question: Question, charge: ChargeOptions): Promise<Loss>;
  reserve(dataset: string, id: string, question: Question, charge: ChargeOptions): Promise<unknown>;
  /** Looks up the id, admits again, charges and stores, in one transaction. */
  record(dataset: string, release: NewRelease, charge: ChargeOptions): Promise<R>;
}

/**
 * Counts on their way from the engine, and how the rows were read.
 *
 * @inline
 */
export interface CountedRows {
  /** Those of a question about all rows. */
  readonly batches?: Batches | undefined;
  /** Those of a question in groups. */
  readonly groups?: GroupedRows | undefined;
  readonly source: ReleaseSource;
  readonly notes?: readonly string[] | undefined;
  /** Once all are counted. */
  facts?(): Promise<RowFacts> | RowFacts;
}

/**
 * How a front end asks, tells and waits while a release is made.
 *
 * @inline
 */
export interface ReleaseHooks {
  /** Guards of a front end's own, before the price. */
  guard?(): Promise<void>;
  /** After the price was admitted and agreed to, before a row is read; may throw to refuse for nothing. */
  confirm?(reserved: Loss): Promise<void> | void;
  /** Whether to count and draw again, after a pause of its own. */
  mayRetry?(error: unknown): Promise<boolean>;
  /** The refusal of a failure that is charged in full; undefined for one that is free. */
  onRowsFailed?(error: unknown): Refusal | undefined;
  /** Just before the charge. After it returns, nothing stops the release. */
  settle?(): Promise<void> | void;
  /** The reservation stays, and there is no answer. */
  onKept?(reserved: Loss): void;
  /** The time in the release. Default: when it was drawn. */
  time?(): Date;
}

/**
 * Everything that a release needs: the question, the rows and the ledger.
 *
 * @inline
 */
export interface ReleaseRequest<R> {
  readonly id: string;
  readonly dataset: string;
  readonly question: Question;
  readonly analyst?: string | undefined;
  readonly software: Pick<Software, "name" | "version">;
  /** How ε was chosen, where that is known. */
  readonly epsilonFrom?: EpsilonFrom | undefined;
  readonly ledger: ReleaseLedger<R>;
  /** The analyst, and the mark of the rows, which is found only if there is no stored release. */
  charge(): Promise<ChargeOptions> | ChargeOptions;
  /** The stored release with this id; left out for an id that is new. A service and a file of rows compare more than the ledger. */
  readonly find?: (() => Promise<R | undefined>) | undefined;
  /** That no public file of the question is private, nor has rows that were charged: `guardPublicInputs`, `guardChargedInputs`. */
  inputs(): Promise<GuardedInputs> | GuardedInputs;
  readonly curator: Curator;
  /** Sets the price aside before a row is read. */
  readonly isReserved?: boolean | undefined;
  /** Commits to the bits of the answer, in a reservation. */
  readonly bits?: CommittedBits | undefined;
  /** As late as possible, and again after a lost connection. */
  count(): Promise<CountedRows>;
  readonly hooks?: ReleaseHooks | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Bits that a release is drawn with, and can be drawn with again by someone who may see its rows. */
export interface CommittedBits {
  readonly opening: Opening;
  /** Keeps the opening where the rows are; on disk before the reservation is. */
  keep(): Promise<void>;
}

/**
 * A release and what became of it.
 *
 * @inline
 */
export interface MadeRelease<R> {
  readonly release: R;
  /** Whether it was there already: then this request is charged nothing. */
  readonly isStored: boolean;
}

/** Makes one release, in the order that makes it safe: stored answer, admit, count, select, charge and store, then hand out. */
export async function makeRelease<R extends { readonly answer: ReleaseAnswer }>(
  request: ReleaseRequest<R>,
): Promise<MadeRelease<R>> {
  const { id, dataset, question, ledger, curator, bits, hooks = {}, signal } = request;
  let charge: ChargeOptions = {};
  const watch = new RowWatch(question);
  let facts: CountedRows["facts"];
  const { release, drawn } = await inSafeOrder<CountedRows, NewRelease, R>({
    ...(request.find && { stored: request.find }),
    guard: async () => {
      if (bits !== undefined && isGrouped(question))
        throw new Refusal("usage", "A question in groups can't commit to its bits yet: ask without groups.");
      await refuseReserved(ledger, id);
      charge = await request.charge();
      await ledger.admitAccount(dataset, charge);
      await request.inputs();
      await hooks.guard?.();
    },
    admit: () => ledger.admit(dataset, question, charge),
    confirm: async (reserved) => {
      const account = await ledger.account(dataset, charge.spender);
      await confirmConcerns(priceConcerns(account, lossOf(question)), curator);
      await hooks.confirm?.(reserved);
    },
    isReserved: request.isReserved || bits !== undefined,
    reserve: async () => {
      await bits?.keep();
      const reserved = bits && (await reservedBits(bits.opening, { dataset, question }));
      return ledger.reserve(dataset, id, question, { ...charge, bits: reserved });
    },
    count: () => request.count(),
    draw: async ({ batches = [], groups, source, notes, facts: known }) => {
      facts = known;
      const { answer, counts } = await drawAnswer(question, { batches, groups, watch, bits });
      const { analyst, software, epsilonFrom } = request;
      const time = hooks.time?.() ?? new Date();
      const release = newRelease({
        ...{ id, dataset, analyst, time, software, question, answer, source, epsilonFrom, notes },
      });
      if (bits === undefined || counts === undefined) return release;
      const committed = { dataset, question, answer: release.answer, counts: counts.hash };
      return withBits(release, await releaseBits(bits.opening, committed));
    },
    settle: async (release) => {
      if (release !== undefined) {
        const { told, asked } = watch.finish((await facts?.()) ?? {});
        for (const fact of told) fact.for(curator);
        await confirmConcerns(asked, curator);
      }
      await hooks.settle?.();
    },
    record: (release) => ledger.record(dataset, release, charge),
    ...(hooks.mayRetry && { mayRetry: hooks.mayRetry }),
    ...(hooks.onRowsFailed && { onRowsFailed: hooks.onRowsFailed }),
    ...(hooks.onKept && { onKept: hooks.onKept }),
    signal,
  });
  // Another run may have recorded this id first; then its answer is the answer.
  const isStored = drawn === undefined || canonicalJson(release.answer) !== canonicalJson(drawn.answer);
  return { release, isStored };
}

interface Drawing extends Pick<CountedRows, "batches" | "groups"> {
  readonly watch: RowWatch;
  readonly bits: CommittedBits | undefined;
}

/** The answer and, for committed bits, the counts that it was drawn from, in their order. */
async function drawAnswer(question: Question, { batches = [], groups, watch, bits }: Drawing) {
  if (groups !== undefined) return { answer: await selectInGroups(question, watch.watchGroups(groups)) };
  const watched = watch.watch(batches);
  if (bits === undefined) return { answer: await select(question, watched) };
  const counts = await orderedCounts(watched);
  return { answer: await select(question, counts.batches, { entropy: bitsOf(bits.opening) }), counts };
}

/** What someone must agree to before a price is paid: it promises next to nothing, or takes an account without a budget that far. */
export function priceConcerns(account: Account, loss: Loss): Concern[] {
  const why = concernAbout(loss) ?? concernAboutTotal(account, loss);
  return why === undefined ? [] : [{ why }];
}

async function refuseReserved(ledger: Pick<ReleaseLedger<never>, "reservation">, id: string) {
  const reservation = await ledger.reservation(id);
  if (reservation !== undefined)
    throw new Refusal(
      "reservation-open",
      `The release id ${JSON.stringify(id)} was reserved at ${reservation.time}, and its release was never recorded.`,
    );
}
