/**
 * The budget of a stable set: ρ, and the probability that an unstable one passes the test. Of an (ε, δ) half of δ is for the
 * failure, and the other half pays for the conversion from ρ, as in core.
 * @module
 */
import { type Rational, rational, rhoAtMost } from "winnow-dp";
import type { Question } from "./question.js";

export function stableBudget({ epsilon, rho, delta = "0" }: Question): { rho: Rational; failure: Rational } {
  if (epsilon === undefined) return { rho: rational(rho as string), failure: rational(delta) };
  const half = rational(delta).dividedBy(2n);
  return { rho: rememberedRho(epsilon, half), failure: half };
}

/** Solving for ρ takes some milliseconds, and a slider asks for the same few again and again. */
const REMEMBERED = new Map<string, Rational>();
const MOST_REMEMBERED = 200;

function rememberedRho(epsilon: string, delta: Rational): Rational {
  const key = `${epsilon} ${delta}`;
  const known = REMEMBERED.get(key);
  if (known !== undefined) return known;
  const rho = rhoAtMost({ epsilon, delta });
  if (REMEMBERED.size >= MOST_REMEMBERED) REMEMBERED.clear();
  REMEMBERED.set(key, rho);
  return rho;
}
