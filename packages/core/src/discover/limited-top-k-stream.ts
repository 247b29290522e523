/**
 * `LimitedTopKStream`: `limitedTopK` for names that come one at a time, in any order, from any number of places. Memory
 * is O(maxCandidates), whatever the number of names. Streams over parts of the names merge into one, exactly: they are
 * merged before any noise is drawn, and the merged rows are cut to the first `maxCandidates` once.
 *
 * The guarantee is that of `limitedTopK`, if each name is pushed once, with its final count, into one of the streams
 * that are merged. A stream answers once. If something fails while it takes names, it is closed.
 *
 * Proof: limited-top-k.proof.md.
 * @module
 */

import { invalidKind, WinnowError } from "../errors.js";
import { arriving, readOptions } from "../options.js";
import type { NamedCount, NamedCounts } from "../race/candidates.js";
import { agreement, refuseOtherTerms } from "../select/stream-rules.js";
import { type AbortOptions, aSignal, untilAborted } from "../until-aborted.js";
import { type LimitedTopK, type LimitedTopKOptions, limitedFor } from "./limited-top-k.js";
import { countOf, LargestRows, nameOf, pairsOf } from "./named-counts.js";

/**
 * `limitedTopK` for names that come one at a time, in any order, from any number of places.
 *
 * Memory is O(maxCandidates), whatever the number of names; streams over parts of the names merge into one, exactly.
 *
 * Guarantee: that of `limitedTopK`, if each name is pushed once, with its final count, into one of the streams that are
 * merged. A name that is pushed twice is refused only if both rows are among the largest. See
 * docs/mechanisms/limited-top-k.md.
 *
 * @example
 * ```ts
 * import { LimitedTopKStream } from "winnow-dp";
 *
 * const stream = new LimitedTopKStream({ k: 2, epsilon: 1, delta: "1e-6" });
 * stream.push("Alster", 9120).push("Bille", 8310).pushAll([["Elbe", 3]]);
 * stream.finish().winners.map(({ candidate }) => candidate); // → ["Alster", "Bille"]
 * ```
 */
export class LimitedTopKStream {
  readonly #limited: ReturnType<typeof limitedFor>;
  /** All that streams which are merged must agree on. */
  readonly #parameters: string;
  /** Undefined once the stream is used up. */
  #rows: LargestRows | undefined;

  /** A stream without names. Streams that are to be merged must have the same options. */
  constructor(options: LimitedTopKOptions) {
    this.#limited = limitedFor(options);
    const { measurement, stated } = this.#limited;
    const { maxCandidates, noise, scale, threshold, failure, privacy } = measurement;
    this.#parameters = agreement(stated, { maxCandidates, noise, scale, threshold, failure, privacy });
    this.#rows = new LargestRows(maxCandidates);
  }

  /**
   * One name with its final count.
   *
   * @param name Any text.
   * @param count An integer ≥ 0, as a bigint above 2^53.
   */
  push(name: string, count: number | bigint): this {
    const rows = this.#open();
    const pair: NamedCount = [name, count];
    rows.push(nameOf(pair), countOf(count));
    return this;
  }

  /** Names with their counts. If one of them is refused, or the source fails, the stream is closed. */
  pushAll(histogram: NamedCounts): this {
    const rows = this.#open();
    this.#rows = undefined;
    rows.pushAll(pairsOf(histogram));
    this.#rows = rows;
    return this;
  }

  /**
   * Names with their counts that arrive over time. If one is refused, the source fails or the signal is aborted, the stream is
   * closed.
   *
   * @param pairs An async iterable, or one that is not.
   * @param options How to stop.
   */
  async pushFrom(
    pairs: AsyncIterable<NamedCount> | Iterable<NamedCount>,
    options: AbortOptions = {},
  ): Promise<this> {
    const { signal } = readOptions(options, {}, { signal: aSignal });
    const rows = this.#open();
    this.#rows = undefined;
    const given = arriving("pairs", pairs);
    const source = signal === undefined ? given : untilAborted(given, signal);
    for await (const pair of source) rows.push(nameOf(pair), countOf(pair[1]));
    this.#rows = rows;
    return this;
  }

  /** Takes over the names of another stream with the same options, which can't be used afterwards. */
  merge(other: LimitedTopKStream): this {
    const rows = this.#open();
    if (!(other instanceof LimitedTopKStream) || other === this)
      throw invalidKind("other", "another LimitedTopKStream", other);
    refuseOtherTerms("other", "a stream with the same options", this.#parameters, other.#parameters);
    rows.join(other.#open());
    other.#rows = undefined;
    return this;
  }

  /** The answer; the stream can't be used afterwards. */
  finish(): LimitedTopK {
    const rows = this.#open();
    this.#rows = undefined;
    const { measurement, entropy } = this.#limited;
    const { privacy } = measurement;
    return { ...measurement.race(rows.leaders(false), entropy), privacy, measurement };
  }

  #open(): LargestRows {
    if (this.#rows !== undefined) return this.#rows;
    throw new WinnowError(
      "stream-finished",
      "this stream is used up: its answer was taken, it was merged into another, or it failed while it took names",
    );
  }
}
