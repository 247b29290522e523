/**
 * Time that passes only when a test says so. Sleepers wake in the order of their times, and each wakes before time goes on, as
 * if the machine were infinitely fast.
 * @module
 */
import type { Clock } from "../../src/time-grid.js";

export class FakeClock implements Clock {
  #now: number;
  #sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  /** How much later than asked a sleeper wakes; negative if earlier. */
  readonly #lateness: (sleep: number) => number;
  sleeps = 0;

  constructor(now = 0, lateness: (sleep: number) => number = () => 0) {
    this.#now = now;
    this.#lateness = lateness;
  }

  now = (): number => this.#now;

  sleep = (milliseconds: number): Promise<void> => {
    const until = this.#now + milliseconds + this.#lateness(this.sleeps++);
    return new Promise((wake) => this.#sleepers.push({ until, wake }));
  };

  /** Lets time pass, and all that happens meanwhile happen. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await settled();
      this.#sleepers.sort((a, b) => a.until - b.until);
      if (this.#sleepers.length === 0 || this.#sleepers[0].until > end) break;
      const { until, wake } = this.#sleepers.shift()!;
      this.#now = Math.max(this.#now, until);
      wake();
    }
    this.#now = end;
    await settled();
  }
}

/** After every promise that is already resolved. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
