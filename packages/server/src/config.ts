/**
 * The configuration of the service: one JSON file that its operator writes. It is checked as a whole before anything is
 * opened. An unknown field is refused with the nearest name, because a misspelt limit must not become a silent default, and
 * each message starts with the path of the field: `datasets.visits.allow.epsilon must be …`.
 *
 * An analyst never sends a location, a table, a query or a column: they are here. Keys are stored as hashes.
 * @module
 */
import { rational, WinnowError } from "winnow-dp";
import {
  type BudgetJson,
  budgetFrom,
  concernAboutBudget,
  didYouMean,
  KIND_NAMES,
  kindOf,
  MOST_GROUPS,
  mustBeButIs,
  MECHANISM_NAMES as NAMES,
  needsLimit,
  Refusal,
} from "winnow-release";
import { z } from "zod";
import { EXPIRY, isExpiry, LABEL } from "./authenticate.js";
import { isNetwork } from "./client-address.js";

/** A refused field never shows these: an address may hold a password. */
const SECRET = /^(ledger|source|keys|key|public|headers)$/;

export const KINDS = KIND_NAMES as [string, ...string[]];
const OF_VALUES = KINDS.filter((kind) => kindOf({ kind }).shape === "values");
export const MECHANISM_NAMES = NAMES as [string, ...string[]];

/** An object whose unknown fields are refused with the nearest name. */
export function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys")
        return issue.input === undefined ? "must be given" : "must be an object";
      const key = issue.keys[0] ?? "";
      return `has the unknown field ${JSON.stringify(key)}.${didYouMean(key, Object.keys(shape))}`;
    },
  });
}

function text(what: string) {
  return z.string({ error: `must be ${what}` }).min(1, { error: `must be ${what}` });
}

function whole(least: number, most = Number.MAX_SAFE_INTEGER) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

function flag() {
  return z.boolean({ error: "must be true or false" });
}

/** As it is written in JSON: exact text, or a number that is read as the decimal it prints as. */
export const NUMBER_TEXT = /^\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,3})?$|^\d{1,40}\/\d{1,40}$/;

/** Numbers above 0 in that form. */
const POSITIVE_TEXT =
  /^(?=[\d.]*[1-9])\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,3})?$|^(?=\d*[1-9])\d{1,40}\/(?=\d*[1-9])\d{1,40}$/;

/** A positive exact number such as "1/2", "0.5", "1e-6" or 0.5. */
export function exact(example: string) {
  const error = `must be a rational > 0, such as ${example}`;
  return z
    .union([z.string().max(90, { error }).regex(POSITIVE_TEXT, { error }), z.number().positive({ error })], {
      error,
    })
    .refine((value) => isPositive(value), { error })
    .meta({ examples: [JSON.parse(example)] });
}

function isPositive(value: string | number): boolean {
  try {
    return rational(value).compare(0n) > 0;
  } catch {
    return false;
  }
}

/** In one measure, as `winnow budget init` takes it. */
const Limit = strict({
  epsilon: exact('"10"').optional(),
  rho: exact('"1/2"').optional(),
  eta: exact('"1"').optional(),
  delta: exact('"1e-5"').optional(),
  order: exact('"8"').optional(),
}).refine(({ epsilon, rho, eta }) => [epsilon, rho, eta].filter((size) => size !== undefined).length === 1, {
  error: "must have exactly one of epsilon, rho and eta",
});

export type LimitConfig = z.infer<typeof Limit>;

const LIST = "must be the path of a text with one candidate per line, or of a CSV file";

const Domain = z.discriminatedUnion(
  "kind",
  [
    strict({
      kind: z.literal("list"),
      file: text("a path").optional(),
      /** On the server that has the rows. */
      table: text("the name of a table").optional(),
      column: text("the name of a column").optional(),
    }).refine(({ file, table }) => (file === undefined) !== (table === undefined), {
      error: `must have exactly one of file (${LIST.slice(8)}) and table`,
    }),
    strict({ kind: z.literal("integers"), below: whole(1) }),
    strict({
      kind: z.literal("grid"),
      lower: z.union([z.string(), z.number()], { error: "must be a number" }),
      upper: z.union([z.string(), z.number()], { error: "must be a number" }),
      step: exact('"0.1"').optional(),
    }),
    strict({ kind: z.literal("unknown") }),
  ],
  { error: 'must be an object whose kind is "list", "integers", "grid" or "unknown"' },
);

const Allow = strict({
  kinds: z
    .array(z.enum(KINDS, { error: `must be one of ${KINDS.join(", ")}` }), {
      error: `must be a list of ${KINDS.join(", ")}`,
    })
    .min(1, { error: "must have at least one kind" }),
  /** Default: all that can answer such a question. */
  mechanisms: z
    .array(z.enum(MECHANISM_NAMES, { error: `must be one of ${MECHANISM_NAMES.join(", ")}` }))
    .min(1, { error: "must have at least one mechanism" })
    .optional(),
  /** The largest of one request. A budget that isn't named can't be asked for. */
  k: whole(1, 1_000_000),
  /** The columns that a condition of an analyst (`where`) may read. Default: none. */
  where: z
    .array(text("the name of a column"), { error: "must be a list of columns" })
    .min(1, { error: "must have at least one column" })
    .optional(),
  epsilon: exact('"1"').optional(),
  rho: exact('"0.05"').optional(),
  delta: exact('"1e-6"').optional(),
  /** The operator agrees that one request, or a cap, may be above ε = 10 or δ = 10⁻⁵, which protects hardly anyone. */
  weakProtection: flag().optional(),
}).refine(({ epsilon, rho }) => epsilon !== undefined || rho !== undefined, {
  error: "must have epsilon or rho: the largest that one request may ask for",
});

const COLUMNS = "must be a list of one or two columns";

/** One answer for each group of rows: all questions about the data set are in these groups. */
const Groups = strict({
  by: z
    .array(text("the name of a column"), { error: COLUMNS })
    .min(1, { error: COLUMNS })
    .max(2, { error: COLUMNS })
    .refine((columns) => new Set(columns).size === columns.length, { error: "must have different columns" }),
  /** A public list: a text with one group per line, or a CSV file with both columns. */
  file: text("a path"),
  maxGroupsPerUser: whole(1, MOST_GROUPS),
});

const TYPE = 'must be "text", "date" or "decimal"';

const Dataset = strict({
  /** A file, postgres://… or clickhouse://…, as the command line takes it. */
  source: text("a file or the address of a server"),
  table: text("the name of a table").optional(),
  query: text("one SELECT").optional(),
  /** The query may do anything: only if it treats each person's rows on their own. */
  trustQuery: flag().optional(),
  format: z
    .enum(["csv", "tsv", "ndjson", "json", "parquet", "duckdb"], {
      error: "must be csv, tsv, ndjson, json, parquet or duckdb",
    })
    .optional(),
  delimiter: z
    .string({ error: "must be one character" })
    .length(1, { error: "must be one character" })
    .optional(),
  quote: z
    .string({ error: "must be one character" })
    .length(1, { error: "must be one character" })
    .optional(),
  header: flag().optional(),
  multiline: flag().optional(),
  /** In bytes, and in seconds. */
  memoryLimit: whole(1).optional(),
  timeLimit: whole(1).optional(),
  item: text("the name of a column"),
  user: text("the name of a column"),
  /** Which rows count, whatever is asked: a condition on one row, as `winnow top --where` takes it. */
  where: text("a condition on one row, such as \"country = 'DE'\"").optional(),
  /** The types of columns in conditions; the others are texts. */
  types: z
    .record(z.string(), z.enum(["text", "date", "decimal"], { error: TYPE }), {
      error: "must be an object of types by column",
    })
    .optional(),
  /** The column of days, where the account has periods: each question is about one of them. */
  time: text("the name of a column").optional(),
  /** The account in the ledger. Default: the name of the data set. Several data sets about the same people share one. */
  account: text("the name of an account in the ledger").optional(),
  unit: text('a text that says what one person is, such as "one value of column user"').optional(),
  neighbours: z
    .enum(["add-remove", "replace"], { error: 'must be "add-remove" or "replace"' })
    .default("add-remove"),
  domain: Domain,
  maxItemsPerUser: whole(1).optional(),
  groups: Groups.optional(),
  /** A public bound on the number of values. */
  atMost: whole(1).optional(),
  /** A public or synthetic twin of the rows: a file with the same columns, for plans. */
  public: text("a path").optional(),
  allow: Allow,
  /** Must equal the ledger's; the service refuses to start if it differs. */
  budget: Limit.optional(),
  /** In seconds: how old the counts may be that answers are drawn from. 0 counts for each release. */
  maxAge: whole(0).default(0),
})
  .refine(({ table, query }) => table === undefined || query === undefined, {
    error: "must have at most one of table and query",
  })
  .refine(({ query, trustQuery }) => !trustQuery || query !== undefined, {
    error: "may have trustQuery only with a query",
  })
  .refine(({ groups, public: twin }) => groups === undefined || twin === undefined, {
    error: "may have a public twin only without groups",
  })
  .refine(({ groups, item, user }) => !groups?.by.some((column) => column === item || column === user), {
    error: "must have other columns as groups than item and user",
  })
  .refine(({ allow, user }) => !allow.where?.includes(user), {
    error: "must not allow conditions (allow.where) on the column of people: one would be about a person",
  })
  .refine(({ types, where, allow }) => types === undefined || (where ?? allow.where) !== undefined, {
    error: "may have types only with where or allow.where",
  })
  .refine(({ item, user }) => item !== user, { error: "must have different columns as item and user" });

export type DatasetConfig = z.infer<typeof Dataset>;

/** A name in paths and release ids: no dot, so that `alice.…` is Alice's. */
const ANALYST = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const DATASET = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/;

const KEY_HASH = 'must be "sha256:" and 64 hexadecimal digits, as `winnow serve --new-key` prints it';

/** A hash, or a hash with what the log calls the key and when it ends. */
const Key = z.preprocess(
  (key) => (typeof key === "object" ? key : { hash: key }),
  strict({
    hash: z.string({ error: KEY_HASH }).regex(/^sha256:[\da-f]{64}$/, { error: KEY_HASH }),
    label: z.string().regex(LABEL, { error: "must be 1 to 100 visible characters" }).optional(),
    expires: z
      .string()
      .refine(isExpiry, { error: `must be ${EXPIRY}` })
      .optional(),
  }),
);

const Analyst = strict({
  /** As `winnow serve --new-key` prints them. */
  keys: z.array(Key, { error: "must be a list of hashes of keys" }).default([]),
  /** Whom the OIDC issuer calls so. */
  subject: text("the subject of a token").optional(),
  /** The most that the analyst may spend of each data set's budget; other data sets can't be asked. */
  caps: z.record(z.string(), Limit, { error: "must be an object of limits by data set" }),
});

const NETWORK = "must be an address or a network, such as 10.0.0.0/8";

const SECONDS_A_DAY = 86_400;

const Limits = strict({
  /** Requests of one analyst; a sixth of them may come at once. */
  requestsPerMinute: whole(1, 1_000_000).default(120),
  /** Requests from an address whose key or token isn't valid. */
  strangersPerMinute: whole(1, 1_000_000).default(60),
  /** Connections that one address may keep open; trusted proxies keep as many as they like. */
  connectionsPerAddress: whole(1, 10_000).default(256),
  /** Plans, prices and releases under way at once: of one analyst, and of all. */
  concurrent: whole(1, 10_000).default(4),
  allConcurrent: whole(1, 10_000).default(32),
  /** Those that wait for their turn: of one analyst, and of all. */
  waiting: whole(0, 1_000_000).default(16),
  allWaiting: whole(0, 1_000_000).default(256),
  /** In seconds, for waiting and working. A release that takes longer is kept, and its key returns it. */
  time: whole(1, SECONDS_A_DAY).default(60),
  /** The longest body of a request, in bytes. */
  body: whole(1, 10_000_000).default(16_384),
});

const Schema = strict({
  ledger: text("a path or postgres://…"),
  listen: strict({
    host: text("an address").default("127.0.0.1"),
    port: whole(0, 65_535).default(4477),
    tls: strict({ key: text("a path"), certificate: text("a path") }).optional(),
    /** Their `X-Forwarded-For` says who asks. Default: none. */
    trustedProxies: z
      .array(z.string().refine(isNetwork, { error: NETWORK }), { error: "must be a list of addresses" })
      .default([]),
  }).prefault({}),
  /** Where probes and metrics are. Default: this machine only, one port above `listen`. */
  operator: strict({
    host: text("an address").default("127.0.0.1"),
    port: whole(0, 65_535).optional(),
    /** Where traces go, as OTLP over HTTP. They depend on rows. Default: nowhere. */
    traces: strict({
      endpoint: z.url({
        protocol: /^https?$/,
        error: "must be the address of a collector, such as http://127.0.0.1:4318",
      }),
      /** Sent along with traces, such as a token. */
      headers: z.record(z.string(), z.string(), { error: "must be an object of texts" }).default({}),
      /** The first of each `oneIn` requests is traced. */
      oneIn: whole(1, 1_000_000).default(1),
    }).optional(),
  }).prefault({}),
  /** In seconds. Stopping: how long requests are still answered while `/ready` is 503, and how long all the rest may take. */
  stop: strict({ drain: whole(0, 3600).default(0), grace: whole(1, 3600).default(15) }).prefault({}),
  /** In milliseconds: a release is charged at a multiple of it after its request came, and its answer leaves at the next. */
  tick: whole(1, 60_000).default(500),
  limits: Limits.prefault({}),
  /** Pages of these origins may ask. Default: none. */
  cors: z
    .array(
      z.string().regex(/^https?:\/\/[^/*]+$/, { error: "must be an origin such as https://example.org" }),
      {
        error: "must be a list of origins",
      },
    )
    .default([]),
  oidc: strict({
    issuer: z.url({ error: "must be the address of the issuer" }),
    audience: text("the audience of its tokens"),
    /** Default: as the issuer publishes it. */
    jwks: z.url({ error: "must be an address" }).optional(),
  }).optional(),
  datasets: z
    .record(z.string().regex(DATASET, { error: "must be letters, digits, - or _" }), Dataset, {
      error: "must be an object of data sets by name",
    })
    .refine((datasets) => Object.keys(datasets).length > 0, { error: "must have at least one data set" }),
  analysts: z.record(z.string().regex(ANALYST, { error: "must be small letters, digits, - or _" }), Analyst, {
    error: "must be an object of analysts by name",
  }),
});

export type Config = z.infer<typeof Schema>;

/** Reads parsed JSON, or throws a `usage` refusal about the first wrong field. */
export function readConfig(json: unknown): Config {
  const parsed = Schema.safeParse(json, { reportInput: true });
  if (!parsed.success) throw new Refusal("usage", sentenceOf(parsed.error.issues[0]!));
  checkReferences(parsed.data);
  checkProtection(parsed.data);
  return parsed.data;
}

/** How the rules of the schemas begin. */
const MUST_BE = "must be ";

/** `datasets.visits.k must be …; got 0.` */
export function sentenceOf(issue: z.core.$ZodIssue, whole = "The configuration"): string {
  const path = issue.path.map(String);
  const message = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? "") : issue.message;
  const isShown =
    !path.some((part) => SECRET.test(part)) && ["string", "number", "boolean"].includes(typeof issue.input);
  const what = path.length === 0 ? whole : path.join(".");
  const isWhole = /[.?]$/.test(message);
  if (isShown && issue.code !== "invalid_key" && !isWhole && message.startsWith(MUST_BE))
    return mustBeButIs(what, message.slice(MUST_BE.length), shortened(JSON.stringify(issue.input)));
  return `${what} ${message}${isWhole ? "" : "."}`;
}

const LONGEST_SHOWN = 60;

function shortened(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`;
}

/** Names that must exist, and fields that need each other. */
function checkReferences({ listen, operator, datasets, analysts, oidc }: Config): void {
  if (operator.port === undefined && listen.port === 65_535)
    throw new Refusal("usage", "operator.port must be given, because there is none above listen.port.");
  const names = Object.keys(datasets);
  for (const [name, { domain, allow, maxItemsPerUser, source }] of Object.entries(datasets)) {
    const isGrid = domain.kind === "grid";
    if (allow.kinds.some((kind) => (kindOf({ kind }).shape === "values") !== isGrid))
      throw new Refusal(
        "usage",
        `datasets.${name}.allow.kinds must be ${JSON.stringify(OF_VALUES)} with a grid, and may not contain it otherwise.`,
      );
    const limited = allow.kinds.find((kind) => needsLimit(kindOf({ kind })));
    if (limited !== undefined && (domain.kind !== "unknown" || maxItemsPerUser === undefined))
      throw new Refusal(
        "usage",
        `datasets.${name}.allow.kinds may contain "${limited}" only with an unknown domain and maxItemsPerUser.`,
      );
    if (domain.kind === "list" && domain.table !== undefined && !/^[a-z+]+:\/\//i.test(source))
      throw new Refusal("usage", `datasets.${name}.domain.table must go with a source on a server.`);
  }
  for (const [name, { caps, subject }] of Object.entries(analysts)) {
    const unknown = Object.keys(caps).find((dataset) => !names.includes(dataset));
    if (unknown !== undefined)
      throw new Refusal(
        "usage",
        `analysts.${name}.caps has the unknown data set ${JSON.stringify(unknown)}.${didYouMean(unknown, names)}`,
      );
    if (subject !== undefined && oidc === undefined)
      throw new Refusal("usage", `analysts.${name}.subject needs oidc: the issuer of the tokens.`);
  }
}

/** The largest request of each data set and every cap protect people, or the operator has agreed to less in the file. */
function checkProtection({ datasets, analysts }: Config): void {
  const check = (name: string, path: string, limit: LimitConfig) => {
    if (datasets[name]?.allow.weakProtection) return;
    const concern = concernAboutBudget(budgetJsonOf(limit, path), path);
    if (concern !== undefined)
      throw new Refusal(
        "usage",
        `${concern} To agree to it, set datasets.${name}.allow.weakProtection to true.`,
      );
  };
  for (const [name, { allow }] of Object.entries(datasets)) {
    const { epsilon, rho, delta } = allow;
    if (epsilon !== undefined) check(name, `datasets.${name}.allow`, { epsilon, delta });
    if (rho !== undefined) check(name, `datasets.${name}.allow`, { rho, delta });
  }
  for (const [analyst, { caps }] of Object.entries(analysts))
    for (const [name, limit] of Object.entries(caps)) check(name, `analysts.${analyst}.caps.${name}`, limit);
}

/** A limit as the ledger writes it. */
export function budgetJsonOf(limit: LimitConfig, path: string): BudgetJson {
  try {
    return budgetFrom(limit);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new Refusal("usage", `${path}.${error.message}.`);
  }
}
