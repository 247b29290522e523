/**
 * What a sparse vector is asked, and its noise: exactly one of three kinds, which the types and `noiseOf` tell apart.
 *
 *   exponential   `thresholdScale` and `queryScale`
 *   Gumbel        `thresholdVariance`, Gaussian on the threshold, and `queryScale`
 *   geometric     `thresholdEta` and `queryEta`, on a grid
 * @module
 */

import { type Base2Parameter, eta } from "../accounting/base2-parameter.js";
import { madeByEta } from "../base2/weights.js";
import { invalidParameter } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import {
  anyRational,
  arrayLike,
  boolean,
  integer,
  nonNegativeRational,
  oneOf,
  positiveRational,
  readOptions,
} from "../options.js";
import { usualScale } from "../select/options.js";

/**
 * One step of adaptive sparse vector: an answer far above the threshold may cost less.
 *
 * @inline
 */
export interface ThresholdLevel {
  /** How far above the noisy threshold the value must be. */
  readonly margin: RationalLike;
  /** What an answer here costs, as a share of a full one; its noise has the scale queryScale/share. */
  readonly share: RationalLike;
}

/**
 * The options of a stream, except its noise.
 *
 * @inline
 */
export interface ThresholdQuestion {
  /** How many answers above it gives before it ends. Default 1. */
  readonly maxAbove?: number | undefined;
  /** The threshold of queries that don't bring their own. Default 0. */
  readonly threshold?: RationalLike | undefined;
  /** Whether one individual moves all values of the stream the same way, as counts of people do. Default false. */
  readonly monotone?: boolean | undefined;
  /**
   * Whether one individual moves later values at least as far as earlier ones, all in the same direction: prefix counts do.
   * Only with count 1, and where individuals are added or removed. Default false.
   */
  readonly ordered?: boolean | undefined;
  /** Tells by how much a query is above, rounded down to a multiple of this; it costs nothing. */
  readonly resolution?: RationalLike | undefined;
  /** Margins that fall to 0 and shares that rise to 1, tried in order. Only with exponential noise. */
  readonly levels?: readonly ThresholdLevel[] | undefined;
}

/**
 * A question and its noise: exponential, Gaussian on the threshold with Gumbel on queries, or geometric.
 *
 * @inline
 */
export type AboveThresholdParameters = ThresholdQuestion &
  (
    | ({
        /** The scale of exponential noise on the threshold. */
        readonly thresholdScale: RationalLike;
        /** The scale of the noise on queries. */
        readonly queryScale: RationalLike;
        /** The measure of `map`. Default "pure". */
        readonly measure?: "pure" | "zcdp" | undefined;
      } & {
        readonly [Name in "thresholdVariance" | "thresholdEta" | "queryEta" | "step"]?: undefined;
      })
    | ({
        /** The variance of Gaussian noise on the threshold; the noise of queries is then Gumbel. */
        readonly thresholdVariance: RationalLike;
        /** The scale of the noise on queries. */
        readonly queryScale: RationalLike;
        /** The measure of `map`: "zcdp". */
        readonly measure?: "zcdp" | undefined;
      } & { readonly [Name in "thresholdScale" | "thresholdEta" | "queryEta" | "step"]?: undefined })
    | ({
        /** The base of geometric noise on the threshold, made by `eta`. */
        readonly thresholdEta: Base2Parameter;
        /** The base of geometric noise on queries. */
        readonly queryEta: Base2Parameter;
        /** The grid of geometric noise, to which values are rounded down. Default 1. */
        readonly step?: RationalLike | undefined;
        /** The measure of `map`: "base2". */
        readonly measure?: "base2" | undefined;
      } & { readonly [Name in "thresholdScale" | "thresholdVariance" | "queryScale"]?: undefined })
  );

/** The same before it is known that its noise is of one kind. */
export interface LooseParameters extends ThresholdQuestion {
  readonly thresholdScale?: RationalLike | undefined;
  readonly thresholdVariance?: RationalLike | undefined;
  readonly queryScale?: RationalLike | undefined;
  readonly thresholdEta?: Base2Parameter | undefined;
  readonly queryEta?: Base2Parameter | undefined;
  readonly step?: RationalLike | undefined;
  readonly measure?: "pure" | "zcdp" | "base2" | undefined;
}

/** The readers of a question. */
export const QUESTION = {
  maxAbove: integer,
  threshold: anyRational,
  monotone: boolean,
  ordered: boolean,
  resolution: positiveRational,
  levels: readLevels,
};

/** The reader of a base, which is checked in full and made anew: what is reported is what is computed with. */
export function aParameter(field: string, value: Base2Parameter): Base2Parameter {
  const { x, y, z } = madeByEta(field, value);
  return eta(x, y, z);
}

export const PARAMETERS = {
  ...QUESTION,
  thresholdScale: positiveRational,
  thresholdVariance: positiveRational,
  queryScale: positiveRational,
  thresholdEta: aParameter,
  queryEta: aParameter,
  step: positiveRational,
  measure: /* @__PURE__ */ oneOf("pure", "zcdp", "base2"),
};

export type Level = { readonly margin: Rational; readonly share: Rational };

export const ONE_LEVEL: readonly Level[] = /* @__PURE__ */ Object.freeze([
  /* @__PURE__ */ Object.freeze({ margin: Rational.ZERO, share: Rational.ONE }),
]);

function readLevels(field: string, given: readonly ThresholdLevel[]): readonly Level[] {
  const levels = arrayLike(field, given).map((level) => {
    const read = readOptions(level, { margin: nonNegativeRational, share: positiveRational }, {}, "level");
    return Object.freeze({ margin: rational(read.margin), share: rational(read.share) });
  });
  const last = levels.at(-1);
  const isFalling = levels.every(
    ({ margin, share }, i) =>
      i === 0 || (margin.compare(levels[i - 1].margin) < 0 && share.compare(levels[i - 1].share) > 0),
  );
  if (!isFalling || last === undefined || !last.margin.equals(0n) || !last.share.equals(1n))
    throw invalidParameter(field, "margins that fall to 0 with shares that rise to 1", "others");
  return Object.freeze(levels);
}

export type Noise =
  | { readonly kind: "exponential"; readonly threshold: Rational; readonly query: Rational }
  | { readonly kind: "gumbel"; readonly variance: Rational; readonly query: Rational }
  | {
      readonly kind: "geometric";
      readonly threshold: Base2Parameter;
      readonly query: Base2Parameter;
      readonly step: Rational;
    };

/** Below, doubles could not tell how many digits geometric noise has. */
const LEAST_ETA = /* @__PURE__ */ rational("1e-270");

/** A base of geometric noise, as scales of other noise are limited. */
function usualBase(base: Base2Parameter): Base2Parameter {
  if (base.eta.compare(LEAST_ETA) >= 0) return base;
  throw invalidParameter("eta", "at least 1e-270 for geometric noise", base.eta);
}

export const MEASURES = { exponential: "pure", gumbel: "zcdp", geometric: "base2" } as const;

export function noiseOf(read: LooseParameters): Noise {
  const { thresholdScale, thresholdVariance, queryScale, thresholdEta, queryEta, step } = read;
  const given = [thresholdScale, thresholdVariance, thresholdEta].filter((each) => each !== undefined).length;
  const isGeometric = thresholdEta !== undefined;
  if (given !== 1 || isGeometric !== (queryEta !== undefined) || isGeometric === (queryScale !== undefined))
    throw invalidParameter(
      "noise",
      "thresholdScale and queryScale, thresholdVariance and queryScale, or thresholdEta and queryEta",
      "others",
    );
  if (step !== undefined && !isGeometric) throw invalidParameter("step", "absent without thresholdEta", step);
  if (thresholdEta !== undefined)
    return {
      kind: "geometric",
      threshold: usualBase(thresholdEta),
      query: usualBase(queryEta as Base2Parameter),
      step: rational(step ?? 1n),
    };
  const query = usualScale(rational(queryScale as RationalLike));
  return thresholdScale === undefined
    ? { kind: "gumbel", variance: rational(thresholdVariance as RationalLike), query }
    : { kind: "exponential", threshold: usualScale(rational(thresholdScale)), query };
}
