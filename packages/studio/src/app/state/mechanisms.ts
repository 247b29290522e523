/**
 * The mechanisms in words, and which of them can answer which question. The rules are the library's.
 * @module
 */
import { defaultMechanism, MECHANISMS as RULES } from "winnow-release";
import type { Asked, Mechanism } from "../../worker/api.js";

interface MechanismWords {
  readonly title: string;
  readonly gives: string;
}

export const MECHANISMS: Readonly<Record<Mechanism, MechanismWords>> = {
  "top-k-with-gap": {
    title: "Top k with leads",
    gives: "The winners in order, and by how much each leads the next. The leads cost nothing extra.",
  },
  "top-k": {
    title: "Top k",
    gives: "The winners in order.",
  },
  "permute-and-flip": {
    title: "Permute and flip",
    gives:
      "The one winner. Finds the best at least as often as the exponential mechanism does at the same ε.",
  },
  "limited-top-k": {
    title: "Top k without a list",
    gives: "The winners in order, as far as naming them is safe. You pay for the names you get.",
  },
  "threshold-top-k": {
    title: "Counts above a threshold",
    gives: "Winners with noisy counts, after each person was cut to a few items. For long lists.",
  },
  "select-partitions": {
    title: "All names",
    gives: "Every item that enough people have, after each person was cut to a few items.",
  },
  "stable-top-k": {
    title: "Data-dependent k",
    gives: "As many winners as stand out clearly, as a set. The cost does not grow with their number.",
  },
  "stable-top-k-fixed": {
    title: "Stable top k",
    gives: "Up to k winners as a set, found where a wide lead follows them.",
  },
  "integer-partition": {
    title: "Frequencies",
    gives: "How many items have how many people, without names.",
  },
  quantiles: {
    title: "Quantiles",
    gives: "The values at the ranks that are asked for, on a public grid.",
  },
};

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
}

/** Those that apply, the usual one first. */
export function mechanismsFor(asked: Applicable): readonly [Mechanism, ...Mechanism[]] {
  const { kind, domain, k, size, bound } = asked;
  const first = usual(asked);
  const others = (Object.keys(RULES) as Mechanism[]).filter((name) => {
    const rules = RULES[name];
    const fits = rules.kind === kind && rules.domains.includes(domain);
    const isBounded = rules.bound !== "needed" || bound !== undefined;
    const hasRoom = size === undefined || kind !== "top" || k <= size - rules.spare;
    return fits && isBounded && hasRoom && name !== first && (name !== "permute-and-flip" || k === 1);
  });
  return [first, ...others];
}

function usual({ kind, domain, k, size, bound, publishes }: Applicable): Mechanism {
  if (kind === "top" && domain === "listed") {
    const hasLeads = publishes !== "names" && k !== size; // the last lead needs a runner-up
    return hasLeads ? "top-k-with-gap" : "top-k";
  }
  return defaultMechanism(kind, { kind: "unknown" }, { k, maxItemsPerUser: bound });
}

export function needsDelta(mechanism: Mechanism): boolean {
  return RULES[mechanism].delta;
}

export function canCount(mechanism: Mechanism): boolean {
  return RULES[mechanism].counts === true;
}

/** With ε; ρ is not offered here. */
export function canLead(mechanism: Mechanism): boolean {
  return RULES[mechanism].gaps !== undefined;
}
