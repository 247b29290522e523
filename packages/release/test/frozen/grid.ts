/**
 * A grid of questions: every kind and mechanism, with both neighbours, every budget, with and without counts, leads and a limit on
 * a person's items, over every kind of domain. Most points of it can't be asked; how they are refused is recorded too.
 * @module
 */
import type { QuestionInput } from "../../src/index.js";
import { grid, listed, UNIT, UNKNOWN } from "../support/ask.js";

const MECHANISMS = [
  undefined,
  "top-k-with-gap",
  "top-k",
  "permute-and-flip",
  "top-k-set",
  "limited-top-k",
  "threshold-top-k",
  "stable-top-k-fixed",
  "stable-top-k",
  "select-partitions",
  "integer-partition",
  "quantiles",
  "no-such-mechanism",
] as const;

const DOMAINS = {
  listed: { domain: listed(12) },
  "all of a list": { domain: listed(3) },
  integers: { domain: { kind: "integers", below: 1000 } },
  unknown: { domain: UNKNOWN },
  grid: { domain: grid(0, 100, "1/2") },
} as const;

const KINDS = {
  top: { k: 3 },
  "top 1": { kind: "top", k: 1 },
  adaptive: { kind: "adaptive", k: 5 },
  names: { kind: "names" },
  quantile: { kind: "quantile", quantiles: ["1/4", "1/2", "9/10"] },
  frequencies: { kind: "frequencies" },
} as const;

const BUDGETS = {
  ε: { epsilon: "1/2" },
  ρ: { rho: "1/10" },
  "(ε, δ)": { epsilon: 1, delta: "1e-6" },
  "(ρ, δ)": { rho: "1/10", delta: "1e-6" },
  "no budget": { delta: "1e-6" },
} as const;

const EXTRAS = {
  "": {},
  counts: { counts: true },
  leads: { resolution: "1/2" },
  "counts, leads": { counts: true, resolution: 1 },
  "limit 2": { maxItemsPerUser: 2 },
  "limit 1, k long": { maxItemsPerUser: 1, k: 5 },
  "limit 2, counts": { maxItemsPerUser: 2, counts: true },
  "at most 1000": { atMost: 1000 },
  set: { set: true },
} as const;

const NEIGHBOURS = ["add-remove", "replace"] as const;

export interface Point {
  /** The mechanism that was named; "usual" if none was. */
  readonly mechanism: string;
  readonly name: string;
  readonly input: QuestionInput;
}

export const GRID: readonly Point[] = MECHANISMS.flatMap((mechanism) =>
  Object.entries(KINDS).flatMap(([kind, asked]) =>
    Object.entries(DOMAINS).flatMap(([where, domain]) =>
      Object.entries(BUDGETS).flatMap(([price, budget]) =>
        Object.entries(EXTRAS).flatMap(([extra, more]) =>
          NEIGHBOURS.map((neighbours) => ({
            mechanism: mechanism ?? "usual",
            name: [kind, where, price, extra, neighbours].filter((part) => part !== "").join(", "),
            input: {
              ...asked,
              ...domain,
              ...budget,
              ...more,
              neighbours,
              mechanism,
              unit: UNIT,
            } as QuestionInput,
          })),
        ),
      ),
    ),
  ),
);
