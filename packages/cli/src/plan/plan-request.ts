/**
 * The request for a plan: a question without its price, and the public or generated counts to try the mechanisms on.
 *
 *   --scores FILE    public counts
 *   --public FILE    public or synthetic rows, counted like private ones
 *   neither          generated visitors, by Zipf's law
 * @module
 */
import { rational } from "winnow-dp";
import {
  countsOfGuess,
  type Domain,
  generatedCounts,
  KINDS,
  type Kind,
  kindOf,
  listedDomain,
  type Mechanism,
  mechanismFor,
  type Neighbours,
  needsDelta,
  needsLimit,
  type PlanCounts,
  type QuestionInput,
  Refusal,
  readGuess,
  usualMechanism,
} from "winnow-release";
import { readCounts, readDomain } from "../public-files.js";

import { rolesIn } from "../release/roles.js";
import { columnsOf, publicCounts, type TwinCounts, twinCandidates } from "../release/rows.js";
import { refuseFilesThatWereCharged } from "../release/which-ledger.js";

import type { SourceOptions } from "../sources/source.js";

export interface PlanOptions extends SourceOptions {
  readonly k?: number;
  readonly epsilon: string;
  /** Prices in ρ instead of ε. */
  readonly rho?: string;
  readonly delta?: string;
  readonly recall?: string;
  readonly goal?: string;
  readonly adaptive?: boolean;
  readonly names?: boolean;
  readonly counts?: boolean;
  readonly set?: boolean;
  /** As typed: a plan for quantiles instead. */
  readonly quantiles?: string;
  /** A plan for frequencies instead. */
  readonly frequencies?: boolean;
  readonly range?: string;
  readonly step?: string;
  readonly maxValuesPerUser?: number;
  readonly atMost?: number;
  readonly maxItemsPerUser?: number;
  /** Plan for one of several groups, which share the loss. */
  readonly maxGroupsPerUser?: number;
  readonly neighbours?: Neighbours;
  readonly mechanism?: string;
  readonly resolution?: string;
  readonly domain?: string;
  readonly domainColumn?: string;
  readonly domainSize?: number;
  readonly scores?: string;
  /** A public guess at the data, as typed. */
  readonly guess?: string;
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
  /** Which of these come from the configuration file. */
  readonly defaults?: readonly string[];
}

/** A question without its price. */
export type Unpriced = Omit<QuestionInput, "epsilon" | "rho">;

export interface PlanRequest {
  /** Over a public list of candidates and, with a δ, also over an unknown domain. */
  readonly inputs: readonly Unpriced[];
  readonly counts: readonly number[];
  /** The counts of the same items with a limit on items per person, if one is requested and the rows are known. */
  readonly bounded?: readonly number[] | undefined;
  /** The origin of the counts, in words. */
  readonly origin: string;
  /** The measure of the prices. */
  readonly symbol: "ε" | "ρ";
  /** A remark to show with the plan. */
  readonly note?: string | undefined;
}

/** The limit to plan a longer list with, if none is given. */
const USUAL_BOUND = 10;
/** Those with names that a flag asks for. */
export const PLANNED_BY_NAME = KINDS.filter(({ shape }) => shape === "winners").slice(1);

export async function readPlanRequest(options: PlanOptions): Promise<PlanRequest> {
  const { k, delta, resolution, neighbours, mechanism, set, counts: withCounts } = options;
  const asked = kindAsked(options);
  const { name: kind } = asked;
  if (k === undefined && asked.defaults.k === undefined)
    throw new Refusal("usage", "-k must say how many winners you want, such as -k 10.");
  const isUnknownOnly = needsDelta(asked);
  if (isUnknownOnly && delta === undefined)
    throw new Refusal("usage", `--${kind} needs a --delta, such as 1e-6.`);
  const bound = boundOf(options, asked);
  const { scores, public: twin, domain: list } = options;
  await refuseFilesThatWereCharged({ "--scores": scores, "--public": twin, "--domain": list });
  const { counts, bounded, origin } = await countsOf(options, bound);
  const listed = { kind: "integers", below: Math.max(options.domainSize ?? 0, counts.length) } as const;
  const unknown = { kind: "unknown" } as const;
  const isUnknown = isUnknownOnly || isForUnknown(mechanism);
  const domains: Domain[] = isUnknown ? [unknown] : [listed];
  if (!isUnknown && mechanism === undefined && delta !== undefined) domains.push(unknown);
  if (set && PLANNED_BY_NAME.includes(asked))
    throw new Refusal("usage", `--set and --${kind} cannot be planned together.`);
  const shared = { kind, k, neighbours, mechanism, resolution, set, unit: "one person" } as const;
  const part = delta === undefined ? {} : { delta: partOf(delta, options, neighbours === "replace" ? 2 : 1) };
  return {
    inputs: domains.map((domain) => ({
      ...shared,
      ...part,
      domain,
      counts: withCounts,
      ...(domain.kind === "unknown" && { maxItemsPerUser: bound }),
    })),
    counts,
    bounded,
    origin,
    note:
      [boundNote(options, asked, bound), groupNote(options)].filter((said) => said).join(" ") || undefined,
    symbol: options.rho === undefined ? "ε" : "ρ",
  };
}

/** What one group gets of the budget of a release in groups; without groups all of it. */
export function partOf(price: string, { maxGroupsPerUser = 1 }: PlanOptions, times = 1): string {
  return String(rational(price.trim()).dividedBy(BigInt(maxGroupsPerUser * times)));
}

function groupNote({ maxGroupsPerUser }: PlanOptions): string | undefined {
  if (maxGroupsPerUser === undefined) return undefined;
  const share = maxGroupsPerUser === 1 ? "the whole loss" : `1/${maxGroupsPerUser} of the loss`;
  return `The counts are those of one group. Each group gets ${share}, however many groups there are.`;
}

/** The one that a flag names; otherwise the first. */
function kindAsked(options: PlanOptions): Kind {
  const given: Readonly<Record<string, unknown>> = { ...options };
  const named = PLANNED_BY_NAME.filter(({ name }) => given[name] === true);
  if (named.length > 1) {
    const flags = named.map(({ name }) => `--${name}`).join(" and ");
    throw new Refusal("usage", `${flags} cannot be planned together.`);
  }
  return named[0] ?? kindOf({});
}

function boundOf(options: PlanOptions, kind: Kind): number | undefined {
  const { maxItemsPerUser, scores, mechanism } = options;
  if (maxItemsPerUser !== undefined) {
    if (scores !== undefined)
      throw new Refusal(
        "usage",
        "--max-items-per-user needs rows to plan on (--public), because counts don't show how many items each person has.",
      );
    return maxItemsPerUser;
  }
  if (needsLimit(kind))
    throw new Refusal(
      "usage",
      `--${kind.name} needs --max-items-per-user, such as 10: each person counts for at most that many items.`,
    );
  const isPlannable = scores === undefined && mechanism === undefined;
  return isPlannable && mechanismWithLimit(options, kind) !== undefined ? USUAL_BOUND : undefined;
}

/** The mechanism for a list so long that a limit on the items of a person most likely names more of it. */
function mechanismWithLimit({ k = 0, delta }: PlanOptions, { name: kind }: Kind): Mechanism | undefined {
  if (delta === undefined) return undefined;
  const usual = usualMechanism({ kind, domain: "unknown", k, maxItemsPerUser: USUAL_BOUND });
  return usual.rules.bound === "needed" ? usual : undefined;
}

/** What a limit on the items of a person would gain, if none was requested. */
function boundNote(options: PlanOptions, kind: Kind, bound: number | undefined): string | undefined {
  const { maxItemsPerUser, k, scores, mechanism } = options;
  const limited = mechanismWithLimit(options, kind);
  if (maxItemsPerUser !== undefined || limited === undefined) return undefined;
  if (bound !== undefined)
    return `${limited.name} shows the effect of --max-items-per-user ${bound}: each person counts for at most ${bound} items.`;
  return scores === undefined || mechanism !== undefined
    ? undefined
    : `With --max-items-per-user ${USUAL_BOUND}, Winnow could name more of the ${k}; only rows (--public) show how many.`;
}

function isForUnknown(mechanism: string | undefined): boolean {
  return mechanism !== undefined && mechanismFor({ mechanism }).rules.domains[0] === "unknown";
}

async function countsOf(options: PlanOptions, bound: number | undefined): Promise<PlanCounts> {
  const { scores, public: twin, guess, items, users, seed = "plan" } = options;
  if (guess !== undefined) return countsGuessed(guess, options, bound);
  if (scores !== undefined && twin !== undefined)
    throw new Refusal("usage", "--scores and --public cannot be combined: plan on one of them.");
  if (scores !== undefined)
    return { counts: (await readCounts(scores)).counts, origin: `the public counts in ${scores}` };
  if (twin !== undefined)
    return { ...(await countsOfTwin(twin, options, bound)), origin: `the public rows in ${twin}` };
  return generatedCounts({ items, users, seed }, bound);
}

function countsGuessed(
  text: string,
  { scores, public: twin, domainSize }: PlanOptions,
  bound: number | undefined,
): PlanCounts {
  if (scores !== undefined || twin !== undefined)
    throw new Refusal("usage", "--guess cannot be combined with --scores or --public: plan on one of them.");
  const guessed = countsOfGuess(readGuess(text), domainSize);
  const cut = bound === undefined ? undefined : guessed.bounded(bound);
  return {
    counts: [...guessed.counts],
    ...(cut !== undefined && { bounded: [...cut] }),
    origin: guessed.origin,
  };
}

/** Items outside a public list don't count; without a list all of them do. */
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
