import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { LossJson } from "winnow-dp";

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "winnow-ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What is read piece by piece, as a list. */
export async function all<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const piece of pieces) list.push(piece);
  return list;
}

export function exampleRelease(
  id: string,
  { dataset = "visits", loss = { measure: "pure", epsilon: "1" } as LossJson, k = 3 } = {},
) {
  return {
    id,
    dataset,
    time: "2026-01-02T03:04:05.678Z",
    software: { name: "winnow-test", version: "1.2.3" },
    question: { k },
    loss,
    answer: { winners: ["é", "\u001b[31m", "\ud800"] },
  };
}
