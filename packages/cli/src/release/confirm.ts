/**
 * How the curator is asked before something is charged. On a terminal the curator answers; anywhere else the run needs `--yes`,
 * because a script that cannot answer hasn't agreed. The guards of winnow-release decide what to ask.
 *
 * Facts about the rows are exact and private: only the curator sees them, marked as not for release. Whether Winnow asks may be
 * visible from outside (the exit code), so a service that passes on exit codes must run with `--yes`: then the facts are shown
 * and change nothing. The same holds for someone else's query where no one can be asked.
 * @module
 */
import { createInterface } from "node:readline/promises";
import { type Curator, confirmConcerns } from "winnow-release";
import { errorStyle, tell, tellPrivately } from "../render/terminal.js";

export interface Confirmation {
  /** Whether `--yes` was given. */
  readonly yes?: boolean | undefined;
  /** The rows are those of a query, whose author must not learn about them from the exit code. */
  readonly isQuery?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Whether someone at a terminal can be asked. */
function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** The curator at the terminal. */
export function terminalCurator({ yes = false, isQuery = false, signal }: Confirmation): Curator {
  return {
    tell: tellPrivately,
    agrees: async ({ why, fact }) => {
      const isAnswered = yes || (isQuery && fact !== undefined && !canAsk());
      if (fact === undefined && (isAnswered || canAsk())) tell(why); // facts were told already
      return isAnswered || (canAsk() && saysYes(signal));
    },
  };
}

async function saysYes(signal: AbortSignal | undefined): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = `  ${errorStyle().strong("Continue?")} Type yes to continue: `;
    const answer = await lines.question(question, signal === undefined ? {} : { signal });
    return /^\s*y(es)?\s*$/i.test(answer);
  } finally {
    lines.close();
  }
}

/** Asks about a concern, if there is one. The curator reads it also where `--yes` answers. */
export async function confirmConcern(concern: string | undefined, confirmation: Confirmation): Promise<void> {
  await confirmConcerns(concern === undefined ? [] : [{ why: concern }], terminalCurator(confirmation));
}
