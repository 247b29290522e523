/**
 * The counts of a public or synthetic twin of the rows, to plan and to preview with. All of its items are wanted, for nothing
 * in it is private.
 * @module
 */
import type { Question } from "winnow-release";
import type { SourceOptions } from "../sources/source.js";
import type { Roles } from "./columns.js";
import { candidatesFor, Rows } from "./rows.js";

/** More items than any twin has. */
const ALL = 100_000_000;

export async function publicCounts(
  path: string,
  options: SourceOptions,
  roles: Roles,
  { domain, k }: Pick<Question, "domain" | "k">,
  items?: readonly string[],
): Promise<number[]> {
  const rows = new Rows(path, twinOptions(options));
  try {
    const source = await rows.open();
    const wanted =
      domain.kind === "unknown"
        ? { kind: "largest" as const, rows: ALL }
        : candidatesFor({ domain, k }, items);
    const counts: number[] = [];
    for await (const { users } of source.histogram({ ...roles, candidates: wanted }))
      for (const count of users) counts.push(count);
    return counts;
  } finally {
    await rows.close();
  }
}

/** The names of its columns. */
export async function columnsOf(path: string, options: SourceOptions): Promise<readonly string[]> {
  const rows = new Rows(path, twinOptions(options));
  try {
    return (await rows.open()).columns;
  } finally {
    await rows.close();
  }
}

/** The twin is a file of its own: format and table are those of the private source. */
function twinOptions(options: SourceOptions): SourceOptions {
  return { ...options, format: undefined, table: undefined, query: undefined };
}
