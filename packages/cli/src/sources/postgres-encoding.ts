/**
 * The encoding of a database, which is public. PostgreSQL turns every name into UTF-8 for us, and fails at one that has no
 * meaning in the database's encoding: then whoever wrote such a byte would stop everybody's count. So databases are refused
 * whose encoding lets such bytes in.
 * @module
 */
import type { Client } from "pg";
import { Refusal } from "../refusal.js";

/** UTF-8 is checked on its way in; in the others every byte is a letter. */
const COMPLETE = new Set([
  "UTF8",
  "LATIN1",
  "LATIN2",
  "LATIN4",
  "LATIN5",
  "LATIN6",
  "LATIN7",
  "LATIN8",
  "LATIN9",
  "LATIN10",
  "ISO_8859_5",
  "KOI8R",
  "KOI8U",
  "WIN866",
  "WIN1256",
]);

export async function checkEncoding(client: Client): Promise<string> {
  const { rows } = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  const [{ server_encoding: encoding }] = rows;
  if (COMPLETE.has(encoding)) return encoding;
  throw new Refusal(
    "unreadable-source",
    `The database has the encoding ${encoding}, in which not all bytes have a meaning. It must be UTF8; copy it to a UTF8 database.`,
  );
}
