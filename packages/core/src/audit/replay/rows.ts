/**
 * Private rows for replays: who was where. One individual is all rows of a user.
 * @module
 */

/** A row of private data: this user has this item. */
export interface Row {
  /** Whose row it is. One individual is all rows of a user. */
  readonly user: string;
  /** The candidate that it counts for. */
  readonly item: string;
}

/** How many different users each item has, items in the order of their names. */
export function countUsers(rows: readonly Row[]): Map<string, number> {
  const users = new Map<string, Set<string>>();
  for (const { user, item } of rows) users.set(item, (users.get(item) ?? new Set()).add(user));
  const items = [...users].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(items.map(([item, of]) => [item, of.size]));
}

/** The counts of a public list of items, 0 for those without a row. */
export function countListed(rows: readonly Row[], items: readonly string[]): number[] {
  const counts = countUsers(rows);
  return items.map((item) => counts.get(item) ?? 0);
}

/** The rows without each of their users in turn. */
export function* withoutEachUser(rows: readonly Row[]): Generator<Row[], void> {
  for (const left of new Set(rows.map(({ user }) => user))) yield rows.filter(({ user }) => user !== left);
}
