/**
 * Releases as a service makes them: by the flow of winnow-release, with the keys of analysts, counts that are kept, and the
 * public grid of times.
 *
 * Before a row is touched, a request may be cancelled and refused at no cost. After that every outcome is charged: a count that
 * failed is refused with one sentence, whatever the reason, and an analyst who hangs up pays too, because otherwise the moment
 * of hanging up would tell how long the rows took. For the same reason the time of a release is that of its request, and the
 * charge waits for a tick of the public grid: budgets, lists and the head of the ledger would show it before the answer leaves.
 * @module
 */
import {
  type Asked,
  COUNT_FAILED,
  canonicalJson,
  type FactCode,
  isReleaseId,
  type Ledger,
  makeRelease,
  type Question,
  Refusal,
  type ReleaseLedger,
  replay,
  type Spender,
} from "winnow-release";
import type { Host, RecordedAnswer } from "./host.js";
import type { Dataset } from "./open-datasets.js";
import { codeOf, KEY_TAKEN, problemOf } from "./problems.js";
import type { TimeGrid } from "./time-grid.js";
import type { PhaseName } from "./timeline.js";

export interface NewOrStored {
  readonly release: RecordedAnswer;
  /** Whether it was there already: then nothing was charged for this request. */
  readonly isStored: boolean;
}

/** A question with the key of its release, from one analyst. */
export interface ReleaseRequest {
  readonly id: string;
  readonly question: Question;
  readonly dataset: Dataset;
  readonly spender: Spender;
  /** When it came, for the release and on the clock of the grid. */
  readonly arrived: Date;
  readonly arrivedAt: number;
  /** Whether `stored` has just found nothing; a release that is recorded meanwhile is found by the charge. */
  readonly wasSought: boolean;
  /** Cancels it before the rows are touched, and not later. */
  readonly signal: AbortSignal | undefined;
  readonly onPhase: (phase: PhaseName) => void;
}

/** A release on its way. */
interface Running {
  readonly asked: string;
  readonly answer: Promise<NewOrStored>;
  readonly signal: AbortSignal | undefined;
}

export interface ReleasesOptions {
  readonly ledger: Ledger;
  readonly software: Host["software"];
  readonly grid: Pick<TimeGrid, "leave">;
  /** The service is closing. */
  readonly closing: AbortSignal;
  /** Throws if witnesses have seen another ledger of this name; nothing is charged then. */
  readonly checkHeads: () => Promise<void>;
  /** No answer could be drawn from the counts; only the operator may be told. */
  readonly onFailure: (dataset: string, cause: unknown) => void;
  /** A curator would have been asked about the rows; only the operator may be told. */
  readonly onDoubt: (dataset: string, code: FactCode) => void;
}

/** Releases in memory, and how long their lists may be. */
const MOST_KEPT = 1000;
const MOST_KEPT_WINNERS = 1000;

/** An idempotency key: it is part of a release id and of addresses. */
export const KEY = /^[A-Za-z0-9][A-Za-z0-9._~:-]{0,119}$/;

/** `alice.` and the key: names have no dots, so no one else's ids begin so. */
export function releaseIdOf(analyst: string, key: string): string {
  const id = `${analyst}.${key}`;
  if (KEY.test(key) && isReleaseId(id)) return id;
  throw new Refusal(
    "invalid-request",
    "The idempotency key must be 1 to 120 letters, digits or ._~:- and start with a letter or a digit.",
  );
}

export class Releases {
  readonly #options: ReleasesOptions;
  /** By id, so that a program that asks again and again doesn't keep the ledger busy. */
  readonly #recent = new Map<string, RecordedAnswer>();
  /** Those on their way, so that a key that comes twice at once is answered once. */
  readonly #running = new Map<string, Running>();

  /** The data sets whose rows the ledger knows since this process began. */
  readonly #marked = new Set<string>();

  constructor(options: ReleasesOptions) {
    this.#options = options;
  }

  /** The analyst's own release. Of other ids nothing is looked up, so the time doesn't tell whether they exist. */
  async find(analyst: string, id: string): Promise<RecordedAnswer | undefined> {
    const found = isReleaseId(id) && id.startsWith(`${analyst}.`) ? await this.#find(id) : undefined;
    return found !== undefined && isOf(analyst, found) ? found : undefined;
  }

  /** The stored release with this id, if there is one; refused if it answers another question. */
  async stored(request: Pick<ReleaseRequest, "id" | "question" | "dataset" | "spender">) {
    const { id, question, dataset, spender } = request;
    const asked = { dataset: dataset.account, question, rows: dataset.name };
    const stored = await this.#find(id, asked).catch((error: unknown) => {
      throw problemOf(error, id);
    });
    if (stored === undefined || isOf(spender.analyst, stored)) return stored;
    throw new Refusal("release-id-taken", KEY_TAKEN);
  }

  /** The stored release, or a new one, which is charged. */
  async make(request: ReleaseRequest): Promise<NewOrStored> {
    const { id, question, dataset } = request;
    const asked = canonicalJson({ dataset: dataset.name, question });
    const running = this.#running.get(id);
    if (running !== undefined) {
      if (running.asked !== asked) throw new Refusal("release-id-taken", KEY_TAKEN);
      try {
        return { ...(await running.answer), isStored: true };
      } catch (error) {
        // The first has hung up; this one is there.
        const isGivenUp = running.signal?.aborted && !request.signal?.aborted;
        if (!isGivenUp || codeOf(error) !== "busy") throw error;
        return this.make(request);
      }
    }
    const answer = this.#answer(request).catch((error: unknown) => {
      throw problemOf(error, id);
    });
    this.#running.set(id, { asked, answer, signal: request.signal });
    try {
      return await answer;
    } finally {
      this.#running.delete(id);
    }
  }

  /** Resolves when all that are on their way are recorded or given up. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ answer }) => answer));
  }

  async #answer(request: ReleaseRequest): Promise<NewOrStored> {
    const { question, dataset, spender, arrived, wasSought, onPhase } = request;
    const { ledger, software, grid, onFailure, onDoubt } = this.#options;
    let hasBegun = false;
    onPhase("admit");
    const made = await makeRelease<RecordedAnswer>({
      ...{ id: request.id, dataset: dataset.account, question, analyst: spender.analyst, software },
      ledger: inOneLook(ledger, request),
      charge: () => ({ spender, ...(!this.#marked.has(dataset.name) && { mark: dataset.mark }) }),
      inputs: () => dataset.inputs,
      ...(!wasSought && { find: () => this.stored(request) }),
      curator: {
        tell: () => {}, // an analyst is there, and no curator
        agrees: ({ fact }) => {
          // Refusing because of the rows would tell the analyst something about them.
          if (fact !== undefined) onDoubt(dataset.name, fact.code);
          return fact !== undefined || dataset.config.allow.weakProtection === true;
        },
      },
      count: async () => {
        onPhase("count");
        const counted = await dataset.histograms.for(question, arrived.getTime());
        hasBegun = true;
        onPhase("draw");
        if (counted.hasFailed) throw countFailed();
        return { ...counted, source: { ...counted.source, name: dataset.name } };
      },
      hooks: {
        guard: () => this.#options.checkHeads(),
        confirm: () => this.#stillWanted(request),
        onRowsFailed: (error) => {
          if (!hasBegun) return undefined;
          const isKnown = error instanceof Refusal && error.code === "count-failed";
          if (!isKnown) onFailure(dataset.name, error);
          return countFailed();
        },
        settle: async () => {
          onPhase("tick");
          await grid.leave(request.arrivedAt);
          onPhase("charge");
        },
        time: () => arrived,
      },
    });
    if (!isOf(spender.analyst, made.release)) throw new Refusal("release-id-taken", KEY_TAKEN);
    this.#marked.add(dataset.name);
    this.#keep(made.release);
    return made;
  }

  /** Nothing is charged yet. */
  #stillWanted({ signal }: ReleaseRequest): void {
    if (this.#options.closing.aborted)
      throw new Refusal("shutting-down", "Nothing was charged. Try again later.", { after: 5 });
    if (signal?.aborted)
      throw new Refusal("busy", "The request was cancelled; nothing was charged.", { after: 1 });
  }

  /** From memory, or from the ledger. A recorded release never changes. */
  async #find(id: string, asked?: Asked): Promise<RecordedAnswer | undefined> {
    const known = this.#recent.get(id);
    if (known !== undefined) return asked === undefined ? known : replay(known, asked);
    const found = await this.#options.ledger.find(id, asked);
    if (found !== undefined) this.#keep(found);
    return found;
  }

  /** The oldest is forgotten first. */
  #keep(release: RecordedAnswer): void {
    const { winners, groups = [] } = release.answer;
    const size = groups.reduce((sum, { answer }) => sum + answer.winners.length + 1, winners.length);
    if (size > MOST_KEPT_WINNERS) return;
    this.#recent.set(release.id, release);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= MOST_KEPT) break;
      this.#recent.delete(oldest);
    }
  }
}

/**
 * The ledger, with all that is asked before a row is read looked up at the same moment, so that it shares a transaction. Nothing
 * depends on it but who is refused early: the transaction that charges looks again.
 */
function inOneLook(
  ledger: Ledger,
  { id, question, dataset: { account }, spender }: ReleaseRequest,
): ReleaseLedger<RecordedAnswer> {
  const look = () => ({
    reservation: ledger.reservation(id),
    admitAccount: ledger.admitAccount(account),
    admit: ledger.admit(account, question, { spender }),
    account: ledger.account(account, spender),
  });
  let looked: ReturnType<typeof look> | undefined;
  const once = () => {
    if (looked !== undefined) return looked;
    looked = look();
    for (const each of Object.values(looked)) each.catch(() => {}); // the flow says which of them refuses
    return looked;
  };
  return {
    reservation: () => once().reservation,
    admitAccount: () => once().admitAccount,
    admit: () => once().admit,
    account: () => once().account,
    reserve: (...given) => ledger.reserve(...given),
    record: (...given) => ledger.record(...given),
  };
}

/** The price was set aside under this id, and stays so. */
function countFailed(): Refusal {
  return new Refusal("count-failed", COUNT_FAILED);
}

/** The command line can record any id; only the name in the release says whose it is. */
function isOf(analyst: string, release: RecordedAnswer): boolean {
  return release.analyst === analyst;
}
