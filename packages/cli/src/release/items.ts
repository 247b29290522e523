/**
 * The items of a row, as they were typed: `--item` once for a column, several times for a basket, or with functions; and `--map`, a
 * public CSV file whose first two columns are an item and what replaces it.
 * @module
 */
import {
  groupText,
  type ItemMap,
  isItemExpression,
  itemText,
  listedDomain,
  mustBe,
  Refusal,
  readItems,
} from "winnow-release";
import { readMap } from "../public-files.js";
import type { ComputedItems } from "../sources/source.js";

/** The column, or the canonical texts of what is computed. */
export interface AskedItem {
  readonly item?: string | undefined;
  readonly items?: readonly string[] | undefined;
}

/** What the option was given, once or several times; a configuration file gives one text. */
export type TypedItem = string | readonly string[] | undefined;

/** Takes the option once more. What a configuration file said is forgotten. */
export function anotherItem(text: string, before: unknown): readonly string[] {
  return Array.isArray(before) ? [...before, text] : [text];
}

export function readTypedItem(typed: TypedItem): AskedItem {
  const texts = typed === undefined ? [] : typeof typed === "string" ? [typed] : typed;
  const [only] = texts;
  if (texts.length === 0) return {};
  if (texts.length === 1 && !isItemExpression(only!)) return { item: only! };
  // A plain name may have any signs; within quotes it is read as it stands.
  const written = texts.map((text) => (isItemExpression(text) ? text : `"${text.replaceAll('"', '""')}"`));
  const parts = readItems(written);
  const [first] = parts;
  const isColumn = parts.length === 1 && first!.functions.length === 0 && first!.unit === undefined;
  return isColumn ? { item: first!.column } : { items: parts.map(itemText) };
}

/** What a source must compute; undefined if it counts one column as it is. */
export function computedItems(
  { item, items }: AskedItem,
  map: ComputedItems["map"],
): ComputedItems | undefined {
  if (items === undefined && map === undefined) return undefined;
  if (items === undefined && item === undefined)
    throw new Refusal("usage", "--map needs --item, the column whose values it replaces.");
  const parts = items === undefined ? [{ column: item!, functions: [] }] : readItems(items);
  return { parts, ...(map !== undefined && { map }) };
}

/** What releases say of the column of the item: a column by its name, and what is computed by its text. */
export function itemsName({ parts }: ComputedItems): string {
  const names = parts.map((part) =>
    part.functions.length === 0 && part.unit === undefined ? part.column : itemText(part),
  );
  return names.join(", ");
}

export interface AskedMap {
  readonly pairs: NonNullable<ComputedItems["map"]>;
  readonly map: ItemMap;
}

export async function readAskedMap(path: string | undefined): Promise<AskedMap | undefined> {
  return path === undefined
    ? undefined
    : askedMap(
        await readMap(path),
        (most) => `a CSV file with 1 to ${most} lines of ${MAPPED}, after its header`,
      );
}

/** A public map that was read; `form` says what it must be, with at most `most` pairs. */
export async function askedMap(
  read: ReadonlyMap<string, string>,
  form: (most: string) => string = (most) => `1 to ${most} pairs of ${MAPPED}`,
): Promise<AskedMap> {
  const pairs = [...read].filter(([from, to]) => from !== "" && to !== "");
  if (pairs.length === 0 || pairs.length > MOST_MAPPED)
    throw new Refusal("usage", mustBe("--map", form(MOST_MAPPED.toLocaleString("en")), pairs.length));
  const { size, hash } = await listedDomain(pairs.map(groupText));
  return { pairs, map: { size, hash } };
}

const MAPPED = "an item and what replaces it";

/** It is held in memory, and is part of the statement of a server. */
const MOST_MAPPED = 100_000;
