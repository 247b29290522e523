/**
 * What an analyst may send: a question in public terms. Columns, rows, the unit of privacy, the candidates and the limit on a
 * person's items come from the configuration, and so do the largest k and price of one request. Reading it touches no row.
 * @module
 */
import { rational } from "winnow-dp";
import {
  type AccountPromise,
  type AskedPeriod,
  allConditions,
  asSentence,
  type Choice,
  canAnswer,
  choose,
  columnsOf,
  countsOfGuess,
  type Domain,
  type GridInput,
  type GroupsInput,
  kindOf,
  type Mechanism,
  mechanismFor,
  mustBe,
  OPTIONS,
  type OptionName,
  type PublicFacts,
  periodCondition,
  periodOfPromise,
  type Question,
  type QuestionInput,
  type QuestionKind,
  Refusal,
  readGuess,
  readPredicate,
  readQuestion,
  sizeOf,
  unitOf,
  usualMechanism,
} from "winnow-release";
import { z } from "zod";
import {
  type DatasetConfig,
  exact,
  KINDS,
  MECHANISM_NAMES,
  NUMBER_TEXT,
  sentenceOf,
  strict,
} from "./config.js";

/** As many as fit into the usual limit of a body, however long each is. */
const MOST_QUANTILES = 100;
const SHARE = "must be a share from 0 to 1";
const WHERE = "must be a condition on one row, such as country = 'DE'";
const PERIOD = "must be a period such as 2026-W47, or a day in it";

/** How long a condition takes on one row should be far below a tick, whatever the row is. */
const LONGEST_WHERE = 1000;

/** As the table of options says it, and what else a program should know. */
function said(name: OptionName, ...more: readonly string[]) {
  return { description: [asSentence(OPTIONS[name].text), ...more].join(" ") };
}

function price(name: "epsilon" | "rho" | "delta" | "resolution") {
  return exact(JSON.stringify(OPTIONS[name].example));
}

const share = z.union(
  [
    z.string().max(90, { error: SHARE }).regex(NUMBER_TEXT, { error: SHARE }),
    z.number().min(0, { error: SHARE }).max(1, { error: SHARE }),
  ],
  { error: SHARE },
);

/** The body of a plan, a cost and a release. */
export const Ask = strict({
  kind: z.enum(KINDS, { error: `must be one of ${KINDS.join(", ")}` }).meta({
    description:
      "The best k, a set that stands out (adaptive), every name that enough people have, quantiles, or how many items have how many people.",
  }),
  k: z
    .int({ error: "must be a whole number >= 1" })
    .min(1, { error: "must be a whole number >= 1" })
    .max(1_000_000, { error: "must be at most 1000000" })
    .optional()
    .meta(said("k", "The most that there may be, where the data decide how many.")),
  epsilon: price("epsilon").optional().meta(said("epsilon", "Exactly one of epsilon and rho.")),
  rho: price("rho").optional().meta(said("rho")),
  delta: price("delta")
    .optional()
    .meta(
      said(
        "delta",
        "Also for sets whose size the data choose. Over a public list it is spent where it buys less noise.",
      ),
    ),
  mechanism: z
    .enum(MECHANISM_NAMES, { error: `must be one of ${MECHANISM_NAMES.join(", ")}` })
    .optional()
    .meta(said("mechanism")),
  counts: z.boolean({ error: "must be true or false" }).optional().meta(said("counts")),
  set: z.boolean({ error: "must be true or false" }).optional().meta(said("set")),
  outsiderShare: share.optional().meta(said("outsiderShare")),
  guess: z.string().max(200).optional().meta(said("guess")),
  resolution: price("resolution").optional().meta(said("resolution")),
  where: z
    .string({ error: WHERE })
    .min(1, { error: WHERE })
    .max(LONGEST_WHERE, { error: `must be at most ${LONGEST_WHERE} characters` })
    .optional()
    .meta({
      description:
        "Which rows count: a condition on one row, such as country = 'DE' and day >= '2026-10-01', over the columns that the data set allows. It is part of the question.",
    }),
  period: z.string({ error: PERIOD }).min(1, { error: PERIOD }).max(10, { error: PERIOD }).optional().meta({
    description: "The period that the question is about, or a day in it, where the budget has periods.",
  }),
  quantiles: z
    .array(share, { error: 'must be a list of shares from 0 to 1, such as ["0.5", "0.9"]' })
    .min(1, { error: "must have at least one share" })
    .max(MOST_QUANTILES, { error: `must have at most ${MOST_QUANTILES} shares` })
    .optional()
    .meta(said("quantiles")),
}).meta({ id: "Ask", description: "A question in public terms." });

export type Ask = z.infer<typeof Ask>;

/** Throws `invalid-request` about the first wrong field. */
export function readAsk(body: unknown): Ask {
  const parsed = Ask.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new Refusal("invalid-request", sentenceOf(parsed.error.issues[0]!, "The body"));
}

/** As much of a data set as a question depends on: all of it public. */
export interface Askable {
  readonly name: string;
  readonly config: DatasetConfig;
  /** The items of top and adaptive questions, or the grid of quantiles. */
  readonly domain: Domain | GridInput;
  /** Every question is in these groups, with one answer for each. */
  readonly groups?: GroupsInput | undefined;
  /** Every question is about one of these periods. */
  readonly periods?: Periods | undefined;
}

/** The periods of an account whose budget has periods. */
export interface Periods {
  readonly promise: AccountPromise;
  /** The column of days. */
  readonly time: string;
  /** Secret: says who is counted in which period; undefined where everyone is counted in each. */
  readonly key: string | undefined;
}

/** What one person is, unless the configuration says it. */
export function unitOfRows({ unit, user }: DatasetConfig): string {
  return unit ?? unitOf(user);
}

/** The question in canonical form, within what the operator allows. */
export function questionFor(askable: Askable, ask: Ask): Question {
  const { config } = askable;
  const { allow } = config;
  if (!allow.kinds.includes(ask.kind)) throw notAllowed("kind", `one of ${allow.kinds.join(", ")}`, ask.kind);
  checkLargest(config, ask);
  const { input, facts } = inputFor(askable, ask);
  const question =
    facts === undefined ? readQuestion(input) : choiceWithin(input, config, facts).chosen.question;
  if (question.k > allow.k) throw notAllowed("k", `at most ${allow.k}`, question.k);
  const { mechanisms } = allow;
  if (mechanisms !== undefined && !mechanisms.includes(question.mechanism))
    throw notAllowed("mechanism", `one of ${mechanisms.join(", ")}`, question.mechanism);
  return question;
}

/** The period that is asked about, where the account has periods. */
export function periodAsked(
  { periods }: Pick<Askable, "periods">,
  { period }: Pick<Ask, "period">,
): AskedPeriod | undefined {
  if (periods === undefined) {
    if (period === undefined) return undefined;
    throw new Refusal("not-answerable", "period must be absent, because the budget has no periods.");
  }
  const { period: length, horizon, first } = periods.promise;
  if (period === undefined)
    throw new Refusal(
      "not-answerable",
      `period must say which of the ${horizon} ${length}s from ${first} on the question is about.`,
    );
  return periodOfPromise(periods.promise, period, periods.key);
}

/** The rows that count: those of the operator, of the analyst and of the period, each read on its own. */
function whereOf({ config, periods }: Askable, { where }: Ask, about: AskedPeriod | undefined) {
  const { allow, types } = config;
  if (where !== undefined) {
    if (allow.where === undefined) throw notAllowed("where", "absent for this data set", where);
    const other = columnsOf(readPredicate(where, types)).find((column) => !allow.where?.includes(column));
    if (other !== undefined)
      throw notAllowed("where", `a condition on the columns ${allow.where.join(", ")} only`, other);
  }
  return allConditions([config.where, where, about && periodCondition(about.days, periods!.time)], types);
}

/** What the mechanisms that may answer would give; undefined for kinds that are not compared. */
export function choiceFor(askable: Askable, ask: Ask): Choice | undefined {
  const { input, facts = {} } = inputFor(askable, ask);
  if (!isCompared(input)) return undefined;
  const choice = choiceWithin(input, askable.config, facts);
  return ask.mechanism === undefined && choice.by === "name" ? { ...choice, by: "rule" } : choice;
}

interface Input {
  readonly input: QuestionInput;
  /** The asker's guess about the data, which decides between mechanisms. It isn't private. */
  readonly facts: PublicFacts | undefined;
}

function inputFor(askable: Askable, { guess, period, ...ask }: Ask): Input {
  const { config, domain: candidates, groups } = askable;
  const { kind } = ask;
  const about = periodAsked(askable, { period });
  const { shape, defaults } = kindOf({ kind });
  const domain: Domain | GridInput = shape === "frequencies" ? { kind: "unknown" } : candidates;
  const usual = defaults.k && Math.min(defaults.k, config.allow.k);
  const k = ask.k ?? usual;
  if (k === undefined && shape === "winners")
    throw new Refusal("not-answerable", "k must say how many winners you want, such as 10.");
  const { mechanism, isUsual } =
    ask.mechanism === undefined
      ? allowedMechanism(kind, domain, { ...ask, k: k ?? 1 }, config)
      : { mechanism: mechanismFor({ mechanism: ask.mechanism }), isUsual: false };
  const input: QuestionInput = {
    ...ask,
    k,
    domain,
    mechanism: isUsual ? undefined : mechanism.name, // a usual one may leave a δ unspent
    neighbours: config.neighbours,
    maxItemsPerUser: mechanism.rules.bound === "needed" ? config.maxItemsPerUser : undefined,
    atMost: shape === "values" ? config.atMost : undefined,
    groups,
    where: whereOf(askable, ask, about),
    types: config.types,
    period: about?.period,
    unit: unitOfRows(config),
  };
  return { input, facts: guess === undefined ? undefined : factsOf(guess, input) };
}

function isCompared(input: QuestionInput): boolean {
  return (
    input.groups === undefined &&
    kindOf(input).options.others.includes("guess") &&
    input.domain.kind !== "grid"
  );
}

function factsOf(guess: string, input: QuestionInput): PublicFacts {
  if (!isCompared(input) || input.domain.kind === "grid")
    throw new Refusal(
      "not-answerable",
      `guess must be absent for a question ${input.groups === undefined ? `of kind "${kindOf(input).name}"` : "in groups"}.`,
    );
  return { guess: countsOfGuess(readGuess(guess), sizeOf(input.domain)) };
}

/** The operator sets the limit on the items of a person. */
function choiceWithin(
  input: QuestionInput,
  { allow, maxItemsPerUser }: DatasetConfig,
  facts: PublicFacts,
): Choice {
  const limits = maxItemsPerUser === undefined ? [] : [maxItemsPerUser];
  return choose(input, { ...facts, limits }, ({ name }) => allow.mechanisms?.includes(name) ?? true);
}

/** The default of the library, or the first allowed one that can answer instead. */
function allowedMechanism(
  kind: QuestionKind,
  domain: Domain | GridInput,
  ask: Omit<Ask, "kind"> & { readonly k: number },
  { allow: { mechanisms, delta }, maxItemsPerUser, neighbours }: DatasetConfig,
): { readonly mechanism: Mechanism; readonly isUsual: boolean } {
  const { rho } = ask;
  const size = domain.kind === "grid" ? undefined : sizeOf(domain);
  const usual = usualMechanism({
    ...ask,
    ...{ kind, domain: domain.kind, size, neighbours, maxItemsPerUser, isLimitIdle: true },
  });
  if (mechanisms === undefined || mechanisms.includes(usual.name)) return { mechanism: usual, isUsual: true };
  const draft = {
    kind,
    domain: domain.kind,
    ...(rho !== undefined && { rho: String(rho) }),
    lacks: delta === undefined ? (["delta"] as const) : [],
  };
  const allowed = mechanisms.map((name) => mechanismFor({ mechanism: name }));
  const found = allowed.find((each) => canAnswer(each, draft) === true);
  return { mechanism: found ?? usual, isUsual: false };
}

/**
 * Prices are multiples of one over this, exactly: sums of fractions with thousands of different denominators would take the ledger
 * longer and longer. It is the least that all numbers up to 40 and 10^18 divide.
 */
const FINEST = 10n ** 18n * (27n * 7n * 11n * 13n * 17n * 19n * 23n * 29n * 31n * 37n);
const FINE = "a decimal with at most 18 places, or a fraction with a denominator of at most 40";

/** The price of one request. */
function checkLargest({ allow }: DatasetConfig, ask: Ask): void {
  for (const field of ["epsilon", "rho", "delta"] as const) {
    const [most, asked] = [allow[field], ask[field]];
    if (asked === undefined) continue;
    if (most === undefined) throw notAllowed(field, "absent for this data set", asked);
    const price = rational(asked, field);
    if (price.compare(most) > 0) throw notAllowed(field, `at most ${most}`, asked);
    if (!price.times(FINEST).isInteger()) throw new Refusal("not-answerable", mustBe(field, FINE, asked));
  }
}

function notAllowed(field: string, rule: string, got: string | number): Refusal {
  return new Refusal("not-allowed", mustBe(field, rule, got));
}
