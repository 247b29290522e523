/** What the page must know of a kind of question, from the library's list: which fields it has, and what its answer looks like. */
import { type Kind, kindOf, needsLimit, type OptionName } from "winnow-release";
import type { Asked } from "../../worker/api.js";

type KindName = Asked["kind"];

export function asksNumbers(kind: KindName): boolean {
  return kindOf({ kind }).shape !== "winners";
}

/** Numbers of a column, which the points of a grid stand for. */
export function asksValues(kind: KindName): boolean {
  return kindOf({ kind }).shape === "values";
}

/** A certain number of winners, so the share of the true ones that are named says how good an answer is. */
export function asksBest(kind: KindName): boolean {
  return kindOf({ kind }).isComplete === true;
}

/** Whether the option is asked for beside the kind. */
export function isUsual(option: OptionName, kind: KindName): boolean {
  return optionsOf(kind).usual.includes(option);
}

/** Whether the question has the option at all. */
export function takes(option: OptionName, kind: KindName): boolean {
  return isUsual(option, kind) || optionsOf(kind).others.includes(option);
}

/** Whether someone must say how many names there are to be, or how many at most. */
export function takesK(kind: KindName): boolean {
  return takes("k", kind) || takes("maxK", kind);
}

export function titleOf(kind: KindName): string {
  return kindOf({ kind }).title;
}

export function mustLimitItems(kind: KindName): boolean {
  return needsLimit(kindOf({ kind }));
}

function optionsOf(kind: KindName): Kind["options"] {
  return kindOf({ kind }).options;
}
