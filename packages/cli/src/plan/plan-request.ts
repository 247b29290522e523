/**
 * What is planned: a question without its price, and the public or generated counts on which mechanisms are tried.
 *
 *   --scores FILE    public counts
 *   --public FILE    public or synthetic rows, counted like private ones
 *   neither          generated visitors, by Zipf's law
 * @module
 */
import {
  countVisitors,
  type Domain,
  listedDomain,
  type MechanismName,
  type Neighbours,
  type QuestionInput,
} from "winnow-release";
import { readCounts, readDomain } from "../public-files.js";

import { Refusal } from "../refusal.js";
import { columnsOf, publicCounts, rolesIn } from "../release/rows.js";

import type { SourceOptions } from "../sources/source.js";

export interface PlanOptions extends SourceOptions {
  readonly k?: number;
  readonly epsilon: string;
  /** Prices in ρ instead. */
  readonly rho?: string;
  readonly delta?: string;
  readonly recall?: string;
  readonly adaptive?: boolean;
  readonly neighbours?: Neighbours;
  readonly mechanism?: MechanismName;
  readonly resolution?: string;
  readonly domain?: string;
  readonly domainColumn?: string;
  readonly domainSize?: number;
  readonly scores?: string;
  readonly public?: string;
  readonly item?: string;
  readonly user?: string;
  readonly items: number;
  readonly users: number;
  readonly runs: number;
  readonly json?: boolean;
  readonly plot?: string;
  readonly force?: boolean;
  readonly seed?: string;
}

/** A question without its price. */
export type Unpriced = Omit<QuestionInput, "epsilon" | "rho">;

export interface PlanRequest {
  /** Over a public list of candidates; with a δ also over an unknown domain. */
  readonly inputs: readonly Unpriced[];
  readonly counts: readonly number[];
  /** Where the counts are from, in words. */
  readonly origin: string;
  /** What prices are in. */
  readonly symbol: "ε" | "ρ";
}

export async function readPlanRequest(options: PlanOptions): Promise<PlanRequest> {
  const { k, delta, resolution, neighbours, mechanism, adaptive, domainSize = 0 } = options;
  if (k === undefined) throw new Refusal("usage", "-k must say how many winners you want, such as -k 10.");
  if (adaptive && delta === undefined)
    throw new Refusal("usage", "--adaptive needs a --delta, such as 1e-6.");
  const { counts, origin } = await countsOf(options, k);
  const listed = { kind: "integers", below: Math.max(domainSize, counts.length) } as const;
  const unknown = { kind: "unknown" } as const;
  const domains: Domain[] = adaptive || isForUnknown(mechanism) ? [unknown] : [listed];
  if (!adaptive && mechanism === undefined && delta !== undefined) domains.push(unknown);
  const kind = adaptive ? "adaptive" : "top";
  const shared = { kind, k, delta, neighbours, mechanism, resolution, unit: "one person" } as const;
  const symbol = options.rho === undefined ? "ε" : "ρ";
  return { inputs: domains.map((domain) => ({ ...shared, domain })), counts, origin, symbol };
}

function isForUnknown(mechanism: MechanismName | undefined): boolean {
  return mechanism === "stable-top-k" || mechanism === "stable-top-k-fixed";
}

interface Counts {
  readonly counts: readonly number[];
  readonly origin: string;
}

async function countsOf(options: PlanOptions, k: number): Promise<Counts> {
  const { scores, public: twin, items, users, seed = "plan" } = options;
  if (scores !== undefined && twin !== undefined)
    throw new Refusal("usage", "--scores and --public cannot both say what to plan on.");
  if (scores !== undefined)
    return { counts: (await readCounts(scores)).counts, origin: `the public counts in ${scores}` };
  if (twin !== undefined)
    return { counts: await countsOfTwin(twin, options, k), origin: `the public rows in ${twin}` };
  const { users: counts } = countVisitors({ items, users, rows: users * VISITS_EACH, seed });
  const [people, areas] = [users, items].map((number) => number.toLocaleString("en"));
  return { counts, origin: `generated visits of ${people} people to ${areas} items` };
}

const VISITS_EACH = 4;

/** Items outside a public list do not count; without a list all of them do. */
async function countsOfTwin(path: string, options: PlanOptions, k: number): Promise<number[]> {
  const items =
    options.domain === undefined ? undefined : await readDomain(options.domain, options.domainColumn);
  const roles = rolesIn(await columnsOf(path, options), options);
  const domain: Domain = items === undefined ? { kind: "unknown" } : await listedDomain(items);
  return publicCounts(path, options, roles, { domain, k }, items);
}
