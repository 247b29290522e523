/**
 * The mechanisms in words, and which of them can answer which question.
 * @module
 */
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
    title: "Top k, names only",
    gives: "The winners in order and nothing else.",
  },
  "permute-and-flip": {
    title: "Permute and flip",
    gives: "The one winner, found slightly more often than by adding noise.",
  },
  "limited-top-k": {
    title: "Top k without a list",
    gives: "The winners in order, as far as naming them is safe. Candidates need not be known.",
  },
  "threshold-top-k": {
    title: "Counts above a threshold",
    gives: "Winners with noisy counts, after each person was cut to a few items. For long lists.",
  },
  "select-partitions": {
    title: "All names",
    gives: "Every item that enough people have.",
  },
  "stable-top-k": {
    title: "Adaptive k",
    gives: "As many winners as stand out clearly, as a set. The cost does not grow with their number.",
  },
  "stable-top-k-fixed": {
    title: "Stable top k",
    gives: "Up to k winners as a set, found where a wide gap follows them. Candidates need not be known.",
  },
};

interface Applicable {
  readonly kind: Asked["kind"];
  readonly domain: Asked["domain"];
  readonly k: number;
  /** How many candidates are on the public list, if there is one yet. */
  readonly size: number | undefined;
}

/** Those that apply, the usual one first. The last lead needs a candidate that does not win. */
export function mechanismsFor({ kind, domain, k, size }: Applicable): readonly [Mechanism, ...Mechanism[]] {
  if (kind === "adaptive") return ["stable-top-k"];
  if (domain === "unknown") return ["limited-top-k", "stable-top-k-fixed"];
  const oneByOne: Mechanism[] = k === 1 ? ["permute-and-flip"] : [];
  return k === size
    ? ["top-k", ...oneByOne, "stable-top-k-fixed"]
    : ["top-k-with-gap", "top-k", ...oneByOne, "stable-top-k-fixed"];
}
