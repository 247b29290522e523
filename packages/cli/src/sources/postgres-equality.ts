/**
 * Which values of a column are one user. Types and collations can call values equal whose texts differ: `citext` and
 * collations that ignore case, 1 and 1.00 of `numeric`, 0 and −0. Told apart by their texts, one person would count twice.
 * So the column's own equality decides if it has one. A text whose collation tells all texts apart is compared by its bytes,
 * which is the same and faster.
 * @module
 */
import { type Client, DatabaseError } from "pg";
import { type Column, isPlain, nameOf, ONE_STATEMENT, type UserColumn } from "./postgres-sql.js";
import type { Relation } from "./server-relation.js";

/** text, varchar, char(n) */
const TEXT = new Set([25, 1043, 1042]);
const NO_SUCH_OPERATOR = "42883";

/** Asks the schema; no row is made. */
export async function readEquality(client: Client, relation: Relation, column: Column): Promise<UserColumn> {
  if (isPlain(column)) return { ...column, equality: "own" };
  const isOwn = TEXT.has(column.type)
    ? !(await isDeterministic(client, relation, column))
    : await hasEquality(client, relation, column);
  return { ...column, equality: isOwn ? "own" : "text" };
}

/** Whether the collation tells all texts apart; so does one that cannot be determined, for bytes are compared then. */
async function isDeterministic(client: Client, relation: Relation, column: Column): Promise<boolean> {
  const { rows } = await client.query<[boolean | null]>({
    ...ONE_STATEMENT,
    rowMode: "array",
    text: `SELECT (SELECT collisdeterministic FROM pg_catalog.pg_collation
        WHERE oid = pg_catalog.pg_collation_for(described.value)::regcollation::oid)
      FROM (SELECT) AS one LEFT JOIN (${noneOf(relation, column, "")}) AS described ON true`,
  });
  return rows[0][0] ?? true;
}

/** Types such as `json` have none. */
async function hasEquality(client: Client, relation: Relation, column: Column): Promise<boolean> {
  await client.query("SAVEPOINT equality");
  try {
    await client.query({ ...ONE_STATEMENT, text: noneOf(relation, column, "DISTINCT") });
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== NO_SUCH_OPERATOR) throw error;
    await client.query("ROLLBACK TO SAVEPOINT equality");
    return false;
  }
}

function noneOf(relation: Relation, column: Column, distinct: "" | "DISTINCT"): string {
  return `SELECT ${distinct} ${nameOf(column)} AS value FROM ${relation.sql} AS counted LIMIT 0`;
}
