/**
 * Values of the library as JSON and back. What JSON has no form for is an object with the one key `$` for its kind, and `v`:
 *
 *     {"$":"q","v":"1/3"}    an exact number                      {"$":"m","k":[…],"v":[…]}   scores by name
 *     {"$":"i","v":"123"}    a whole number beyond 2^53           {"$":"b","v":0,"t":"f8"}    buffer 0, as these numbers
 *     {"$":"f","v":"NaN"}    a number that is not finite          {"$":"r","v":7,"c":"Entropy"}  object 7 of the engine
 *     {"$":"v","v":["0","1"]}  an interval: its two ends          {"$":"c","v":3}             function 3 of the program
 *
 * An object that has methods stays in the engine; the program gets its number.
 * @module
 */
import { Interval, Rational } from "winnow-dp";

type Numbers =
  | Float64Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>;

/** By the letter and the width of NumPy's type strings. */
const NUMBERS: Readonly<Record<string, new (buffer: ArrayBuffer) => Numbers>> = {
  f8: Float64Array,
  f4: Float32Array,
  i1: Int8Array,
  u1: Uint8Array,
  i2: Int16Array,
  u2: Uint16Array,
  i4: Int32Array,
  u4: Uint32Array,
  i8: BigInt64Array,
  u8: BigUint64Array,
};

type Callback = (...given: unknown[]) => unknown;

/** Objects and functions that outlive a message. */
export interface Shelf {
  /** The number of an object that stays here. */
  keep(object: object): number;
  kept(number: number): object;
  /** A function that asks the program. */
  callback(number: number): Callback;
}

/** Numbers that are not finite. */
const UNUSUAL: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
};

/** What a message can't hold. */
export class UnreadableValue extends Error {}

/** A value from the program. */
export function decode(value: unknown, buffers: readonly ArrayBuffer[], shelf: Shelf): unknown {
  const read = (part: unknown) => decode(part, buffers, shelf);
  if (Array.isArray(value)) return value.map(read);
  if (typeof value !== "object" || value === null) return value ?? undefined;
  const { $: kind, v } = value as Readonly<Record<string, unknown>>;
  switch (kind) {
    case undefined:
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, read(part)]));
    case "i":
      return BigInt(String(v));
    case "f":
      return UNUSUAL[String(v)];
    case "m":
      return mapOf(read((value as { k?: unknown }).k), read(v));
    case "b":
      return numbersOf(buffers[Number(v)], String((value as { t?: unknown }).t));
    case "r":
      return shelf.kept(Number(v));
    case "c":
      return shelf.callback(Number(v));
    default:
      throw new UnreadableValue();
  }
}

/** Pairs, so that a name that comes twice is refused and not lost. */
function mapOf(names: unknown, scores: unknown): unknown {
  const numbers = scores as ArrayLike<unknown>;
  if (!Array.isArray(names) || names.length !== numbers.length) throw new UnreadableValue();
  if (names.length === 0) return new Map();
  return names.map((name, index) => [name, numbers[index]]);
}

function numbersOf(buffer: ArrayBuffer | undefined, type: string): Numbers {
  const Typed = NUMBERS[type];
  if (buffer === undefined || Typed === undefined) throw new UnreadableValue();
  return new Typed(buffer);
}

/** A value for the program; its buffers are added to the list. */
export function encode(value: unknown, buffers: ArrayBufferView[], shelf: Shelf): unknown {
  const write = (part: unknown): unknown => encode(part, buffers, shelf);
  switch (typeof value) {
    case "bigint":
      return { $: "i", v: String(value) };
    case "number":
      return Number.isFinite(value) ? value : { $: "f", v: String(value) };
    case "object":
      break;
    case "function":
      return { $: "r", v: shelf.keep(value), c: "Function" };
    default:
      return value;
  }
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(write);
  if (value instanceof Rational) return { $: "q", v: String(value) };
  if (value instanceof Interval) return { $: "v", v: [String(value.lower()), String(value.upper())] };
  if (value instanceof Map)
    return { $: "m", k: [...value.keys()].map(write), v: [...value.values()].map(write) };
  if (ArrayBuffer.isView(value)) {
    const [type] = Object.entries(NUMBERS).find(([, Typed]) => value instanceof Typed) ?? [];
    return { $: "b", v: buffers.push(value) - 1, t: type };
  }
  if (isPlain(value)) return writePlain(value, write);
  return { $: "r", v: shelf.keep(value), c: nameOf(value) };
}

/** An object literal, perhaps with methods that all of its kind share. */
function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  // The library takes only parameters of the base-2 mechanisms that it made.
  if ("x" in value && typeof value.x === "bigint") return false;
  return value.constructor === Object || value.constructor === undefined;
}

function nameOf({ constructor: { name } }: object): string {
  return name === "Object" ? "Base2Parameter" : name;
}

function writePlain(value: Readonly<Record<string, unknown>>, write: (part: unknown) => unknown): unknown {
  const written: Record<string, unknown> = {};
  for (const name in value) {
    const part = value[name];
    if (part !== undefined) written[name] = write(typeof part === "function" ? part.bind(value) : part);
  }
  return written;
}
