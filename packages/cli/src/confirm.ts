/**
 * Questions to the curator before anything is charged. On a terminal the curator answers; anywhere else `--yes` must
 * have been given, because a script that cannot answer must not be taken for consent.
 *
 * A question that depends on private rows is for the curator's eyes. Whether it is asked may be seen from outside
 * (the exit code), so a service that passes on exit codes runs with `--yes`: then the question is shown, answered,
 * and changes nothing.
 * @module
 */
import { createInterface } from "node:readline/promises";
import { Refusal } from "./refusal.js";
import { errorStyle } from "./render/terminal.js";

export interface Confirmation {
  /** What `--yes` says beforehand. */
  readonly yes?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Whether somebody sits at the terminal who can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Resolves if the curator agrees; `why` is a sentence of public values for the refusal. */
export async function confirm(why: string, { yes = false, signal }: Confirmation): Promise<void> {
  if (yes) return;
  if (!canAsk()) throw new Refusal("unconfirmed", why);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const style = errorStyle();
    const question = `  ${style.strong("Go on?")} Type yes to go on: `;
    const answer = await lines.question(question, signal === undefined ? {} : { signal });
    if (!/^\s*y(es)?\s*$/i.test(answer)) throw new Refusal("unconfirmed", why);
  } finally {
    lines.close();
  }
}
