/**
 * Steps that overtake one another: each one that begins makes those before it out of date, and each can ask whether it is.
 * Without this, a slow answer to an old question could be shown beside a new one.
 * @module
 */

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
