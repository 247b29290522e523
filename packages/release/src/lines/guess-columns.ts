/**
 * Guesses which column holds the items and which holds the people, from the names in the header alone: a guess that
 * looked at rows would depend on private data.
 * @module
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
      why: `By their names, ${quoted(item)} is what is counted and ${quoted(user)} is who it was.`,
    };
  if (header.length === 2 && (item ?? user) !== undefined) return completed(header, item, user);
  return {
    ...(item !== undefined && { item }),
    ...(user !== undefined && { user }),
    why: `The names of the columns do not tell ${unknown(item, user)}.`,
  };
}

/** Of two columns, one is known: the other has the other role. */
function completed(header: readonly string[], item?: string, user?: string): ColumnGuess {
  const known = item ?? user;
  const other = header.find((name) => name !== known)!;
  const role = item === undefined ? "who it was" : "what is counted";
  return {
    item: item ?? other,
    user: user ?? other,
    why: `By its name, ${quoted(known!)} is ${role}, so that ${quoted(other)} has the other role.`,
  };
}

function firstKnown(known: readonly string[], header: readonly string[]): string | undefined {
  const plain = header.map((name) => name.toLowerCase().replaceAll(/[\s_-]/g, ""));
  const found = known.find((name) => plain.includes(name));
  return found === undefined ? undefined : header[plain.indexOf(found)];
}

function unknown(item?: string, user?: string): string {
  if (item === undefined && user === undefined) return "what is counted and who it was";
  return item === undefined ? "what is counted" : "who it was";
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
