import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { countUsers, readCounts, unreadLines } from "../../../src/sources/files/count-users.js";
import { type Engine, openEngine } from "../../../src/sources/files/engine.js";
import { relationOf } from "../../../src/sources/files/open-relation.js";
import type { SourceOptions } from "../../../src/sources/source.js";

/** An engine in this process with a folder of its own, for tests. */

const ROLES = { item: "item", user: "user" };
export const EVERYTHING = { kind: "largest", rows: Number.MAX_SAFE_INTEGER } as const;

export interface Counted {
  readonly counts: Readonly<Record<string, number>>;
  readonly unread: number | undefined;
}

/** Counts files that are given as bytes. */
export function useEngine(): (
  format: "csv" | "tsv" | "ndjson",
  bytes: Uint8Array,
  options?: SourceOptions,
) => Promise<Counted> {
  let engine: Engine;
  let folder: string;
  let files = 0;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "winnow-test-"));
    engine = await openEngine({ folder, threads: 2 });
  });
  afterAll(() => {
    engine.close();
    rmSync(folder, { recursive: true });
  });
  return async (format, bytes, options) => {
    const path = join(folder, `${files++}.${format}`);
    writeFileSync(path, bytes);
    const { connection } = engine;
    const relation = await relationOf(engine, format, { paths: [path], compression: "none" }, options);
    await relation.lines?.survey();
    await countUsers(connection, relation, { roles: ROLES });
    const counts: Record<string, number> = {};
    for await (const batch of readCounts(connection, EVERYTHING))
      for (const [i, item] of batch.items.entries()) counts[item] = batch.users[i];
    return { counts, unread: await unreadLines(connection, relation, ROLES) };
  };
}
