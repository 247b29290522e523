/**
 * How every public function reads what it is given: one reader for each kind of parameter, each called with the name of the
 * field and its value, and `readOptions` for objects of them. A reader returns the value in the form that is used from then
 * on, or throws `invalid-parameter`. All of that happens before any randomness is used or any budget is spent.
 * @module
 */
import { invalidData, invalidKind, invalidParameter, WinnowError } from "./errors.js";
import { A_RATIONAL, Rational, type RationalLike, rational, readRational } from "./exact/rational.js";
import { nearest } from "./nearest.js";

/** Reads the value of a field, or throws. */
type Reader = (field: string, value: never) => unknown;

/** A safe integer from `least` (default 1) to `most`. */
export function integer(field: string, value: number, least = 1, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const range = most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `>= ${least}`;
  throw invalidParameter(field, `an integer ${range}`, value);
}

/** A safe integer or a bigint, at least `least` (default 1), as a bigint. */
export function bigInteger(field: string, value: number | bigint, least: bigint | number = 1): bigint {
  if ((typeof value === "bigint" || Number.isSafeInteger(value)) && value >= least) return BigInt(value);
  const range = least === -Infinity ? "" : ` >= ${least}`;
  const hint = Number.isInteger(value) && !Number.isSafeInteger(value) ? " (a bigint above 2^53)" : "";
  throw invalidParameter(field, `an integer${range}${hint}`, value);
}

/** Any rational: `rational`, with the field first. */
export function anyRational(field: string, value: RationalLike): Rational {
  return rational(value, field);
}

/** A rational > 0. */
export function positiveRational(field: string, value: RationalLike): Rational {
  return rationalThat(field, value, "> 0", (numerator) => numerator > 0n);
}

/** A rational ≥ 0. */
export function nonNegativeRational(field: string, value: RationalLike): Rational {
  return rationalThat(field, value, ">= 0", (numerator) => numerator >= 0n);
}

/** A probability, 0 and 1 included. */
export function probability(field: string, value: RationalLike): Rational {
  return rationalThat(field, value, "from 0 to 1", (a, b) => a >= 0n && a <= b);
}

/** A probability that is neither 0 nor 1. */
export function properProbability(field: string, value: RationalLike): Rational {
  return rationalThat(field, value, "> 0 and < 1", (a, b) => a > 0n && a < b);
}

/** 1 − a confidence: how likely an interval or a bound may be wrong. */
export function failureChance(confidence: RationalLike): Rational {
  return Rational.ONE.minus(properProbability("confidence", confidence));
}

function rationalThat(
  field: string,
  value: RationalLike,
  rule: string,
  isMet: (numerator: bigint, denominator: bigint) => boolean,
): Rational {
  const read = rational(value, field);
  if (!isMet(read.numerator, read.denominator)) throw invalidParameter(field, `a rational ${rule}`, value);
  return read;
}

/** `true` or `false`, and nothing that is merely truthy: `"false"` would be. */
export function boolean(field: string, value: boolean): boolean {
  if (typeof value !== "boolean") throw invalidParameter(field, "true or false", value);
  return value;
}

/** A text. */
export function text(field: string, value: string): string {
  if (typeof value !== "string") throw invalidParameter(field, "a text", value);
  return value;
}

/** A function. */
export function callable<F>(field: string, value: F): F {
  if (typeof value !== "function") throw invalidKind(field, "a function", value);
  return value;
}

/** The reader of a text that must be one of these. */
export function oneOf<T extends string>(...choices: readonly T[]) {
  return (field: string, value: T): T => {
    if (choices.includes(value)) return value;
    throw invalidParameter(
      field,
      listed(
        choices.map((choice) => JSON.stringify(choice)),
        "or",
      ),
      value,
    );
  };
}

/** An object; what it holds is read elsewhere. */
export function object<T>(field: string, value: T): T {
  if (typeof value !== "object" || value === null) throw invalidKind(field, "an object", value);
  return value;
}

/** An object that can be iterated. A text can be too, but its letters aren't data. */
export function iterable<T>(field: string, value: T): T {
  if (typeof value === "object" && value !== null && Symbol.iterator in value) return value;
  throw invalidKind(field, "an iterable", value);
}

/** An iterable, or one whose elements arrive over time. */
export function arriving<T>(field: string, value: T): T {
  if (typeof value === "object" && value !== null && Symbol.asyncIterator in value) return value;
  return iterable(field, value);
}

/** Refuses none and several of these, of which exactly one must be given. */
export function exactlyOneOf(budgets: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(budgets);
  const given = names.filter((name) => budgets[name] !== undefined);
  if (given.length === 1) return;
  throw invalidParameter("budget", `exactly one of ${listed(names, "and")}`, given.join(" and ") || "none");
}

/** `a, b and c`. */
function listed(names: readonly string[], word: string): string {
  return names.join(", ").replace(/, ([^,]*)$/, ` ${word} $1`);
}

const A_LIST = "an array or a typed array";

/**
 * How long an array, a typed array or an object like them is; `expected` says what would have been accepted. A length may be
 * computed: who calls this doesn't ask for it again.
 */
export function lengthOf(field: string, value: ArrayLike<unknown>, expected = A_LIST): number {
  const length = typeof value === "object" && value !== null ? value.length : undefined;
  if (!Number.isSafeInteger(length) || (length as number) < 0) throw invalidKind(field, expected, value);
  return length as number;
}

/** The elements of such a list in an array of our own: each is read once. Grows as it reads, so a false `length` can't allocate gigabytes. */
export function arrayLike<T>(field: string, value: ArrayLike<T>): T[] {
  const length = lengthOf(field, value);
  const copy: T[] = [];
  while (copy.length < length) {
    if (!(copy.length in value)) throw invalidKind(field, A_LIST, value);
    copy.push(value[copy.length]);
  }
  return copy;
}

/** A rational that is data, or that comes with some: a refusal says nothing about it. */
export function rationalDatum(field: string, value: RationalLike): Rational {
  const read = readRational(value);
  if (read === undefined) throw invalidData(field, A_RATIONAL, "invalid-parameter");
  return read;
}

/** A typed array of one of the kinds. */
export function typedArray<A extends ArrayBufferView>(field: string, value: A, ...kinds: string[]): A {
  if (!kinds.includes(kindOf(value)))
    throw invalidKind(field, `a typed array of kind ${kinds.join(" or ")}`, value);
  return value;
}

/** `"Int32Array"` and the like, also for an array of another realm, or `""` if it isn't a typed array. */
export function kindOf(value: unknown): string {
  return Reflect.get(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag, value) ?? "";
}

type OptionalOf<O> = O extends unknown
  ? { [F in keyof O]-?: object extends Pick<O, F> ? F : never }[keyof O]
  : never;
type RequiredOf<O> = O extends unknown ? Exclude<keyof O, OptionalOf<O>> : never;

/**
 * The options, each read by its reader. An option that is `undefined` counts as absent; a name that isn't an option is
 * refused. The result is a copy: the values that were read are those that are used.
 *
 * @param given What the caller passed.
 * @param required The readers of the options that must be there.
 * @param optional The readers of the others.
 * @param field What the options are called in an error.
 *
 * @example
 * ```ts
 * import { readers, readOptions } from "winnow-dp";
 *
 * const options: { readonly k: number; readonly monotone?: boolean } = { k: 3 };
 * readOptions(options, { k: readers.integer }, { monotone: readers.boolean }); // → { k: 3 }
 * ```
 */
export function readOptions<O extends object>(
  given: O,
  required: Readonly<Record<RequiredOf<O>, Reader>>,
  optional: Readonly<Record<OptionalOf<O>, Reader>>,
  field = "options",
): O {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw invalidKind(field, "an object", given);
  const readers: Readonly<Record<string, Reader>> = { ...optional, ...required };
  for (const name in given) if (!Object.hasOwn(readers, name)) throw notAnOption(name, readers, field);
  const read: Record<string, unknown> = {};
  for (const name in readers) {
    const value = given[name as keyof O];
    if (value !== undefined || name in required) read[name] = readers[name](name, value as never);
  }
  return read as O;
}

/** The name is repeated only beside one that it resembles: who mixes up the arguments may have passed private names. */
function notAnOption(name: string, readers: object, field: string): WinnowError {
  const names = Object.keys(readers);
  const near = nearest(name, names);
  return near === undefined
    ? new WinnowError("invalid-parameter", `${field} has an unknown name; known are ${names.join(", ")}`, {
        field,
      })
    : new WinnowError("invalid-parameter", `${name} is not an option; did you mean ${near}?`, {
        field: name,
        expected: near,
      });
}
