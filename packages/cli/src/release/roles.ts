/**
 * Which columns a release reads: that of the item, or those that it is computed from, and that of the user. They are given, or guessed from
 * the names in the header, never from rows.
 * @module
 */
import {
  didYouMean,
  guessColumns,
  kindOf,
  mustBe,
  mustBeButIs,
  type Question,
  Refusal,
} from "winnow-release";
import { type ComputedItems, FIRST_LINE, type Source } from "../sources/source.js";

export interface Roles {
  readonly item: string;
  readonly user: string;
  /** Then the item is a name for it. */
  readonly computed?: ComputedItems;
}

/** The names of columns, and whether a message may show them. */
export interface Columns {
  readonly names: readonly string[];
  /** True for a schema, or the header of a public file. The first line of a private file may be a row, so it is never shown. */
  readonly isPublic: boolean;
}

export function columnsIn({ columns, dialect }: Source): Columns {
  return { names: columns, isPublic: dialect.header !== FIRST_LINE };
}

type ItemOption = "--item" | "--column";

/** Completes the roles by guessing. */
export function rolesIn(
  columns: Columns,
  given: { readonly [Role in keyof Roles]?: string | undefined },
  option: ItemOption = "--item",
): Roles {
  const guess = guessColumns([...columns.names]);
  const item = given.item ?? guess.item;
  const user = given.user ?? guess.user;
  if (item === undefined || user === undefined) {
    if (columns.names.length === 0)
      throw new Refusal(
        "unknown-column",
        `This format has no header to guess from: pass ${option} and --user.`,
      );
    const missing = item === undefined ? option : "--user";
    throw new Refusal(
      "unknown-column",
      `The column for ${missing} cannot be guessed from the header${columns.isPublic ? `, which has ${columnList(columns.names)}` : noHeader(option)}.`,
    );
  }
  const roles = { item, user };
  checkRoles(columns, roles, option);
  return roles;
}

function noHeader(option: ItemOption): string {
  return `; if the first line is a row, add --no-header with ${option} 2 --user 1`;
}

/** Refuses columns that aren't in the header, and suggests the nearest name. Does nothing for formats without a header. */
export function checkRoles(
  { names, isPublic }: Columns,
  { item, user, computed }: Roles,
  itemOption: ItemOption = "--item",
  by: readonly string[] = [],
): void {
  const items = computed?.parts.map(({ column }) => column) ?? [item];
  for (const [option, column] of [
    ...items.map((column) => [itemOption, column]),
    ["--user", user],
    ...by.map((column) => ["--by", column]),
  ]) {
    if (names.length === 0 || names.includes(column)) continue;
    const shown = isPublic ? `; it has ${columnList(names)}.` : `${noHeader(itemOption)}.`;
    const meant = isPublic ? didYouMean(column, names) : "";
    throw new Refusal(
      "unknown-column",
      `The source has no column ${JSON.stringify(column)} for ${option}${meant === "" ? shown : `.${meant}`}`,
    );
  }
  if (items.includes(user))
    throw new Refusal(
      "usage",
      mustBeButIs(`${itemOption} and --user`, "different columns", `${JSON.stringify(user)} for both`),
    );
  const twice = by.find((column) => items.includes(column) || column === user);
  if (twice !== undefined)
    throw new Refusal("usage", mustBe("--by", `another column than ${itemOption} and --user`, twice));
}

const MOST_SHOWN = 12;

function columnList(columns: readonly string[]): string {
  const shown = columns.slice(0, MOST_SHOWN).map((column) => JSON.stringify(column));
  const rest = columns.length - shown.length;
  return `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** Which option names the column that is counted. */
export function itemOption(kind: Question["kind"]): ItemOption {
  return kindOf({ kind }).shape === "values" ? "--column" : "--item";
}
