/**
 * A release as the worker would record it, of any question, on counts that everybody may know.
 * @module
 */
import {
  type Domain,
  type GridInput,
  type GroupedRows,
  listedDomain,
  newRelease,
  type QuestionInput,
  type Release,
  readQuestion,
  select,
} from "winnow-release";
import { selectInGroups } from "../../../release/src/mechanisms/of-question.js";

const COUNTS = { items: ["a", "b", "c"], users: [900, 500, 100] };

/** Values, or how many people items have. */
const NUMBERS = { items: ["12", "30", "900"], users: [900, 500, 100] };

type Asked = Omit<QuestionInput, "domain" | "unit"> & { readonly domain: "listed" | "unknown" | GridInput };

export async function aRelease({ domain, ...asked }: Asked, item = "area", user = "user"): Promise<Release> {
  const question = readQuestion({
    ...asked,
    domain: typeof domain === "object" ? domain : await domainOf(domain),
    unit: "one value of column user",
  });
  return newRelease({
    id: "a-release",
    dataset: "visits",
    time: new Date("2026-01-02T03:04:05Z"),
    software: { name: "winnow-studio", version: "0.1.0" },
    question,
    answer: await select(question, [/^(quantile|frequencies)$/.test(question.kind) ? NUMBERS : COUNTS]),
    source: { item, user, dialect: { format: "csv" } },
  });
}

/** The best of each of two groups of a public list. */
export async function aReleaseInGroups(): Promise<Release> {
  const names = ["DE", "FR"];
  const question = readQuestion({
    ...{ k: 1, domain: await domainOf("listed"), epsilon: 1, unit: "one value of column user" },
    groups: { by: ["country"], list: await listedDomain(names), maxGroupsPerUser: 1 },
  });
  const rows: GroupedRows = {
    ...{ listed: names.map((name) => [name]), items: COUNTS.items },
    people: () => [],
    counts: async function* () {
      for (const group of names) yield { group, ...COUNTS };
    },
  };
  return newRelease({
    ...{ id: "in-groups", dataset: "visits", time: new Date("2026-01-02T03:04:05Z") },
    software: { name: "winnow-studio", version: "0.1.0" },
    question,
    answer: await selectInGroups(question, rows),
    source: { item: "area", user: "user", dialect: { format: "csv" } },
  });
}

async function domainOf(domain: "listed" | "unknown"): Promise<Domain> {
  return domain === "listed" ? listedDomain(COUNTS.items) : { kind: "unknown" };
}

/** One question for every mechanism. */
export const EVERY_MECHANISM: readonly Asked[] = [
  { k: 2, domain: "listed", epsilon: "1/2", resolution: "1/10" },
  { k: 2, domain: "listed", epsilon: 1, neighbours: "replace", mechanism: "top-k" },
  { k: 2, domain: "listed", rho: "0.1" },
  { k: 1, domain: "listed", epsilon: 1, mechanism: "permute-and-flip" },
  { k: 2, domain: "unknown", epsilon: 1, delta: "1e-6" },
  { k: 2, domain: "unknown", rho: "0.1", delta: "1e-6" },
  { kind: "adaptive", k: 2, domain: "unknown", epsilon: 1, delta: "1e-6" },
  { k: 2, domain: "listed", epsilon: 1, counts: true },
  { k: 2, domain: "unknown", epsilon: 1, delta: "1e-6", counts: true },
  { k: 9, domain: "unknown", epsilon: 1, delta: "1e-6", maxItemsPerUser: 1 },
  { kind: "names", domain: "unknown", epsilon: 1, delta: "1e-6", maxItemsPerUser: 1 },
  {
    kind: "quantile",
    domain: { kind: "grid", lower: -5, upper: 100, step: "1/2" },
    quantiles: ["1/2", "0.9"],
    rho: "0.1",
    atMost: 5000,
  },
  { kind: "frequencies", domain: "unknown", epsilon: 1, maxItemsPerUser: 2 },
];
