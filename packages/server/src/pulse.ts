/**
 * Whether the ledger answers, from memory. A look is one reading transaction; its result serves everyone for a second, and a look that is
 * under way is shared. So a probe costs nothing, however many come, and answers within a moment also when the database is frozen:
 * a look that takes longer than `LONGEST` counts as a failed one until it ends.
 * @module
 */
import type { Clock } from "./time-grid.js";

/** For how long a result is good, how long someone waits for a new one, and how long a look may take, in milliseconds. */
const [FRESH, WAIT, LONGEST] = [1000, 1000, 2000];

export interface LedgerState {
  /** Undefined if the ledger answers. */
  readonly failure: unknown;
  /** The number of its last entry, when it last answered. */
  readonly sequence: number | undefined;
}

/** The ledger has been asked, and hasn't answered for a while. */
export class NoAnswer extends Error {
  readonly code = "ledger-unavailable";
}

export class Pulse {
  readonly #look: () => Promise<number>;
  readonly #clock: Clock;
  readonly #onChange: (failure: unknown) => void;
  #isFailing = false;
  #known: LedgerState | undefined;
  #knownAt = 0;
  #looking: { readonly since: number; readonly done: Promise<void> } | undefined;

  /** `look` asks for the number of the last entry; `onChange` is told when the ledger begins to fail, and when it answers again. */
  constructor(look: () => Promise<number>, clock: Clock, onChange: (failure: unknown) => void = () => {}) {
    this.#look = look;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Remembers or finds out, in a moment. Never rejects. */
  async state(): Promise<LedgerState> {
    const state = await this.#state();
    const isFailing = state.failure !== undefined;
    if (isFailing !== this.#isFailing) {
      this.#isFailing = isFailing;
      this.#onChange(state.failure);
    }
    return state;
  }

  async #state(): Promise<LedgerState> {
    const isFresh = this.#known !== undefined && this.#clock.now() - this.#knownAt < FRESH;
    if (isFresh) return this.#known!;
    this.#looking ??= this.#start();
    await Promise.race([this.#looking.done, this.#clock.sleep(WAIT)]);
    const isLate = this.#looking !== undefined && this.#clock.now() - this.#looking.since >= LONGEST;
    if (this.#known === undefined || isLate)
      return { failure: new NoAnswer(), sequence: this.#known?.sequence };
    return this.#known;
  }

  /** Something failed: what is remembered may be wrong. */
  forget(): void {
    this.#knownAt = -Infinity;
  }

  #start() {
    const since = this.#clock.now();
    const done = this.#look()
      .then(
        (sequence) => ({ failure: undefined, sequence }),
        (failure: unknown) => ({ failure, sequence: this.#known?.sequence }),
      )
      .then((state) => {
        this.#known = state;
        this.#knownAt = this.#clock.now();
        this.#looking = undefined;
      });
    return { since, done };
  }
}
