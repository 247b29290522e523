/**
 * What a question says about people and its price, in the words of core's options. Counts of people have sensitivity 1. They
 * are monotone where people are added or removed, but not where one person is replaced by another.
 * @module
 */
import { Rational, rational, rhoAtMost } from "winnow-dp";
import type { Question } from "../question/question.js";
import { remembered } from "./remembered.js";

/** The rules see to it that a question that pays δ has one, and exactly one of ε and ρ. */
export function budgetOf({ epsilon, rho, delta = "0" }: Question) {
  return { ...(epsilon === undefined ? { rho: rho as string } : { epsilon }), delta };
}

/** The first parameters of a mechanism that counts people. */
export function countedPeople({ neighbours }: Question): Record<string, string> {
  return { sensitivity: "1", monotone: String(isMonotone({ neighbours })) };
}

export function isMonotone({ neighbours }: Pick<Question, "neighbours">): boolean {
  return neighbours === "add-remove";
}

/** How far one person can move two counts against each other. */
export function distanceOf({ neighbours }: Pick<Question, "neighbours">): Rational {
  return Rational.of(isMonotone({ neighbours }) ? 1n : 2n);
}

/** How many counts one person can move. */
export function movedBy({ maxItemsPerUser = Infinity, neighbours }: Question): number {
  return neighbours === "replace" ? 2 * maxItemsPerUser : maxItemsPerUser;
}

/** The largest ρ that (ε, δ) pays for. Solving for it takes some milliseconds. */
export const rhoOf = remembered(
  ({ epsilon, delta }: { readonly epsilon: string; readonly delta: Rational | string }): Rational =>
    rhoAtMost({ epsilon, delta: rational(delta) }),
);
