/**
 * What is planned: a question without its price, and the public or generated counts on which mechanisms are tried.
 *
 *   --scores FILE    public counts
 *   --public FILE    public or synthetic rows, counted like private ones
 *   neither          generated visitors, by Zipf's law
 * @module
 */
import { boundContributions } from "winnow-dp";
import {
  countVisitors,
  type Domain,
  generateVisits,
  listedDomain,
  MECHANISMS,
  type MechanismName,
  type Neighbours,
  type QuestionInput,
  type QuestionKind,
  type VisitsOptions,
} from "winnow-release";
import { readCounts, readDomain } from "../public-files.js";

import { Refusal } from "../refusal.js";
import { columnsOf, publicCounts, rolesIn, type TwinCounts, twinCandidates } from "../release/rows.js";

import type { SourceOptions } from "../sources/source.js";

export interface PlanOptions extends SourceOptions {
  readonly k?: number;
  readonly epsilon: string;
  /** Prices in ρ instead. */
  readonly rho?: string;
  readonly delta?: string;
  readonly recall?: string;
  readonly goal?: string;
  readonly adaptive?: boolean;
  readonly names?: boolean;
  readonly counts?: boolean;
  /** As they were typed: a plan for quantiles instead. */
  readonly quantiles?: string;
  /** A plan for frequencies instead. */
  readonly frequencies?: boolean;
  readonly range?: string;
  readonly step?: string;
  readonly maxValuesPerUser?: number;
  readonly atMost?: number;
  readonly maxItemsPerUser?: number;
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
  /** Which of these are defaults of the configuration file. */
  readonly defaults?: readonly string[];
}

/** A question without its price. */
export type Unpriced = Omit<QuestionInput, "epsilon" | "rho">;

export interface PlanRequest {
  /** Over a public list of candidates; with a δ also over an unknown domain. */
  readonly inputs: readonly Unpriced[];
  readonly counts: readonly number[];
  /** Of the same items, after people were cut to fewer, if that is asked for and can be known. */
  readonly bounded?: readonly number[] | undefined;
  /** Where the counts are from, in words. */
  readonly origin: string;
  /** What prices are in. */
  readonly symbol: "ε" | "ρ";
  /** What should be said beside the plan. */
  readonly note?: string | undefined;
}

/** What a longer list would be planned with, if nobody says. */
const USUAL_BOUND = 10;
/** From so many winners on, a limit on the items of a person most likely names more of them. */
const LONG = 40;

export async function readPlanRequest(options: PlanOptions): Promise<PlanRequest> {
  const { k, delta, resolution, neighbours, mechanism, adaptive, names, counts: withCounts } = options;
  if (adaptive && names) throw new Refusal("usage", "--adaptive and --names cannot both be planned.");
  const kind = adaptive ? "adaptive" : names ? "names" : "top";
  if (k === undefined && kind !== "names")
    throw new Refusal("usage", "-k must say how many winners you want, such as -k 10.");
  if (kind !== "top" && delta === undefined)
    throw new Refusal("usage", `--${kind} needs a --delta, such as 1e-6.`);
  const bound = boundOf(options, kind);
  const { counts, bounded, origin } = await countsOf(options, bound);
  const listed = { kind: "integers", below: Math.max(options.domainSize ?? 0, counts.length) } as const;
  const unknown = { kind: "unknown" } as const;
  const isUnknown = kind !== "top" || isForUnknown(mechanism);
  const domains: Domain[] = isUnknown ? [unknown] : [listed];
  if (!isUnknown && mechanism === undefined && delta !== undefined) domains.push(unknown);
  const shared = { kind, k, delta, neighbours, mechanism, resolution, unit: "one person" } as const;
  return {
    inputs: domains.map((domain) => ({
      ...shared,
      domain,
      counts: withCounts,
      ...(domain.kind === "unknown" && { maxItemsPerUser: bound }),
    })),
    counts,
    bounded,
    origin,
    note: boundNote(options, kind, bound),
    symbol: options.rho === undefined ? "ε" : "ρ",
  };
}

function boundOf(options: PlanOptions, kind: QuestionKind): number | undefined {
  const { maxItemsPerUser, delta, k = 0, scores, mechanism } = options;
  if (maxItemsPerUser !== undefined) {
    if (scores !== undefined)
      throw new Refusal(
        "usage",
        "--max-items-per-user needs rows to plan on (--public), because counts do not tell who has how many items.",
      );
    return maxItemsPerUser;
  }
  if (kind === "names")
    throw new Refusal(
      "usage",
      "--names needs --max-items-per-user, such as 10: people count for so many items.",
    );
  const isLong = kind === "top" && delta !== undefined && k > LONG;
  return isLong && scores === undefined && mechanism === undefined ? USUAL_BOUND : undefined;
}

/** What a limit on the items of a person would add, where nobody asked for one. */
function boundNote(
  { maxItemsPerUser, delta, k = 0, scores, mechanism }: PlanOptions,
  kind: QuestionKind,
  bound: number | undefined,
): string | undefined {
  if (maxItemsPerUser !== undefined || kind !== "top" || delta === undefined || k <= LONG) return undefined;
  if (bound !== undefined)
    return `threshold-top-k is what --max-items-per-user ${bound} would add: each person counts for ${bound} items.`;
  return scores === undefined || mechanism !== undefined
    ? undefined
    : `With --max-items-per-user ${USUAL_BOUND} more of ${k} could be named; only rows (--public) can tell how many.`;
}

function isForUnknown(mechanism: MechanismName | undefined): boolean {
  return mechanism !== undefined && MECHANISMS[mechanism].domains[0] === "unknown";
}

interface Counts extends TwinCounts {
  readonly origin: string;
}

async function countsOf(options: PlanOptions, bound: number | undefined): Promise<Counts> {
  const { scores, public: twin, items, users, seed = "plan" } = options;
  if (scores !== undefined && twin !== undefined)
    throw new Refusal("usage", "--scores and --public cannot both say what to plan on.");
  if (scores !== undefined)
    return { counts: (await readCounts(scores)).counts, origin: `the public counts in ${scores}` };
  if (twin !== undefined)
    return { ...(await countsOfTwin(twin, options, bound)), origin: `the public rows in ${twin}` };
  const generated = { items, users, rows: users * VISITS_EACH, seed };
  const [people, areas] = [users, items].map((number) => number.toLocaleString("en"));
  return {
    ...countsOfVisits(generated, bound),
    origin: `generated visits of ${people} people to ${areas} items`,
  };
}

const VISITS_EACH = 4;

function countsOfVisits(generated: VisitsOptions, bound: number | undefined): TwinCounts {
  const { items, users: counts } = countVisitors(generated);
  if (bound === undefined) return { counts };
  const rows = Array.from(generateVisits(generated), ({ user, item }) => [user, item] as const);
  const cut = boundContributions(rows, { maxItemsPerUser: bound });
  return { counts, bounded: items.map((item) => cut.get(item) ?? 0) };
}

/** Items outside a public list do not count; without a list all of them do. */
async function countsOfTwin(
  path: string,
  options: PlanOptions,
  bound: number | undefined,
): Promise<TwinCounts> {
  const items =
    options.domain === undefined ? undefined : await readDomain(options.domain, options.domainColumn);
  const roles = rolesIn(await columnsOf(path, options), options);
  const domain: Domain = items === undefined ? { kind: "unknown" } : await listedDomain(items);
  return publicCounts(path, options, roles, twinCandidates(domain, items), bound);
}
