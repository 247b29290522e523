/**
 * Lets a refusal cross between worker and page as what it is. Whatever else was thrown becomes one first.
 * @module
 */
import { transferHandlers } from "comlink";
import { asRefusal } from "./as-refusal.js";
import { type RefusalCode, StudioRefusal } from "./studio-refusal.js";

interface Crossing {
  readonly code: RefusalCode;
  readonly sentence: string;
}

/** Comlink wraps what was thrown in an object, which its own handler recognises. */
interface Thrown {
  readonly value: unknown;
}

/** To be called once on each side. */
export function refusalsCross(): void {
  const own = transferHandlers.get("throw");
  if (own === undefined) throw new Error("comlink must have a handler for what was thrown");
  transferHandlers.set("throw", {
    canHandle: own.canHandle,
    serialize: ({ value }: Thrown): [Crossing, Transferable[]] => [crossing(value), []],
    deserialize: ({ code, sentence }: Crossing): never => {
      throw new StudioRefusal(code, sentence);
    },
  });
}

function crossing(error: unknown): Crossing {
  const { code, message } = asRefusal(error);
  return { code, sentence: message };
}
