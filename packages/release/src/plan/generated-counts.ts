/** Generated counts to plan on where there are no public ones. */
import { boundContributions } from "winnow-dp";
import { countVisitors, generateVisits, type VisitsOptions } from "../generate.js";

/** Counts to plan on. */
export interface PlanCounts {
  readonly counts: readonly number[];
  /** Those of the same items after people were cut to a number of items. */
  readonly bounded?: readonly number[] | undefined;
  /** Where they come from, in words. */
  readonly origin: string;
}

const VISITS_EACH = 4;

/** People visit four areas each; with a bound, also the counts after they were cut to that many. */
export function generatedCounts(
  given: Readonly<Record<"items" | "users", number>> & Pick<VisitsOptions, "seed">,
  bound?: number,
): PlanCounts {
  const generated = { ...given, rows: given.users * VISITS_EACH };
  const [people, areas] = [given.users.toLocaleString("en"), given.items.toLocaleString("en")];
  const origin = `generated visits of ${people} people to ${areas} items`;
  const { items, users: counts } = countVisitors(generated);
  if (bound === undefined) return { counts, origin };
  const rows = Array.from(generateVisits(generated), ({ user, item }) => [user, item] as const);
  const cut = boundContributions(rows, { maxItemsPerUser: bound });
  return { counts, bounded: items.map((item) => cut.get(item) ?? 0), origin };
}
