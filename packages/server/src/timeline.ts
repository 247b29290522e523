/**
 * What a request spends its time on: phases that follow each other from its arrival on. How long they take may depend on rows, so
 * they are for the operator alone (metrics.ts, tracer.ts).
 * @module
 */

/** In the order in which a new release passes them. */
export const PHASES = [
  "find", // a stored release
  "queue", // its turn
  "admit", // budgets, caps and public inputs
  "count", // the rows, or a count that is kept
  "draw", // the answer
  "tick", // the public grid, before the charge
  "charge", // the ledger's transaction
  "leave", // the next tick
] as const;

export type PhaseName = (typeof PHASES)[number];

export interface Phase {
  readonly name: PhaseName;
  /** In milliseconds: when it began, after the arrival, and how long it took. */
  readonly from: number;
  readonly milliseconds: number;
}

export class Timeline {
  readonly #now: () => number;
  readonly #arrivedAt: number;
  readonly #phases: Phase[] = [];
  #current: { readonly name: PhaseName; readonly from: number } | undefined;

  /** `now` in milliseconds, on the clock of the arrival. */
  constructor(now: () => number, arrivedAt: number) {
    this.#now = now;
    this.#arrivedAt = arrivedAt;
  }

  /** Ends the phase before. */
  enter(name: PhaseName): void {
    this.#end();
    this.#current = { name, from: this.#now() - this.#arrivedAt };
  }

  /** All of them; the last ends now. */
  phases(): readonly Phase[] {
    this.#end();
    return this.#phases;
  }

  #end(): void {
    if (this.#current === undefined) return;
    const { name, from } = this.#current;
    this.#phases.push({ name, from, milliseconds: this.#now() - this.#arrivedAt - from });
    this.#current = undefined;
  }
}
