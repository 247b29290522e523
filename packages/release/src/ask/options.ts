/**
 * The options of questions, of plans, and of mechanisms that run on public scores: each stands here once, with its name, its flag
 * on the command line, its type and its text. Flags, completion, the configuration file, the service's schema, the fields of
 * the page and `winnow simulate` are made from this table. Which options a question has stands in its kind (kinds/), and which a
 * mechanism takes on public scores in its mechanism.
 *
 * A name here is the name in the library, in JSON and in the configuration file. Names in ledgers never change.
 * @module
 */

/** How the text of an option is read, and what it is in JSON. */
export type OptionType =
  /** True where it is given. */
  | "switch"
  /** An integer from 1. */
  | "count"
  /** Any integer. */
  | "integer"
  /** An exact number: "1/2", "0.5" or "1e-6". */
  | "rational"
  /** Several, separated by commas; a list in JSON. */
  | "rationals"
  /** Two ends of a public range: "0..10000". */
  | "range"
  /** One of a few names. */
  | "choice"
  /** A column of the rows: its name, or its number from 1. */
  | "column"
  /** The path of a public file, or of one to be written. */
  | "file"
  | "text"
  /** A number of bytes: "512M". */
  | "size"
  /** A duration: "90s". */
  | "time";

/** An option, wherever it can be given. */
export interface OptionEntry {
  /** On the command line, perhaps with a short name before it: "-k, --max-k". */
  readonly flags: string;
  readonly type: OptionType;
  /** Where the type doesn't say well what to give: what stands for the value in the help. */
  readonly value?: string;
  /** The names of a choice, unless a list of ours has them. */
  readonly choices?: readonly string[];
  /** In the help, as a sentence in the service's schema. */
  readonly text: string;
  /** Above its field in the page. */
  readonly label?: string;
  /** As it would be typed. Switches have none. */
  readonly example?: string;
  /** Not in any configuration file, because it belongs to one run; or only in one that the command line names. */
  readonly file?: "never" | "named";
}

/** In no particular order: the order of a help is that of the kind or command. */
export const OPTIONS = {
  k: { flags: "-k", type: "count", text: "the number of winners", label: "Number of winners", example: "10" },
  maxK: {
    flags: "-k, --max-k",
    type: "count",
    text: "the most items to name",
    label: "At most",
    example: "30",
  },
  item: {
    flags: "--item",
    type: "column",
    text: "the column of items to count (default: guessed from the header)",
    example: "area",
  },
  column: { flags: "--column", type: "column", text: "the column of numbers", example: "amount" },
  user: {
    flags: "--user",
    type: "column",
    text: "the column that identifies the person (default: guessed from the header)",
    example: "user",
    file: "named",
  },
  epsilon: {
    flags: "--epsilon",
    type: "rational",
    text: "the loss: ε, such as 1 or 1/2",
    label: "Epsilon (ε)",
    example: "1/2",
  },
  rho: {
    flags: "--rho",
    type: "rational",
    text: "the loss: ρ of zero-concentrated differential privacy",
    example: "0.05",
  },
  delta: {
    flags: "--delta",
    type: "rational",
    text: "the probability of failure, such as 1e-6: needed without a list, and less noise with one",
    label: "Delta (δ)",
    example: "1e-6",
  },
  quantiles: {
    flags: "-q, --quantiles",
    type: "rationals",
    text: "the shares of values below: 0.5 for the median; such as 0.5,0.9",
    label: "Quantiles",
    example: "0.5,0.9",
  },
  range: {
    flags: "--range",
    type: "range",
    text: "the public range, such as 0..10000; values outside count as its ends",
    example: "0..10000",
  },
  step: {
    flags: "--step",
    type: "rational",
    text: "answers are multiples of this above the lower end (default: 1, or finer for short ranges)",
    label: "Step",
    example: "0.5",
  },
  atMost: {
    flags: "--at-most",
    type: "count",
    text: "a public bound on the number of values, to choose how many quantiles are drawn",
    label: "Number of values, at most",
    example: "50000",
  },
  domain: {
    flags: "--domain",
    type: "file",
    text: "the public list of candidates: one per line, a column of CSV, or a release of ours (JSON)",
    example: "areas.txt",
  },
  domainTable: {
    flags: "--domain-table",
    type: "text",
    value: "name",
    text: "the public table of the server with the candidates",
    example: "areas",
  },
  domainColumn: {
    flags: "--domain-column",
    type: "column",
    text: "the column of the CSV file or table with the candidates",
    example: "area",
  },
  domainSize: {
    flags: "--domain-size",
    type: "count",
    text: "the candidates are the numbers from 0 to n − 1",
    example: "100",
  },
  maxItemsPerUser: {
    flags: "--max-items-per-user",
    type: "count",
    text: "each person counts for at most this many items",
    label: "Items per person, at most",
    example: "10",
  },
  maxValuesPerUser: {
    flags: "--max-values-per-user",
    type: "count",
    text: "each person counts for at most this many of their rows, chosen at random (default: 1)",
    label: "Values per person, at most",
    example: "1",
  },
  counts: {
    flags: "--counts",
    type: "switch",
    text: "add noisy counts of users with intervals, for a quarter of the loss or a fifth",
  },
  set: {
    flags: "--set",
    type: "switch",
    text: "the winners as a set, at a price that doesn't grow with their number: all or nothing, so plan first",
    file: "never",
  },
  outsiderShare: {
    flags: "--outsider-share",
    type: "rational",
    text: "of a set: from 0 to 1, how much a large count outside weighs against a small one inside (default: 1/2)",
    example: "1/2",
  },
  by: {
    flags: "--by",
    type: "text",
    value: "columns",
    text: "one answer for each group: the column of groups, or two with a comma between them",
    example: "country",
  },
  groups: {
    flags: "--groups",
    type: "file",
    text: "the public list of groups, one per line; of two columns a CSV file (default: groups with enough people, which needs --delta)",
    example: "countries.txt",
  },
  maxGroupsPerUser: {
    flags: "--max-groups-per-user",
    type: "count",
    text: "each person counts in at most this many groups",
    label: "Groups per person, at most",
    example: "2",
  },
  groupBudgets: {
    flags: "--group-budgets",
    type: "file",
    text: "a public CSV file of preferred groups and their parts of the loss, in a column budget",
    example: "budgets.csv",
  },
  resolution: {
    flags: "--resolution",
    type: "rational",
    text: "leads are multiples of this (default: 1; without a list, leads are released only if you pass this)",
    label: "Resolution of the leads",
    example: "1",
  },
  neighbours: {
    flags: "--neighbours",
    type: "choice",
    value: "kind",
    choices: ["add-remove", "replace"],
    text: "what neighbouring data sets differ in: one person added or removed, or one replaced",
    example: "add-remove",
    file: "named",
  },
  guess: {
    flags: "--guess",
    type: "text",
    value: "what",
    text: "a public guess at the data, such as people=4000,items-per-person=13, to choose the mechanism by",
    label: "A guess at the data",
    example: "people=4000,items-per-person=13",
  },
  mechanism: {
    flags: "--mechanism",
    type: "choice",
    text: "the mechanism (default: the most informative one, or with a guess the one that is right most often)",
    label: "Mechanism",
  },
  unit: {
    flags: "--unit",
    type: "text",
    text: 'the unit of privacy, such as "one customer"',
    example: "one customer",
    file: "named",
  },
  // On public scores
  scores: {
    flags: "--scores",
    type: "file",
    text: "public scores: one per line, or a CSV with columns item and count",
    example: "scores.txt",
  },
  runs: { flags: "--runs", type: "count", text: "the number of runs", example: "1000" },
  scale: {
    flags: "--scale",
    type: "rational",
    text: "the scale of the noise, instead of a loss",
    example: "2",
  },
  variance: {
    flags: "--variance",
    type: "rational",
    text: "the variance of Gaussian noise, instead of a loss",
    example: "4",
  },
  eta: {
    flags: "--eta",
    type: "text",
    value: "x,y,z",
    text: "the parameter of mechanisms with weights in powers of two: (x/2^y)^z",
    example: "1,1,1",
  },
  noise: {
    flags: "--noise",
    type: "choice",
    choices: ["exponential", "gumbel", "laplace", "gaussian"],
    text: "the distribution of the noise",
    example: "gumbel",
  },
  method: {
    flags: "--method",
    type: "choice",
    value: "way",
    choices: ["one-shot", "peel"],
    text: "how the winners are sampled: at once, or one after the other",
    example: "peel",
  },
  maxCandidates: {
    flags: "--max-candidates",
    type: "count",
    text: "how many of the largest counts take part",
    example: "100",
  },
  sensitivity: {
    flags: "--sensitivity",
    type: "rational",
    text: "how much one individual can change any one score",
    example: "1",
  },
  monotone: {
    flags: "--monotone",
    type: "switch",
    text: "an individual moves all scores in the same direction",
  },
  negate: { flags: "--negate", type: "switch", text: "choose the smallest scores" },
  chooseScale: {
    flags: "--choose-scale",
    type: "rational",
    text: "the scale of the noise that chooses k, instead of a loss",
    example: "2",
  },
  testVariance: {
    flags: "--test-variance",
    type: "rational",
    text: "the variance of the test's noise, instead of a loss",
    example: "4",
  },
  roundsScale: {
    flags: "--rounds-scale",
    type: "rational",
    text: "the scale of the noise of later rounds, instead of a loss",
    example: "2",
  },
  thresholdRule: {
    flags: "--threshold-rule",
    type: "choice",
    value: "rule",
    choices: ["smallest", "closed-form"],
    text: "how the threshold of the test is found",
    example: "smallest",
  },
  regulariser: {
    flags: "--regulariser",
    type: "text",
    value: "terms",
    text: "terms added to the lead after k = 1, 2, …: e.g. 0,1/2,-3",
    example: "0,1/2,-3",
  },
  penalty: {
    flags: "--penalty",
    type: "rational",
    text: "the penalty for a step away from k",
    example: "1",
  },
  gapCap: {
    flags: "--gap-cap",
    type: "integer",
    text: "larger leads count as this large; 0 for no cap",
    example: "10",
  },
} as const satisfies Readonly<Record<string, OptionEntry>>;

/** The name of an option in code. */
export type OptionName = keyof typeof OPTIONS;

/** The long flag, as in a sentence: "--max-items-per-user"; "-k" where there is no other. */
export function flagOf({ flags }: Pick<OptionEntry, "flags">): string {
  return flags.split(", ").at(-1)!;
}

/** `maxItemsPerUser` is `max-items-per-user` in a configuration file. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
