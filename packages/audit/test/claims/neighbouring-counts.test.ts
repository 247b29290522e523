import { describe, expect, it } from "vitest";
import {
  allElections,
  allHistograms,
  withOneMore,
  withOneReplaced,
  withOneVoteMore,
  withOneVoteMoved,
} from "../../src/claims/check-claim.js";

/** Counts of all votes of so many voters on so many candidates, and of all votes with the first voter's changed. */
function replacedByVotes(candidates: number, voters: number, ballots: readonly (readonly number[])[]) {
  const counted = (votes: readonly (readonly number[])[]) =>
    Array.from({ length: candidates }, (_, label) => votes.reduce((sum, vote) => sum + vote[label], 0));
  const all = Array.from({ length: voters - 1 }).reduce<(readonly number[])[][]>(
    (lists) => lists.flatMap((list) => ballots.map((ballot) => [...list, ballot])),
    [[]],
  );
  const pairs = new Set<string>();
  for (const others of all)
    for (const ballot of ballots)
      for (const other of ballots)
        pairs.add(`${counted([ballot, ...others])} to ${counted([other, ...others])}`);
  return pairs;
}

const YES_OR_NO = allHistograms(2, 1);
const ONE_OF_THREE = allElections(3, 1);

describe("Neighbouring counts", () => {
  it("are those of all votes in which one voter changed them all", () => {
    const pairs = allHistograms(2, 3).flatMap((counts) =>
      withOneReplaced(counts, 3).map((moved) => `${counts} to ${moved}`),
    );
    expect(new Set(pairs)).toEqual(replacedByVotes(2, 3, YES_OR_NO));
  });

  it("are those of all elections in which one voter voted for another", () => {
    const pairs = allElections(3, 3).flatMap((counts) =>
      [counts, ...withOneVoteMoved(counts)].map((moved) => `${counts} to ${moved}`),
    );
    expect(new Set(pairs)).toEqual(replacedByVotes(3, 3, ONE_OF_THREE));
  });

  it("have one voter more, with any votes or with one", () => {
    expect(withOneMore([2, 0])).toEqual([
      [2, 0],
      [2, 1],
      [3, 0],
      [3, 1],
    ]);
    expect(withOneVoteMore([2, 0])).toEqual([
      [2, 1],
      [3, 0],
    ]);
  });
});
