/**
 * The files that a location names: one path, or a pattern with * ? [ ] that the engine resolves. Each is looked at before
 * it is read, so that what is wrong with it can be said in one sentence.
 * @module
 */
import { access, constants, realpath, stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { fileRefusal } from "../../file-refusal.js";
import { Refusal } from "../../refusal.js";

const PATTERN = /[*?[]/;

/** Absolute paths in the order of their names, at least one. */
export async function findFiles(connection: DuckDBConnection, location: string): Promise<string[]> {
  const isOne = !PATTERN.test(location) || (await exists(location));
  const found = isOne ? [location] : await matching(connection, location);
  if (found.length === 0)
    throw new Refusal("missing-source", `No file matches the pattern ${JSON.stringify(location)}.`);
  return Promise.all(found.map(readable));
}

async function matching(connection: DuckDBConnection, pattern: string): Promise<string[]> {
  const result = await connection.run("SELECT file FROM glob($1) ORDER BY file", [pattern]);
  return (await result.getRows()).map(([file]) => String(file));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function readable(path: string): Promise<string> {
  try {
    const stats = await stat(path);
    await access(path, constants.R_OK);
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    return await realpath(path);
  } catch (error) {
    throw fileRefusal("The file", path, error);
  }
}
