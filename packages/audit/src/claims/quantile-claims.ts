/**
 * The promises of quantiles and frequency lists, over all small data sets and everyone who may join or be replaced.
 * @module
 */
import {
  type Base2Parameter,
  convert,
  eta,
  integerPartition,
  quantile,
  quantiles,
  type Rational,
} from "winnow-dp";
import type { Law } from "../laws/law.js";
import { integerPartitionLaw, listsOf } from "../laws/partition-laws.js";
import { quantileLaw, quantilesLaw } from "../laws/quantile-laws.js";
import {
  allHistograms,
  checkPure,
  type ExactClaim,
  pairsOf,
  withOneVoteMore,
  withOneVoteMoved,
} from "./check-claim.js";

type Counts = readonly number[];

const PRECISION = 128;
const POINTS = 4;
const GRID = { lower: 0, upper: POINTS - 1 };

/** How many records have each of the values 0, 1, 2, …. */
export function recordsOf(counts: Counts): [number, number][] {
  return counts.map((count, value) => [value, count]);
}

function quantileClaim(p: string, neighbours: "add-remove" | "replace"): ExactClaim {
  const { privacy } = quantile([], { ...GRID, p, scale: 1, neighbours });
  const epsilon = (privacy as { readonly epsilon: Rational }).epsilon;
  const next = neighbours === "replace" ? withOneVoteMoved : withOneVoteMore;
  const law = (counts: Counts): Law =>
    quantileLaw(recordsOf(counts), { ...GRID, p, scale: 1, precision: PRECISION });
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
  const { privacy } = quantiles([], { ...grid, ps, epsilon: 2, subCells, method: "recursive" });
  const epsilon = (privacy as { readonly epsilon: Rational }).epsilon;
  const law = (counts: Counts): Law =>
    quantilesLaw(recordsOf(counts), {
      ...{ ...grid, ps, subCells, epsilonLevel: 1, tellsSubCells: true, precision: PRECISION },
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
