/**
 * What a question wants of the rows: which candidates, how far people are cut, and who counts at all. All front ends that count rows ask
 * their source here, so that the keys of the cuts are drawn in one way: fresh for each release, and one for all groups of it.
 * @module
 */
import { randomBytes } from "node:crypto";
import {
  type AskedPeriod,
  candidatesWanted,
  countedHashes,
  type GroupedQuestion,
  type GroupedRows,
  type GroupName,
  groupText,
  type Question,
  Refusal,
} from "winnow-release";
import type {
  Candidates,
  ContributionBound,
  HistogramRequest,
  Panel,
  PublicTable,
  Source,
} from "../sources/source.js";

/** What the source must count. For a list that is its names; the question has only their hash. */
export function candidatesFor(
  question: Question,
  items: readonly string[] = [],
  table?: PublicTable,
): Candidates {
  const wanted = candidatesWanted(question);
  return wanted.kind === "listed" ? { kind: "listed", items, table } : wanted;
}

/** The limit on the items of a person, with a key that is generated for this release and never leaves it. */
export function boundFor({
  maxItemsPerUser,
}: {
  readonly maxItemsPerUser?: number | undefined;
}): ContributionBound | undefined {
  if (maxItemsPerUser === undefined) return undefined;
  return { itemsPerUser: maxItemsPerUser, key: new Uint8Array(randomBytes(KEY_BYTES)) };
}

const KEY_BYTES = 32;

/** The histograms of a question in groups. One key serves all groups, and the selection of groups before it. */
export function groupedRows(
  source: Pick<Source, "histogram">,
  { groups: { by, maxGroupsPerUser }, maxItemsPerUser: itemsPerUser }: InGroups,
  { listed, items, ...request }: Omit<HistogramRequest, "bound" | "groups"> & GroupLists,
): GroupedRows {
  const key = new Uint8Array(randomBytes(KEY_BYTES));
  const groups = { by, listed: listed?.map(groupText), perUser: maxGroupsPerUser, itemsPerUser, key };
  const ofNumbers = request.candidates.kind === "numbers";
  return {
    ...{ listed, items },
    people: () => source.histogram({ ...request, candidates: { kind: "groups", ofNumbers }, groups }),
    async *counts(only) {
      for await (const { group, ...batch } of source.histogram({ ...request, groups: { ...groups, only } })) {
        if (group === undefined)
          throw new Refusal("unreadable-source", "The source gave an unexpected answer.");
        yield { ...batch, group };
      }
    },
  };
}

/** As much of a question in groups as its rows depend on. */
export interface InGroups {
  readonly groups: Pick<GroupedQuestion["groups"], "by" | "maxGroupsPerUser">;
  readonly maxItemsPerUser?: number | undefined;
}

/** The public lists of a question in groups. */
export interface GroupLists {
  readonly listed?: readonly GroupName[] | undefined;
  readonly items?: readonly string[] | undefined;
}

/** Who is counted in a period, where not everyone is in each. */
export function panelFor(about: AskedPeriod | undefined): Panel | undefined {
  if (about?.key === undefined) return undefined;
  return { key: about.key, hashes: countedHashes(about.period.promise, about.days.index) };
}
