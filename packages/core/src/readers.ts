/**
 * The readers of parameters that every function of the library uses, for those who build on it: `readOptions` takes one for
 * each option. A reader is called with the name of a field and its value, and returns the value in the form that is used from
 * then on, or throws `invalid-parameter`.
 * @module
 */
import { anEntropy, type Entropy } from "./entropy.js";
import type { Rational, RationalLike } from "./exact/rational.js";
import {
  anyRational,
  arrayLike,
  bigInteger,
  boolean,
  callable,
  integer,
  nonNegativeRational,
  object,
  oneOf,
  positiveRational,
  probability,
  properProbability,
} from "./options.js";

/** Reads a rational. */
type RationalReader = (field: string, value: RationalLike) => Rational;

/** The readers, by what they accept. */
interface Readers {
  /** A safe integer from `least` (default 1) to `most`. */
  readonly integer: (field: string, value: number, least?: number, most?: number) => number;
  /** A safe integer or a bigint, at least `least` (default 1), as a bigint. */
  readonly bigInteger: (field: string, value: number | bigint, least?: bigint | number) => bigint;
  /** Any rational. */
  readonly rational: RationalReader;
  /** A rational > 0. */
  readonly positiveRational: RationalReader;
  /** A rational ≥ 0. */
  readonly nonNegativeRational: RationalReader;
  /** A probability, 0 and 1 included. */
  readonly probability: RationalReader;
  /** A probability that is neither 0 nor 1. */
  readonly properProbability: RationalReader;
  /** `true` or `false`. */
  readonly boolean: (field: string, value: boolean) => boolean;
  /** A function. */
  readonly callable: <F>(field: string, value: F) => F;
  /** An object; what it holds is read elsewhere. */
  readonly object: <T>(field: string, value: T) => T;
  /** The reader of a text that must be one of these. */
  readonly oneOf: <T extends string>(...choices: readonly T[]) => (field: string, value: T) => T;
  /** The elements of an array, a typed array or an object like them, in an array of our own. */
  readonly arrayLike: <T>(field: string, value: ArrayLike<T>) => T[];
  /** An `Entropy`. */
  readonly entropy: (field: string, value: Entropy) => Entropy;
}

/**
 * The readers of parameters, by what they accept. Each returns the value in the form that is used, or throws a `WinnowError`
 * with the code `invalid-parameter`.
 *
 * @example
 * ```ts
 * import { readers, readOptions } from "winnow-dp";
 *
 * interface Options {
 *   readonly k: number;
 *   readonly scale?: number | string;
 * }
 * const options: Options = { k: 3, scale: "1/2" };
 * readOptions(options, { k: readers.integer }, { scale: readers.positiveRational }); // → { scale: 0.5, k: 3 }
 * ```
 */
export const readers: Readers = /* @__PURE__ */ Object.freeze({
  integer,
  bigInteger,
  rational: anyRational,
  positiveRational,
  nonNegativeRational,
  probability,
  properProbability,
  boolean,
  callable,
  object,
  oneOf,
  arrayLike,
  entropy: anEntropy,
});
