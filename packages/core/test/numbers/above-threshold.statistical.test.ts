import { describe, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import { noisyThreshold } from "../../src/numbers/noisy-threshold.js";
import {
  type AboveThresholdMeasurement,
  makeAboveThreshold,
} from "../../src/numbers/threshold-measurement.js";
import type { AboveThresholdParameters } from "../../src/numbers/threshold-parameters.js";
import type { ThresholdAnswer } from "../../src/numbers/threshold-stream.js";
import type { Law } from "../support/law.js";
import { exactLawOfAnswers, lawOfAnswers, parameterOf, vectors } from "../support/more-vectors.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";

const RUNS = 4000;

interface Queries {
  readonly queries: readonly (string | number)[];
  readonly thresholds: readonly (string | number)[];
}

/** Pushes the queries until the stream ends. Values are numbers, so everything is moved to integers first. */
function run(
  measurement: AboveThresholdMeasurement,
  { queries, thresholds }: Queries,
  unit: string,
  largestGap: number,
  entropy: Entropy,
): string {
  const stream = measurement.start(entropy);
  const told: string[] = [];
  for (const [i, query] of queries.entries()) {
    const answer = stream.push(rational(query).toNumber(), rational(thresholds[i]));
    told.push(textOf(answer, unit, largestGap));
    if (stream.remaining === 0) break;
  }
  return told.join(", ");
}

function textOf(answer: ThresholdAnswer, unit: string, largestGap: number): string {
  if (!answer.above) return "below";
  const level = answer.level === undefined ? "" : ` at ${answer.level}`;
  if (answer.gap === undefined) return `above${level}`;
  const bins = answer.gap.dividedBy(unit).floor();
  return `above${level} by ${bins < largestGap ? bins : `>=${largestGap}`}`;
}

interface Case extends Queries {
  readonly name: string;
  readonly parameters: AboveThresholdParameters;
  readonly unit: string;
  readonly largestGap: number;
  readonly law: Law;
}

const CASES: readonly Case[] = [
  ...vectors.above_threshold
    .filter(({ noise }) => noise === "exponential")
    .map((vector) => ({
      ...vector,
      parameters: {
        thresholdScale: vector.threshold_scale,
        queryScale: vector.query_scale,
        maxAbove: vector.count,
        resolution: vector.resolution ?? undefined,
      },
      unit: vector.resolution ?? "1",
      largestGap: vector.gap_bins,
      law: lawOfAnswers(vector.outcomes),
    })),
  ...vectors.above_threshold_adaptive.map((vector) => ({
    ...vector,
    parameters: {
      thresholdScale: vector.threshold_scale,
      queryScale: vector.levels.at(-1)!.scale,
      levels: vector.levels.map(({ sigma, cost }) => ({ margin: sigma, share: cost })),
      resolution: vector.resolution,
    },
    unit: vector.resolution,
    largestGap: vector.gap_bins,
    law: lawOfAnswers(vector.outcomes, true),
  })),
  ...vectors.above_threshold_zcdp.map((vector) => ({
    ...vector,
    name: `zCDP, ${vector.name}`,
    parameters: {
      thresholdVariance: vector.threshold_variance,
      queryScale: vector.query_scale,
      maxAbove: vector.count,
      resolution: vector.resolution ?? undefined,
    },
    unit: vector.resolution ?? "1",
    largestGap: vector.gap_bins,
    law: lawOfAnswers(vector.outcomes),
  })),
  ...vectors.above_threshold_base2.map((vector) => ({
    ...vector,
    name: `base 2, ${vector.name}`,
    parameters: {
      thresholdEta: parameterOf(vector.eta_threshold),
      queryEta: parameterOf(vector.eta_query),
      maxAbove: vector.count,
      resolution: 1,
    },
    unit: "1",
    largestGap: vector.gap_cap,
    law: exactLawOfAnswers(vector.outcomes, vector.gap_cap),
  })),
];

function draws({ name, parameters, unit, largestGap, ...queries }: Case, runs = RUNS) {
  const measurement = makeAboveThreshold(parameters);
  return tally({
    seed: `above threshold ${name}`,
    runs,
    sample: (entropy) => run(measurement, queries, unit, largestGap, entropy),
  });
}

describe("AboveThreshold", () => {
  it.each(CASES)("has its law: $name", (instance) => {
    expectAccepts(draws(instance), instance.law);
  });

  it.each(CASES.filter(({ parameters }) => parameters.queryScale !== undefined).slice(0, 3))(
    "has another law when the noise of queries is 25 % off: $name",
    (instance) => {
      const queryScale = rational(instance.parameters.queryScale!).times("1.25");
      const parameters = { ...instance.parameters, queryScale } as AboveThresholdParameters;
      const off = draws({ ...instance, parameters }, 4 * RUNS);
      expectRejects(off, instance.law);
    },
  );

  it("has another law when the noise of the threshold is 25 % off", () => {
    for (const instance of CASES.filter(({ name }) => /two queries|one above, gaps/.test(name))) {
      const { thresholdScale, thresholdVariance } = instance.parameters;
      const parameters = {
        ...instance.parameters,
        ...(thresholdScale === undefined
          ? { thresholdVariance: rational(thresholdVariance!).times("1.5625") }
          : { thresholdScale: rational(thresholdScale).times("1.25") }),
      } as AboveThresholdParameters;
      expectRejects(draws({ ...instance, parameters }, 16 * RUNS), instance.law);
    }
  });

  it("has the same law where queries are far below, which share a draw", () => {
    // Twelve scales: 16 zeros, 11.1 scales, must be drawn first.
    const parameters = { thresholdScale: "1/8", queryScale: "1/4" };
    const values = new Float64Array(40_000).fill(-3);
    const measurement = makeAboveThreshold(parameters);
    const none = noneAbove(values.length, 3);
    const found = tally({
      seed: "far below",
      runs: 2000,
      sample: (entropy) => measurement.invoke(values, entropy).above.length,
    });
    const law = { 0: String(none), 1: String(1 - none) };
    expectAccepts(found, law);
    expectRejects(found, { 0: String(none - 0.06), 1: String(1.06 - none) });
  });
});

/** P(none of n queries is above that are so far below): the mean over ρ of (1 − e^(−(distance + ρ)/b₂))^n. */
function noneAbove(n: number, distance: number): number {
  const [b1, b2] = [1 / 8, 1 / 4];
  let sum = 0;
  const steps = 20_000;
  for (let i = 0; i < steps; i++) {
    const rho = -b1 * Math.log((i + 0.5) / steps);
    sum += Math.exp(n * Math.log1p(-Math.exp(-(distance + rho) / b2))) / steps;
  }
  return sum;
}

describe("noisyThreshold", () => {
  it.each(vectors.noisy_threshold)(
    "answers above as often as the reference law says: $query against $threshold",
    (vector) => {
      const eta = parameterOf(vector.eta);
      const found = tally({
        seed: `noisy threshold ${vector.query}`,
        runs: 8000,
        sample: (entropy) =>
          noisyThreshold(vector.query, { threshold: vector.threshold, eta, entropy }).above,
      });
      expectAccepts(found, { true: vector.prob_above, false: String(1 - Number(vector.prob_above)) });
      expectRejects(found, {
        true: String(Number(vector.prob_above) - 0.05),
        false: String(1.05 - Number(vector.prob_above)),
      });
    },
  );
});
