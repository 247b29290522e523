/**
 * What the mechanisms that release a set share on public scores: from a loss, split as the library does, or from the scale of each noise.
 * @module
 */
import type { Loss } from "winnow-dp";
import type { OptionName } from "../ask/options.js";
import { type Draw, flags, OF_SCORES, type Parameters, readWholeSensitivity, unusable } from "./simulated.js";

export const OF_SETS = [
  ...OF_SCORES,
  ...(["maxK", "epsilon", "rho", "delta", "noise", "thresholdRule", "chooseScale", "testVariance"] as const),
] as const satisfies readonly OptionName[];

export function setOptions(parameters: Parameters) {
  const { noise = "gumbel", thresholdRule, monotone, delta } = parameters;
  if (delta === undefined)
    throw unusable(
      `${flags("delta")[0]} must be a probability such as 1e-6: the test of a set may fail with it.`,
    );
  const sensitivity = readWholeSensitivity(parameters);
  return { noise, thresholdRule, monotone, delta, sensitivity } as const;
}

type ScaleName = "chooseScale" | "testVariance" | "roundsScale";

/** Whether the noise is given by its scales: then all of them must be given, and no loss. */
export function areScalesGiven(parameters: Parameters, scales: readonly ScaleName[]): boolean {
  const given = scales.filter((name) => parameters[name] !== undefined);
  if (given.length === 0) return false;
  const { epsilon, rho } = parameters;
  if (given.length < scales.length || epsilon !== undefined || rho !== undefined)
    throw unusable(
      `The noise needs ${flags("epsilon", "rho").join(" or ")}, or instead all of ${flags(...scales).join(", ")}.`,
    );
  return true;
}

export function lossOf({ epsilon, rho }: Parameters) {
  return { epsilon, rho };
}

type Stable = { readonly k: number } & (
  | { readonly released: true; readonly candidates: readonly number[] }
  | { readonly released: false }
);

export function setOutcome(answer: Stable, privacy: Loss): ReturnType<Draw> {
  const { released, k } = answer;
  return { outcome: { indices: answer.released ? answer.candidates : [], released, k }, privacy };
}
