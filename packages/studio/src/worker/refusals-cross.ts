/**
 * Lets a `StudioRefusal` cross between worker and page as what it is. Any other error crosses without its text, which may
 * quote a row.
 * @module
 */
import { transferHandlers } from "comlink";
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
  if (own === undefined) throw new Error("comlink is expected to have a handler for what was thrown");
  transferHandlers.set("throw", {
    canHandle: own.canHandle,
    serialize: ({ value }: Thrown): [Crossing, Transferable[]] => [crossing(value), []],
    deserialize: ({ code, sentence }: Crossing): never => {
      throw new StudioRefusal(code, sentence);
    },
  });
}

function crossing(error: unknown): Crossing {
  if (error instanceof StudioRefusal) return { code: error.code, sentence: error.message };
  return { code: "unexpected", sentence: "The page met an error that it does not know." };
}
