import { describe, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { drawRuns, type RunsLaw, readRuns } from "../../src/sample/runs-law.js";
import { vectors } from "../support/set-vectors.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";

function parametersOf(vector: (typeof vectors.runs_law)[0]): RunsLaw {
  return vector.law === "poisson"
    ? { law: "poisson", mean: vector.mean as string }
    : { law: "truncated-negative-binomial", eta: vector.eta as string, gamma: vector.gamma as string };
}

function draws(runs: RunsLaw, seed: string, times: number) {
  const read = readRuns("runs", runs);
  return tally({ seed, runs: times, sample: (entropy) => drawRuns(read, entropy) });
}

const lawOf = ({ first, probs }: (typeof vectors.runs_law)[0]) =>
  Object.fromEntries(probs.map((p, place) => [String(first + place), p]));

describe("drawRuns", () => {
  it.each(vectors.runs_law.map((vector, place) => ({ ...vector, place })))(
    "has its law: $law, shape $eta, γ $gamma, mean $mean",
    ({ place, ...vector }) => {
      expectAccepts(draws(parametersOf(vector), `runs ${place}`, 9000), lawOf(vector));
    },
  );

  it("has another law when γ is 10 % off", () => {
    const vector = vectors.runs_law[1];
    const gamma = rational(vector.gamma as string).times("1.1");
    expectRejects(
      draws({ law: "truncated-negative-binomial", eta: 1, gamma }, "runs off", 90_000),
      lawOf(vector),
    );
  });
});
