/**
 * A mean over runs, with what is known about its error.
 * @module
 */

export interface Estimate {
  readonly mean: number;
  /** Of the mean: it is within two of these 95 times out of 100. 0 if all runs gave the same, which tells nothing about it. */
  readonly standardError: number;
  /** Of a single run around the mean. */
  readonly standardDeviation: number;
}

/** Adds up without keeping the values (Welford). */
export class RunningMean {
  #count = 0;
  #mean = 0;
  #squares = 0;

  add(value: number): void {
    const before = value - this.#mean;
    this.#mean += before / ++this.#count;
    this.#squares += before * (value - this.#mean);
  }

  get estimate(): Estimate {
    const variance = this.#count > 1 ? this.#squares / (this.#count - 1) : 0;
    return {
      mean: this.#mean,
      standardError: Math.sqrt(variance / this.#count),
      standardDeviation: Math.sqrt(variance),
    };
  }
}
