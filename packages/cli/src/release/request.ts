/**
 * The public part of a release, before it is made: the question, its candidates, the unit of privacy, the data set,
 * the columns, and the price. Building it reads no private row, and at most a header, if the columns must be guessed.
 *
 * The configuration file applies to every question. Defaults that don't apply to a question (a δ when the candidates are
 * public, a resolution when no leads are released, a mechanism of another command) are ignored. Options from the command
 * line are never ignored: if one doesn't apply, Winnow refuses it and says why.
 * @module
 */
import { type Loss, WinnowError } from "winnow-dp";
import {
  allConditions,
  type Choice,
  type ComparedInputs,
  canAnswer,
  choose,
  countsOfGuess,
  type Domain,
  type GridInput,
  type GroupName,
  type GroupsInput,
  type ItemMap,
  kindOf,
  listedDomain,
  lossOf,
  mechanismFor,
  type PublicCounts,
  periodCondition,
  type Question,
  type QuestionInput,
  Refusal,
  readGuess,
  readQuestion,
  readTypes,
  sizeOf,
  type Tuning,
  tuningFor,
  typedGrid,
  typedShares,
  unitOf,
  usualMechanism,
} from "winnow-release";
import { readDomain } from "../public-files.js";
import { readPublicTable } from "../sources/open-source.js";
import type { ComputedItems, PublicTable } from "../sources/source.js";
import { datasetName } from "./dataset-name.js";
import { readAskedGroups } from "./groups.js";
import { computedItems, itemsName, readAskedMap } from "./items.js";
import { guardFiles } from "./public-inputs.js";
import type { ReleaseOptions } from "./release-options.js";
import { type Columns, checkRoles, itemOption, type Roles, rolesIn } from "./roles.js";
import { columnsOf, publicCounts, type Rows, twinCandidates } from "./rows.js";

export interface Request {
  readonly question: Question;
  /** Why this mechanism, where several were compared; from public numbers. */
  readonly choice?: Choice | undefined;
  /** How the rows choose the mechanism, if they do; then `question` has the whole budget. */
  readonly tuning?: Tuning | undefined;
  /** Its public files, none of which is private. */
  readonly inputs: ComparedInputs;
  readonly loss: Loss;
  readonly dataset: string;
  /** Undefined in a dry run that must not read a header. */
  readonly roles: Roles | undefined;
  /** The public list of candidates, if there is one. */
  readonly items: readonly string[] | undefined;
  /** The table of the server that contains it. */
  readonly table: PublicTable | undefined;
  /** The public list of groups, in its order, if there is one. */
  readonly groups: readonly GroupName[] | undefined;
}

/** `columns` returns the names of the source's columns, if they may be read. */
export async function readRequest(
  kind: Question["kind"],
  rows: Rows,
  options: ReleaseOptions,
  signal: AbortSignal,
  columns?: () => Promise<Columns>,
): Promise<Request> {
  const { location } = rows;
  const dataset = datasetName(location, options.dataset);
  const { ledger, config } = options;
  const inputs = await guardFiles(publicFilesOf(options), { sources: await rows.files(), ledger, config });
  const { shape } = kindOf({ kind });
  const { domain, items, table } =
    shape !== "winners"
      ? { domain: shape === "values" ? typedGrid(options) : ({ kind: "unknown" } as const) }
      : await candidatesOf(location, options, signal);
  const { guess: typed, set, delta, ...rest } = options;
  if (typed !== undefined) readGuess(typed);
  const groups = await readAskedGroups(options);
  const map = await readAskedMap(options.map);
  if (typed !== undefined && groups !== undefined)
    throw new Refusal(
      "usage",
      "--guess must be left out with --by, because each group has counts of its own.",
    );
  const asked = { ...options, asked: groups?.input, mapped: map?.map };
  // With a guess, an order may take the place of a set, and spend a δ that a set has no use for.
  const first = typed !== undefined && set ? { ...rest, set, asked: undefined, mapped: map?.map } : asked;
  questionOf(kind, domain, first, options.user); // refuses an invalid question before a header is read
  const roles = await rolesOf(kind, options, map?.pairs, columns);
  const guess =
    shape === "winners" && groups === undefined
      ? await publicCountsOf(options, roles, { domain: domain as Domain, items })
      : undefined;
  const choice = choiceOf(kind, domain, asked, { user: roles?.user ?? options.user, guess });
  const { question } = choice?.chosen ?? {
    question: questionOf(kind, domain, asked, roles?.user ?? options.user),
  };
  const tuning =
    options.tune === undefined
      ? undefined
      : tuningFor(inputOf(kind, domain as Domain, asked, roles?.user ?? options.user), options.tune);
  return {
    ...{ question, choice, tuning, loss: lossOf(question), dataset, roles, items, table, inputs },
    groups: groups?.listed,
  };
}

/** What the choice may look at besides the question: a guess, or the public twin of the rows. */
async function publicCountsOf(
  options: ReleaseOptions,
  roles: Roles | undefined,
  { domain, items }: { readonly domain: Domain; readonly items?: readonly string[] | undefined },
): Promise<PublicCounts | undefined> {
  const { guess, public: twin, maxItemsPerUser = USUAL_LIMIT } = options;
  if (guess !== undefined) return countsOfGuess(readGuess(guess), sizeOf(domain));
  if (twin === undefined || roles === undefined) return undefined;
  const limit = domain.kind === "unknown" ? maxItemsPerUser : undefined;
  const { counts, bounded } = await publicCounts(twin, options, roles, twinCandidates(domain, items), limit);
  return {
    counts: Float64Array.from(counts),
    origin: "the public rows",
    limits: limit === undefined ? [] : [limit],
    bounded: (most) => (most === limit && bounded !== undefined ? Float64Array.from(bounded) : undefined),
  };
}

/** On a twin, if none is given. */
const USUAL_LIMIT = 10;

/** By option. */
function publicFilesOf({ domain, public: twin, labels, groups, groupBudgets, map }: ReleaseOptions) {
  return {
    ...{ "--domain": domain, "--public": twin, "--labels": labels },
    ...{ "--groups": groups, "--group-budgets": groupBudgets, "--map": map },
  };
}

/** As given; otherwise from the header of the public twin, or without a twin from that of the private file. */
async function rolesOf(
  kind: Question["kind"],
  options: ReleaseOptions,
  map: ComputedItems["map"],
  columns: (() => Promise<Columns>) | undefined,
): Promise<Roles | undefined> {
  const { user } = options;
  const computed = computedItems(options, map);
  if (computed !== undefined) return computedRoles(computed, options, columns);
  const isOfValues = kindOf({ kind }).shape === "values";
  const item = isOfValues ? options.column : options.item;
  if (isOfValues && item === undefined)
    throw new Refusal("usage", "--column must name the column of numbers.");
  const option = itemOption(kind);
  if (options.public !== undefined)
    return rolesIn(await columnsOf(options.public, options), { item, user }, option);
  if (item !== undefined && user !== undefined) {
    checkRoles({ names: [], isPublic: true }, { item, user }, option);
    return { item, user };
  }
  return columns === undefined ? undefined : rolesIn(await columns(), { item, user }, option);
}

/** Computed items name all their columns; the column of the person may be guessed. */
async function computedRoles(
  computed: ComputedItems,
  options: ReleaseOptions,
  columns: (() => Promise<Columns>) | undefined,
): Promise<Roles | undefined> {
  const item = itemsName(computed);
  const given = { item: computed.parts[0]!.column, user: options.user };
  const known =
    options.public !== undefined
      ? await columnsOf(options.public, options)
      : options.user !== undefined
        ? { names: [], isPublic: true }
        : await columns?.();
  if (known === undefined) return undefined;
  const roles = { item, user: options.user ?? rolesIn(known, given).user, computed };
  checkRoles(known, roles);
  return roles;
}

/** The options, with the groups that they ask for. */
type AskedOptions = ReleaseOptions & {
  readonly asked: GroupsInput | undefined;
  readonly mapped: ItemMap | undefined;
};

interface AskedCandidates {
  readonly domain: Domain | GridInput;
  /** The names, if there is a list. */
  readonly items?: readonly string[];
  /** The table of the server that contains them. */
  readonly table?: PublicTable;
}

/** The candidates of the question. */
async function candidatesOf(
  location: string,
  options: ReleaseOptions,
  signal?: AbortSignal,
): Promise<AskedCandidates> {
  const { domain: path, domainTable, domainColumn, domainSize, defaults = [] } = options;
  refuseSeveral({ "--domain": path, "--domain-table": domainTable, "--domain-size": domainSize });
  const isIdle = domainColumn !== undefined && path === undefined && domainTable === undefined;
  if (isIdle && !defaults.includes("domainColumn"))
    throw new Refusal("usage", "--domain-column needs a CSV file in --domain, or a --domain-table.");
  if (domainTable !== undefined) {
    const table = { table: domainTable, column: domainColumn };
    const items = await readPublicTable(location, table, options, signal);
    return { domain: await listedDomain(items), items, table };
  }
  if (path !== undefined) {
    const items = await readDomain(path, domainColumn);
    return { domain: await listedDomain(items), items };
  }
  if (options.candidates !== undefined)
    return { domain: await listedDomain(options.candidates), items: options.candidates };
  if (domainSize !== undefined) return { domain: { kind: "integers", below: domainSize } };
  if (options.delta === undefined)
    throw new Refusal(
      "usage",
      "--delta must be given, such as 1e-6, because without a public list of candidates (--domain) the domain is unknown and the items themselves are private.",
    );
  return { domain: { kind: "unknown" } };
}

function refuseSeveral(given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  if (names.length > 1)
    throw new Refusal(
      "usage",
      `${names.join(" and ")} cannot be combined: the candidates come from one place.`,
    );
}

/** The mechanisms that may answer, compared; undefined for kinds that only one answers. */
function choiceOf(
  kind: Question["kind"],
  domain: AskedCandidates["domain"],
  options: AskedOptions,
  { user, guess }: { readonly user: string | undefined; readonly guess: PublicCounts | undefined },
): Choice | undefined {
  const isCompared =
    kindOf({ kind }).options.others.includes("guess") && (guess !== undefined || options.dryRun);
  if (!isCompared || options.asked !== undefined) return undefined;
  const asked = inputOf(kind, domain as Domain, options, user);
  return choose(asked, { guess });
}

/** The question. `user` is the column, if already known. */
function questionOf(
  kind: Question["kind"],
  domain: AskedCandidates["domain"],
  options: AskedOptions,
  user: string | undefined,
): Question {
  const { asked: groups } = options;
  const unit = unitFor(options, user);
  if (domain.kind === "grid") {
    const { epsilon, rho, neighbours, maxValuesPerUser: maxItemsPerUser, atMost } = options;
    const quantiles = typedShares(options.quantiles);
    return readQuestion({
      ...{ kind, domain, quantiles, epsilon, rho, neighbours, maxItemsPerUser, atMost, groups, unit },
      ...(groups?.list === "selected" && { delta: options.delta }),
      ...whereOf(options),
    });
  }
  const input = inputOf(kind, domain, options, user);
  try {
    return readQuestion(input);
  } catch (error) {
    throw isTooMany(error, domain, input.k ?? 0)
      ? new Refusal("k-too-large", `${tooManySentence(error)}.`)
      : error;
  }
}

function unitFor({ unit }: ReleaseOptions, user: string | undefined): string {
  return unit ?? (user === undefined ? "one value of the user column" : unitOf(user));
}

/** As it is read: without the defaults that don't apply. */
function inputOf(
  kind: Question["kind"],
  domain: Domain,
  options: AskedOptions,
  user: string | undefined,
): QuestionInput {
  const unit = unitFor(options, user);
  const asks = kindOf({ kind });
  const k = asks.k === "most" ? options.maxK : options.k;
  if (k === undefined && asks.defaults.k === undefined)
    throw new Refusal("usage", "-k must say how many winners you want, such as -k 10.");
  const asked = withoutIdleDefaults(kind, domain, options);
  const { epsilon, rho, delta, resolution, counts, maxItemsPerUser, mechanism, neighbours } = asked;
  const { set, outsiderShare } = asked;
  return {
    ...{ kind, k, domain, neighbours, mechanism, epsilon, rho, delta, resolution, counts },
    ...{ maxItemsPerUser, set, outsiderShare, groups: options.asked, unit, ...whereOf(options) },
    ...{ items: options.items, map: options.mapped },
  };
}

/** The condition on rows; types alone say nothing. */
function whereOf({ where: typed, types, time = "", about, defaults = [] }: ReleaseOptions) {
  if (typed === undefined && types !== undefined && about === undefined && !defaults.includes("types"))
    throw new Refusal("usage", "--types needs --where, because only its columns have types.");
  const read = types === undefined ? undefined : readTypes(types);
  const where = allConditions([typed, about && periodCondition(about.days, time)], read);
  return { where, types: read, period: about?.period };
}

function isTooMany(error: unknown, domain: Domain, k: number): error is WinnowError {
  const size = domain.kind === "listed" ? domain.size : domain.kind === "integers" ? domain.below : Infinity;
  return error instanceof WinnowError && error.field === "k" && k >= size;
}

function tooManySentence({ message }: WinnowError): string {
  return message.replace(/^"?k"? /, "-k ");
}

function withoutIdleDefaults(kind: Question["kind"], domain: Domain, options: AskedOptions): ReleaseOptions {
  const idle = (name: keyof ReleaseOptions, isUsed: boolean) =>
    !isUsed && options.defaults?.includes(name) ? { [name]: undefined } : {};
  const { mechanism, rho, epsilon } = options;
  const paid = rho === undefined ? { epsilon } : { rho };
  const fits =
    mechanism !== undefined &&
    canAnswer(mechanismFor({ mechanism }), { kind, domain: domain.kind, ...paid }) === true;
  const asked: ReleaseOptions = { ...options, ...idle("mechanism", fits) };
  const isDefault = (name: keyof ReleaseOptions) => options.defaults?.includes(name);
  const { k = 1, neighbours, counts, set, maxItemsPerUser } = asked;
  const said = {
    delta: isDefault("delta") ? undefined : asked.delta,
    resolution: isDefault("resolution") ? undefined : asked.resolution,
  };
  const { rules } =
    asked.mechanism === undefined
      ? usualMechanism({
          ...{ kind, domain: domain.kind, size: sizeOf(domain), k, epsilon, rho, neighbours, counts },
          ...{ ...said, set, maxItemsPerUser, isLimitIdle: isDefault("maxItemsPerUser") },
        })
      : mechanismFor({ mechanism: asked.mechanism });
  return {
    ...asked,
    ...idle("delta", rules.delta === "needed" || options.asked?.list === "selected"), // a promise in ε alone is weakened only if someone says so
    ...idle("resolution", rules.gaps !== undefined && rho === undefined),
    ...idle("counts", rules.counts !== undefined),
    ...idle("outsiderShare", rules.isSet === true),
    ...idle("maxItemsPerUser", rules.bound !== undefined),
  };
}
