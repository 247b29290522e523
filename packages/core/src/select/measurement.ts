/**
 * `Measurement`: what every `make…` function returns. A measurement is a mechanism together with its privacy map, a
 * function from how far apart two inputs are to how much the outputs may tell them apart [Sho25].
 * @module
 */

import type { Extended } from "../accounting/extended.js";
import type { Loss, Measure } from "../accounting/loss.js";
import type { LossLike } from "../accounting/loss-json.js";
import type { Entropy } from "../entropy.js";
import type { RationalLike } from "../exact/rational.js";

/**
 * The inputs that a measurement takes: others are refused without saying why beyond the rule.
 *
 * @typeParam Input What it takes.
 *
 * @inline
 */
export type Domain<Input> = {
  /** What its members are, in words. */
  readonly name: string;

  /**
   * Whether a measurement takes this. For tests with public data: the answer tells about the input.
   *
   * @param input What might be given.
   */
  contains(input: Input): boolean;
};

/**
 * How far apart two inputs are: what the `dIn` of a measurement's `map` speaks of.
 *
 * @typeParam Input What is compared.
 *
 * @inline
 */
export type Metric<Input> = {
  /** The name of the distance, in words. */
  readonly name: string;

  /**
   * The least `dIn` for which the two are neighbours; Infinity if they are for none. For tests with public data.
   *
   * @param first A member of the domain.
   * @param second Another.
   */
  distance(first: Input, second: Input): Extended;
};

/**
 * A mechanism with its privacy map: `invoke` draws an answer, `map` says what that costs, `check` whether it fits.
 *
 * @typeParam Input What it takes.
 * @typeParam Output What it answers.
 * @typeParam Cost The loss that `map` returns.
 * @typeParam Limits The measures of the limits that `check` takes.
 */
export interface Measurement<
  Input,
  Output,
  Cost extends Loss = Loss,
  Limits extends Measure = Cost["measure"],
> {
  /** The measure of the losses that `map` returns. */
  readonly measure: Measure;

  /**
   * One answer.
   *
   * @param input The private data.
   * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
   */
  invoke(input: Input, entropy?: Entropy): Output;

  /**
   * The loss of one answer, never below the true one.
   *
   * @param dIn How far one individual can move any score or count.
   */
  map(dIn: RationalLike): Cost;

  /**
   * Whether the loss for `dIn` is at most `dOut`.
   *
   * @param dIn How far one individual can move any score or count.
   * @param dOut The largest loss that is accepted.
   */
  check(dIn: RationalLike, dOut: LossLike<Limits>): boolean;
}

/**
 * Fields with methods beside them that a structured clone, JSON and a spread leave out: they take the fields only. Frozen, because
 * measurements are kept and used again.
 */
export function withMethods<const Fields extends object, Methods extends object>(
  fields: Fields,
  methods: Methods,
): Fields & Methods {
  return Object.freeze(Object.assign(Object.create(Object.freeze(methods)), fields));
}
