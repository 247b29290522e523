/**
 * Where the time of `winnow top` on a CSV file goes, in seconds of a processor: the engine's own GROUP BY with its default
 * reader in as many threads, the stages of ours, and the whole command with everything around it.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { usersSql } from "winnow-cli/dist/sources/files/count-users.js";
import { type Engine, openEngine } from "winnow-cli/dist/sources/files/engine.js";
import { relationOf } from "winnow-cli/dist/sources/files/open-relation.js";
import { runWinnow } from "./run-winnow.js";

const [USERS, ITEMS] = [1_000_000, 50_000];
const ROLES = { item: "item", user: "user" };

interface Stage {
  readonly what: string;
  readonly processor: number;
  readonly clock: number;
}

export async function measureCommandLine(rows: number): Promise<Stage[]> {
  const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));
  const engine = await openEngine({ folder });
  try {
    const path = join(folder, "visits.csv");
    await engine.connection.run(`COPY (SELECT 'user-' || lpad((hash(i) % ${USERS})::VARCHAR, 7, '0') AS "user",
        'item-' || lpad(floor(${ITEMS} * pow((hash(i * 31 + 7) % 1000000) / 1e6, 3))::INTEGER::VARCHAR, 8, '0') AS item
      FROM range(${rows}) t(i)) TO '${path}' (FORMAT csv, HEADER true)`);
    return [...(await stages(engine, path)), ...(await commands(folder, path))];
  } finally {
    engine.close();
    rmSync(folder, { recursive: true });
  }
}

async function stages({ connection }: Engine, path: string): Promise<Stage[]> {
  const relation = await relationOf({ connection }, "csv", { paths: [path], compression: "none" });
  const run = async (sql: string) => void (await connection.run(sql));
  const scan = (from: string) => run(`SELECT sum(strlen(item)), sum(strlen("user")) FROM (${from})`);
  const byDefault = `SELECT item, "user" FROM read_csv('${path}')`;
  return [
    await stage("DuckDB, default reader: count(DISTINCT user)", () =>
      run(
        `CREATE OR REPLACE TEMP TABLE counts AS SELECT item, count(DISTINCT "user") FROM (${byDefault}) GROUP BY item`,
      ),
    ),
    await stage("DuckDB, default reader: pairs, then items", () =>
      run(
        `CREATE OR REPLACE TEMP TABLE counts AS SELECT item, count(*) FROM (SELECT DISTINCT * FROM (${byDefault})) GROUP BY item`,
      ),
    ),
    await stage("of which reading", () => scan(byDefault)),
    await stage("reading each line by its grammar", () => scan(relation.rows(ROLES))),
    await stage("looking at all bytes first", async () => relation.lines?.survey()),
    await stage("reading lines without quotes", () => scan(relation.rows(ROLES))),
    await stage("counting, reading included", () =>
      run(`CREATE OR REPLACE TEMP TABLE counts AS ${usersSql(relation.rows(ROLES))}`),
    ),
  ];
}

async function commands(folder: string, path: string): Promise<Stage[]> {
  const list = join(folder, "items.txt");
  const names = Array.from({ length: ITEMS }, (_, i) => `item-${String(i).padStart(8, "0")}\n`);
  writeFileSync(list, names.join(""));
  const top = [
    "top",
    path,
    "--item",
    "item",
    "--user",
    "user",
    "-k",
    "10",
    "--epsilon",
    "1",
    "--yes",
    "--json",
  ];
  const whole = async (what: string, ...more: readonly string[]): Promise<Stage> => {
    const { seconds, cpuSeconds } = await runWinnow([...top, ...more]);
    return { what, processor: cpuSeconds, clock: seconds };
  };
  return [
    await whole("winnow top without a list", "--delta", "1e-6"),
    await whole("winnow top with a list of 50,000 items", "--domain", list),
    await whole("winnow top in 32 MB", "--delta", "1e-6", "--memory-limit", "32M"),
  ];
}

async function stage(what: string, work: () => Promise<void> | undefined): Promise<Stage> {
  const [before, start] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { what, processor: (user + system) / 1e6, clock: (performance.now() - start) / 1000 };
}
