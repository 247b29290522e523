/**
 * Draws of one case, in a form that outlives the names of options and answers.
 * @module
 */
import type { Entropy } from "../../src/entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const DRAWS = 3;

/** Fields of answers that mean the same thing, and the name under which they are recorded. */
const RECORDED_AS: Readonly<Record<string, string>> = {
  index: "who",
  candidate: "who",
  candidates: "who",
};

/** Three draws one after the other: what was the same in all of them, what wasn't, and how many random bits each took. */
export async function drawn(seed: string, ask: (entropy: Entropy) => unknown): Promise<unknown> {
  const entropy = seededEntropy(seed);
  const [answers, bits]: [Record<string, unknown>[], number[]] = [[], []];
  for (let draw = 0; draw < DRAWS; draw++) {
    const before = entropy.bitsUsed;
    const answer = await ask(entropy);
    bits.push(entropy.bitsUsed - before);
    answers.push(JSON.parse(JSON.stringify(asObject(answer), renamed)));
  }
  const isConstant = (name: string) =>
    new Set(answers.map((answer) => JSON.stringify(answer[name]))).size === 1;
  const only = (answer: Record<string, unknown>, constant: boolean) =>
    Object.fromEntries(Object.entries(answer).filter(([name]) => isConstant(name) === constant));
  const draws = answers.map((answer) => only(answer, false));
  const differs = draws.some((draw) => Object.keys(draw).length > 0);
  return { always: only(answers[0], true), ...(differs && { draws }), bits };
}

function asObject(answer: unknown): object {
  return typeof answer === "object" && answer !== null && !Array.isArray(answer) ? answer : { answer };
}

function renamed(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [RECORDED_AS[name] ?? name, part]));
}
