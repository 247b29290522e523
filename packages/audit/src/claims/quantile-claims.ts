/**
 * The promises of quantiles and frequency lists, over all small data sets and everyone who may join or be replaced.
 * @module
 */
import { quantile, quantiles, type Rational } from "winnow-dp";
import type { Law } from "../laws/law.js";
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

export function quantileClaims(): readonly ExactClaim[] {
  return [
    ...["1/2", "1/4", "9/10", "0", "1"].map((p) => quantileClaim(p, "add-remove")),
    quantileClaim("1/2", "replace"),
    quantilesClaim(1),
    quantilesClaim(2),
  ];
}
