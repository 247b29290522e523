/**
 * Candidates, queries and the like that arrive over time, until a signal says that they are not wanted any more.
 * @module
 */
import { invalidKind } from "./errors.js";

/**
 * How to stop what takes long.
 *
 * @inline
 */
export interface AbortOptions {
  /** When it is aborted, the work stops and throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The reader of a signal, of whatever realm. */
export function aSignal(field: string, value: AbortSignal): AbortSignal {
  if (typeof value?.aborted === "boolean" && typeof value.addEventListener === "function") return value;
  throw invalidKind(field, "an AbortSignal", value);
}

/** The items of a source one after the other. Aborted, it throws the reason at once, also while it waits for the source. */
export async function* untilAborted<T>(
  source: AsyncIterable<T> | Iterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  signal.throwIfAborted();
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let stop: (reason: unknown) => void = () => {};
  const onAbort = () => stop(signal.reason);
  signal.addEventListener("abort", onAbort);
  let isOver = false;
  try {
    for (;;) {
      // One promise a step: to race each step with one promise for the signal would keep all steps in memory.
      const step = await new Promise<IteratorResult<T>>((resolve, reject) => {
        stop = reject;
        Promise.resolve(iterator.next()).then(resolve, reject);
      });
      signal.throwIfAborted();
      isOver = step.done === true;
      if (step.done) return;
      yield step.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // A source that hangs would not answer: no one waits for it.
    if (!isOver) Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
