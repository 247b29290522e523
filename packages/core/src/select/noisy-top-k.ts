/**
 * `makeNoisyTopK`: the k candidates with the largest noisy scores as a measurement, that is a mechanism together with
 * the domain it takes, the distance between inputs that it protects, and a privacy map from that distance to the loss
 * [Sho25]. With a `resolution` it also releases by how much each winner leads the next, at no further loss [Ding23].
 *
 * Guarantee, for scores of two neighbouring data sets that differ by at most d, r = d if `monotone` and 2d if not:
 *   measure "pure", exponential noise of this scale:  ε = k·r/scale, with or without gaps
 *   measure "zcdp", Gumbel noise of this scale:       ρ = k·(r/scale)²/8, no gaps
 *   method "peel", exponential noise in k rounds:     ε = k·r/scale, or ρ = k·(r/scale)²/2, no gaps
 * Proof: noisy-top-k.proof.md.
 * @module
 */

import type { Extended } from "../accounting/extended.js";
import { type LossOf, pure, zcdp } from "../accounting/loss.js";
import type { LossLike } from "../accounting/loss-json.js";
import { rangeDistance } from "../accounting/price.js";
import { isAccepted } from "../accounting/within.js";
import type { Entropy } from "../entropy.js";
import { invalidParameter, WinnowError } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { boolean, integer, nonNegativeRational, oneOf, positiveRational, readOptions } from "../options.js";
import { type CandidateOf, type NamedScores, readCandidates, type Winner } from "../race/candidates.js";
import { gapsOf, type Revealed, WINNERS } from "../race/ranking.js";
import { ScoreReader, type Scores } from "../race/scores.js";
import { type Domain, type Measurement, type Metric, withMethods } from "./measurement.js";
import { costOf, drawWinners, refuseGaps, refuseUnlisted, sizeFor } from "./noisy-winners.js";
import { usualResolution, usualScaleOrNone } from "./options.js";
import { peel } from "./peel.js";
import type { PublicDomain } from "./public-domain.js";

/** What a noisy top k is made from. */
export interface NoisyTopKOptions {
  /** How many winners. With 0 there are none, and no loss. */
  readonly k: number;
  /** Which loss the map speaks of: "pure" has exponential noise, "zcdp" has Gumbel noise unless it is peeled. */
  readonly measure: "pure" | "zcdp";
  /** One shot of noise for all ranks, or k rounds of permute-and-flip, each without the winners before. Default "one-shot". */
  readonly method?: "one-shot" | "peel" | undefined;
  /** The scale of the noise, in units of the scores. With 0 there is no noise and no privacy. */
  readonly scale: RationalLike;
  /** Whether an individual moves all scores the same way. Default false. */
  readonly monotone?: boolean | undefined;
  /** Whether the smallest scores are wanted. Default false. */
  readonly negate?: boolean | undefined;
  /** Release gaps, rounded down to multiples of this; "pure" in one shot only. */
  readonly resolution?: RationalLike | undefined;
  /** `{ size }` if there are more candidates than an array lists, all with score 0; in one shot only. Default: all are listed. */
  readonly domain?: CandidateDomain | undefined;
}

/** The number of candidates, where that is public. */
export interface CandidateDomain extends PublicDomain {
  /** Whether scores must list all of them, as in [Sho25]. Default false: those that aren't listed have score 0. */
  readonly isWhole?: boolean | undefined;
}

/**
 * The domain of a noisy top k.
 *
 * @inline
 */
export type ScoreDomain = Domain<Scores | NamedScores> & {
  readonly name: "finite scores";
  /** The size of a public domain of which the scores list the first candidates; undefined if they list all. */
  readonly size: number | undefined;
  /** That scores must list all candidates of that public domain; absent if they need not. */
  readonly isWhole?: true;
};

/**
 * The metric of a noisy top k: two inputs are as far apart as the score that differs most.
 *
 * @inline
 */
export type ScoreMetric = Metric<Scores | NamedScores> & {
  readonly name: "largest change of a score";
  /** Whether an individual moves all scores the same way; if scores move both ways, the distance is Infinity. */
  readonly monotone: boolean;
};

/**
 * A noisy top k as a measurement, made by `makeNoisyTopK`.
 *
 * That is a mechanism together with the domain that it takes, the distance between inputs that it protects, and a
 * privacy map from that distance to the loss [Sho25].
 *
 * Guarantee, for scores that differ by at most d, with r = d if `monotone` and 2d if not: ε = k·r/scale with measure
 * "pure", ρ = k·(r/scale)²/8 with "zcdp", or k·(r/scale)²/2 if peeled. See docs/mechanisms/noisy-top-k.md.
 */
export class NoisyTopK<M extends "pure" | "zcdp" = "pure" | "zcdp">
  implements Measurement<Scores | NamedScores, { readonly winners: readonly Winner<unknown>[] }, LossOf[M], M>
{
  /** What `invoke` takes: finite scores, one for each candidate of a public list. */
  readonly domain: ScoreDomain;
  /** How inputs are compared: the largest change of a score, and whether all scores move the same way. */
  readonly metric: ScoreMetric;
  /** The measure of the loss that `map` returns. */
  readonly measure: M;
  /** One shot of noise for all ranks, or a round of permute-and-flip for each. */
  readonly method: "one-shot" | "peel";
  /** How many winners. */
  readonly k: number;
  /** The scale of the noise, in units of the scores. */
  readonly scale: Rational;
  /** Whether the smallest scores are wanted. */
  readonly negate: boolean;
  /** Gaps are multiples of this; undefined if none are released. */
  readonly resolution: Rational | undefined;

  /** Called by `makeNoisyTopK`. */
  constructor(options: NoisyTopKOptions & { readonly measure: M }) {
    const read = readOptions(options, REQUIRED, OPTIONAL);
    this.k = read.k;
    this.measure = read.measure as M;
    this.method = read.method ?? "one-shot";
    this.scale = usualScaleOrNone(rational(read.scale));
    const monotone = read.monotone ?? false;
    this.metric = withMethods(
      { name: "largest change of a score", monotone },
      {
        distance: (first: Scores | NamedScores, second: Scores | NamedScores) =>
          largestChange([this.#read(first), this.#read(second)], {
            monotone,
            isPadded: this.domain.size !== undefined && this.domain.isWhole !== true,
          }),
      },
    );
    this.negate = read.negate ?? false;
    this.resolution =
      read.resolution === undefined ? undefined : usualResolution(rational(read.resolution), this.scale);
    if (this.measure === "zcdp") refuseGaps(read.resolution);
    this.domain = withMethods(
      {
        name: "finite scores",
        size: read.domain?.size,
        ...(read.domain?.isWhole === true && { isWhole: true }),
      },
      { contains: (given: Scores | NamedScores) => this.#contains(given) },
    );
    const { size, isWhole } = this.domain;
    if (size !== undefined) this.sizeFor(isWhole === true ? size : 0); // k must not exceed the number of candidates, if that is known
    Object.freeze(this);
    if (this.method === "one-shot") return;
    if (this.resolution !== undefined)
      throw invalidParameter("method", '"one-shot" with a resolution', this.method);
    if (size !== undefined && isWhole !== true)
      throw invalidParameter("method", '"one-shot" with a domain', this.method);
  }

  /**
   * The winners among these scores, best first.
   *
   * @param given The scores of a public list of candidates: an array gives winners by position; a `Map`, a record or pairs
   * give winners by name.
   * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
   */
  invoke<Given extends Scores | NamedScores>(
    given: Given,
    entropy?: Entropy,
  ): { readonly winners: readonly Winner<CandidateOf<Given>>[] } {
    if (this.k === 0) {
      this.#read(given); // what isn't in the domain is refused all the same
      return { winners: [] };
    }
    const peels = this.method === "peel" ? peel : undefined;
    const winners = drawWinners(given, this, entropy, this.#release(), peels);
    return { winners: winners as readonly Winner<CandidateOf<Given>>[] };
  }

  /** The scores of a member of the domain, exactly, by name or position; throws if it is none. */
  #read(given: Scores | NamedScores): ReadonlyMap<unknown, Rational> {
    const { scores, names } = readCandidates(given);
    if (names !== undefined) refuseUnlisted(this);
    const reader = new ScoreReader(scores);
    this.sizeFor(reader.length);
    const entries = Array.from({ length: reader.length }, (_, i) => {
      reader.at(i);
      return [names === undefined ? i : names[i], rational(reader.exact(i))] as const;
    });
    return new Map(entries);
  }

  #contains(given: Scores | NamedScores): boolean {
    try {
      this.#read(given);
      return true;
    } catch (error) {
      if (error instanceof WinnowError) return false;
      throw error;
    }
  }

  #release(): Revealed {
    return this.resolution === undefined ? WINNERS : gapsOf(this.resolution);
  }

  /** The loss, never below the true one, for data sets whose scores differ by at most `dIn`, with or without gaps. */
  map(dIn: RationalLike): LossOf[M] {
    const range = rangeDistance(nonNegativeRational("dIn", dIn), this.metric.monotone);
    const cost = costOf(this, range, this.method === "peel" ? "pure" : "bounded-range");
    return (this.measure === "pure" ? pure(cost) : zcdp(cost)) as LossOf[M];
  }

  /**
   * Whether the loss for `dIn` is at most `dOut`.
   *
   * @param dIn How far one individual can move any score.
   * @param dOut A loss in the same measure.
   */
  check(dIn: RationalLike, dOut: LossLike<M>): boolean {
    return isAccepted(this.map(dIn), dOut);
  }

  /** The size of the domain with `listed` listed candidates. Throws if there are fewer candidates than places. */
  sizeFor(listed: number): number {
    return sizeFor(listed, this, this.#release().spare);
  }
}

/** The largest |difference|; Infinity for other candidates, and for differences of both signs if they must be monotone. */
function largestChange(
  [first, second]: readonly ReadonlyMap<unknown, Rational>[],
  { monotone, isPadded }: { readonly monotone: boolean; readonly isPadded: boolean },
): Extended {
  const names = new Set([...first.keys(), ...second.keys()]);
  if (!isPadded && (names.size > first.size || names.size > second.size)) return Infinity;
  let [up, down] = [Rational.ZERO, Rational.ZERO];
  for (const name of names) {
    const change = (second.get(name) ?? Rational.ZERO).minus(first.get(name) ?? Rational.ZERO);
    if (change.compare(up) > 0) up = change;
    if (change.compare(down) < 0) down = change;
  }
  if (monotone && up.numerator !== 0n && down.numerator !== 0n) return Infinity;
  return up.compare(down.negated()) > 0 ? up : down.negated();
}

const REQUIRED = { k: fromZero, measure: oneOf("pure", "zcdp"), scale: nonNegativeRational };
const OPTIONAL = {
  monotone: boolean,
  negate: boolean,
  method: oneOf("one-shot", "peel"),
  resolution: positiveRational,
  domain: (field: string, given: CandidateDomain) =>
    readOptions(given, { size: integer }, { isWhole: boolean }, field),
};

/** A measurement of no winners is one that costs nothing, as in [Sho25]. */
function fromZero(field: string, value: number): number {
  return integer(field, value, 0);
}

/**
 * The k candidates with the largest noisy scores, as a measurement: `invoke` draws, and `map` says what that costs.
 *
 * With a `resolution` it also releases by how much each winner leads the next, at no further loss [Ding23]. See
 * docs/mechanisms/noisy-top-k.md.
 *
 * @example
 * ```ts
 * import { makeNoisyTopK, zcdp } from "winnow-dp";
 *
 * const measurement = makeNoisyTopK({ k: 2, measure: "zcdp", scale: 2, monotone: true });
 * measurement.map(1); // → { measure: "zcdp", rho: 0.0625 }
 * measurement.check(1, zcdp("1/20")); // → false
 * measurement.invoke({ news: 900, sport: 500, weather: 20 }).winners; // → [{ candidate: "news" }, { candidate: "sport" }]
 * ```
 */
export function makeNoisyTopK<M extends "pure" | "zcdp">(
  options: NoisyTopKOptions & { readonly measure: M },
): NoisyTopK<M> {
  return new NoisyTopK(options);
}
