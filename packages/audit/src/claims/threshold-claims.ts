/**
 * The promises of sparse vector, over all neighbours of a few queries: every query moves up, down or not, all the same way
 * where they are declared monotone, and in rising steps where the stream is ordered. Each is reached exactly.
 * @module
 */
import { convert, eta, makeAboveThreshold, type Rational, rational } from "winnow-dp";
import type { Law } from "../laws/law.js";
import { aboveThresholdLaw, base2AboveThresholdLaw } from "../laws/threshold-laws.js";
import { neighboursOf } from "../likelihood-ratio.js";
import { checkPure, type ExactClaim, pairsOf } from "./check-claim.js";

type Queries = readonly Rational[];

/** Enough for a loss to 20 digits. */
const PRECISION = 128;
const [THRESHOLD_SCALE, QUERY_SCALE] = [2, 3];

interface Instance {
  readonly queries: readonly number[];
  readonly count: number;
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
  const { queries, count, stream, resolution } = instance;
  const noise = { thresholdScale: THRESHOLD_SCALE, queryScale: QUERY_SCALE, count, resolution };
  const flags = { monotone: stream === "monotone", ordered: stream === "ordered" };
  const epsilon = makeAboveThreshold({ ...noise, ...flags }).map(1);
  const law = (of: Queries): Law =>
    aboveThresholdLaw(of, { ...noise, precision: PRECISION, ...(resolution && { largestGap: 1 }) });
  return {
    mechanism: resolution === undefined ? "AboveThreshold" : "AboveThreshold with gaps",
    instance: `queries ${queries.join(", ")}, ${count} above, ${stream}`,
    promise: `pure ε = ${epsilon}`,
    unit: "ε",
    check: () =>
      checkPure(pairsOf<Queries>([queries.map((q) => rational(q))], neighboursIn(instance), law), epsilon),
  };
}

/** Integers only: the ratio of two rationals. */
function base2Claim(monotone: boolean): ExactClaim {
  const noise = { thresholdEta: eta(3, 2), queryEta: eta(7, 3), count: 1 };
  const measurement = makeAboveThreshold({ ...noise, monotone, resolution: 1 });
  const { epsilon } = convert(measurement.lossFor(1), { to: "pure" });
  const law = (of: Queries): Law => base2AboveThresholdLaw(of, { ...noise, largestGap: 2 });
  return {
    mechanism: "AboveThreshold in base 2",
    instance: `queries 1, -1, one above with gap, ${monotone ? "monotone" : "any direction"}`,
    promise: `η = ${measurement.map(1)}`,
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
    aboveThresholdClaim({ queries: [1, -1], count: 1, stream: "any direction" }),
    aboveThresholdClaim({ queries: [1, -1], count: 1, stream: "any direction", resolution: 1 }),
    aboveThresholdClaim({ queries: [1, -1], count: 1, stream: "monotone", resolution: 1 }),
    aboveThresholdClaim({ queries: [2, -1, -1], count: 2, stream: "any direction", resolution: 1 }),
    aboveThresholdClaim({ queries: [-1, 0, 1], count: 1, stream: "ordered", resolution: 1 }),
    base2Claim(false),
    base2Claim(true),
  ];
}
