/**
 * The promises of the mechanisms for unknown domains, over all histograms of a few names and everyone who may join or be
 * replaced. Noise is small and δ large, so that everything that can happen does happen. A name that no one has isn't in
 * the law: that it appears at all is part of what δ pays for.
 * @module
 */
import { approx, type LimitedTopKOptions, makeLimitedTopK, type Neighbours, rational } from "winnow-dp";
import type { Law } from "../laws/law.js";
import { keepProbabilities, limitedTopKLaw, selectPartitionsLaw } from "../laws/unknown-laws.js";
import {
  allHistograms,
  checkApprox,
  checkZcdp,
  type ExactClaim,
  pairsOf,
  withOneMore,
} from "./check-claim.js";

type Counts = readonly number[];

const NAMES = ["ant", "bee", "cat", "dog", "eel"];

/** The counts of the first names. */
export function named(counts: Counts): Record<string, number> {
  return Object.fromEntries(counts.map((count, index) => [NAMES[index], count]));
}

/** The counts after one more person, who has at most `most` names. */
export function withOneJoining(counts: Counts, most: number): Counts[] {
  return withOneMore(counts).filter((more) => more.filter((count, i) => count !== counts[i]).length <= most);
}

/** The counts after one person was replaced by another; each has at most `most` names. */
export function withOneExchanged(counts: Counts, most: number): Counts[] {
  const step = (list: Counts[], count: number) =>
    list.flatMap((moved) => [count - 1, count, count + 1].map((to) => [...moved, to]));
  const isPossible = (moved: Counts) => {
    const up = moved.filter((count, i) => count > counts[i]).length;
    const down = moved.filter((count, i) => count < counts[i]).length;
    return up <= most && down <= most && moved.every((count) => count >= 0);
  };
  return counts.reduce(step, [[]] as Counts[]).filter(isPossible);
}

interface Instance {
  readonly noise: NonNullable<LimitedTopKOptions["noise"]>;
  readonly neighbours: Neighbours;
  readonly maxItemsPerUser: number;
  readonly resolution?: number;
}

const SCALE = 1;
const THRESHOLD = 2;
const [K, CANDIDATES] = [2, 2];

function limitedClaim({ noise, neighbours, maxItemsPerUser, resolution }: Instance): ExactClaim {
  const range = neighbours === "replace" ? 2 : 1;
  const question = { k: K, maxCandidates: CANDIDATES, noise, scale: SCALE, resolution };
  const height = range + THRESHOLD;
  const next = neighbours === "replace" ? withOneExchanged : withOneJoining;
  const law = (counts: Counts): Law =>
    limitedTopKLaw(named(counts), { ...question, height, ...(resolution && { largestGap: 3 }) });
  const names = maxItemsPerUser === 1 ? "one name" : `${maxItemsPerUser} names`;
  const change = neighbours === "replace" ? "one person replaced" : "one person more";
  return {
    mechanism: resolution === undefined ? "limitedTopK" : "limitedTopK with gaps",
    instance: `all histograms of 3 names up to 3, k = ${K}, ${noise} noise, ${change} with up to ${names}`,
    promise: `(${K * range}, ${noise === "gumbel" ? "m/(m + e²)" : "P(one of m beats ⊥)"})`,
    unit: "δ",
    check() {
      const terms = { ...question, threshold: THRESHOLD, neighbours, maxItemsPerUser };
      const { approx } = makeLimitedTopK(terms).reservation;
      return checkApprox(
        pairsOf<Counts>(allHistograms(3, 3), (counts) => next(counts, maxItemsPerUser), law),
        approx,
      );
    },
  };
}

/** Where no one can bring in a name or take one away, no δ is needed: rounds of the exponential mechanism. */
const concentratedClaim: ExactClaim = {
  mechanism: "limitedTopK",
  instance: `all histograms of 3 names from 1 to 3 that all race, k = ${K}, gumbel noise, one person more`,
  promise: "ρ = 1/16",
  unit: "ρ",
  check() {
    const question = { k: K, maxCandidates: 3, noise: "gumbel", scale: 2 } as const;
    const { zcdp } = makeLimitedTopK({ ...question, threshold: THRESHOLD }).reservation;
    const histograms = allHistograms(3, 2).map((counts) => counts.map((count) => count + 1));
    const law = (counts: Counts) => limitedTopKLaw(named(counts), { ...question, height: 1 + THRESHOLD });
    return checkZcdp(pairsOf<Counts>(histograms, withOneMore, law), zcdp.rho);
  },
};

const PARTITION_DELTA = rational("1/20");

/** Names only; a person may have all of the `names` names. */
function partitionsClaim(names: number): ExactClaim {
  return {
    mechanism: "selectPartitions",
    instance: `all counts of ${names === 1 ? "one name" : `${names} names`} up to 8, one person more`,
    promise: `(1, ${PARTITION_DELTA})`,
    unit: "δ",
    check() {
      const keep = keepProbabilities(rational(1).dividedBy(names), PARTITION_DELTA.dividedBy(names));
      const law = (counts: Counts) => selectPartitionsLaw(named(counts), keep);
      return checkApprox(
        pairsOf<Counts>(allHistograms(names, 8), withOneMore, law),
        approx(1, PARTITION_DELTA),
      );
    },
  };
}

export function unknownClaims(): readonly ExactClaim[] {
  const noises = ["gumbel", "exponential"] as const;
  return [
    ...noises.flatMap((noise) => [
      limitedClaim({ noise, neighbours: "add-remove", maxItemsPerUser: 3 }),
      limitedClaim({ noise, neighbours: "add-remove", maxItemsPerUser: 1 }),
      limitedClaim({ noise, neighbours: "replace", maxItemsPerUser: 2 }),
    ]),
    limitedClaim({ noise: "exponential", neighbours: "add-remove", maxItemsPerUser: 2, resolution: 1 }),
    concentratedClaim,
    ...[1, 2].map(partitionsClaim),
  ];
}
