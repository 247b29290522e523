/**
 * What stands before `://` in a location tells which engine it is for; a file has nothing there.
 * @module
 */
import { Refusal } from "../refusal.js";

/** A server's name with a colon, an account before an at sign, words of a connection: an address, written in another way. */
const MISTYPED =
  /^(jdbc:)?(postgres|postgresql|clickhouse|clickhouses):|^[^/]+:[^/]*@|^(?![./]).*\bpassword\s*=/i;

/** In small letters; undefined for a file or standard input. */
export function locationScheme(location: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(location)?.[1];
  if (scheme === undefined && MISTYPED.test(location)) throw mistyped();
  return scheme?.toLowerCase();
}

/** As the name of a file that is not there it would be shown, with the password in it. */
function mistyped(): Refusal {
  return new Refusal(
    "usage",
    "The source looks like the address of a server, which must be postgres://user@host/database or clickhouse://host. For a file of this name, add its folder: ./name.",
  );
}
