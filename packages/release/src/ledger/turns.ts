/**
 * The operations of one ledger, one transaction after the other. Operations that wait at the same time share a transaction: all that
 * read look at one state, and all that write are committed together, each with its own entry. So a hundred requests cost
 * about as much as one, while each still has its answer only after it is on disk.
 *
 * A refusal of one operation (over budget, a taken id) is its own, and the others go on: an operation adds its entry last, so a
 * refused one has left nothing. When anything else fails, the whole transaction is taken back and each operation runs again in one of its own, so
 * no operation fails because of another. Two failures end all of them alike: when the store can't say whether a commit happened, and when no
 * transaction could begin (a lock that another program keeps, a server that is away), because one after the other would wait for the same again.
 * @module
 */
import { Refusal } from "../refusal/refusal.js";
import { OutcomeUnknown, type Sought, type Store } from "./store.js";

type Mode = "reading" | "writing";

export interface TurnOptions {
  /** The release that is written. */
  readonly id?: string | undefined;
  /** What the work will look for. */
  readonly sought?: Sought | undefined;
  /** Work that takes long, or that fails after it has added entries: no one else is in its transaction. */
  readonly isAlone?: boolean | undefined;
  /** The work itself looks whether the ledger can be used. */
  readonly looksItself?: boolean | undefined;
}

/** What happens around the work of each transaction. */
export interface TurnSteps {
  begin(mode: Mode): Promise<void>;
  /** Everything is added; the transaction is about to be committed. */
  end(): Promise<void>;
  committed(): void;
  refusal(error: unknown, id: string | undefined): unknown;
}

interface Operation extends TurnOptions {
  readonly mode: Mode;
  readonly work: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly refusal: Refusal };

/** At most this many operations share a transaction. */
const MOST_TOGETHER = 256;

export class Turns {
  readonly #store: Store;
  readonly #steps: TurnSteps;
  readonly #waiting: Operation[] = [];
  #isRunning = false;

  constructor(store: Store, steps: TurnSteps) {
    this.#store = store;
    this.#steps = steps;
  }

  take<T>(mode: Mode, work: () => T | Promise<T>, options: TurnOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ ...options, mode, work, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    await Promise.resolve(); // those that come at the same moment go together
    while (this.#waiting.length > 0) {
      await this.#store.gather?.().catch(() => {}); // for speed only: what waits goes on without it
      await this.#together(this.#next());
    }
    this.#isRunning = false;
  }

  /** The first in the queue, with all others that may share its transaction. */
  #next(): Operation[] {
    const [first] = this.#waiting;
    if (first!.isAlone) return this.#waiting.splice(0, 1);
    const group: Operation[] = [];
    const others: Operation[] = [];
    for (const each of this.#waiting.splice(0)) {
      const isWith = each.mode === first!.mode && !each.isAlone && group.length < MOST_TOGETHER;
      (isWith ? group : others).push(each);
    }
    this.#waiting.push(...others);
    return group;
  }

  async #together(group: readonly Operation[]): Promise<void> {
    const [first] = group;
    if (group.length === 1) return this.#alone(first!);
    let hasBegun = false;
    try {
      const outcomes = await this.#transaction(first!.mode, group, async () => {
        hasBegun = true;
        const all: Outcome[] = [];
        for (const { work } of group) all.push(await outcomeOf(work));
        return all;
      });
      for (const [at, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[at]!;
        if ("refusal" in outcome) reject(this.#steps.refusal(outcome.refusal, undefined));
        else resolve(outcome.value as never);
      }
    } catch (error) {
      if (error instanceof OutcomeUnknown || !hasBegun)
        for (const { id, reject } of group) reject(this.#steps.refusal(error, id));
      else for (const each of group) await this.#alone(each);
    }
  }

  async #alone(operation: Operation): Promise<void> {
    const { mode, work, id, resolve, reject } = operation;
    try {
      resolve((await this.#transaction(mode, [operation], async () => work())) as never);
    } catch (error) {
      reject(this.#steps.refusal(error, id));
    }
  }

  async #transaction<T>(mode: Mode, group: readonly Operation[], work: () => Promise<T>): Promise<T> {
    const sought = {
      places: group.flatMap((each) => each.sought?.places ?? []),
      accounts: group.flatMap((each) => each.sought?.accounts ?? []),
    };
    const result = await this.#store[mode](async () => {
      if (group[0]?.looksItself !== true) await this.#steps.begin(mode);
      if (sought.places.length + sought.accounts.length > 1) await this.#store.seek?.(sought);
      const done = await work();
      if (mode === "writing") await this.#steps.end();
      return done;
    });
    if (mode === "writing") this.#steps.committed();
    return result;
  }
}

/** A refusal by the rules of the ledger is an outcome; everything else ends the transaction. */
async function outcomeOf(work: () => unknown): Promise<Outcome> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof Refusal && !error.code.startsWith("ledger-")) return { refusal: error };
    throw error;
  }
}
