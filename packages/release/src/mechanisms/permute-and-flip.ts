/**
 * The best of a public list. With exponential noise the race for one place has its law (docs/mechanisms/permute-and-flip.md).
 * @module
 */
import { type PermuteAndFlipOptions, permuteAndFlip as run } from "winnow-dp";
import { budgetInCode } from "../parts/code.js";
import { PUBLIC_RACE } from "../parts/public-race.js";
import { asOptions, numbersOf, OF_SCORES, single } from "../parts/simulated.js";
import type { Mechanism } from "./mechanism.js";

export const permuteAndFlip: Mechanism = {
  name: "permute-and-flip",
  rules: {
    kind: "top",
    domains: ["listed", "integers"],
    budgets: ["epsilon"],
    delta: "none",
    spare: 0,
    isForOne: true,
    isUsual: () => false,
  },
  ...PUBLIC_RACE,
  simulated: {
    takes: [...OF_SCORES, "epsilon", "scale", "negate"],
    prepare(scores, parameters) {
      const numbers = numbersOf(scores);
      return (entropy) => single(run(numbers, asOptions<PermuteAndFlipOptions>({ ...parameters, entropy })));
    },
  },
  words: {
    title: "Permute and flip",
    gives:
      "The one winner. Finds the best at least as often as the exponential mechanism does at the same ε.",
    how: "permute-and-flip (exponential noise on every count)",
  },
  answer: { fields: [], order: "rank" },
  code: (question) => ({
    call: "permuteAndFlip",
    input: "scores",
    options: { ...budgetInCode(question), monotone: question.neighbours === "add-remove" },
  }),
};
