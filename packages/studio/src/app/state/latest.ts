/**
 * Work that follows a form: it waits until the form rests, and when the form moves on, what was asked before is ignored.
 * Without this, a slow answer to an old question could be shown beside a new one.
 * @module
 */

export interface Turn {
  /** Whether nothing newer was asked. */
  readonly current: () => boolean;
}

/** Runs only the last of the calls that come within `rest` milliseconds, and tells each run whether it is still the newest. */
export function latest<Input>(
  rest: number,
  work: (input: Input, turn: Turn) => Promise<void>,
): { ask(input: Input): void; drop(): void } {
  let newest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drop = () => {
    newest += 1;
    clearTimeout(timer);
  };
  const ask = (input: Input) => {
    drop();
    const mine = newest;
    timer = setTimeout(() => void work(input, { current: () => mine === newest }), rest);
  };
  return { ask, drop };
}
