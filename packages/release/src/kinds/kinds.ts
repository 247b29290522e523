/** All kinds of questions that some mechanism answers, in the order in which they are shown; the first is the default. */
import { invalidParameter } from "winnow-dp";
import { MECHANISMS } from "../mechanisms/mechanisms.js";
import { adaptive } from "./adaptive.js";
import { frequencies } from "./frequencies.js";
import type { Kind } from "./kind.js";
import { names } from "./names.js";
import { quantile } from "./quantile.js";
import { top } from "./top.js";

/** All kinds of question, in the order in which help shows them. */
export const KINDS: readonly Kind[] = [top, adaptive, names, quantile, frequencies].filter((kind) =>
  MECHANISMS.some(({ rules }) => rules.kind === kind.name),
);

/** The names of all kinds. */
export const KIND_NAMES: readonly string[] = KINDS.map(({ name }) => name);

/** Whether all of its mechanisms cut people to fewer items, and it says to how many only if it is told. */
export function needsLimit({ name, defaults }: Kind): boolean {
  const all = MECHANISMS.filter(({ rules }) => rules.kind === name);
  return defaults.maxItemsPerUser === undefined && all.every(({ rules }) => rules.bound === "needed");
}

/** Whether each of its mechanisms pays a probability of failure, so its names come from the rows. */
export function needsDelta({ name }: Kind): boolean {
  return MECHANISMS.filter(({ rules }) => rules.kind === name).every(({ rules }) => rules.delta === "needed");
}

/** The kind of a question, also of one that leaves it out. Throws if none has that name. */
export function kindOf({ kind = KIND_NAMES[0] }: { readonly kind?: string | undefined }): Kind {
  const found = KINDS.find(({ name }) => name === kind);
  if (found === undefined) throw invalidParameter("kind", `one of ${KIND_NAMES.join(", ")}`, kind);
  return found;
}
