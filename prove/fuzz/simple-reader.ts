/**
 * A reader of rows that shares no code with ours, written from docs/guide/reading.md: slow, one character after the other.
 * It counts how many different users each item has, and how many lines it could not read.
 * @module
 */

export interface Read {
  readonly counts: Readonly<Record<string, number>>;
  readonly unread: number;
}

const LONGEST = 65_536;

/** The lines of a file, each decoded on its own; undefined for one that isn't UTF-8 or is too long. Empty lines are left out. */
export function linesOf(bytes: Uint8Array): (string | undefined)[] {
  const lines: number[][] = [[]];
  for (const [i, byte] of bytes.entries()) {
    if (byte === 10 && bytes[i - 1] === 13) continue; // the second half of CR LF
    if (byte === 10 || byte === 13) lines.push([]);
    else lines.at(-1)!.push(byte);
  }
  return lines.filter((line) => line.length > 0).map(decoded);
}

function decoded(line: readonly number[]): string | undefined {
  if (line.length > LONGEST) return undefined;
  const buffer = Buffer.from(line);
  const text = buffer.toString("utf8");
  return Buffer.from(text, "utf8").equals(buffer) ? text : undefined; // what was repaired has other bytes
}

/** The fields of a line of CSV, or undefined. */
export function fieldsOf(line: string, delimiter: string): string[] | undefined {
  const fields: string[] = [];
  let field = "";
  let state: "start" | "plain" | "quoted" | "closed" = "start";
  for (const sign of `${line}${delimiter}`.split("")) {
    if (state === "quoted") {
      if (sign === '"') state = "closed";
      else field += sign;
    } else if (sign === delimiter) {
      fields.push(field);
      field = "";
      state = "start";
    } else if (sign === '"') {
      if (state === "plain") return undefined;
      if (state === "closed") field += '"';
      state = "quoted";
    } else {
      if (state === "closed") return undefined;
      field += sign;
      state = "plain";
    }
  }
  return state === "start" ? fields : undefined;
}

/** Half a pair is no character. */
function isWhole(text: string): boolean {
  return !/[\ud800-\udfff]/.test(text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ""));
}

/** Reads one JSON object by hand: the members as they are written, "" for null, undefined for objects and arrays. */
class Json {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  object(): Map<string, string | undefined> {
    const members = this.#members();
    this.#space();
    if (this.#at < this.#text.length) throw new SyntaxError("more");
    return members;
  }

  #space(): void {
    while (/^[ \t\n\r]$/.test(this.#text[this.#at] ?? "")) this.#at++;
  }

  #take(pattern: RegExp): string {
    this.#space();
    const [found] = new RegExp(pattern, "y").exec(this.#text.slice(this.#at)) ?? [];
    if (found === undefined) throw new SyntaxError("not JSON");
    this.#at += found.length;
    return found;
  }

  #is(sign: string): boolean {
    this.#space();
    return this.#text[this.#at] === sign;
  }

  #members(): Map<string, string | undefined> {
    const members = new Map<string, string | undefined>();
    this.#take(/\{/);
    while (!this.#is("}")) {
      if (members.size > 0) this.#take(/,/);
      const name = this.#string();
      this.#take(/:/);
      members.delete(name);
      members.set(name, this.#value());
    }
    this.#take(/\}/);
    return members;
  }

  #value(): string | undefined {
    if (this.#is('"')) {
      const text = this.#string();
      return isWhole(text) ? text : undefined;
    }
    if (this.#is("{")) {
      this.#members();
      return undefined;
    }
    if (this.#is("[")) {
      this.#take(/\[/);
      for (let n = 0; !this.#is("]"); n++) {
        if (n > 0) this.#take(/,/);
        this.#value();
      }
      this.#take(/\]/);
      return undefined;
    }
    const word = this.#take(/true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/);
    return word === "null" ? "" : word;
  }

  #string(): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a string may not hold
    const quoted = this.#take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/);
    const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
    return quoted
      .slice(1, -1)
      .replace(/\\(?:u(.{4})|(.))/gs, (_, code?: string, sign = "") =>
        code === undefined ? (escapes[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
      );
  }
}

type Row = readonly [item: string | undefined, user: string | undefined];

function jsonRow(line: string): Row | undefined {
  try {
    const members = new Json(line).object();
    const row = ["item", "user"].map((name) => (members.has(name) ? members.get(name) : ""));
    return row.includes(undefined) ? undefined : [row[0], row[1]];
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function simplyRead(format: "csv" | "tsv" | "ndjson", bytes: Uint8Array): Read {
  const lines = linesOf(bytes);
  if (lines[0]?.startsWith("\ufeff")) lines[0] = lines[0].slice(1);
  let rowOf = jsonRow;
  if (format !== "ndjson") {
    const delimiter = format === "csv" ? "," : "\t";
    const header = fieldsOf(lines.shift() ?? "", delimiter) ?? [];
    rowOf = (line) => {
      const fields = fieldsOf(line, delimiter);
      return fields?.length === header.length
        ? [fields[header.indexOf("item")], fields[header.indexOf("user")]]
        : undefined;
    };
  }
  return countRows(lines.map((line) => (line === undefined ? undefined : rowOf(line))));
}

export function countRows(rows: readonly (Row | undefined)[]): Read {
  const users = new Map<string, Set<string>>();
  for (const [item, user] of rows.filter((row) => row !== undefined))
    if (item && user) users.set(item, (users.get(item) ?? new Set()).add(user));
  const counts = Object.fromEntries(Array.from(users, ([item, set]) => [item, set.size]));
  return { counts, unread: rows.filter((row) => row === undefined).length };
}
