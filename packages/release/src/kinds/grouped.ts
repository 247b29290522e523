/** The options of groups, which every kind of question takes. */
import type { OptionName } from "../ask/options.js";

export const GROUPED = [
  "by",
  "groups",
  "maxGroupsPerUser",
  "groupBudgets",
] as const satisfies readonly OptionName[];

/** What δ is for where the kind itself pays none. */
export const DELTA_OF_GROUPS =
  "the probability of failure, such as 1e-6: only to select groups without a list";
