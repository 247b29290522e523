/**
 * How a PostgreSQL server reads an entry: the rules of entry.ts of winnow-release in SQL. Any text but the canonical one of an
 * entry is refused.
 *
 * PostgreSQL refuses to decode some strings that an entry may hold (U+0000, half a surrogate pair). So an entry is
 * parsed with every escape doubled: a decoded string is then the text between the quotes, byte by byte, and is put back between
 * quotes as it is. In patterns and comparisons, three control characters, which canonical text never holds, stand for an escaped
 * backslash (1), an escaped quote (2) and the start of another escape (3). No literal holds a backslash, because a session may
 * change what that means.
 * @module
 */
import { LEDGER_FORMAT } from "winnow-release";

export const SCHEMA = "winnow_ledger";

/** What the triggers and functions raise. */
export const STATES = {
  doesNotFollow: "WL001",
  changed: "WL002",
  notOwner: "WL003",
  behind: "WL004",
} as const;

const REFUSE = (what: string) => `RAISE EXCEPTION '${what}' USING ERRCODE = '${STATES.doesNotFollow}';`;

const BACKSLASH = "chr(92)";
const TWO = `repeat(${BACKSLASH}, 2)`;
const QUOTE = `${BACKSLASH} || '"'`;

/** Characters that a name may not hold, as far as a server knows them: controls, formats and private use. */
const INVISIBLE: readonly (readonly [first: number, last: number])[] = [
  [1, 31],
  [127, 159],
  [173, 173],
  [0x600, 0x605],
  [0x61c, 0x61c],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x890, 0x891],
  [0x8e2, 0x8e2],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xe000, 0xf8ff],
  [0xfdd0, 0xfdef],
  [0xfeff, 0xfeff],
  [0xfff0, 0xfffb],
  [0xfffe, 0xffff],
  [0xe0000, 0xe00ff],
  [0xe01f0, 0x10ffff],
];
const SPACES: typeof INVISIBLE = [
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];

function oneOf(ranges: typeof INVISIBLE): string {
  return `'[' || ${ranges.map(([first, last]) => `chr(${first}) || '-' || chr(${last})`).join(" || ")} || ']'`;
}

/** A function that only the others call. */
export interface Helper {
  readonly parameters: string;
  readonly returns: string;
  readonly language: "sql" | "plpgsql";
  /** It writes tables; the others depend on their parameters alone. */
  readonly isWriting?: true;
  readonly body: string;
}

/** By name. */
export const READING: Readonly<Record<string, Helper>> = {
  /** Canonical text with the three control characters in place of escapes. */
  marked: {
    parameters: "line text",
    returns: "text",
    language: "sql",
    body: `
    SELECT replace(replace(replace(line, ${TWO}, chr(1)), ${QUOTE}, chr(2)), ${BACKSLASH}, chr(3))`,
  },
  /** The JSON whose strings are the texts between the quotes. */
  parsed: {
    parameters: "line text",
    returns: "json",
    language: "sql",
    body: `
    SELECT replace(replace(replace(${SCHEMA}.marked(line), chr(1), repeat(${BACKSLASH}, 4)),
      chr(2), repeat(${BACKSLASH}, 3) || '"'), chr(3), ${TWO})::json`,
  },
  /** The text of a part of such JSON, as it was before. */
  unparsed: {
    parameters: "part json",
    returns: "text",
    language: "sql",
    body: `
    SELECT replace(replace(replace(replace(replace(replace(part::text, repeat(${BACKSLASH}, 4), chr(1)),
      repeat(${BACKSLASH}, 3) || '"', chr(2)), ${TWO}, chr(3)), chr(1), ${TWO}), chr(2), ${QUOTE}), chr(3), ${BACKSLASH})`,
  },
  /** Whether a number is written as ECMAScript prints it. */
  is_number: {
    parameters: "token text",
    returns: "boolean",
    language: "sql",
    body: `
    SELECT CASE WHEN length(token) > 30 OR token = '-0' THEN false
      WHEN token ~ '^-?(0|[1-9][0-9]*)([.][0-9]*[1-9])?$'
      THEN token::numeric = token::float8::text::numeric
        AND (token = '0' OR abs(token::numeric) >= 1e-6 AND abs(token::numeric) < 1e21)
      WHEN token ~ '^-?[1-9]([.][0-9]*[1-9])?e[+-][1-9][0-9]?[0-9]?$'
      THEN token::numeric = token::float8::text::numeric
        AND (abs(token::numeric) < 1e-6 OR abs(token::numeric) >= 1e21)
      ELSE false END`,
  },
  /** Whether the text is canonical JSON: keys in order and once, no spaces, numbers and escapes as ECMAScript prints them. */
  is_canonical: {
    parameters: "line text, entry json",
    returns: "boolean",
    language: "plpgsql",
    body: `
    DECLARE
      escaped text := ${SCHEMA}.marked(line);
      outside text := regexp_replace(escaped, '"[^"]*"', '"', 'g');
    BEGIN
      RETURN strpos(outside, ' ') = 0
        AND strpos(regexp_replace(escaped,
          chr(3) || '([bfnrt]|u00(0[0-7bef]|1[0-9a-f])|ud[89a-f][0-9a-f]{2})', '', 'g'), chr(3)) = 0
        AND escaped !~ (chr(3) || 'ud[89ab][0-9a-f]{2}' || chr(3) || 'ud[c-f]')
        AND NOT EXISTS (SELECT FROM regexp_matches(outside, '-?[0-9][0-9.eE+-]*', 'g') AS token
          WHERE NOT ${SCHEMA}.is_number(token[1]))
        AND NOT EXISTS (
          WITH RECURSIVE parts (part) AS (
            SELECT entry
            UNION ALL
            SELECT inner_part FROM parts, LATERAL (
              SELECT value FROM json_each(CASE json_typeof(part) WHEN 'object' THEN part END)
              UNION ALL
              SELECT value FROM json_array_elements(CASE json_typeof(part) WHEN 'array' THEN part END)
            ) AS inner_parts (inner_part)
            WHERE json_typeof(inner_part) IN ('object', 'array'))
          SELECT FROM parts, LATERAL (
            SELECT key, lag(key) OVER (ORDER BY place) AS before
              FROM json_each(CASE json_typeof(part) WHEN 'object' THEN part END) WITH ORDINALITY AS fields (key, value, place)
          ) AS pairs WHERE before COLLATE "C" >= key COLLATE "C");
    END`,
  },
  /** Whether all of these fields are there, and of this type. */
  has_fields: {
    parameters: "part json, type text, names text[]",
    returns: "boolean",
    language: "plpgsql",
    body: `
    DECLARE
      name text;
    BEGIN
      IF json_typeof(part) IS DISTINCT FROM 'object' THEN RETURN false; END IF;
      FOREACH name IN ARRAY names LOOP
        IF json_typeof(part -> name) IS DISTINCT FROM type THEN RETURN false; END IF;
      END LOOP;
      RETURN true;
    END`,
  },
  /** Whether this is the text of a visible name of at most `longest` UTF-16 units. */
  is_name: {
    parameters: "name text, longest integer",
    returns: "boolean",
    language: "plpgsql",
    body: `
    DECLARE
      decoded text := replace(replace(${SCHEMA}.marked(name), chr(1), '#'), chr(2), '"');
    BEGIN
      RETURN decoded <> ''
        AND length(decoded) + length(regexp_replace(decoded, '[^' || chr(65536) || '-' || chr(1114111) || ']', '', 'g')) <= longest
        AND decoded !~ (${oneOf(INVISIBLE)})
        AND decoded !~ ('^' || ${oneOf(SPACES)}) AND decoded !~ (${oneOf(SPACES)} || '$');
    END`,
  },
  /** Numerator and denominator, both whole, of a number as in losses; null for any other text. */
  fraction: {
    parameters: "value text",
    returns: "numeric[]",
    language: "plpgsql",
    body: `
    DECLARE
      parts text[] := regexp_match(value, '^[+]?([0-9]*)(?:/([0-9]+)|(?:[.]([0-9]*))?(?:[eE]([+-]?[0-9]{1,6}))?)$');
      digits text := parts[1] || coalesce(parts[3], '');
      below numeric := coalesce(parts[2], '1')::numeric;
      shift integer := coalesce(parts[4], '0')::integer - length(coalesce(parts[3], ''));
    BEGIN
      IF parts IS NULL OR length(value) > 10000 OR digits = '' OR below = 0 OR abs(coalesce(parts[4], '0')::integer) > 10000
      THEN RETURN NULL;
      END IF;
      RETURN ARRAY[digits::numeric * ('1' || repeat('0', greatest(shift, 0)))::numeric,
        below * ('1' || repeat('0', greatest(-shift, 0)))::numeric];
    END`,
  },
  /** The name of the field with the size of a loss in this measure. */
  size_field: {
    parameters: "measure text",
    returns: "text",
    language: "sql",
    body: `
    SELECT CASE measure WHEN 'pure' THEN 'epsilon' WHEN 'approx' THEN 'epsilon' WHEN 'base2' THEN 'eta' WHEN 'zcdp' THEN 'rho' END`,
  },
  /** The text of a loss without the words beside its numbers; refuses what isn't a loss. */
  exact_loss: {
    parameters: "loss json",
    returns: "text",
    language: "plpgsql",
    body: `
    DECLARE
      size text := loss ->> ${SCHEMA}.size_field(loss ->> 'measure');
      delta numeric[] := ${SCHEMA}.fraction(coalesce(loss ->> 'delta', '0'));
      fields text[] := ARRAY(SELECT json_object_keys(loss));
      known text[] := ARRAY['measure', 'readable', ${SCHEMA}.size_field(loss ->> 'measure')]
        || CASE WHEN loss ->> 'measure' IN ('zcdp', 'approx') THEN ARRAY['delta'] ELSE '{}' END;
    BEGIN
      IF NOT ${SCHEMA}.has_fields(loss, 'string', fields) OR NOT fields <@ known
        OR (size = 'Infinity' OR ${SCHEMA}.fraction(size) IS NOT NULL) IS NOT TRUE
        OR (loss ->> 'measure' = 'approx' AND loss -> 'delta' IS NULL)
        OR (delta[1] <= delta[2]) IS NOT TRUE
      THEN ${REFUSE("a loss that cannot be read")}
      END IF;
      RETURN '{' || (SELECT string_agg('"' || key || '":' || value::text, ',' ORDER BY place)
        FROM json_each(loss) WITH ORDINALITY AS exact (key, value, place) WHERE key <> 'readable') || '}';
    END`,
  },
  /** The entry in a text; refuses any text but the canonical one of an entry. */
  entry_in: {
    parameters: "line text",
    returns: "json",
    language: "plpgsql",
    body: `
    DECLARE
      entry json;
      document json;
    BEGIN
      IF line ~ ('[' || chr(1) || '-' || chr(31) || ']') THEN ${REFUSE("not canonical")} END IF;
      entry := ${SCHEMA}.parsed(line);
      IF NOT ${SCHEMA}.is_canonical(line, entry) THEN ${REFUSE("not canonical")} END IF;
      document := CASE entry ->> 'kind' WHEN 'release' THEN entry -> 'release' WHEN 'reservation' THEN entry
        WHEN 'budget' THEN entry WHEN 'key' THEN entry END;
      IF NOT ${SCHEMA}.has_fields(entry, 'string', ARRAY['format', 'kind', 'previous'])
        OR NOT ${SCHEMA}.has_fields(entry, 'number', ARRAY['sequence'])
        OR entry ->> 'format' <> '${LEDGER_FORMAT}'
        OR NOT ${SCHEMA}.has_fields(document, 'string', CASE entry ->> 'kind' WHEN 'key' THEN ARRAY['time'] ELSE ARRAY['dataset', 'time'] END)
        OR NOT ${SCHEMA}.has_fields(document, 'object', CASE entry ->> 'kind' WHEN 'key' THEN ARRAY['software']
          WHEN 'budget' THEN ARRAY['software', 'budget'] ELSE ARRAY['software', 'loss'] END)
        OR entry ->> 'kind' = 'key' AND (entry -> 'adds' IS NULL AND entry -> 'revokes' IS NULL
          OR coalesce(json_typeof(entry -> 'adds'), 'string') <> 'string'
          OR coalesce(json_typeof(entry -> 'revokes'), 'string') <> 'string'
          OR entry ->> 'adds' = entry ->> 'revokes')
      THEN ${REFUSE("not an entry")}
      END IF;
      IF entry ->> 'kind' NOT IN ('budget', 'key') AND (NOT ${SCHEMA}.has_fields(document, 'string', ARRAY['id'])
        OR NOT ${SCHEMA}.is_name(document ->> 'id', 200)
        OR document -> 'analyst' IS NOT NULL AND (json_typeof(document -> 'analyst') <> 'string'
          OR NOT ${SCHEMA}.is_name(document ->> 'analyst', 100))
        OR document -> 'charge' IS NOT NULL
          AND NOT ${SCHEMA}.has_fields(document -> 'charge', 'object', ARRAY['reserved', 'settled']))
      THEN ${REFUSE("not a charge")}
      END IF;
      RETURN entry;
    EXCEPTION WHEN data_exception THEN ${REFUSE("not JSON")}
    END`,
  },
};
