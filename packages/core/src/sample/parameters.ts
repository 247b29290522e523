/**
 * The checks that samplers share. They run before the first bit is drawn.
 * @module
 */
import { invalidParameter } from "../errors.js";

/** A safe integer or a bigint, at least 1, called `field`. */
export function positiveInteger<N extends number | bigint>(field: string, value: N): N {
  const isInteger = typeof value === "bigint" || Number.isSafeInteger(value);
  if (!isInteger || value < 1) throw invalidParameter(field, "an integer >= 1 (a bigint above 2^53)", value);
  return value;
}

/** A typed array of one of the kinds, called `target`. It is known by its tag: it may come from another realm. */
export function typedArray<A extends ArrayBufferView>(target: A, ...kinds: string[]): A {
  if (!kinds.includes(kindOf(target)))
    throw invalidParameter("target", `a typed array of kind ${kinds.join(" or ")}`, target);
  return target;
}

/** `"Int32Array"` and the like, or `""` if it is no typed array. */
export function kindOf(target: unknown): string {
  return ArrayBuffer.isView(target) ? Object.prototype.toString.call(target).slice(8, -1) : "";
}
