import { describe, expect, it } from "vitest";
import { LimitedTopKMeasurement, makeLimitedTopK } from "../../src/discover/limited-top-k.js";
import type { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import { byBytes, type NamedCount } from "../../src/race/candidates.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";
import {
  LIMITED,
  LIMITED_GAPS,
  type LimitedGapVector,
  type LimitedVector,
  outcomeOf,
} from "../support/unknown-vectors.js";

const RUNS = 4000;

function measurementOf({ question, range, threshold }: LimitedVector, stretch = "1") {
  const scale = rational(question.scale).times(stretch);
  return makeLimitedTopK({ ...question, scale, sensitivity: range, threshold });
}

type Answer = ReturnType<LimitedTopKMeasurement["invoke"]>;
type Way = (measurement: LimitedTopKMeasurement, pairs: NamedCount[], entropy: Entropy) => Answer;

const sorted = (pairs: NamedCount[]) =>
  pairs.filter(([, count]) => count > 0).sort(([a, x], [b, y]) => Number(y) - Number(x) || byBytes(a, b));

const WAYS: Record<string, Way> = {
  "a plain object": (measurement, pairs, entropy) => measurement.invoke(Object.fromEntries(pairs), entropy),
  "a Map, the other way round": (measurement, pairs, entropy) =>
    measurement.invoke(new Map([...pairs].reverse()), entropy),
  "the first rows of an engine": (measurement, pairs, entropy) =>
    measurement.invokeRows(sorted(pairs).slice(0, measurement.maxCandidates + 1), entropy),
  "pairs with counts beyond doubles": (measurement, pairs, entropy) =>
    new LimitedTopKMeasurement({
      ...{ k: measurement.k, maxCandidates: measurement.maxCandidates, noise: measurement.noise },
      // Everything 2^60 times as large: the same law.
      scale: measurement.scale.times(1n << 60n),
      threshold: measurement.threshold.times(1n << 60n),
      sensitivity: 1n << 60n,
    }).invoke(
      pairs.map(([name, count]) => [name, BigInt(count) << 60n] as const),
      entropy,
    ),
};

function draws(vector: LimitedVector, way: Way, seed: string, stretch?: string, runs = RUNS) {
  const measurement = measurementOf(vector, stretch);
  const pairs = Object.entries(vector.histogram);
  return tally({
    seed,
    runs,
    sample: (entropy) => way(measurement, pairs, entropy),
    key: ({ winners, stopped }) => outcomeOf({ winners: winners.map(({ candidate }) => candidate), stopped }),
  });
}

describe("limitedTopK", () => {
  it.each(LIMITED)("has its law: $name", (vector) => {
    expectAccepts(draws(vector, WAYS["a plain object"], `limited ${vector.name}`), vector.law);
  });

  it.each(Object.entries(WAYS))("has the same law from %s", (name, way) => {
    for (const vector of LIMITED.filter(({ range }) => range === "1").slice(0, 10))
      expectAccepts(draws(vector, way, `${name} ${vector.name}`, "1", RUNS / 4), vector.law);
  });

  it.each(LIMITED.filter(({ law }) => Object.keys(law).length > 4).slice(0, 2))(
    "has another law when the scale is 25 % off: $name",
    (vector) => {
      const off = draws(vector, WAYS["a plain object"], `off ${vector.name}`, "1.25", 4 * RUNS);
      expectRejects(off, vector.law);
    },
  );
});

function gapDraws(vector: LimitedGapVector, seed: string, stretch = "1", runs = RUNS) {
  const { question, range, threshold, resolution, largestGap, histogram } = vector;
  const scale = rational(question.scale).times(stretch);
  const measurement = makeLimitedTopK({ ...question, scale, sensitivity: range, threshold, resolution });
  return tally({
    seed,
    runs,
    sample: (entropy) => measurement.invoke(histogram, entropy),
    key({ winners, stopped }) {
      const text = outcomeOf({ winners: winners.map(({ candidate }) => candidate), stopped });
      const gaps = winners.map(({ gap }) => {
        const units = rational(gap ?? -1).dividedBy(resolution);
        expect(units.isInteger()).toBe(true);
        return units.compare(largestGap) < 0 ? String(units) : `>=${largestGap}`;
      });
      return gaps.length > 0 ? `${text} by ${gaps}` : text;
    },
  });
}

describe("limitedTopK with gaps", () => {
  it.each(LIMITED_GAPS)("has its law: $name", (vector) => {
    expectAccepts(gapDraws(vector, `limited gaps ${vector.name}`), vector.law);
  });

  it.each(LIMITED_GAPS.slice(0, 2))("has another law when the scale is 25 % off: $name", (vector) => {
    expectRejects(gapDraws(vector, `gaps off ${vector.name}`, "1.25", 2 * RUNS), vector.law);
  });
});
