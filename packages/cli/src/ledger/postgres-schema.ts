/**
 * The tables of a ledger on PostgreSQL, in a schema of their own, and who may do what with them. They are those of a
 * ledger file, and the log obeys the same rules: triggers refuse to change or delete an entry, and to insert one that
 * doesn't follow the last. Here that includes its form and its hash: the server parses the text and computes the hash.
 *
 * The account that creates the ledger owns it. The role that charges may read the tables and run two functions that act for the
 * owner: `take_turn` locks the head, and `append` adds entries. `append` takes their texts only. The server itself counts each
 * entry in the account that it names and derives everything else that is stored with it (postgres-totals.ts). So that role
 * can't choose a total, can't change, delete or truncate anything, and can't insert around `append`. Only the owner sets
 * budgets and keys.
 * @module
 */

import { createHash, randomBytes } from "node:crypto";
import { Refusal } from "winnow-release";
import { type Helper, READING, SCHEMA, STATES } from "./postgres-entries.js";
import {
  bringUpToDate,
  LIST_VERSION,
  VERSION,
  VERSION_COMMENT,
  VERSION_LISTED,
  versionOf,
  versionProblem,
} from "./postgres-migration.js";
import type { Session } from "./postgres-session.js";
import { COUNTING } from "./postgres-totals.js";
import { schemaDifferences } from "./schema-differences.js";

const EMPTY_HASH = "0".repeat(64);

/** The bodies of the functions that act for the owner; `verify` compares them with those on the server. */
const BODIES = {
  take_turn: `
    SELECT head.sequence, head.hash FROM ${SCHEMA}.head FOR UPDATE`,
  log_follows: `
    DECLARE
      last ${SCHEMA}.head%ROWTYPE;
      entry json;
    BEGIN
      SELECT * INTO last FROM ${SCHEMA}.head FOR UPDATE;
      entry := ${SCHEMA}.entry_in(NEW.text);
      IF NEW.sequence IS DISTINCT FROM last.sequence + 1
        OR NEW.hash IS DISTINCT FROM encode(sha256(convert_to(NEW.text, 'UTF8')), 'hex')
        OR entry ->> 'sequence' IS DISTINCT FROM NEW.sequence::text
        OR entry ->> 'previous' IS DISTINCT FROM last.hash
      THEN RAISE EXCEPTION 'the log only grows at its end' USING ERRCODE = '${STATES.doesNotFollow}';
      END IF;
      IF entry ->> 'kind' IN ('budget', 'key')
        AND NOT pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')
      THEN RAISE EXCEPTION 'only the owner sets budgets and keys' USING ERRCODE = '${STATES.notOwner}';
      END IF;
      UPDATE ${SCHEMA}.head SET sequence = NEW.sequence, hash = NEW.hash;
      RETURN NEW;
    END`,
  refuse_change: `
    BEGIN
      RAISE EXCEPTION 'the log only grows' USING ERRCODE = '${STATES.changed}';
    END`,
  head_goes_forward: `
    BEGIN
      IF NEW.sequence IS DISTINCT FROM OLD.sequence + 1
      THEN RAISE EXCEPTION 'the head only goes forward' USING ERRCODE = '${STATES.changed}';
      END IF;
      RETURN NEW;
    END`,
  append: `
    DECLARE
      last ${SCHEMA}.head%ROWTYPE;
      line text;
      entry json;
      key text;
      keys text[] := '{}';
      summaries text[] := '{}';
      at integer;
    BEGIN
      SELECT * INTO last FROM ${SCHEMA}.head FOR UPDATE;
      IF (SELECT (sequence, hash) IS DISTINCT FROM (last.sequence, last.hash) FROM ${SCHEMA}.summarised)
      THEN RAISE EXCEPTION 'the totals are behind' USING ERRCODE = '${STATES.behind}';
      END IF;
      FOREACH line IN ARRAY lines LOOP
        last.sequence := last.sequence + 1;
        last.hash := encode(sha256(convert_to(line, 'UTF8')), 'hex');
        INSERT INTO ${SCHEMA}.log (sequence, hash, text) VALUES (last.sequence, last.hash, line);
        entry := ${SCHEMA}.parsed(line);
        PERFORM ${SCHEMA}.keep_places(entry);
        FOR key IN SELECT ${SCHEMA}.keys_of(entry, keys) LOOP
          at := array_position(keys, key);
          IF at IS NULL THEN
            keys := keys || key;
            at := cardinality(keys);
            summaries[at] := (SELECT summary FROM ${SCHEMA}.accounts WHERE dataset = key);
          END IF;
          summaries[at] := ${SCHEMA}.summary_after(summaries[at], entry, starts_with(key, '['));
        END LOOP;
      END LOOP;
      INSERT INTO ${SCHEMA}.accounts (dataset, place, summary)
        SELECT changed, (SELECT coalesce(max(known.place), 0) FROM ${SCHEMA}.accounts AS known) + number, summary
          FROM unnest(keys, summaries) WITH ORDINALITY AS new (changed, summary, number) ORDER BY number
        ON CONFLICT (dataset) DO UPDATE SET summary = excluded.summary;
      IF source IS NOT NULL AND cardinality(keys) > 0
      THEN INSERT INTO ${SCHEMA}.sources (mark, dataset) VALUES (source, keys[1]) ON CONFLICT DO NOTHING;
      END IF;
      UPDATE ${SCHEMA}.summarised SET sequence = last.sequence, hash = last.hash;
      RETURN QUERY SELECT * FROM unnest(keys, summaries);
    END`,
} as const;

const PARAMETERS: Readonly<Record<keyof typeof BODIES, string>> = {
  take_turn: "",
  log_follows: "",
  refuse_change: "",
  head_goes_forward: "",
  append: "lines text[], source text",
};

/** Whatever the settings of a session are. */
const PINNED: readonly string[] = [
  "search_path=pg_catalog, pg_temp",
  "extra_float_digits=1",
  "standard_conforming_strings=on",
];

function definer(name: keyof typeof BODIES, returns: string, language = "plpgsql"): string {
  const settings = PINNED.map((setting) => `SET ${setting.replace("=", " = ")}`).join(" ");
  return `CREATE FUNCTION ${SCHEMA}.${name}(${PARAMETERS[name]}) RETURNS ${returns} LANGUAGE ${language} SECURITY DEFINER
    ${settings} AS $body$${BODIES[name]}$body$;`;
}

const HELPERS: Readonly<Record<string, Helper>> = { ...READING, ...COUNTING };

const HELPING = Object.entries(HELPERS)
  .map(
    ([name, { parameters, returns, language, isWriting, body }]) =>
      `CREATE FUNCTION ${SCHEMA}.${name}(${parameters}) RETURNS ${returns} LANGUAGE ${language} ${isWriting ? "VOLATILE" : "STABLE"} AS $body$${body}$body$;`,
  )
  .join("\n");

const TABLES = `
  CREATE SCHEMA ${SCHEMA};
  CREATE TABLE ${SCHEMA}.log (sequence bigint PRIMARY KEY CHECK (sequence >= 1), hash text NOT NULL, text text NOT NULL);
  CREATE TABLE ${SCHEMA}.head (only_row boolean PRIMARY KEY CHECK (only_row), sequence bigint NOT NULL, hash text NOT NULL);
  CREATE TABLE ${SCHEMA}.accounts (
    dataset text COLLATE "C" PRIMARY KEY, place bigint NOT NULL UNIQUE, summary text NOT NULL);
  CREATE TABLE ${SCHEMA}.releases (id text COLLATE "C" PRIMARY KEY, sequence bigint NOT NULL);
  CREATE TABLE ${SCHEMA}.summarised (
    only_row boolean PRIMARY KEY CHECK (only_row), sequence bigint NOT NULL, hash text NOT NULL);
  CREATE TABLE ${SCHEMA}.sources (mark text COLLATE "C", dataset text COLLATE "C", PRIMARY KEY (mark, dataset));
  CREATE TABLE ${SCHEMA}.secret (only_row boolean PRIMARY KEY CHECK (only_row), key text NOT NULL);
  INSERT INTO ${SCHEMA}.head VALUES (true, 0, '${EMPTY_HASH}');
  INSERT INTO ${SCHEMA}.summarised VALUES (true, 0, '${EMPTY_HASH}');
`;

const FUNCTIONS = `
  ${HELPING}
  ${definer("take_turn", "TABLE (sequence bigint, hash text)", "sql")}
  ${definer("log_follows", "trigger")}
  ${definer("refuse_change", "trigger")}
  ${definer("head_goes_forward", "trigger")}
  ${definer("append", "TABLE (account text, totals text)")}
  CREATE TRIGGER log_follows BEFORE INSERT ON ${SCHEMA}.log FOR EACH ROW EXECUTE FUNCTION ${SCHEMA}.log_follows();
  CREATE TRIGGER log_is_not_changed BEFORE UPDATE OR DELETE ON ${SCHEMA}.log
    FOR EACH ROW EXECUTE FUNCTION ${SCHEMA}.refuse_change();
  CREATE TRIGGER log_is_not_truncated BEFORE TRUNCATE ON ${SCHEMA}.log
    FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.refuse_change();
  CREATE TRIGGER head_goes_forward BEFORE UPDATE ON ${SCHEMA}.head
    FOR EACH ROW EXECUTE FUNCTION ${SCHEMA}.head_goes_forward();
  CREATE TRIGGER head_is_not_deleted BEFORE DELETE ON ${SCHEMA}.head
    FOR EACH ROW EXECUTE FUNCTION ${SCHEMA}.refuse_change();
  CREATE TRIGGER head_is_not_truncated BEFORE TRUNCATE ON ${SCHEMA}.head
    FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.refuse_change();
  REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${SCHEMA} FROM PUBLIC;
`;

/** What became of a ledger that its owner asked for. */
export interface MadeLedger {
  readonly isNew: boolean;
  /** The version that it had before. */
  readonly upgradedFrom: number | undefined;
}

/** Makes the ledger unless it is there, or brings it up to date, and lets a role charge it, in one transaction. */
export async function makeTables(session: Session, role: string): Promise<MadeLedger> {
  await session.query(
    `BEGIN; ${PINNED.map((setting) => `SET LOCAL ${setting.replace("=", " = ")}`).join("; ")}`,
  );
  await session.query(`SELECT pg_advisory_xact_lock(hashtextextended('${SCHEMA}', 0))`);
  const isNew = !(await hasLedger(session));
  if (isNew) {
    const [[encoding]] = await session.query("SHOW server_encoding");
    if (encoding !== "UTF8")
      throw new Refusal("usage", "The database of a ledger must have the encoding UTF8.");
    await session.query(TABLES + FUNCTIONS);
    await session.query(VERSION_COMMENT);
    const key = randomBytes(32).toString("hex");
    await session.query(`INSERT INTO ${SCHEMA}.secret VALUES (true, $1)`, [key]);
  }
  // A GRANT by another account only gives a warning.
  const [[isOwner]] = await session.query(
    `SELECT pg_has_role(session_user, nspowner, 'USAGE') FROM pg_namespace WHERE nspname = '${SCHEMA}'`,
  );
  if (!isOwner) throw new Refusal("server-refused", "Only the owner of a ledger decides who may charge it.");
  const version = isNew ? VERSION : versionOf(await session.query(LISTING));
  if (version !== undefined && version > VERSION) throw new Refusal("ledger-broken", versionProblem(version));
  const isOlder = version !== undefined && version < VERSION;
  if (isOlder) await bringUpToDate(session, FUNCTIONS);
  await grantTo(session, role);
  await session.query("COMMIT");
  return { isNew, upgradedFrom: isOlder ? version : undefined };
}

async function grantTo(session: Session, role: string): Promise<void> {
  const [[name, isThere, mayMake]] = await session.query(
    `SELECT quote_ident($1), EXISTS (SELECT FROM pg_roles WHERE rolname = $1), rolcreaterole OR rolsuper
      FROM pg_roles WHERE rolname = current_user`,
    [role],
  );
  if (!isThere && !mayMake)
    throw new Refusal(
      "server-refused",
      `There is no role ${JSON.stringify(role)}, and this account may not create one; name another with --role.`,
    );
  if (!isThere) await session.query(`CREATE ROLE ${name} NOLOGIN`);
  await session.query(`
    GRANT USAGE ON SCHEMA ${SCHEMA} TO ${name};
    GRANT SELECT ON ALL TABLES IN SCHEMA ${SCHEMA} TO ${name};
    GRANT EXECUTE ON FUNCTION ${SCHEMA}.take_turn(), ${SCHEMA}.append TO ${name}`);
}

export async function hasLedger(session: Session): Promise<boolean> {
  return (await session.query(`SELECT FROM pg_namespace WHERE nspname = '${SCHEMA}'`)).length > 0;
}

/** Warnings about who may write the ledger, for the curator. */
export async function ownershipNotes(session: Session, name: string, charges: boolean): Promise<string[]> {
  const [[isOwner, isOpen, fsync]] = await session.query(`
    SELECT pg_has_role(session_user, nspowner, 'USAGE'),
      EXISTS (SELECT FROM pg_class, aclexplode(relacl) AS granted
        WHERE relnamespace = pg_namespace.oid AND grantee <> relowner AND privilege_type <> 'SELECT'),
      current_setting('fsync')
    FROM pg_namespace WHERE nspname = '${SCHEMA}'`);
  const ledger = `the ledger ${JSON.stringify(name)}`;
  return [
    ...(isOpen ? [`Roles other than its owner may write the tables of ${ledger}: revoke that.`] : []),
    ...(charges && isOwner
      ? [
          `This account owns ${ledger} and may change it: charge with an account that is only in the role that charges.`,
        ]
      : []),
    ...(fsync === "off"
      ? [`The server of ${ledger} runs with fsync off: a power failure can lose charges.`]
      : []),
  ];
}

/** Each object of the schema with its definition. */
export const LISTING = `
  SELECT 'table ' || relname, string_agg(attname || ' ' || format_type(atttypid, atttypmod)
      || CASE WHEN attnotnull THEN '!' ELSE '' END, ', ' ORDER BY attnum)
      || CASE WHEN relrowsecurity OR relhasrules OR relowner <> nspowner THEN ' changed' ELSE '' END
    FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid
      JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    WHERE nspname = '${SCHEMA}' AND relkind NOT IN ('i', 't', 'c')
    GROUP BY relname, relrowsecurity, relhasrules, relowner, nspowner
  UNION ALL
  SELECT 'constraint ' || conname, pg_get_constraintdef(pg_constraint.oid)
    FROM pg_constraint JOIN pg_namespace ON connamespace = pg_namespace.oid
    WHERE nspname = '${SCHEMA}' AND contype <> 'n'
  UNION ALL
  SELECT 'trigger ' || tgname, relname || ' ' || tgtype || ' ' || tgenabled::text || ' ' || tgfoid::regproc::text
    FROM pg_trigger JOIN pg_class ON tgrelid = pg_class.oid JOIN pg_namespace ON relnamespace = pg_namespace.oid
    WHERE nspname = '${SCHEMA}' AND NOT tgisinternal
  UNION ALL
  SELECT 'function ' || proname || '(' || pg_get_function_identity_arguments(pg_proc.oid) || ')', encode(sha256(convert_to(prosrc, 'UTF8')), 'hex') || ' ' || prosecdef::text
      || ' ' || coalesce(proconfig::text, '') || CASE WHEN proowner <> nspowner THEN ' changed' ELSE '' END
    FROM pg_proc JOIN pg_namespace ON pronamespace = pg_namespace.oid
    WHERE nspname = '${SCHEMA}'
  UNION ALL ${LIST_VERSION}`;

function listedFunction(name: string, parameters: string, body: string, how: string): [string, string] {
  return [`function ${name}(${parameters})`, `${createHash("sha256").update(body).digest("hex")} ${how}`];
}

/** As a server prints a list. */
const PINNED_LIST = PINNED.map((setting) => (setting.includes(",") ? `"${setting}"` : setting)).join(",");

const ONE_ROW = "CHECK (only_row)";

/** As a server lists the tables above. */
const EXPECTED: ReadonlyMap<string, string> = new Map([
  VERSION_LISTED,
  ["table log", "sequence bigint!, hash text!, text text!"],
  ["table head", "only_row boolean!, sequence bigint!, hash text!"],
  ["table accounts", "dataset text!, place bigint!, summary text!"],
  ["table releases", "id text!, sequence bigint!"],
  ["table summarised", "only_row boolean!, sequence bigint!, hash text!"],
  ["table sources", "mark text!, dataset text!"],
  ["table secret", "only_row boolean!, key text!"],
  ["constraint log_pkey", "PRIMARY KEY (sequence)"],
  ["constraint log_sequence_check", "CHECK ((sequence >= 1))"],
  ["constraint accounts_pkey", "PRIMARY KEY (dataset)"],
  ["constraint accounts_place_key", "UNIQUE (place)"],
  ["constraint releases_pkey", "PRIMARY KEY (id)"],
  ["constraint sources_pkey", "PRIMARY KEY (mark, dataset)"],
  ...["head", "summarised", "secret"].flatMap((table): [string, string][] => [
    [`constraint ${table}_pkey`, "PRIMARY KEY (only_row)"],
    [`constraint ${table}_only_row_check`, ONE_ROW],
  ]),
  // The numbers are PostgreSQL's: 1 for each row, 2 before, 4 insert, 8 delete, 16 update, 32 truncate.
  ["trigger log_follows", `log 7 O ${SCHEMA}.log_follows`],
  ["trigger log_is_not_changed", `log 27 O ${SCHEMA}.refuse_change`],
  ["trigger log_is_not_truncated", `log 34 O ${SCHEMA}.refuse_change`],
  ["trigger head_goes_forward", `head 19 O ${SCHEMA}.head_goes_forward`],
  ["trigger head_is_not_deleted", `head 11 O ${SCHEMA}.refuse_change`],
  ["trigger head_is_not_truncated", `head 34 O ${SCHEMA}.refuse_change`],
  ...Object.entries(PARAMETERS).map(([name, parameters]) =>
    listedFunction(name, parameters, BODIES[name as keyof typeof BODIES], `true {${PINNED_LIST}}`),
  ),
  ...Object.entries(HELPERS).map(([name, { parameters, body }]) =>
    listedFunction(name, parameters, body, "false "),
  ),
]);

/** What the listed objects lack, or have beyond ours; that they are of another version. */
export function listingProblems(listed: readonly (readonly unknown[])[]): string[] {
  const found = new Map(listed.map(([name, text]) => [String(name), String(text)]));
  if (found.get(VERSION_LISTED[0]) !== VERSION_LISTED[1]) {
    const version = versionOf(listed);
    if (version !== undefined) return [versionProblem(version)];
  }
  return schemaDifferences(found, EXPECTED);
}
