/**
 * When an answer leaves: at a tick of a public grid, measured from the arrival of its request. With ticks of 100 ms, work of 30 ms
 * leaves after 100 ms and work of 130 ms after 200 ms, so the time of an answer tells how many ticks the work took and
 * nothing finer. If the longest work fits into one tick, it tells nothing at all.
 *
 * An answer never leaves before its tick, although timers may fire early. It may leave up to a fraction of a tick (`SLACK`)
 * late, because a timer fires when the process has time for it. If the process was busy for longer, the lateness would show how
 * long another request took, which depends on rows; then the answer waits for its next tick. So choose ticks longer than
 * what one selection takes.
 *
 * Waiting holds a timer and costs no work. The grid hides the time of the answer, not the load: who asks for much at once
 * can still see how many ticks the others' work takes. See docs/attack-model.md on timing.
 * @module
 */
import { setTimeout } from "node:timers/promises";
import { invalidParameter } from "winnow-dp";
import { integerFrom } from "./options.js";

/** Milliseconds that never go back, and a wait that may end early or late. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

/** The clock of this process. `performance.now()` on arrival is what `leave` is given. */
export const PROCESS_CLOCK: Clock = { now: () => performance.now(), sleep: (ms) => setTimeout(ms) };

const LONGEST_TICK = 600_000;
const SLACK = 1 / 4;
/** In milliseconds. Timers are hardly finer: with less, answers on very short ticks would wait and wait. */
const LEAST_SLACK = 4;

/** Lets answers go at ticks only. */
export class TimeGrid {
  readonly tick: number;
  readonly #clock: Clock;

  /** @param tickMilliseconds The distance between two ticks. */
  constructor(tickMilliseconds: number, clock: Clock = PROCESS_CLOCK) {
    this.tick = integerFrom(1, LONGEST_TICK)("tickMilliseconds", tickMilliseconds);
    this.#clock = clock;
  }

  /** Now, for the moment at which a request arrives. */
  now(): number {
    return this.#clock.now();
  }

  /** Resolves at the first tick at or after now, and at least one tick after the arrival. */
  async leave(arrivedAt: number): Promise<void> {
    if (!Number.isFinite(arrivedAt)) throw invalidParameter("arrivedAt", "a time of the clock", arrivedAt);
    for (;;) {
      const due = this.#nextTick(arrivedAt);
      for (let left = due - this.now(); left > 0; left = due - this.now()) await this.#clock.sleep(left);
      if (this.now() - due <= Math.max(LEAST_SLACK, SLACK * this.tick)) return;
    }
  }

  /** Never before now. An arrival in the future would be a mistake, and must not make anyone wait for it. */
  #nextTick(arrivedAt: number): number {
    const now = this.now();
    const arrived = Math.min(arrivedAt, now);
    const ticks = Math.max(1, Math.ceil((now - arrived) / this.tick));
    const due = arrived + ticks * this.tick;
    return due >= now ? due : due + this.tick; // rounding must not let it leave between ticks
  }
}
