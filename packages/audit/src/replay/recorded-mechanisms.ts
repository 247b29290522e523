/**
 * Winnow's own ways from private rows to a release, with their private steps recorded. `replay` runs them on rows (who
 * was where; one individual is all rows of a user) and on the same rows without each person in turn. It checks that
 * everything around the steps, first of all the counting of users, is what the proofs count on.
 *
 * `stableTopK` takes two private steps: the choice of k, which gets the gaps, and the test, which gets the gap after
 * the k-th. `stableTopKFixed` adds the rounds of the exponential mechanism that make k of j. Which rounds are taken,
 * and among whom, must follow from earlier answers: from private counts it would be a leak. The code around the steps
 * is the production code, and equal bits give its answer.
 * @module
 */
import { makeNoisyTopK, makeStableTopK, makeStableTopKFixed, type Recorder } from "winnow-dp";
import type { RecordedMechanism } from "./replay.js";

/**
 * A way to a release, with a name.
 *
 * @inline
 */
export interface RecordedWay {
  /** The function of the library, and the kind of domain. */
  readonly name: string;
  /** From rows to what is released. */
  readonly mechanism: RecordedMechanism<readonly Row[]>;
}

/**
 * The ways for rows whose items are known to be on a public list, and for items that no one knows beforehand.
 *
 * @example
 * ```ts
 * import { recordedWays } from "winnow-audit";
 *
 * recordedWays(["tea", "coffee"])[0].name; // → "topKWithGap"
 * ```
 */
export function recordedWays(items: readonly string[]): readonly RecordedWay[] {
  return [
    { name: "topKWithGap", mechanism: (rows, recorder) => noisyTop(rows, items, "pure", recorder) },
    { name: "topK with ρ", mechanism: (rows, recorder) => noisyTop(rows, items, "zcdp", recorder) },
    { name: "stableTopK, public list", mechanism: (rows, recorder) => stableTop(rows, items, recorder) },
    { name: "stableTopKFixed, public list", mechanism: (rows, recorder) => fixedTop(rows, items, recorder) },
    {
      name: "stableTopK, unknown domain",
      mechanism: (rows, recorder) => stableTop(rows, undefined, recorder),
    },
  ];
}

const K = 3;
const SCALE = 3;

function noisyTop(
  rows: readonly Row[],
  items: readonly string[],
  measure: "pure" | "zcdp",
  recorder: Recorder,
): unknown {
  const counts = countListed(rows, items);
  const measurement = makeNoisyTopK({
    k: K,
    measure,
    scale: SCALE,
    monotone: true,
    ...(measure === "pure" && { resolution: 1 }),
  });
  const step = {
    name: measure === "pure" ? "exponential noise with gaps" : "Gumbel noise",
    parameters: { k: K, scale: SCALE, loss: measurement.map(1) },
    input: counts,
    sensitivity: 1,
    monotone: true,
  };
  const { winners } = recorder.step(step, (entropy) => measurement.invoke(counts, entropy));
  return winners.map(({ candidate: index, gap }) => ({ item: items[index], gap: String(gap) }));
}

/** Names, not positions, are released: where the domain is unknown a position depends on who is in the data. */
function stableTop(rows: readonly Row[], listed: readonly string[] | undefined, recorder: Recorder): unknown {
  const counts = countUsers(rows);
  const items = listed ?? [...counts.keys()];
  const histogram = items.map((item) => counts.get(item) ?? 0);
  const budget = { noise: "gumbel", rho: "1/4" } as const;
  const options = { maxK: 5, delta: "1e-6", monotone: true, choose: budget, test: { rho: "1/4" } };
  const release = makeStableTopK(options).recorded(histogram, recorder);
  return release.released ? release.candidates.map((index) => items[index]) : `nothing for k = ${release.k}`;
}

/** Exactly three of a public list. */
function fixedTop(rows: readonly Row[], items: readonly string[], recorder: Recorder): unknown {
  const choose = { noise: "gumbel", rho: "1/4" } as const;
  const budgets = { choose, test: { rho: "1/4" }, rounds: { rho: "1/2" }, delta: "1e-6" };
  const options = {
    ...budgets,
    k: K,
    domain: "public",
    maxK: 2 * K,
    penalty: 1,
    gapCap: Infinity,
    monotone: true,
  } as const;
  const { candidates: indices } = makeStableTopKFixed(options).recorded(countListed(rows, items), recorder);
  return indices.map((index) => items[index]);
}

/** A row of private data: this user has this item. */
export interface Row {
  /** Whose row it is. One individual is all rows of a user. */
  readonly user: string;
  /** The candidate that it counts for. */
  readonly item: string;
}

/**
 * How many different users each item has, items in the order of their names.
 *
 * @example
 * ```ts
 * import { countUsers } from "winnow-audit";
 *
 * const rows = [
 *   { user: "ada", item: "tea" },
 *   { user: "ada", item: "tea" },
 *   { user: "bob", item: "tea" },
 * ];
 * countUsers(rows); // → { tea: 2 }
 * ```
 */
export function countUsers(rows: readonly Row[]): Map<string, number> {
  const users = new Map<string, Set<string>>();
  for (const { user, item } of rows) users.set(item, (users.get(item) ?? new Set()).add(user));
  const items = [...users].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(items.map(([item, of]) => [item, of.size]));
}

/**
 * The counts of a public list of items, 0 for those without a row.
 *
 * @example
 * ```ts
 * import { countListed } from "winnow-audit";
 *
 * const rows = [
 *   { user: "ada", item: "tea" },
 *   { user: "ada", item: "tea" },
 *   { user: "bob", item: "tea" },
 * ];
 * countListed(rows, ["tea", "coffee"]); // → [2, 0]
 * ```
 */
export function countListed(rows: readonly Row[], items: readonly string[]): number[] {
  const counts = countUsers(rows);
  return items.map((item) => counts.get(item) ?? 0);
}

/**
 * The rows without each of their users in turn.
 *
 * @example
 * ```ts
 * import { withoutEachUser } from "winnow-audit";
 *
 * const rows = [
 *   { user: "ada", item: "tea" },
 *   { user: "ada", item: "tea" },
 *   { user: "bob", item: "tea" },
 * ];
 * Array.from(withoutEachUser(rows), (others) => others.length); // → [1, 2]
 * ```
 */
export function* withoutEachUser(rows: readonly Row[]): Generator<Row[], void> {
  for (const left of new Set(rows.map(({ user }) => user))) yield rows.filter(({ user }) => user !== left);
}
