/**
 * The exact laws and numbers of ../vectors-more.json, typed. The file's `schema` says what each section is.
 * @module
 */
import { type Base2Parameter, eta } from "../../src/accounting/base2-parameter.js";
import vectors from "../vectors-more.json" with { type: "json" };
import type { Law } from "./law.js";

export { vectors };

export function parameterOf({ x, y, z }: { x: number; y: number; z: number }): Base2Parameter {
  return eta(x, y, z);
}

type Told = string | { readonly above?: readonly (number | string)[] | undefined };

/** Answers as `aboveThresholdLaw` names them; with levels the first number is the level. */
export function answersOf(answers: readonly Told[], hasLevels = false): string {
  return answers
    .map((answer) => {
      if (typeof answer === "string") return answer;
      const numbers = [...(answer.above ?? [])];
      const level = hasLevels ? ` at ${numbers.shift()}` : "";
      return `above${level}${numbers.length > 0 ? ` by ${numbers[0]}` : ""}`;
    })
    .join(", ");
}

interface Outcome {
  readonly answers: readonly Told[];
  readonly prob: string;
}

export function lawOfAnswers(outcomes: readonly Outcome[], hasLevels = false): Law {
  return Object.fromEntries(outcomes.map(({ answers, prob }) => [answersOf(answers, hasLevels), prob]));
}

/** The same with exact rationals, and a last bin of gaps. */
export function exactLawOfAnswers(
  outcomes: readonly { readonly answers: readonly Told[]; readonly prob_exact: string }[],
  cap: number,
): Law {
  return Object.fromEntries(
    outcomes.map(({ answers, prob_exact }) => [
      answersOf(
        answers.map((answer) =>
          typeof answer === "string"
            ? answer
            : { above: answer.above?.map((gap) => (Number(gap) >= cap ? `>=${cap}` : gap)) },
        ),
      ),
      prob_exact,
    ]),
  );
}
