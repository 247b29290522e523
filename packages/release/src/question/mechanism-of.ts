/**
 * The mechanism that answers a question with all of its public parameters, in words that can be recorded: which noise, how
 * much of it, on what. From these the answer's law is known.
 * @module
 */
import { scaleAtLeast, varianceAtLeast, zcdp } from "winnow-dp";
import { noiseScale } from "./noise-scale.js";
import type { MechanismName, Question } from "./question.js";
import { stableBudget } from "./stable-budget.js";

export interface Mechanism {
  readonly name: MechanismName;
  /** Numbers as exact text. */
  readonly parameters: Readonly<Record<string, string>>;
}

export function mechanismOf(question: Question): Mechanism {
  const { mechanism: name, neighbours } = question;
  const shared = { sensitivity: "1", monotone: String(neighbours === "add-remove") };
  const parameters = name.startsWith("stable") ? stableParameters(question) : noiseParameters(question);
  return { name, parameters: { ...shared, ...parameters } };
}

function noiseParameters(question: Question): Record<string, string> {
  const { rho, resolution } = question;
  return {
    noise: rho === undefined ? "exponential" : "gumbel",
    scale: String(noiseScale(question)),
    ...(resolution !== undefined && { resolution }),
  };
}

/** As `stableTopK` and `stableTopKFixed` share their budget out. */
function stableParameters(question: Question): Record<string, string> {
  const { k, mechanism, neighbours, domain } = question;
  const { rho, failure } = stableBudget(question);
  const gapSensitivity = neighbours === "add-remove" ? 1n : 2n;
  const takesRounds = mechanism === "stable-top-k-fixed" && domain.kind !== "unknown";
  const share = zcdp(rho.dividedBy(takesRounds ? 4n : 2n));
  return {
    gapSensitivity: String(gapSensitivity),
    largestSize: String(takesRounds ? 2 * k : k),
    sizeNoise: "gumbel",
    sizeScale: String(scaleAtLeast(share, { range: 2n * gapSensitivity, boundedRange: true })),
    testNoise: "discrete gaussian",
    testVariance: String(varianceAtLeast(share, { sensitivity: gapSensitivity })),
    testFailure: String(failure),
    ...(takesRounds && { roundsNoise: "gumbel", roundsRho: String(rho.dividedBy(2n)) }),
  };
}
