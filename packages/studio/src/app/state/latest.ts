/**
 * Work that follows a form: it waits until the form rests, and when the form moves on, what was asked before is ignored.
 * @module
 */
import { type Turn, takeTurns } from "./take-turns.js";

/** Runs only the last of the calls that come within `rest` milliseconds, and tells each run whether it is still the newest. */
export function latest<Input>(
  rest: number,
  work: (input: Input, turn: Turn) => Promise<void>,
): { ask(input: Input): void; drop(): void } {
  const begin = takeTurns();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = () => {
    clearTimeout(timer);
    return begin();
  };
  return {
    ask: (input) => {
      const turn = next();
      timer = setTimeout(() => void work(input, turn), rest);
    },
    drop: () => void next(),
  };
}
