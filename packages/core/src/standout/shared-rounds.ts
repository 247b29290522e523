/**
 * Rounds of the exponential mechanism that share one budget, whatever their number: K rounds of Gumbel noise of scale
 * r·√(K/8ρ), drawn as one race, are ρ-zCDP together. Each picks from candidates that are public.
 * @module
 */

import { scaleAtLeast } from "../accounting/least-noise.js";
import { type LossOf, zcdp } from "../accounting/loss.js";
import { rhoOfRounds } from "../accounting/price.js";
import type { LooseSpend } from "../accounting/spend.js";
import type { Entropy } from "../entropy.js";
import type { Rational } from "../exact/rational.js";
import { exactlyOneOf, positiveRational, readOptions } from "../options.js";
import { NoisyTopK } from "../select/noisy-top-k.js";
import { rangeOf } from "../select/options.js";
import type { CountOptions } from "./gap-sensitivity.js";
import type { Histogram } from "./largest-counts.js";
import { type PrivateStep, type Taker, takeStep } from "./recorder.js";

/** A `rho` for all rounds together, or the `scale` of each, before it is known that just one is given. */
export type LooseRounds = LooseSpend<"rho" | "scale">;

/** The reader of a budget for rounds. */
export function roundsBudget(field: string, value: LooseRounds): LooseRounds {
  return readOptions(value, {}, { rho: positiveRational, scale: positiveRational }, field);
}

export class SharedRounds {
  /** How far one individual can move two counts against each other. */
  readonly #range: Rational;
  readonly #rho: Rational | undefined;
  readonly #scale: Rational | undefined;
  readonly #counts: CountOptions;

  constructor({ rho, scale }: LooseRounds, counts: CountOptions) {
    exactlyOneOf({ rho, scale });
    this.#range = rangeOf(counts);
    this.#counts = counts;
    this.#rho = rho === undefined ? undefined : positiveRational("rho", rho);
    this.#scale = scale === undefined ? undefined : positiveRational("scale", scale);
  }

  /** The cost of up to `rounds` rounds. */
  loss(rounds: number): LossOf<Rational>["zcdp"] {
    if (this.#rho !== undefined) return zcdp(this.#rho);
    return zcdp(rhoOfRounds(this.#range.dividedBy(this.#scaleFor(rounds)), "bounded-range", rounds));
  }

  /** Picks `rounds` of these candidates, one per round. */
  pickFrom(candidates: readonly number[], histogram: Histogram, rounds: number, by: Taker): number[] {
    const counts = candidates.map((index) => histogram[index]);
    const announced = () => this.#announced("rounds among", candidates, counts, rounds);
    return takeStep(by, announced, (bits) => this.#race(counts, rounds, rounds, bits)).map(
      (place) => candidates[place],
    );
  }

  /**
   * Picks `rounds` of all candidates except these. All candidates race; excluded ones are removed from the ranking, which
   * doesn't change the order of the rest.
   */
  pickBeside(excluded: readonly number[], histogram: Histogram, rounds: number, by: Taker): number[] {
    const isExcluded = new Set(excluded);
    const announced = () => this.#announced("rounds beside", excluded, Array.from(histogram), rounds);
    return takeStep(by, announced, (bits) => {
      const order = this.#race(histogram, rounds, rounds + excluded.length, bits);
      return order.filter((index) => !isExcluded.has(index)).slice(0, rounds);
    });
  }

  #announced(
    name: string,
    candidates: readonly number[],
    input: readonly (number | bigint)[],
    count: number,
  ): PrivateStep {
    const { sensitivity = 1, monotone } = this.#counts;
    return { name, parameters: { candidates, count }, input, sensitivity, monotone };
  }

  /** The first `places` candidates in the order of the noisy counts, with the noise of `rounds` rounds. */
  #race(counts: Histogram, rounds: number, places: number, entropy: Entropy): number[] {
    const scale = this.#scaleFor(rounds);
    const { winners } = new NoisyTopK({ k: places, measure: "zcdp", scale }).invoke(counts, entropy);
    return winners.map(({ candidate }) => candidate);
  }

  #scaleFor(rounds: number): Rational {
    if (this.#scale !== undefined) return this.#scale;
    const target = zcdp(this.#rho as Rational);
    return scaleAtLeast(target, { distance: this.#range, rounds, class: "bounded-range" });
  }
}
