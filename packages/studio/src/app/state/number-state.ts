/**
 * Questions about numbers: quantiles of a column on a public grid, or how many items have how many people. Every value here
 * is public and kept as the text that was typed. The rules are those of `winnow-release`: the page reads the question by them and
 * shows the sentence of a refusal beside its field.
 * @module
 */

import { signal } from "@preact/signals";
import { WinnowError } from "winnow-dp";
import type { NumberStyle } from "winnow-release";
import type { Asked } from "../../worker/api.js";
import { type PublicLists, questionOf } from "../../worker/asked-question.js";
import { sentenceOf } from "../parts/in-words.js";
import { asksValues } from "./kinds.js";

/** Which quantiles, separated by commas. */
export const quantiles = signal("0.5");
export const lowest = signal("");
export const highest = signal("");
/** Empty: the usual one. */
export const step = signal("");
/** How many values or items a person counts for. */
export const perPerson = signal("1");
/** How numbers are written in the column. */
export const style = signal<NumberStyle>("plain");
/** Whether someone has been in the fields of the range: an empty one isn't wrong before that. */
export const rangeTouched = signal(false);
/** A public bound on the number of values; empty for none. */
export const mostValues = signal("");

type NumberParts = Pick<Asked, "domain" | "quantiles" | "range" | "maxItemsPerUser" | "atMost" | "numbers">;

/** The parts of the question that only numbers have. */
export function numberParts(kind: Asked["kind"]): NumberParts {
  const maxItemsPerUser = Number(perPerson.value.trim());
  if (!asksValues(kind)) return { domain: "unknown", maxItemsPerUser };
  const [width, bound] = [step.value.trim(), mostValues.value.trim()];
  return {
    domain: "grid",
    quantiles: quantiles.value
      .split(",")
      .map((share) => share.trim())
      .filter((share) => share !== ""),
    range: {
      lower: lowest.value.trim(),
      upper: highest.value.trim(),
      ...(width !== "" && { step: width }),
    },
    maxItemsPerUser,
    ...(bound !== "" && { atMost: Number(bound) }),
    ...(style.value !== "plain" && { numbers: style.value }),
  };
}

/** The fields that something can be wrong with. */
export type NumberField = "quantiles" | "range" | "step" | "perPerson" | "mostValues" | "epsilon";

/** By the names that the rules give them. */
const FIELDS: Readonly<Record<string, NumberField>> = {
  quantiles: "quantiles",
  k: "quantiles",
  range: "range",
  step: "step",
  epsilon: "epsilon",
};

/** "0,1" would be read as 0 and 1. */
const COMMA_FOR_POINT = /(^|[\s,;])0,\d/;
const SHARE = /^\d+(\.\d+)?(\/\d+)?$/;

const WHOLE = /^[1-9]\d{0,14}$/;

/** The problem of such a question, by its field. */
export function wrongNumbers(asked: Asked, lists: PublicLists): Partial<Record<NumberField, string>> {
  if (!WHOLE.test(perPerson.value.trim())) return { perPerson: "Enter a whole number from 1." };
  if (!WHOLE.test(mostValues.value.trim() || "1"))
    return { mostValues: "Enter a whole number from 1, or leave it empty." };
  if (COMMA_FOR_POINT.test(quantiles.value))
    return {
      quantiles: "Write a decimal point: 0.1. For the quantiles 0 and 1, put a space after the comma: 0, 1.",
    };
  if (asked.quantiles?.some((share) => !SHARE.test(share)))
    return { quantiles: "Enter shares from 0 to 1, such as 0.5 or 1/3, separated by commas." };
  const { range } = asked;
  if (range !== undefined && (range.lower === "" || range.upper === ""))
    return { range: "Enter the lowest and the highest value that can be published, such as 0 and 10000." };
  try {
    questionOf({ ...asked, unit: "one person" }, lists); // the real unit is known once there is a file
    return {};
  } catch (error) {
    const field = error instanceof WinnowError ? FIELDS[error.field ?? ""] : undefined;
    if (field === undefined) return {}; // the worker says it under the question
    return { [field]: sentenceOf(error as WinnowError) };
  }
}
