/**
 * Guesses which column holds the items and which holds the people, from the names in the header alone: a guess that
 * looked at rows would depend on private data.
 * @module
 */

/**
 * Which columns hold items and users, as far as their names tell.
 *
 * @inline
 */
export interface ColumnGuess {
  readonly item?: string;
  readonly user?: string;
  /** One sentence for the person who decides. */
  readonly why: string;
}

/** Most telling first. Compared in lower case without spaces, dashes and underscores. */
const USERS = [
  ...[
    "user",
    "userid",
    "username",
    "uid",
    "visitor",
    "visitorid",
    "customer",
    "customerid",
    "clientid",
    "client",
  ],
  ...["member", "memberid", "person", "personid", "patient", "patientid", "account", "accountid", "email"],
  ...["session", "sessionid", "deviceid", "device", "household", "basket", "basketid", "transaction", "who"],
];
const ITEMS = [
  ...[
    "item",
    "itemid",
    "product",
    "productid",
    "sku",
    "article",
    "page",
    "url",
    "path",
    "area",
    "areaid",
    "query",
  ],
  ...[
    "term",
    "word",
    "title",
    "name",
    "category",
    "label",
    "tag",
    "topic",
    "song",
    "movie",
    "movieid",
    "app",
  ],
  ...["diagnosis", "drug", "place", "city", "location", "event", "what"],
];

/** Guesses columns from a header, never from rows. */
export function guessColumns(header: readonly string[]): ColumnGuess {
  const user = firstKnown(USERS, header);
  const item = firstKnown(
    ITEMS,
    header.filter((name) => name !== user),
  );
  if (item !== undefined && user !== undefined)
    return {
      item,
      user,
      why: `By their names, ${quoted(item)} is the item and ${quoted(user)} is the person.`,
    };
  if (header.length === 2 && (item ?? user) !== undefined) return completed(header, item, user);
  return {
    ...(item !== undefined && { item }),
    ...(user !== undefined && { user }),
    why: `The names of the columns don't show which is ${unknown(item, user)}.`,
  };
}

/** Between two columns, one is known, so the other has the other role. */
function completed(header: readonly string[], item?: string, user?: string): ColumnGuess {
  const known = item ?? user;
  const other = header.find((name) => name !== known)!;
  const [role, otherRole] = item === undefined ? ["the person", "the item"] : ["the item", "the person"];
  return {
    item: item ?? other,
    user: user ?? other,
    why: `By its name, ${quoted(known!)} is ${role}, so ${quoted(other)} is ${otherRole}.`,
  };
}

function firstKnown(known: readonly string[], header: readonly string[]): string | undefined {
  const plain = header.map((name) => name.toLowerCase().replaceAll(/[\s_-]/g, ""));
  const found = known.find((name) => plain.includes(name));
  return found === undefined ? undefined : header[plain.indexOf(found)];
}

function unknown(item?: string, user?: string): string {
  if (item === undefined && user === undefined) return "the item and which is the person";
  return item === undefined ? "the item" : "the person";
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
