/**
 * The question of a release as code to take away: a TypeScript program and a command line. Both ask again, which is a
 * second release about the same people, and say so first. Both carry the name of the account to charge.
 *
 * Every value in the program comes from the question and is a number or a word of a fixed list, except for the name of
 * the data set, which is a comment on one line. It compiles as it is, with counts to replace by one's own. In the
 * command every value is quoted so that the shell reads it as text, whatever it holds.
 * @module
 */
import { defaultMechanism, type Release, visible } from "winnow-release";

const FUNCTIONS = {
  "top-k-with-gap": "topKWithGap",
  "top-k": "topK",
  "permute-and-flip": "permuteAndFlip",
  "limited-top-k": "limitedTopK",
  "threshold-top-k": "selectPartitions",
  "select-partitions": "selectPartitions",
  "stable-top-k": "stableTopK",
  "stable-top-k-fixed": "stableTopKFixed",
  quantiles: "quantiles",
  "integer-partition": "integerPartition",
} as const;

type Question = Release["question"];

function again({ dataset, loss }: Release): string {
  return `Running this spends ${loss.readable} again on the people of ${JSON.stringify(visible(dataset))}: it is another release.`;
}

/** Mechanisms that take and give names; the others take counts by position. */
const NAMED: readonly Question["mechanism"][] = ["limited-top-k", "threshold-top-k", "select-partitions"];

export function asTypeScript(release: Release): string {
  const { question, dataset } = release;
  const name = functionOf(question);
  const options = Object.entries(optionsOf(question)).map(
    ([option, value]) => `  ${option}: ${JSON.stringify(value)},`,
  );
  const account = JSON.stringify(visible(dataset));
  const isListed = question.domain.kind === "listed";
  const isBounded = question.maxItemsPerUser !== undefined;
  const bound = question.kind === "quantile" ? "boundValues" : "boundContributions";
  return [
    `// ${again(release)}`,
    `// Charge the account ${account} first; this program keeps no ledger.`,
    `import { ${[...(isBounded ? [bound] : []), name].sort().join(", ")} } from "winnow-dp";`,
    "",
    ...(isBounded ? boundedCounts(question) : countsOf(question, isListed)),
    ...(question.kind === "quantile" ? [VALUES] : []),
    "",
    `const release = ${name}(${ARGUMENTS[question.kind] ?? "counts"}, {`,
    ...options,
    "});",
    "console.log(release);",
    "",
  ].join("\n");
}

/** The argument of the function, if it isn't a map of counts. */
const ARGUMENTS: { readonly [Kind in Question["kind"]]?: string } = {
  quantile: "values",
  frequencies: "[...counts.values()]",
};
const VALUES =
  "const values = [...counts].map(([value, people]): [number, number] => [Number(value), people]);";

function functionOf({ mechanism, counts }: Question): string {
  const isCounted = counts === true && !NAMED.slice(1).includes(mechanism);
  return isCounted ? "topKWithCounts" : FUNCTIONS[mechanism];
}

/** As many invented counts as the question needs to be answered. */
function countsOf(question: Question, isListed: boolean): string[] {
  const { k, domain } = question;
  const size = domain.kind === "listed" ? domain.size : k + 1;
  const what = isListed
    ? `// Replace: the distinct users of each of the ${size} candidates of the public list, 0 for those without a row.`
    : "// Replace: the distinct users of each item.";
  const counts = `Array.from({ length: ${size} }, (_, i) => 10 * (${size} - i))`;
  const isByName = NAMED.includes(question.mechanism) || question.counts === true;
  return isByName
    ? [
        what,
        `const counts = new Map(${counts}.map((users, i): [string, number] => [\`item \${i}\`, users]));`,
      ]
    : [what, `const counts = ${counts};`];
}

function boundedCounts({ kind, maxItemsPerUser }: Question): string[] {
  if (kind === "quantile")
    return [
      "// Replace: a person and a value each, as often as in the file.",
      `const rows: [user: string, value: number][] = [["user 1", 12.5], ["user 2", 12.5]];`,
      `const counts = boundValues(rows, { maxValuesPerUser: ${maxItemsPerUser} });`,
    ];
  return [
    "// Replace: a person and an item each, as in the file.",
    `const rows: [user: string, item: string][] = [["user 1", "item 1"], ["user 2", "item 1"]];`,
    `const counts = boundContributions(rows, { maxItemsPerUser: ${maxItemsPerUser} });`,
  ];
}

function optionsOf(question: Question): Record<string, string | number | boolean | readonly string[]> {
  if (question.domain.kind === "grid") {
    const { lower, upper, step } = question.domain;
    const { quantiles = [], maxItemsPerUser: maxValuesPerUser = 1, neighbours, atMost } = question;
    const budget = defined({ epsilon: question.epsilon, rho: question.rho });
    const bound = atMost === undefined ? {} : { atMost };
    return { quantiles, lower, upper, step, ...budget, maxValuesPerUser, neighbours, ...bound };
  }
  if (question.kind === "frequencies") {
    const { epsilon, maxItemsPerUser = 1, neighbours } = question;
    return { ...defined({ epsilon }), maxItemsPerUser, neighbours };
  }
  const { mechanism, k, epsilon, rho, delta, resolution, neighbours, domain, counts, maxItemsPerUser } =
    question;
  const budget = defined({ epsilon, rho, delta });
  const isPublic = domain.kind !== "unknown";
  if (mechanism === "threshold-top-k" || mechanism === "select-partitions")
    return { ...budget, neighbours, counts: counts === true, maxItemsPerUser: maxItemsPerUser ?? 1 };
  if (counts === true)
    return { k, domain: isPublic ? "public" : "unknown", ...budget, ...defined({ resolution }), neighbours };
  if (mechanism === "limited-top-k") return { k, ...budget, ...defined({ resolution }), neighbours };
  return {
    ...(mechanism === "stable-top-k" ? { maxK: k } : mechanism === "permute-and-flip" ? {} : { k }),
    ...budget,
    ...defined({ resolution }),
    ...(mechanism === "stable-top-k-fixed" && { domain: isPublic ? "public" : "unknown" }),
    monotone: neighbours === "add-remove",
  };
}

function defined(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The formats as the command line names them; generated data have no file. */
const FORMATS = ["csv", "tsv", "ndjson", "parquet"];

/** If the file name isn't known, it is made from the data set and the format. */
export function asCommand(release: Release, file?: string): string {
  const { question, source, dataset } = release;
  const { kind, k, domain, epsilon, rho, delta, resolution, neighbours, mechanism, unit } = question;
  const format = FORMATS.find((name) => name === source.dialect.format);
  const isListed = domain.kind === "listed";
  const isHeaderless = source.dialect.header === "none, columns by number";
  const grid = domain.kind === "grid" ? domain : undefined;
  const options: Readonly<Record<string, string | undefined>> = {
    [grid ? "column" : "item"]: source.item,
    user: source.user,
    epsilon,
    rho,
    delta,
    domain: isListed ? "candidates.txt" : undefined,
    resolution,
    quantiles: question.quantiles?.join(","),
    range: grid && `${grid.lower}..${grid.upper}`,
    step: grid?.step,
    [grid ? "max-values-per-user" : "max-items-per-user"]: question.maxItemsPerUser?.toString(),
    "at-most": question.atMost?.toString(),
    neighbours,
    mechanism: mechanism === defaultMechanism(kind, domain, question) ? undefined : mechanism,
    unit,
    dataset,
    format,
    delimiter:
      isHeaderless && source.dialect.delimiter !== (format === "tsv" ? "\t" : ",")
        ? source.dialect.delimiter
        : undefined,
  };
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(value)}`],
  );
  const from = shellWord(file ?? `${dataset}.${format ?? "csv"}`);
  const first = `winnow ${kind} ${from}${kind === "top" || kind === "adaptive" ? ` -k ${k}` : ""}`;
  const hasFlag = question.counts === true && mechanism !== "threshold-top-k";
  return [
    `# ${again(release)}`,
    ...(isListed ? ["# candidates.txt: the public list, one candidate per line."] : []),
    [first, ...words, ...(hasFlag ? ["--counts"] : []), ...(isHeaderless ? ["--no-header"] : [])].join(
      " \\\n  ",
    ),
  ].join("\n");
}

/** Inside single quotes only the single quote itself is special. A leading dash would be an option. */
function shellWord(text: string): string {
  if (visible(text) !== text) return escapedWord(text);
  return /^[\w.,:/=+][\w.,:/=+-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A terminal acts on control characters while they are pasted, before the shell sees them, so they are written as escapes. */
function escapedWord(text: string): string {
  const escaped = Array.from(text, (character) => {
    if (character === "\\" || character === "'") return `\\${character}`;
    if (visible(character) === character) return character;
    return `\\U${character.codePointAt(0)!.toString(16).padStart(8, "0")}`;
  });
  return `$'${escaped.join("")}'`;
}
