/**
 * What changed from one release to a later one about the same question: who entered the list, who left it and who moved. It follows from
 * the two published answers alone, so it costs nothing. Noise moves names too, most of all where counts are close.
 * @module
 */
import type { NewRelease, Release } from "../document/release-document.js";
import { kindOf } from "../kinds/kinds.js";
import { canonicalJson } from "../ledger/canonical-json.js";
import type { Answer } from "../question/answer.js";
import { periodNamed } from "../question/period.js";
import { joined, numberOf } from "../words/sentences.js";
import { groupReleases } from "./group-releases.js";

/**
 * A name with its ranks in the two lists; a list that is a set has no ranks.
 *
 * @inline
 */
export interface Change {
  readonly item: string;
  readonly from?: number;
  readonly to?: number;
}

/** What changed between two published answers. */
export interface Changes {
  /** In the order of the later list. */
  readonly entered: readonly Change[];
  /** In the order of the earlier list. */
  readonly left: readonly Change[];
  /** Names in both lists whose ranks differ, in the order of the later list; none unless both lists have an order. */
  readonly moved: readonly Change[];
  /** How many names are where they were. */
  readonly stayed: number;
}

/**
 * Changes of the whole list, or of one group.
 *
 * @inline
 */
export interface ChangesOfList {
  /** "DE"; absent without groups. */
  readonly label?: string;
  readonly changes: Changes;
}

type Listed = Release | NewRelease;

/** What changed between two lists of names. */
export function changesBetween(
  before: Pick<Answer, "winners" | "ordered">,
  after: Pick<Answer, "winners" | "ordered">,
): Changes {
  const [earlier, later] = [ranksIn(before), ranksIn(after)];
  const change = (item: string): Change => {
    const [from, to] = [earlier.get(item), later.get(item)];
    return {
      item,
      ...(from !== undefined && before.ordered && { from }),
      ...(to !== undefined && after.ordered && { to }),
    };
  };
  const both = [...later.keys()].filter((item) => earlier.has(item));
  const isMoved = (item: string) => before.ordered && after.ordered && earlier.get(item) !== later.get(item);
  const moved = both.filter(isMoved);
  return {
    entered: [...later.keys()].filter((item) => !earlier.has(item)).map(change),
    left: [...earlier.keys()].filter((item) => !later.has(item)).map(change),
    moved: moved.map(change),
    stayed: both.length - moved.length,
  };
}

function ranksIn({ winners }: Pick<Answer, "winners">): ReadonlyMap<string, number> {
  return new Map(winners.map(({ item }, index) => [item, index + 1]));
}

/** What changed from one release to a later one, in each group that both have. */
export function changesOf(before: Listed, after: Listed): readonly ChangesOfList[] {
  const groups = groupReleases(after);
  if (groups === undefined) return [{ changes: changesBetween(before.answer, after.answer) }];
  const earlier = new Map((groupReleases(before) ?? []).map(({ label, release }) => [label, release]));
  return groups.flatMap(({ label, release }) => {
    const known = earlier.get(label);
    return known === undefined ? [] : [{ label, changes: changesBetween(known.answer, release.answer) }];
  });
}

/** The same text for all releases about one question over time; undefined for answers without names. */
export function seriesOf({ dataset, analyst, question, source }: Listed): string | undefined {
  if (kindOf(question).shape !== "winners") return undefined;
  const { kind, domain, groups, unit, period } = question;
  return canonicalJson([
    ...[dataset, analyst ?? null, source.name ?? null, source.item, kind, domain.kind, unit],
    ...[question.items ?? null, question.map ?? null],
    ...[groups?.by ?? null, period?.promise ?? null, conditionOverTime(question) ?? null],
  ]);
}

/** The condition on rows, with the days of its period left open. */
function conditionOverTime({ where, period }: Listed["question"]): string | undefined {
  if (where === undefined || period === undefined) return where;
  const { from, until } = periodNamed(period.promise, period.name);
  return where.replaceAll(`'${from}'`, "from").replaceAll(`'${until}'`, "until");
}

/** When it is about: "2026-W47", or the day on which it was made. */
export function momentOf({ question, time }: Listed): string {
  return question.period?.name ?? time.slice(0, 10);
}

/** Releases about one question in the order of what they are about, then of when they were made. */
export function inOrderOfMoments<R extends Listed>(releases: readonly R[]): readonly R[] {
  const startOf = ({ question: { period } }: Listed) =>
    period === undefined ? "" : periodNamed(period.promise, period.name).from;
  const key = (release: R) => `${startOf(release)} ${release.time}`;
  return releases.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

/** The release before this one about the same question; of a period it is that of an earlier period. */
export function predecessorOf<R extends Listed>(release: Listed, others: readonly R[]): R | undefined {
  const series = seriesOf(release);
  if (series === undefined) return undefined;
  const isEarlier = (other: R) =>
    release.question.period === undefined
      ? other.time < release.time
      : momentOf(other) !== momentOf(release) && inOrderOfMoments<Listed>([release, other])[0] === other;
  const earlier = others.filter(
    (other) => other.id !== release.id && seriesOf(other) === series && isEarlier(other),
  );
  return inOrderOfMoments(earlier).at(-1);
}

/** Lines of what changed: `["entered", "news (3), maps (5)"]`. A name is shown by `shown`. */
export function changesInWords(
  { entered, left, moved, stayed }: Changes,
  shown: (name: string) => string,
): readonly (readonly [what: string, who: string])[] {
  const ranked = (rank: number | undefined, item: string) =>
    rank === undefined ? shown(item) : `${shown(item)} (${rank})`;
  const lines = [
    ["entered", entered.map(({ item, to }) => ranked(to, item))],
    ["left", left.map(({ item, from }) => ranked(from, item))],
    ["moved", moved.map(({ item, from, to }) => `${shown(item)} ${from} → ${to}`)],
  ] as const;
  const said = lines
    .filter(([, who]) => who.length > 0)
    .map(([what, who]) => [what, who.join(", ")] as const);
  return stayed === 0 ? said : [...said, ["as before", numberOf(stayed, "name")]];
}

/** One sentence: "Entered: news (3). Left: maps (5)." */
export function changesInOneLine(changes: Changes, shown: (name: string) => string): string {
  const parts = changesInWords(changes, shown).map(([what, who]) => `${what} ${who}`);
  return parts.length === 0 ? "nothing to compare" : joined(parts);
}

/** What a reader of changes should know. */
export const CHANGES_NOTE = "Noise moves names too, most of all where counts are close.";
