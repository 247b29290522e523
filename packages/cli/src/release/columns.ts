/**
 * Which column is counted and which says who it was: as given, or guessed from the names in the header, never from rows.
 * @module
 */
import { guessColumns } from "winnow-release";
import { nearest } from "../nearest.js";
import { Refusal } from "../refusal.js";

export interface Roles {
  readonly item: string;
  readonly user: string;
}

/** Completes the roles by a guess. */
export function rolesIn(columns: readonly string[], given: Partial<Roles>): Roles {
  const guess = guessColumns([...columns]);
  const item = given.item ?? guess.item;
  const user = given.user ?? guess.user;
  if (item === undefined || user === undefined) {
    if (columns.length === 0)
      throw new Refusal("unknown-column", "This format has no header to guess from: give --item and --user.");
    const missing = item === undefined ? "--item" : "--user";
    throw new Refusal(
      "unknown-column",
      `Which column is meant by ${missing} cannot be told from the header, which has ${listed(columns)}.`,
    );
  }
  const roles = { item, user };
  checkRoles(columns, roles);
  return roles;
}

/** Refuses columns that the header does not have, with the nearest that it has. Formats without a header have none. */
export function checkRoles(columns: readonly string[], { item, user }: Roles): void {
  for (const [option, column] of [
    ["--item", item],
    ["--user", user],
  ]) {
    if (columns.length === 0 || columns.includes(column)) continue;
    const near = nearest(column, columns);
    const hint = near === undefined ? `it has ${listed(columns)}` : `did you mean ${JSON.stringify(near)}?`;
    throw new Refusal(
      "unknown-column",
      `The source has no column ${JSON.stringify(column)} for ${option}; ${hint}${near === undefined ? "." : ""}`,
    );
  }
  if (item === user)
    throw new Refusal(
      "usage",
      `--item and --user must be different columns; got ${JSON.stringify(item)} for both.`,
    );
}

const MOST_SHOWN = 12;

function listed(columns: readonly string[]): string {
  const shown = columns.slice(0, MOST_SHOWN).map((column) => JSON.stringify(column));
  const rest = columns.length - shown.length;
  return `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
