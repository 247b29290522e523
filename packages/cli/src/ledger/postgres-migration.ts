/**
 * Versions of the tables and functions of a ledger on PostgreSQL, and how its owner brings an older one up to date: forward only, in one
 * transaction that holds the ledger's lock. The log is what counts, and it stays as it is. Functions and triggers are made anew, and what is
 * derived from the log (totals and places) is counted again from its first entry, by the new functions. An entry that they don't
 * take, or a chain that is broken, ends it, and the ledger stays at its version.
 *
 * A run of Winnow uses a ledger of its own version only: an older or a newer one is refused before anything is charged.
 * @module
 */
import { createHash } from "node:crypto";
import { SCHEMA, STATES } from "./postgres-entries.js";
import type { Session } from "./postgres-session.js";

/** The version of a new ledger, whose schema has it as its comment. Raised whenever a table, a trigger or a function changes. */
export const VERSION = 7;

const COMMENT = "Winnow ledger, version ";

/** How the schema says its version, in SQL and in the listing of its objects. */
export const VERSION_COMMENT = `COMMENT ON SCHEMA ${SCHEMA} IS '${COMMENT}${VERSION}'`;
export const VERSION_LISTED: readonly [name: string, text: string] = ["version", `${COMMENT}${VERSION}`];
export const LIST_VERSION = `
  SELECT 'version', obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = '${SCHEMA}'`;

/** The hashes of the listings of older versions, which had no comment. */
const OLDER: readonly string[] = [
  "ac7e4fdcb9f53c870df6294a721cfecfcc3e3e0848715478e6b14f5970b1ade1",
  "4825a809a3fe96fd8af0db67c17c7e2cfd48b8c967abecbd6c307dd9c068ef5b",
  "17b95e11d0a2b7e5da1522383f59aabad5fcfc9f344960c817adf005602878b5",
  "37e419ec6612a203ed2ed0148d621ead3ce84bc582018a982b47c5e08756d1e8",
  "50897dadfae37688798a3e298123e3769f95793d49a3eedbfc011e64a4cc4248",
];

type Listed = readonly (readonly unknown[])[];

/** The version of a ledger with these objects; undefined if they aren't those of any. */
export function versionOf(listed: Listed): number | undefined {
  const [, text] = listed.find(([name]) => name === VERSION_LISTED[0]) ?? [];
  const said = new RegExp(`^${COMMENT}(\\d{1,9})$`).exec(String(text ?? ""))?.[1];
  if (said !== undefined) return Number(said);
  const place = OLDER.indexOf(fingerprint(listed));
  return place < 0 ? undefined : place + 1;
}

/** What a listing without a comment is known by. */
export function fingerprint(listed: Listed): string {
  const lines = listed.flatMap(([name, text]) => (name === VERSION_LISTED[0] ? [] : [`${name} = ${text}\n`]));
  return createHash("sha256").update(lines.sort().join("")).digest("hex");
}

/** Why a ledger of another version isn't used. */
export function versionProblem(version: number): string {
  return version < VERSION
    ? `The ledger is of version ${version}, and this Winnow needs version ${VERSION}: its owner brings it up to date with \`winnow budget init --server\`.`
    : `The ledger is of version ${version}, and this Winnow knows versions up to ${VERSION}: use a newer Winnow.`;
}

/** Replaces functions and triggers by those of `making`, and counts the log again. Within a transaction of the owner. */
export async function bringUpToDate(session: Session, making: string): Promise<void> {
  await session.query(`SELECT FROM ${SCHEMA}.head FOR UPDATE`);
  const roles = await session.query(`
    SELECT DISTINCT quote_ident(rolname) FROM pg_proc CROSS JOIN aclexplode(proacl) JOIN pg_roles ON pg_roles.oid = grantee
      WHERE pronamespace = '${SCHEMA}'::regnamespace AND proname = 'append' AND grantee <> proowner`);
  await session.query(`
    DO $drop$
    DECLARE
      made regprocedure;
    BEGIN
      FOR made IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = '${SCHEMA}'::regnamespace ORDER BY proname = 'entry_in' LOOP
        EXECUTE 'DROP FUNCTION IF EXISTS ' || made || ' CASCADE';
      END LOOP;
    END $drop$`);
  await session.query(making);
  await session.query(COUNT_AGAIN);
  for (const [role] of roles)
    await session.query(`GRANT EXECUTE ON FUNCTION ${SCHEMA}.take_turn(), ${SCHEMA}.append TO ${role}`);
  await session.query(VERSION_COMMENT);
}

/** Walks the chain, and counts each entry as `append` does. */
const COUNT_AGAIN = `
  DO $count$
  DECLARE
    last ${SCHEMA}.head%ROWTYPE;
    line ${SCHEMA}.log%ROWTYPE;
    entry json;
    key text;
    known text;
  BEGIN
    DELETE FROM ${SCHEMA}.accounts;
    DELETE FROM ${SCHEMA}.releases;
    last.sequence := 0;
    last.hash := repeat('0', 64);
    FOR line IN SELECT * FROM ${SCHEMA}.log ORDER BY sequence LOOP
      entry := ${SCHEMA}.entry_in(line.text);
      IF line.sequence <> last.sequence + 1 OR line.hash <> encode(sha256(convert_to(line.text, 'UTF8')), 'hex')
        OR entry ->> 'sequence' <> line.sequence::text OR entry ->> 'previous' <> last.hash
      THEN RAISE EXCEPTION 'the chain is broken' USING ERRCODE = '${STATES.doesNotFollow}';
      END IF;
      last.sequence := line.sequence;
      last.hash := line.hash;
      entry := ${SCHEMA}.parsed(line.text);
      PERFORM ${SCHEMA}.keep_places(entry);
      FOR key IN SELECT ${SCHEMA}.keys_of(entry, '{}') LOOP
        SELECT summary INTO known FROM ${SCHEMA}.accounts WHERE dataset = key;
        INSERT INTO ${SCHEMA}.accounts (dataset, place, summary)
          VALUES (key, (SELECT coalesce(max(place), 0) + 1 FROM ${SCHEMA}.accounts),
            ${SCHEMA}.summary_after(known, entry, starts_with(key, '[')))
          ON CONFLICT (dataset) DO UPDATE SET summary = excluded.summary;
      END LOOP;
    END LOOP;
    IF (SELECT (sequence, hash) IS DISTINCT FROM (last.sequence, last.hash) FROM ${SCHEMA}.head)
    THEN RAISE EXCEPTION 'the head is not the last entry' USING ERRCODE = '${STATES.doesNotFollow}';
    END IF;
    UPDATE ${SCHEMA}.summarised SET sequence = last.sequence, hash = last.hash;
  END $count$`;
