/**
 * The questions that a data set allows, and the expected accuracy of an answer: from the configuration, the question and a public twin
 * of the rows alone. No row is touched.
 * @module
 */
import { rational } from "winnow-dp";
import {
  type AccountPromise,
  allConditions,
  boundInWords,
  type Choice,
  COUNT_CONFIDENCE,
  type ColumnTypes,
  canAnswer,
  choiceInWords,
  countsInWords,
  countsOf,
  type Domain,
  deltaInWords,
  domainInWords,
  expectedUtility,
  type GroupsInput,
  gapUncertainty,
  groupColumns,
  groupLimitInWords,
  groupsInWords,
  inventedInWords,
  kindOf,
  lossOf,
  MECHANISM_NAMES,
  mechanismFor,
  mechanismInWords,
  mechanismOf,
  type NamedMechanism,
  type NeededUsers,
  type Neighbours,
  neededUsers,
  noiseInWords,
  type Question,
  type QuestionKind,
  questionOfOne,
  type RankedScores,
  type ReleaseLoss,
  rankErrors,
  rankErrorsInWords,
  readGrid,
  releaseLoss,
  type Speaker,
  type Utility,
} from "winnow-release";
import { type Ask, type Askable, unitOfRows } from "./ask.js";

/** The age of the counts that answers are drawn from. */
export interface CountAge {
  /** When the count began. */
  readonly began: string;
  readonly seconds: number;
}

export interface DatasetDescription {
  readonly name: string;
  readonly account: string;
  readonly unit: string;
  readonly neighbours: Neighbours;
  /** A public list is described by its size and hash. */
  readonly domain: Domain;
  /** What one person counts for, where a mechanism needs a limit. */
  readonly maxItemsPerUser?: number;
  /** Every answer is one for each of these groups. */
  readonly groups?: GroupsInput;
  /** The operator's condition on rows, in canonical form: it is part of every question. */
  readonly where?: string;
  /** The columns that a condition of yours may read, with their types. */
  readonly conditions?: readonly { readonly column: string; readonly type: ColumnTypes[string] }[];
  /** Every question is about one of these periods. */
  readonly periods?: AccountPromise;
  readonly kinds: readonly QuestionKind[];
  readonly mechanisms: readonly string[];
  /** The largest of one request. */
  readonly largest: {
    readonly k: number;
    readonly epsilon?: string;
    readonly rho?: string;
    readonly delta?: string;
  };
  /** In seconds; 0 counts for each release. */
  readonly maxAge: number;
  readonly counted?: CountAge;
}

/** In public terms. */
export function descriptionOf(dataset: Askable, began: number | undefined, now: number): DatasetDescription {
  const { name, config, domain, groups, periods } = dataset;
  const { allow, maxItemsPerUser, types = {} } = config;
  const where = allConditions([config.where], types);
  const largest = { epsilon: allow.epsilon, rho: allow.rho, delta: allow.delta };
  const texts = Object.entries(largest).flatMap(([field, size]) =>
    size === undefined ? [] : [[field, String(size)]],
  );
  return {
    name,
    account: config.account ?? name,
    unit: unitOfRows(config),
    neighbours: config.neighbours,
    domain: canonicalDomain(domain),
    ...(maxItemsPerUser !== undefined && { maxItemsPerUser }),
    ...(groups !== undefined && { groups }),
    ...(where !== undefined && { where }),
    ...(allow.where !== undefined && {
      conditions: allow.where.map((column) => ({ column, type: types[column] ?? "text" })),
    }),
    ...(periods !== undefined && { periods: periods.promise }),
    kinds: allow.kinds,
    mechanisms: mechanismsOf(dataset),
    largest: { k: allow.k, ...Object.fromEntries(texts) },
    maxAge: config.maxAge,
    ...(began !== undefined && {
      counted: {
        began: new Date(began).toISOString(),
        seconds: Math.max(0, Math.floor((now - began) / 1000)),
      },
    }),
  };
}

/** A grid gets its step and its canonical numbers. */
function canonicalDomain(domain: Askable["domain"]): Domain {
  if (domain.kind !== "grid") return domain;
  return readGrid(domain);
}

/** Those that can answer an allowed question over these candidates. */
function mechanismsOf({ config, domain }: Askable): string[] {
  const { allow, maxItemsPerUser } = config;
  const { kinds, mechanisms = MECHANISM_NAMES } = allow;
  return mechanisms.filter((name) => {
    const mechanism = mechanismFor({ mechanism: name });
    const { kind, budgets } = mechanism.rules;
    const usual = kindOf({ kind }).defaults.maxItemsPerUser;
    const lacks = [
      ...(allow.delta === undefined ? (["delta"] as const) : []),
      ...(maxItemsPerUser === undefined && usual === undefined ? (["maxItemsPerUser"] as const) : []),
    ];
    const draft = {
      kind,
      domain: kindOf({ kind }).shape === "frequencies" ? "unknown" : domain.kind,
      lacks,
    } as const;
    const isPaid = budgets.some((budget) => allow[budget] !== undefined);
    return kinds.includes(kind) && isPaid && canAnswer(mechanism, draft) === true;
  });
}

/** What an answer would be worth; in groups, that of each. Numbers in users, unless they say otherwise. */
export interface Plan {
  readonly dataset: string;
  readonly question: Question;
  readonly mechanism: NamedMechanism;
  /** The loss that a release would promise. */
  readonly loss: ReleaseLoss;
  /** The true lead is in this interval around the released one. */
  readonly lead?: { readonly confidence: string; readonly below: string; readonly above: string };
  /** The true count is so near to the released one. */
  readonly count?: {
    readonly confidence: string;
    readonly halfWidth: string;
    /** All counts at once are so near to the released ones. */
    readonly simultaneous: string;
    /** Whether the errors of counts share a part. */
    readonly isShared: boolean;
  };
  /** How far the rank of each quantile can be off, in ranks and as a share of all values. */
  readonly rankErrors?: readonly {
    readonly quantile: string;
    readonly ranks: string;
    readonly share: string;
  }[];
  /** What an item needs to be named, where there is no public list. */
  readonly needed?: NeededUsers;
  /** On the public twin of the rows, if the data set has one. */
  readonly preview?: Preview;
  /** The plan in sentences. */
  readonly notes: readonly string[];
}

export interface Preview {
  readonly runs: number;
  /** The share of the true winners that is named, and how often anything is. */
  readonly recall: number;
  readonly released: number;
  /** Mean distances between released and true leads and counts. */
  readonly leadError?: number;
  readonly countError?: number;
}

const RUNS = 60;

/** The question as it came, a public twin of the rows, and what ends the work. */
interface PlanInputs {
  readonly asked: Ask;
  readonly twin: RankedScores | undefined;
  readonly choice?: Choice | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** As fields of the request. */
const AS_FIELDS: Speaker = { option: (name, value) => `"${name}": "${value}"` };

export async function planOf(
  dataset: string,
  question: Question,
  { asked, twin, choice, signal }: PlanInputs,
): Promise<Plan> {
  const { shape } = kindOf(question);
  const one = questionOfOne(question);
  const needed = await neededUsers(one);
  const lead = gapUncertainty({ question: one, mechanism: mechanismOf(one) });
  const counts = countsOf(one);
  const preview = twin === undefined ? undefined : await previewOf(question, twin, signal);
  return {
    dataset,
    question,
    mechanism: mechanismOf(question),
    loss: releaseLoss(lossOf(question)),
    ...(lead !== undefined && {
      lead: { confidence: String(lead.confidence), below: String(lead.below), above: String(lead.above) },
    }),
    ...(counts !== undefined && {
      count: {
        confidence: COUNT_CONFIDENCE,
        halfWidth: String(counts.halfWidth),
        simultaneous: String(counts.simultaneous),
        isShared: counts.shared !== undefined,
      },
    }),
    ...(shape === "values" && {
      rankErrors: rankErrors(one).map(({ ranks, share }, i) => ({
        quantile: question.quantiles?.[i] ?? "",
        ranks: String(ranks),
        share: String(share),
      })),
    }),
    ...(needed !== undefined && { needed }),
    ...(preview !== undefined && { preview }),
    notes: [
      ...notesOf(question, needed, noiseInWords(one, asked, AS_FIELDS)),
      ...[choice && choiceInWords(choice, AS_FIELDS)].flatMap((line) => line ?? []),
    ],
  };
}

/** Undefined for questions whose error is known without rows. */
async function previewOf(
  question: Question,
  twin: RankedScores,
  signal?: AbortSignal,
): Promise<Preview | undefined> {
  if (kindOf(question).shape !== "winners") return undefined;
  const utility: Utility = await expectedUtility(question, twin, { runs: RUNS, signal });
  const { runs, recall, released, gapError, countError } = utility;
  return {
    runs,
    recall: recall.mean,
    released: released.mean,
    ...(gapError !== undefined && { leadError: gapError.mean }),
    ...(countError !== undefined && { countError: countError.mean }),
  };
}

function notesOf(question: Question, needed: NeededUsers | undefined, noise: string | undefined): string[] {
  const { groups } = question;
  const one = questionOfOne(question);
  const { counts, maxItemsPerUser } = one;
  const { shape } = kindOf(one);
  const { name, parameters } = mechanismOf(one);
  const { caveat } = mechanismFor(one).words;
  const sentences: (string | false | undefined)[] = [
    groups &&
      `One answer for each group by ${groupColumns(groups)}: ${groupsInWords(groups)}; ${groupLimitInWords(groups)}`,
    `The mechanism is ${mechanismInWords(name, parameters)}`,
    `Candidates: ${domainInWords(question.domain)}`,
    question.where !== undefined && `Rows: those where ${question.where}`,
    maxItemsPerUser !== undefined && `People: ${boundInWords(one)}`,
    counts && `Counts: ${countsInWords({ question: one, mechanism: { name, parameters } })}`,
    shape === "values" && `The accuracy is known beforehand: ${rankErrorsInWords(one)}`,
    shape === "frequencies" && `Before you release: ${inventedInWords(one)}`,
    needed && neededInWords(needed, one),
    caveat?.replace(/\.$/, ""),
    needed && question.delta !== undefined && `Besides, ${deltaInWords(rational(question.delta))}`,
  ];
  const told = sentences.flatMap((sentence) => (sentence ? [`${sentence}.`] : []));
  return noise === undefined ? told : [...told, noise];
}

function neededInWords(needed: NeededUsers, question: Question): string {
  const users = needed.users.toLocaleString("en");
  switch (needed.over) {
    case "outsiders":
      return `To be named, an item needs about ${users} more users than the best item outside the first ${needed.candidates.toLocaleString("en")}`;
    case "none":
      return `An item needs about ${users} users to be named in half of the runs, where each person counts for at most ${needed.maxItemsPerUser} items`;
    default:
      return `Items are named only if one leads the next by about ${users} users or more${kindOf(question).k === "asked" ? ` at place ${question.k}` : ""}; otherwise nothing is named`;
  }
}
