/**
 * Neighbouring files in groups: one has a person more. No count moves in a group that isn't the person's, none by more than 1, and
 * counts move in at most as many groups as a person is counted in. `PROVE=all npx vitest run
 * packages/cli/test/sources/groups-neighbours.test.ts` tries 10,000 pairs.
 */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { uniformBelow } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import { amount } from "../../../core/test/support/amount.js";
import { keyOf, loadGroups, usersSql } from "../../src/sources/files/count-users.js";
import type { GroupsRequest } from "../../src/sources/source.js";

type Row = readonly [user: string, group: string, item: string];
type Sql = (rows: string, groups: GroupsRequest) => string;

const PAIRS = amount(40, 10_000);
const entropy = seededEntropy("neighbouring files in groups");
const below = (most: number) => Number(uniformBelow(BigInt(most), entropy));
const GROUPS = Array.from({ length: 8 }, (_, i) => `g${i}`);

const honest: Sql = (rows, groups) => usersSql(rows, { groups: { ...groups, isOfGroups: false } });

/** Few people with many groups, so that who is left out matters. */
function rowsOf(user: string): Row[] {
  return Array.from({ length: 1 + below(12) }, (): Row => [user, GROUPS[below(8)], `i${below(3)}`]);
}

/** How far each count moves, by group; of a count that is wrong in kind, by more than 1. */
async function moves(
  connection: DuckDBConnection,
  rows: readonly Row[],
  person: string,
  groups: GroupsRequest,
  sql: Sql,
) {
  const counts = async (some: readonly Row[]) => {
    const values = some.map((row) => `(${row.map((text) => `'${text}'`)})`);
    const from = `SELECT * FROM (VALUES ${values}) AS given ("user", "group", item)`;
    const result = await connection.run(
      sql(from, groups),
      keyOf({ groups: { ...groups, isOfGroups: false } }),
    );
    const found = (await result.getRows()).filter(([group]) => group !== null);
    return new Map(found.map(([group, item, users]) => [`${group} ${item}`, Number(users)]));
  };
  const [before, after] = [await counts(rows.filter(([user]) => user !== person)), await counts(rows)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const by = (after.get(name) ?? 0) - (before.get(name) ?? 0);
    return by === 0 ? [] : [{ group: name.split(" ")[0], by }];
  });
}

async function inEngine<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    const listed = { by: ["group"], listed: GROUPS, perUser: 1, key: new Uint8Array(32), isOfGroups: false };
    await loadGroups(connection, { groups: listed });
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** What is wrong with some of the pairs; undefined if nothing is. */
function fault(pairs: number, sql: Sql): Promise<string | undefined> {
  return inEngine((connection) => faultOf(connection, pairs, sql));
}

async function faultOf(connection: DuckDBConnection, pairs: number, sql: Sql): Promise<string | undefined> {
  for (let pair = 0; pair < pairs; pair++) {
    const perUser = 1 + below(3);
    const key = Uint8Array.from({ length: 32 }, () => below(256));
    const groups = {
      by: ["group"],
      listed: GROUPS,
      perUser,
      key,
      ...(pair % 3 === 0 && { itemsPerUser: 1 }),
    };
    const rows = [...Array.from({ length: 6 }, (_, i) => rowsOf(`u${i}`)).flat(), ...rowsOf("one more")];
    const own = new Set(rows.filter(([user]) => user === "one more").map(([, group]) => group));
    const moved = await moves(connection, rows, "one more", groups, sql);
    if (moved.some(({ by }) => by !== 1)) return "a count moved by more than 1, or fell";
    if (moved.some(({ group }) => !own.has(group))) return "a count of another group moved";
    if (new Set(moved.map(({ group }) => group)).size > perUser) return "too many groups moved";
  }
  return undefined;
}

/** The same statement with one thing wrong. */
function wrong(from: string | RegExp, to: string | ((found: string) => string)): Sql {
  return (rows, groups) => {
    const changed = honest(rows, groups).replace(from, to as string);
    expect(changed).not.toBe(honest(rows, groups));
    return changed;
  };
}

describe("neighbouring files in groups", () => {
  it(`moves the person's own groups only, in ${PAIRS.toLocaleString("en")} pairs`, async () => {
    expect(await fault(PAIRS, honest)).toBeUndefined();
  }, 3_600_000);

  it.each([
    [
      "LIMIT g for all people together, without a hash of the person",
      wrong('PARTITION BY "user"', "PARTITION BY 1"),
    ],
    ["no cut at all", wrong('ANTI JOIN beyond USING ("user", "group")', "")],
    [
      "a place that goes to rows of others when a person has few groups",
      wrong(/place > (\d+)/, "place > $1 - (SELECT count(*) % 2 FROM people)"),
    ],
    [
      "rows instead of people",
      wrong(/count\(DISTINCT "user"\)|SELECT DISTINCT item, "group"/, (found) =>
        found.startsWith("count") ? "count(*)" : 'SELECT item, "group"',
      ),
    ],
  ])("finds the fault of %s", async (_, sql) => {
    expect(await fault(60, sql)).toBeDefined();
  });

  it("counts one person with rows in 5,000 groups in two of them", async () => {
    const rows = Array.from({ length: 5000 }, (_, i): Row => ["u1", `g${i}`, "a"]);
    const groups = { by: ["group"], perUser: 2, key: new Uint8Array(32).fill(7) };
    const all = rows.concat([["u0", "g0", "a"]]);
    const moved = await inEngine((connection) => moves(connection, all, "u1", groups, honest));
    expect(moved).toHaveLength(2);
  });
});
