/**
 * Counting in groups, in seconds of a processor: DuckDB's own GROUP BY country, item with distinct users, and the histogram of
 * 200 groups in which each person counts in at most 2. Twice: each person has rows in one country, so no one is cut, and each has rows
 * in three, so everyone is, and all their groups are hashed.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countUsers } from "winnow-cli/dist/sources/files/count-users.js";
import { openEngine } from "winnow-cli/dist/sources/files/engine.js";
import { relationOf } from "winnow-cli/dist/sources/files/open-relation.js";

const [GROUPS, ITEMS, ROWS_OF_A_PERSON] = [200, 50_000, 20];

interface Counted {
  readonly what: string;
  readonly processor: number;
}

export async function measureGroups(rows: number): Promise<Counted[]> {
  return [...(await measureRows(rows, 1)), ...(await measureRows(rows, 3))];
}

async function measureRows(rows: number, groupsOfAPerson: number): Promise<Counted[]> {
  const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));
  const engine = await openEngine({ folder });
  try {
    const { connection } = engine;
    const path = join(folder, "visits.csv");
    await connection.run(`COPY (SELECT 'user-' || person AS "user", 'country-' || ((person + hash(i * 17 + 3) % ${groupsOfAPerson}) % ${GROUPS}) AS country,
        'item-' || floor(${ITEMS} * pow((hash(i * 31 + 7) % 1000000) / 1e6, 3))::INTEGER AS item
      FROM (SELECT i, hash(i) % ${Math.ceil(rows / ROWS_OF_A_PERSON)} AS person FROM range(${rows}) t(i))) TO '${path}' (FORMAT csv, HEADER true)`);
    const each = `${groupsOfAPerson} ${groupsOfAPerson === 1 ? "group" : "groups"} each`;
    const own = await measured(`DuckDB, GROUP BY country, item: count(DISTINCT user), ${each}`, () =>
      connection.run(
        `CREATE OR REPLACE TEMP TABLE own AS SELECT country, item, count(DISTINCT "user") FROM read_csv('${path}') GROUP BY country, item`,
      ),
    );
    const relation = await relationOf({ connection }, "csv", { paths: [path], compression: "none" });
    const groups = {
      ...{ by: ["country"], perUser: 2, key: new Uint8Array(32), isOfGroups: false },
      listed: Array.from({ length: GROUPS }, (_, i) => `country-${i}`),
    };
    const ours = await measured(`winnow, at most 2 groups a person, survey included, ${each}`, async () => {
      await relation.lines?.survey();
      await countUsers(connection, relation, { roles: { item: "item", user: "user" }, groups });
    });
    return [own, ours, { what: `ratio, ${each}`, processor: ours.processor / own.processor }];
  } finally {
    engine.close();
    rmSync(folder, { recursive: true });
  }
}

async function measured(what: string, work: () => Promise<unknown>): Promise<Counted> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { what, processor: (user + system) / 1e6 };
}
