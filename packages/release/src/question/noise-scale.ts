/**
 * The scale of the noise on the counts, for the mechanisms that put noise on all of them: exponential noise of scale k·r/ε,
 * or Gumbel noise of scale r·√(k/8ρ), with r = 1 where people are added or removed and 2 where they are replaced. It is
 * public, and what the uncertainty of a gap follows from.
 * @module
 */
import { pure, type Rational, scaleAtLeast, zcdp } from "winnow-dp";
import type { Question } from "./question.js";

export function noiseScale({ k, neighbours, epsilon, rho }: Question): Rational {
  const range = neighbours === "add-remove" ? 1n : 2n;
  if (rho !== undefined) return scaleAtLeast(zcdp(rho), { range, times: k, boundedRange: true });
  return scaleAtLeast(pure(epsilon as string), { range, times: k });
}
