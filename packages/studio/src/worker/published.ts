/**
 * A recorded release as the page shows it: rows for the table, parameters in words, and every form to take away.
 *
 * The TypeScript call answers the same question in a program. Every value in it comes from the question and is a
 * number or a word of a fixed list; names from data don't occur. The command asks the same question of the same
 * columns in a shell. File names are placeholders; every other value is quoted so that the shell reads it as text,
 * whatever it holds.
 * @module
 */
import { rational } from "winnow-dp";
import {
  answerRows,
  type BudgetLeft,
  caption,
  type Release,
  statement,
  toCsv,
  toJson,
  toSvg,
  visible,
} from "winnow-release";
import { version } from "../../package.json";
import type { Documents, Published, ReleasedRow } from "./api.js";

export function published(release: Release, budget: BudgetLeft = {}): Published {
  const { id, answer, loss } = release;
  return {
    id,
    release,
    released: answer.released,
    ordered: answer.ordered,
    rows: answerRows(release).map(rowOf),
    parameters: parametersOf(release),
    loss: loss.readable,
    documents: documentsOf(release, budget),
  };
}

function rowOf({ rank, item, gap }: ReturnType<typeof answerRows>[number]): ReleasedRow {
  if (gap === undefined) return { rank, item };
  const [value, low, high] = [gap.value, gap.low, gap.high].map((text) => rational(text).toNumber());
  return { rank, item, gap: { exact: gap.value, value: value!, low: low!, high: high! } };
}

/** Each name once, in the order in which a reader asks. */
function parametersOf({ question, mechanism, dataset, time, software, source, ledger }: Release) {
  const { domain, unit, ...asked } = question;
  const parameters = new Map([
    ["data set", dataset],
    ["one person is", unit],
    ["candidates", domain.kind === "listed" ? `a public list of ${domain.size}` : "unknown"],
    ...Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]),
    ...Object.entries(mechanism.parameters),
    ["item column", source.item],
    ["user column", source.user],
    ...Object.entries(source.dialect),
    ["time", time],
    ["software", `${software.name} ${software.version}`],
  ]);
  if (ledger !== undefined)
    parameters.set("ledger entry", String(ledger.sequence)).set("ledger head", ledger.head);
  return [...parameters];
}

function documentsOf(release: Release, budget: BudgetLeft): Documents {
  return {
    json: toJson(release),
    csv: toCsv(release),
    svg: { light: toSvg(release, { dark: false }), dark: toSvg(release, { dark: true }) },
    caption: caption(release),
    statement: statement(release, budget).text,
    typescript: asTypeScript(release),
    command: asCommand(release),
  };
}

const FUNCTIONS = {
  "top-k-with-gap": "topKWithGap",
  "top-k": "topK",
  "permute-and-flip": "permuteAndFlip",
  "limited-top-k": "limitedTopK",
  "threshold-top-k": "selectPartitions",
  "select-partitions": "selectPartitions",
  "stable-top-k": "stableTopK",
  "stable-top-k-fixed": "stableTopKFixed",
} as const;

export function asTypeScript({ question }: Release): string {
  const name = FUNCTIONS[question.mechanism];
  const options = Object.entries(optionsOf(question)).map(
    ([option, value]) => `  ${option}: ${JSON.stringify(value)},`,
  );
  return [
    `import { ${name} } from "winnow-dp";`,
    "",
    question.domain.kind === "unknown"
      ? BY_NEIGHBOURS.has(question.mechanism)
        ? "// counts: the distinct users of each item, by name: { news: 412, … }"
        : "// counts: the distinct users of each item, in an order that says nothing, such as by name"
      : "// counts: the distinct users of each candidate of the public list, 0 for those without a row",
    `const release = ${name}(counts, {`,
    ...options,
    "});",
    "",
  ].join("\n");
}

function optionsOf({
  mechanism,
  k,
  epsilon,
  rho,
  delta,
  resolution,
  neighbours,
  domain,
}: Release["question"]) {
  return {
    ...(mechanism === "stable-top-k" ? { maxK: k } : mechanism === "permute-and-flip" ? {} : { k }),
    ...defined({ epsilon, rho, delta, resolution }),
    ...(mechanism === "stable-top-k-fixed" && { domain: domain.kind === "unknown" ? "unknown" : "public" }),
    ...(BY_NEIGHBOURS.has(mechanism) ? { neighbours } : { monotone: neighbours === "add-remove" }),
  };
}

/** Those that are told which data sets are neighbours, and not how counts move. */
const BY_NEIGHBOURS: ReadonlySet<string> = new Set(["limited-top-k", "threshold-top-k", "select-partitions"]);

function defined(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The formats as the command line names them; what was generated has no file. */
const FORMATS = ["csv", "tsv", "ndjson", "parquet"];

export function asCommand({ question, source, dataset }: Release): string {
  const { kind, k, domain, epsilon, rho, delta, resolution, neighbours, mechanism, unit } = question;
  const format = source.dialect.format ?? "";
  const options = {
    item: source.item,
    user: source.user,
    epsilon,
    rho,
    delta,
    domain: domain.kind === "listed" ? "candidates.txt" : undefined,
    resolution,
    neighbours,
    mechanism: kind === "adaptive" ? undefined : mechanism, // it has only one
    unit,
    dataset,
    format: FORMATS.includes(format) ? format : undefined,
  };
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(value)}`],
  );
  return [`winnow ${kind} FILE -k ${k}`, ...words].join(" \\\n  ");
}

/** Nothing is special inside single quotes but the single quote itself. */
function shellWord(text: string): string {
  if (visible(text) !== text) return escapedWord(text);
  return /^[\w.,:/=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A terminal acts on control characters while they are pasted, whatever the shell thinks: they are written as escapes. */
function escapedWord(text: string): string {
  const escaped = Array.from(text, (character) => {
    if (character === "\\" || character === "'") return `\\${character}`;
    if (visible(character) === character) return character;
    return `\\U${character.codePointAt(0)!.toString(16).padStart(8, "0")}`;
  });
  return `$'${escaped.join("")}'`;
}

export const SOFTWARE = { name: "winnow-studio", version };
