/**
 * The promises of mechanisms for numbers.
 *
 * Sparse vector, over all neighbours of a few queries: every query moves up, down or not, all the same way where they are
 * declared monotone, and in rising steps where the stream is ordered. Each promise is reached exactly.
 *
 * Quantiles and frequency lists, over all small data sets and everyone who may join or be replaced.
 * @module
 */
import {
  type Base2Parameter,
  convert,
  describeLoss,
  eta,
  integerPartition,
  makeAboveThreshold,
  quantile,
  quantiles,
  type Rational,
  rational,
} from "winnow-dp";
import type { Law } from "../laws/law.js";
import { integerPartitionLaw, listsOf } from "../laws/partition-laws.js";
import { quantileLaw, quantilesLaw } from "../laws/quantile-laws.js";
import { aboveThresholdLaw, base2AboveThresholdLaw } from "../laws/threshold-laws.js";
import { neighboursOf } from "../likelihood-ratio.js";
import {
  allHistograms,
  checkPure,
  type ExactClaim,
  pairsOf,
  withOneVoteMore,
  withOneVoteMoved,
} from "./check-claim.js";

type Queries = readonly Rational[];

/** Enough for a loss to 20 digits. */
const PRECISION = 128;
const [THRESHOLD_SCALE, QUERY_SCALE] = [2, 3];

interface Instance {
  readonly queries: readonly number[];
  readonly maxAbove: number;
  readonly stream: "any direction" | "monotone" | "ordered";
  readonly resolution?: number;
}

/** Neighbours in which no query moves less than one before it, up by 1 at the most. */
export function orderedNeighbours(queries: Queries): Rational[][] {
  return queries.map((_, first) => queries.map((query, i) => (i < first ? query : query.plus(1n))));
}

function neighboursIn({ stream }: Instance): (queries: Queries) => Rational[][] {
  if (stream === "ordered") return orderedNeighbours;
  return (queries) => neighboursOf(queries, { monotone: stream === "monotone" });
}

function aboveThresholdClaim(instance: Instance): ExactClaim {
  const { queries, maxAbove, stream, resolution } = instance;
  const noise = { thresholdScale: THRESHOLD_SCALE, queryScale: QUERY_SCALE, maxAbove, resolution };
  const flags = { monotone: stream === "monotone", ordered: stream === "ordered" };
  const { epsilon } = convert(makeAboveThreshold({ ...noise, ...flags }).map(1), { to: "pure" });
  const law = (of: Queries): Law =>
    aboveThresholdLaw(of, { ...noise, precision: PRECISION, ...(resolution && { largestGap: 1 }) });
  return {
    mechanism: resolution === undefined ? "AboveThreshold" : "AboveThreshold with gaps",
    instance: `queries ${queries.join(", ")}, ${maxAbove} above, ${stream}`,
    promise: `pure ε = ${epsilon}`,
    unit: "ε",
    check: () =>
      checkPure(pairsOf<Queries>([queries.map((q) => rational(q))], neighboursIn(instance), law), epsilon),
  };
}

/** Integers only: the ratio of two rationals. */
function base2Claim(monotone: boolean): ExactClaim {
  const noise = { thresholdEta: eta(3, 2), queryEta: eta(7, 3), maxAbove: 1 };
  const measurement = makeAboveThreshold({ ...noise, monotone, resolution: 1 });
  const loss = measurement.map(1);
  const { epsilon } = convert(loss, { to: "pure" });
  const law = (of: Queries): Law => base2AboveThresholdLaw(of, { ...noise, largestGap: 2 });
  return {
    mechanism: "AboveThreshold in base 2",
    instance: `queries 1, -1, one above with gap, ${monotone ? "monotone" : "any direction"}`,
    promise: describeLoss(loss),
    unit: "ε",
    check: () =>
      checkPure(
        pairsOf<Queries>([[1, -1].map((q) => rational(q))], (of) => neighboursOf(of, { monotone }), law),
        epsilon as Rational,
      ),
  };
}

export function thresholdClaims(): readonly ExactClaim[] {
  return [
    aboveThresholdClaim({ queries: [1, -1], maxAbove: 1, stream: "any direction" }),
    aboveThresholdClaim({ queries: [1, -1], maxAbove: 1, stream: "any direction", resolution: 1 }),
    aboveThresholdClaim({ queries: [1, -1], maxAbove: 1, stream: "monotone", resolution: 1 }),
    aboveThresholdClaim({ queries: [2, -1, -1], maxAbove: 2, stream: "any direction", resolution: 1 }),
    aboveThresholdClaim({ queries: [-1, 0, 1], maxAbove: 1, stream: "ordered", resolution: 1 }),
    base2Claim(false),
    base2Claim(true),
  ];
}

type Counts = readonly number[];

const POINTS = 4;
const GRID = { lower: 0, upper: POINTS - 1 };

/** How many records have each of the values 0, 1, 2, …. */
function recordsOf(counts: Counts): [number, number][] {
  return counts.map((count, value) => [value, count]);
}

function quantileClaim(p: string, neighbours: "add-remove" | "replace"): ExactClaim {
  const { privacy } = quantile([], { ...GRID, quantile: p, scale: 1, neighbours });
  const epsilon = (privacy as { readonly epsilon: Rational }).epsilon;
  const next = neighbours === "replace" ? withOneVoteMoved : withOneVoteMore;
  const law = (counts: Counts): Law =>
    quantileLaw(recordsOf(counts), { ...GRID, quantile: p, scale: 1, precision: PRECISION });
  return {
    mechanism: "quantile",
    instance: `p = ${p}, all data on ${POINTS} points up to 2 records each, one record ${neighbours === "replace" ? "replaced" : "more"}`,
    promise: `pure ε = ${epsilon}`,
    unit: "ε",
    check: () => checkPure(pairsOf<Counts>(allHistograms(POINTS, 2), next, law), epsilon),
  };
}

function quantilesClaim(subCells: number): ExactClaim {
  const ps = ["1/4", "1/2", "3/4"];
  const grid = { lower: 0, upper: 2 };
  const { privacy } = quantiles([], { ...grid, quantiles: ps, epsilon: 2, subCells, method: "recursive" });
  const epsilon = (privacy as { readonly epsilon: Rational }).epsilon;
  const law = (counts: Counts): Law =>
    quantilesLaw(recordsOf(counts), {
      ...{ ...grid, quantiles: ps, subCells, epsilonLevel: 1, tellsSubCells: true, precision: PRECISION },
    });
  return {
    mechanism: "quantiles",
    instance: `quartiles by recursion, ${subCells} sub-cells a value, all data on 3 points up to 2 records each, one more`,
    promise: `pure ε = ${epsilon}`,
    unit: "ε",
    check: () => checkPure(pairsOf<Counts>(allHistograms(3, 2), withOneVoteMore, law), epsilon),
  };
}

/** After one more person with one item: any row, or a new one, has one more, and the list still falls. */
export function withOnePersonMore(list: Counts): number[][] {
  const rows = [...list, 0];
  return rows.flatMap((row, i) =>
    i === 0 || rows[i - 1] > row
      ? [rows.map((count, at) => (at === i ? count + 1 : count)).filter((count) => count > 0)]
      : [],
  );
}

/** Over all lists of a few people; outcomes are lists of a few more. */
function partitionClaim(base: Base2Parameter, people: number): ExactClaim {
  const { privacy } = integerPartition([], { eta: base });
  const epsilon = convert(privacy, { to: "pure" }).epsilon as Rational;
  const law = (list: Counts): Law =>
    integerPartitionLaw(list, { eta: base, people: people + 4, precision: PRECISION });
  return {
    mechanism: "integerPartition",
    instance: `base ${base.x}/2^${base.y}, all lists of up to ${people} people, one more`,
    promise: `pure ε = ${epsilon.toNumber("up").toPrecision(6)}`,
    unit: "ε",
    check: () => checkPure(pairsOf<Counts>(listsOf(people), withOnePersonMore, law), epsilon),
  };
}

export function quantileClaims(): readonly ExactClaim[] {
  return [
    ...["1/2", "1/4", "9/10", "0", "1"].map((p) => quantileClaim(p, "add-remove")),
    quantileClaim("1/2", "replace"),
    quantilesClaim(1),
    quantilesClaim(2),
    partitionClaim(eta(1, 1), 4),
    partitionClaim(eta(15, 4), 1),
  ];
}
