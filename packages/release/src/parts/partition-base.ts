/**
 * The base of the weights of frequency lists, from the question alone, and how many people the noise invents.
 * @module
 */
import { type Base2Parameter, etaAtMost } from "winnow-dp";
import type { Question } from "../question/question.js";
import { movedBy as countsMovedBy } from "./budget.js";

/** The rules see to it that such a question has an ε. */
export function baseOf(question: Question): Base2Parameter {
  return etaAtMost(question.epsilon as string, { sensitivity: movedBy(question) });
}

/** How far one person can move the sorted list. */
export function movedBy(question: Question): number {
  return countsMovedBy({ ...question, maxItemsPerUser: question.maxItemsPerUser ?? 1 });
}

/** About how many people the list shows that weren't counted: Σ k·b^k/(1 − b^k), which is what it shows of no rows at all. */
export function inventedPeople(question: Question): number {
  const { x, y, z } = baseOf(question);
  const base = (Number(x) / 2 ** Number(y)) ** Number(z);
  let people = 0;
  for (let k = 1, power = base; power > 1e-12; k++, power *= base) people += (k * power) / (1 - power);
  return people;
}
