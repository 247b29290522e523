/** Files for tests, in a folder of their own, and what a source counts in them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll } from "vitest";
import { Reader } from "../../src/sources/files/reader.js";
import { openSource } from "../../src/sources/open-source.js";
import type { Candidates, SourceOptions } from "../../src/sources/source.js";

export interface SourceFolder {
  readonly folder: string;
  /** Writes a file and gives its path. */
  write(name: string, content: string | Uint8Array): string;
}

export function useFolder(): SourceFolder {
  const folder = mkdtempSync(join(tmpdir(), "winnow-test-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return {
    folder,
    write(name, content) {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
  };
}

export const EVERYTHING: Candidates = { kind: "largest", rows: Number.MAX_SAFE_INTEGER };

/** Opens a file as the reader's process does, and closes it: for many cases of which one goes through the process. */
export async function openHere(location: string, options: SourceOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "winnow-test-"));
  try {
    (await Reader.open({ location, folder }, options)).close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Opens, counts and closes. */
export async function histogramOf(
  location: string,
  options: SourceOptions = {},
  candidates: Candidates = EVERYTHING,
): Promise<{ histogram: Record<string, number>; skipped: number | undefined }> {
  const source = await openSource(location, options);
  try {
    const histogram: Record<string, number> = {};
    for await (const { items, users } of source.histogram({ item: "item", user: "user", candidates }))
      for (const [i, item] of items.entries()) histogram[item] = users[i];
    return { histogram, skipped: source.skippedLines() };
  } finally {
    await source.close();
  }
}

/** Runs SQL in an engine without limits, to make test files. */
export async function runSql(...statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}
