/**
 * Work that follows a form: it waits until the form rests, and when the form moves on, earlier answers are ignored.
 * Each turn that begins makes those before it out of date, and each can ask whether it is. Without this, a slow answer
 * to an old question could be shown beside a new one.
 * @module
 */

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

export interface Turn {
  /** Whether nothing newer has begun. */
  readonly current: () => boolean;
}

/** Gives the function that begins a turn. */
export function takeTurns(): () => Turn {
  let newest = 0;
  return () => {
    newest += 1;
    const mine = newest;
    return { current: () => mine === newest };
  };
}
