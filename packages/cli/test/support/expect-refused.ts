/**
 * What every refusal has to be: the exit code, one sentence and the next step on standard error, nothing on standard output,
 * and nothing charged.
 * @module
 */
import { expect } from "vitest";
import { all } from "../../../release/test/ledger/laws/place.js";
import { findLedger } from "../../src/ledger/open-ledger.js";
import type { Ended, Folder } from "./winnow.js";

/** `winnow: One sentence.`, then the next step with its code. Remarks may stand before. */
const REFUSAL = /^winnow: (?<sentence>[^\n]+[.?)])\n {2}(?<next>[^\n]+[.!]) \[(?<code>[a-z-]+)\]\n$/m;

export function expectRefused(
  { exit, stdout, stderr }: Ended,
  expected: { exit: number; code: string; says?: string | RegExp },
) {
  const told = REFUSAL.exec(stderr)?.groups;
  expect({ exit, stdout, code: told?.code }, stderr).toEqual({
    exit: expected.exit,
    stdout: "",
    code: expected.code,
  });
  if (expected.says !== undefined) expect(told?.sentence).toMatch(expected.says);
}

/** How many releases the ledger of the folder holds. */
export async function chargesIn(place: Folder, path = "winnow.ledger"): Promise<number> {
  const ledger = await findLedger(place.file(path));
  try {
    return ledger === undefined
      ? 0
      : (await all(ledger.entries())).filter(({ kind }) => kind === "release").length;
  } finally {
    ledger?.close();
  }
}
