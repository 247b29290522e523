/**
 * Which mechanisms the page offers for a question. The rules and the words are the library's.
 * @module
 */
import { canAnswer, MECHANISMS, mechanismFor, usualMechanism, type Words } from "winnow-release";
import type { Asked, Mechanism } from "../../worker/api.js";

/** The parts of an answer: names, and what may come with them. */
export type Publishes = "counts" | "leads" | "names";

export interface Applicable {
  readonly kind: Asked["kind"];
  readonly domain: Asked["domain"];
  readonly k: number;
  /** How many candidates are on the public list, if there is one yet. */
  readonly size: number | undefined;
  /** How many items a person is counted for, if not for all. */
  readonly bound: number | undefined;
  readonly publishes: Publishes;
  readonly neighbours?: Asked["neighbours"];
  /** An (ε, δ) that may be spent: the noise that it buys decides about the usual mechanism. */
  readonly price?: { readonly epsilon: string; readonly delta: string } | undefined;
}

/** Those that apply, the usual one first. */
export function mechanismsFor(asked: Applicable): readonly [Mechanism, ...Mechanism[]] {
  const { bound, publishes, neighbours, price, ...draft } = asked;
  const resolution = publishes === "leads" ? 1 : undefined;
  const first = usualMechanism(
    {
      ...{ ...draft, ...price, neighbours, resolution, maxItemsPerUser: bound },
      counts: publishes === "counts",
    },
    ({ name }) => publishes !== "names" || !alwaysLeads(name),
  );
  const lacks = bound === undefined ? (["maxItemsPerUser"] as const) : [];
  const others = MECHANISMS.filter((each) => each !== first && canAnswer(each, { ...draft, lacks }) === true);
  return [first.name, ...others.map(({ name }) => name)];
}

export function wordsOf(mechanism: Mechanism): Words {
  return mechanismFor({ mechanism }).words;
}

function rulesOf(mechanism: Mechanism) {
  return mechanismFor({ mechanism }).rules;
}

export function needsDelta(mechanism: Mechanism): boolean {
  return rulesOf(mechanism).delta === "needed";
}

/** With a public list. */
export function maySpendDelta(mechanism: Mechanism): boolean {
  return rulesOf(mechanism).delta === "possible";
}

export function canCount(mechanism: Mechanism): boolean {
  return rulesOf(mechanism).counts !== undefined;
}

/** With ε; ρ is not offered here. */
export function canLead(mechanism: Mechanism): boolean {
  return rulesOf(mechanism).gaps !== undefined;
}

/** Only with people cut to fewer items. */
export function isOnlyLimited(mechanism: Mechanism): boolean {
  return rulesOf(mechanism).bound === "needed";
}

export function alwaysLeads(mechanism: Mechanism): boolean {
  return rulesOf(mechanism).gaps === "always";
}
