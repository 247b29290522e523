/**
 * The best of a public list. With exponential noise the race for one place has its law (docs/mechanisms/permute-and-flip.md).
 * @module
 */
import { budgetInCode } from "../parts/code.js";
import { PUBLIC_RACE } from "../parts/public-race.js";
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
  words: {
    title: "Permute and flip",
    gives:
      "The one winner. Finds the best at least as often as the exponential mechanism does at the same ε.",
    how: "permute-and-flip (exponential noise on every count)",
  },
  answer: { fields: [], order: "rank", isInFirstSchema: true },
  code: (question) => ({
    call: "permuteAndFlip",
    input: "scores",
    options: { ...budgetInCode(question), monotone: question.neighbours === "add-remove" },
  }),
};
