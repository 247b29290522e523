/**
 * The schema of a source as CSVW-EO metadata (called CSVW-SAFE before May 2026): CSV on the Web with the unit of privacy,
 * bounds on what one person contributes, and the public values of a column. Winnow reads what it has a use for and
 * ignores the rest:
 *
 *   privacyUnit            the column that identifies people; its column has privacyId: true, and no other one has
 *   maxContributions       of the table: rows of one person, so also a bound on their items
 *   maxGroupsPerUnit       of a column: different values of one person
 *   keyValues, partitions  of a column: its public values, if invariantPublicKeys is true
 *
 * The library that generates such metadata can take the values of a column from the private rows. A list that was
 * made like that isn't public, so values count as public only where the metadata says that they don't depend on people:
 * `invariantPublicKeys: true`.
 *
 * Metadata are a public input. Bounds are a claim about the rows, and Winnow enforces them: if someone has more items
 * than the claim allows, a keyed hash chooses which ones count.
 * @module
 */
import { invalidParameter } from "winnow-dp";

/** A column of CSVW-EO metadata. */
export interface CsvwColumn {
  readonly name: string;
  /** The public values, each once, as texts. */
  readonly values?: readonly string[] | undefined;
  /** Whether values are listed that can't serve as candidates, because they may come from the rows. */
  readonly hasPrivateValues?: boolean | undefined;
  /** One person has at most this many different values. */
  readonly maxItemsPerUser?: number | undefined;
}

/**
 * A table of CSVW-EO metadata.
 *
 * @inline
 */
export interface CsvwTable {
  /** The column that identifies people. */
  readonly user: string;
  /** The other columns. */
  readonly columns: readonly CsvwColumn[];
}

const CONTEXT = ["http://www.w3.org/ns/csvw", "https://w3id.org/csvw-eo#"];

/** The metadata as JSON; they have what Winnow knows and leave open the rest. */
export function toCsvw({ user, columns }: CsvwTable): string {
  const others = columns.map(({ name, values, maxItemsPerUser }) => ({
    ...{ "@type": "Column", name, datatype: "string", privacyId: false },
    ...(values !== undefined && { keyValues: values, invariantPublicKeys: true }),
    ...(maxItemsPerUser !== undefined && { maxGroupsPerUnit: maxItemsPerUser }),
  }));
  const unit = { "@type": "Column", name: user, datatype: "string", privacyId: true };
  const table = {
    ...{ "@context": CONTEXT, "@type": "Table", privacyUnit: user },
    tableSchema: { columns: [unit, ...others] },
  };
  return `${JSON.stringify(table, null, 2)}\n`;
}

/** What the text says. Throws where it contradicts itself or a field has the wrong type. */
export function readCsvw(text: string): CsvwTable {
  const table = fieldsOf(parse(text), "the metadata");
  const type = table["@type"];
  if (type !== undefined && type !== "Table" && type !== "csvw:Table")
    throw invalidParameter("@type", '"Table"', type);
  const user = table.privacyUnit;
  if (typeof user !== "string" || user === "")
    throw invalidParameter("privacyUnit", "the name of a column, because someone must be protected", user);
  const rows = bound(table, "maxContributions");
  const schema = fieldsOf(table.tableSchema, "tableSchema");
  if (!Array.isArray(schema.columns)) throw invalidParameter("columns", "a list in tableSchema");
  const all = schema.columns.map((column) => readColumn(column, rows));
  const names = all.map(({ column }) => column.name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw invalidParameter("columns", "different from each other", twice);
  const units = all.filter(({ isUnit }) => isUnit).map(({ column }) => column.name);
  if (units.length !== 1 || units[0] !== user)
    throw invalidParameter("privacyId", `true for the column ${JSON.stringify(user)} and for no other`);
  return { user, columns: all.filter(({ isUnit }) => !isUnit).map(({ column }) => column) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidParameter("the metadata", "JSON");
  }
}

type Fields = Readonly<Record<string, unknown>>;

const PREFIX = /^csvw(?:-eo|-safe)?:/;

/** By their plain names, whichever prefix they have. Null is how the library writes that it doesn't know. */
function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidParameter(what, "an object");
  const fields = new Map<string, unknown>();
  for (const [written, given] of Object.entries(value)) {
    const name = written.replace(PREFIX, "");
    if (fields.has(name)) throw invalidParameter(name, `written once in ${what}`);
    fields.set(name, given ?? undefined);
  }
  return Object.fromEntries(fields);
}

function readColumn(
  value: unknown,
  rows: number | undefined,
): { readonly column: CsvwColumn; readonly isUnit: boolean } {
  const fields = fieldsOf(value, "A column");
  const { name } = fields;
  if (typeof name !== "string" || name === "") throw invalidParameter("name", "the name of a column", name);
  const groups = bound(fields, "maxGroupsPerUnit");
  const bounds = [groups, rows].filter((one) => one !== undefined);
  const listed = valuesOf(fields);
  const isPublic = flag(fields, "invariantPublicKeys");
  return {
    column: {
      name,
      ...(listed !== undefined && (isPublic ? { values: listed } : { hasPrivateValues: true })),
      ...(bounds.length > 0 && { maxItemsPerUser: Math.min(...bounds) }),
    },
    isUnit: flag(fields, "privacyId"),
  };
}

/** The values of `keyValues` and of `partitions`; where both are there, they must be the same. */
function valuesOf({ keyValues, partitions }: Fields): string[] | undefined {
  const keys = keyValues === undefined ? undefined : textsOf("keyValues", keyValues);
  const parts = partitions === undefined ? undefined : partitionValues(partitions);
  if (keys !== undefined && parts !== undefined && !isSameSet(keys, parts))
    throw invalidParameter("partitions", "the same values as keyValues");
  return keys ?? parts;
}

/** Undefined for partitions that are ranges of numbers: those are not candidates. */
function partitionValues(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) throw invalidParameter("partitions", "a list");
  const predicates = value.map((one) =>
    fieldsOf(fieldsOf(one, "A partition").predicate, "A partition's predicate"),
  );
  if (predicates.some(({ partitionValue }) => partitionValue === undefined)) return undefined;
  return textsOf(
    "partitions",
    predicates.map(({ partitionValue }) => partitionValue),
  );
}

/** Texts and whole numbers have one spelling; of true, 1.0 or a date, the rows may have another one. */
function textsOf(field: string, value: unknown): string[] {
  const isText = (one: unknown) => (typeof one === "string" && one !== "") || Number.isSafeInteger(one);
  if (!Array.isArray(value) || value.length === 0 || !value.every(isText))
    throw invalidParameter(field, "a list of texts or whole numbers, none of them empty");
  return [...new Set(value.map(String))];
}

/** Whether two lists have the same members. */
export function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const names = new Set(one);
  return names.size === new Set(other).size && other.every((name) => names.has(name));
}

function bound(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1)
    throw invalidParameter(name, "an integer >= 1", value);
  return value;
}

function flag(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== "boolean") throw invalidParameter(name, "true or false", value);
  return value;
}
