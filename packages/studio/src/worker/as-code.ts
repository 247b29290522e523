/**
 * The question of a release as code to take away: a TypeScript program and a command line. Both ask again, which is a
 * second release about the same people, and say so first. Both carry the name of the account to charge.
 *
 * Every value in the program comes from the question and is a number or a word of a fixed list, except for the name of
 * the data set, which is a comment on one line. It compiles as it is, with counts to replace by one's own. In the
 * command every value is quoted so that the shell reads it as text, whatever it holds.
 * @module
 */
import {
  type Code,
  kindOf,
  mechanismFor,
  type Release,
  sizeOf,
  usualMechanism,
  visible,
} from "winnow-release";

type Question = Release["question"];

function again({ dataset, loss }: Release): string {
  return `Running this spends ${loss.readable} again on the people of ${JSON.stringify(visible(dataset))}: it is another release.`;
}

export function asTypeScript(release: Release): string {
  const { question, dataset } = release;
  const { call, input, options, next } = mechanismFor(question).code(question);
  const lines = Object.entries(options).map(([option, value]) => `  ${option}: ${JSON.stringify(value)},`);
  const account = JSON.stringify(visible(dataset));
  const isBounded = question.maxItemsPerUser !== undefined;
  const bound = input === "values" ? "boundValues" : "boundContributions";
  return [
    `// ${again(release)}`,
    `// Charge the account ${account} first; this program keeps no ledger.`,
    `import { ${[...(isBounded ? [bound] : []), ...(next ? [next.call] : []), call].sort().join(", ")} } from "winnow-dp";`,
    "",
    ...(question.where === undefined ? [] : [`// Only rows count for which ${visible(question.where)}.`]),
    ...(isBounded ? boundedCounts(question, input) : countsOf(question, input)),
    ...(input === "values" ? [VALUES] : []),
    "",
    `const release = ${call}(${ARGUMENTS[input]}, {`,
    ...lines,
    "});",
    "console.log(release);",
    ...(next === undefined
      ? []
      : [`console.log(${next.call}(counts, release.candidates, ${JSON.stringify(next.options)}));`]),
    "",
  ].join("\n");
}

/** The argument of the function. */
const ARGUMENTS: Readonly<Record<Code["input"], string>> = {
  scores: "counts",
  counts: "counts",
  numbers: "[...counts.values()]",
  values: "values",
};
const VALUES =
  "const values = [...counts].map(([value, people]): [number, number] => [Number(value), people]);";

/** As many invented counts as the question needs to be answered. */
function countsOf({ k, domain }: Question, input: Code["input"]): string[] {
  const isListed = domain.kind === "listed";
  const size = isListed ? domain.size : k + 1;
  const what = isListed
    ? `// Replace: the distinct users of each of the ${size} candidates of the public list, 0 for those without a row.`
    : "// Replace: the distinct users of each item.";
  const counts = `Array.from({ length: ${size} }, (_, i) => 10 * (${size} - i))`;
  return input === "scores"
    ? [what, `const counts = ${counts};`]
    : [
        what,
        `const counts = new Map(${counts}.map((users, i): [string, number] => [\`item \${i}\`, users]));`,
      ];
}

function boundedCounts({ maxItemsPerUser }: Question, input: Code["input"]): string[] {
  if (input === "values")
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

/** The formats as the command line names them; generated data have no file. */
const FORMATS = ["csv", "tsv", "ndjson", "parquet"];

/** If the file name isn't known, it is made from the data set and the format. */
export function asCommand(release: Release, file?: string): string {
  const { question, source, dataset } = release;
  const { kind, k, domain, epsilon, rho, delta, resolution, neighbours, mechanism, unit, groups } = question;
  const format = FORMATS.find((name) => name === source.dialect.format);
  const isListed = domain.kind === "listed";
  const hasGroupList = groups !== undefined && groups.list !== "selected";
  const isHeaderless = source.dialect.header === "none, columns by number";
  const grid = domain.kind === "grid" ? domain : undefined;
  const usual = usualMechanism({ ...question, domain: domain.kind, size: sizeOf(domain) });
  const options: Readonly<Record<string, string | undefined>> = {
    [grid ? "column" : "item"]: source.item,
    user: source.user,
    where: question.where,
    epsilon,
    rho,
    delta,
    domain: isListed ? "candidates.txt" : undefined,
    by: groups?.by.join(","),
    groups: hasGroupList ? "groups.txt" : undefined,
    "max-groups-per-user": groups?.maxGroupsPerUser.toString(),
    resolution,
    quantiles: question.quantiles?.join(","),
    range: grid && `${grid.lower}..${grid.upper}`,
    step: grid?.step,
    [grid ? "max-values-per-user" : "max-items-per-user"]: question.maxItemsPerUser?.toString(),
    "at-most": question.atMost?.toString(),
    "outsider-share": question.outsiderShare === "1/2" ? undefined : question.outsiderShare,
    neighbours,
    mechanism: mechanism === usual.name ? undefined : mechanism,
    unit,
    dataset,
    format,
    numbers: source.dialect.numbers,
    delimiter:
      isHeaderless && source.dialect.delimiter !== (format === "tsv" ? "\t" : ",")
        ? source.dialect.delimiter
        : undefined,
  };
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(value)}`],
  );
  const from = shellWord(file ?? `${dataset}.${format ?? "csv"}`);
  const { shape, defaults } = kindOf(question);
  const first = `winnow ${kind} ${from}${shape === "winners" && defaults.k === undefined ? ` -k ${k}` : ""}`;
  const hasFlag = question.counts === true && mechanismFor(question).rules.counts !== "always";
  return [
    `# ${again(release)}`,
    ...(isListed ? ["# candidates.txt: the public list, one candidate per line."] : []),
    ...(hasGroupList
      ? [
          `# groups.txt: the public list of groups, ${groups.by.length === 1 ? "one per line" : `a CSV file with the columns ${groups.by.map(visible).join(" and ")}`}.`,
        ]
      : []),
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
