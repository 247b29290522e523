/**
 * A claim about doubles that decide: a script for Gappa made of expressions as they stand in the source. Scores and scales have no
 * bounds, but a power of two as a common factor changes no rounding; so one of the numbers is taken to be between 1 and 2, and
 * the smallest doubles are a case of their own.
 * @module
 */
import type { Known, SourceFile } from "./straight-line.js";

export interface Claim {
  readonly title: string;
  /** In packages/core/src. */
  readonly file: string;
  script(source: SourceFile): string;
}

/** Doubles without a smallest exponent, as numbers are seen after scaling; and as they are. */
const SCALED = "float<53, -5000, ne>";
export const DOUBLE = "float<ieee_64, ne>";

export interface Proof {
  readonly rounding?: string;
  /** Names that stand for doubles. */
  readonly doubles?: readonly string[];
  /** Names and what they are in the source, in this order; a text in brackets is as Gappa has it. */
  readonly lines: readonly (readonly [name: string, expression: string])[];
  readonly known?: Known;
  readonly given: readonly string[];
  readonly goal: string | ((source: SourceFile) => string);
}

export function claim(file: string, title: string, proof: Proof): Claim {
  const { rounding = SCALED, doubles = [], lines, known = {}, given, goal } = proof;
  return {
    file,
    title,
    script: (source) => `@rnd = ${rounding};
${doubles.map((name) => `${name} = rnd(${name}_);`).join("\n")}
${lines
  .map(([name, text]) => {
    if (text.startsWith("[")) return `${name} = ${text.slice(1, -1)};`;
    return `${name} rnd= ${source.expression(text, known)};`;
  })
  .join("\n")}
{ ${given.join(" /\\ ")} -> ${typeof goal === "string" ? goal : goal(source)} }
`,
  };
}
