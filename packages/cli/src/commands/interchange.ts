/**
 * Files that others read. `winnow export opendp` writes a noisy top k as OpenDP's serialised constructor, and `winnow
 * import opendp` reads one. `winnow export csvw` writes the schema of a source as CSVW-EO metadata; the questions read
 * such a schema with --metadata. None of them opens a private file.
 *
 * Metadata are defaults for a question: the columns, the public list of candidates, and how many items a person counts for.
 * An option that contradicts them is refused, because one of the two is wrong about the rows.
 * @module
 */
import { type Command, Option } from "commander";
import {
  inGroups,
  type Loss,
  lossToJson,
  makeNoisyTopK,
  pure,
  type Rational,
  rational,
  scaleAtLeast,
  WinnowError,
  zcdp,
} from "winnow-dp";
import {
  type CsvwColumn,
  didYouMean,
  isSameSet,
  kindOf,
  needsLimit,
  OPENDP_SCORES,
  type OpenDpScores,
  type OpenDpTopK,
  openDpTopK,
  type Question,
  Refusal,
  readableLoss,
  readCsvw,
  readOpenDp,
  toCsvw,
  toOpenDp,
} from "winnow-release";
import { addOptions, examples, positiveInteger } from "../command-options.js";
import { readDomain, readPublicFile } from "../public-files.js";
import { guardFiles } from "../release/public-inputs.js";
import type { ReleaseOptions } from "../release/release-options.js";
import { Rows } from "../release/rows.js";
import { print, tell } from "../render/terminal.js";
import { prepareFile } from "../write-file.js";

export function register(program: Command): void {
  const exports = program
    .command("export")
    .summary("write files that other tools read")
    .description("Writes files that other tools read. Nothing private is read.");
  registerExportOpenDp(exports);
  registerExportCsvw(exports);
  registerImportOpenDp(
    program
      .command("import")
      .summary("read files that other tools wrote")
      .description(
        "Reads files that other tools wrote, and refuses those that Winnow wouldn't match exactly.",
      ),
  );
}

interface FileOptions {
  readonly output?: string;
  readonly force?: boolean;
}

interface ExportOpenDpOptions extends FileOptions {
  readonly k?: number;
  readonly scale?: string;
  readonly epsilon?: string;
  readonly rho?: string;
  readonly measure?: "pure" | "zcdp";
  readonly sensitivity: string;
  readonly monotone?: boolean;
  readonly negate?: boolean;
  readonly scores: OpenDpScores;
  readonly size?: number;
  readonly roundScale?: boolean;
  readonly maxGroupsPerUser?: number;
}

function registerExportOpenDp(exports: Command): void {
  const command = exports
    .command("opendp")
    .summary("a noisy top k for OpenDP 0.16")
    .description(
      "Writes a noisy top k as the JSON that dp.deserialize of OpenDP 0.16 loads: the same distribution and the same privacy map (with ε, k rounds of permute and flip; with ρ, Gumbel noise). OpenDP's scales are doubles, so any other scale is refused unless --round-scale is given.",
    );
  addOptions(command, [
    "k",
    { name: "scale", text: "the scale of the noise" },
    { name: "epsilon", text: "the loss instead of a scale: ε, with exponential noise" },
    { name: "rho", text: "the loss instead of a scale: ρ of zCDP, with Gumbel noise" },
  ]).addOption(
    new Option("--measure <name>", "with --scale: exponential or Gumbel noise").choices(["pure", "zcdp"]),
  );
  addOptions(command, [
    {
      name: "maxGroupsPerUser",
      text: "with --epsilon or --rho: the measurement of one group, where a person's rows are in at most this many",
    },
    { name: "sensitivity", default: "1" },
    "monotone",
    "negate",
  ])
    .addOption(new Option("--scores <type>", "the type of the scores").choices(OPENDP_SCORES).default("i64"))
    .option("--size <n>", "the number of candidates, if it is fixed", positiveInteger("--size"))
    .option("--round-scale", "round the scale up to the next double");
  addOptions(command, [{ name: "output", text: "write to a file instead of standard output" }, "force"])
    .addHelpText(
      "after",
      examples(
        ["winnow export opendp -k 5 --scale 8 --measure pure --monotone -o top.json", ""],
        ["winnow export opendp -k 3 --rho 0.1 --monotone --round-scale", "with Gumbel noise"],
      ),
    )
    .action(exportOpenDp);
}

async function exportOpenDp(options: ExportOpenDpOptions): Promise<void> {
  const { k, monotone = false, negate = false, scores, size, roundScale, sensitivity } = options;
  const { maxGroupsPerUser: most } = options;
  if (k === undefined) throw new Refusal("usage", "-k must say how many winners you want, such as -k 10.");
  const { measure, scale } = noiseOf(options, k, monotone);
  const topK = openDpTopK({ ...{ k, measure, scale, monotone, negate, scores, size, roundScale } });
  await writeText(`${toOpenDp(topK)}\n`, options);
  if (topK.scale.compare(scale) !== 0)
    tell(`The scale was rounded up from ${scale} to the double ${topK.scale.toNumber()}.`);
  const loss = lossOf(topK, sensitivity);
  tell(`For a sensitivity of ${sensitivity}, a run costs ${readableLoss(loss)}.`);
  if (most === undefined) return;
  const all = inGroups(Array<Loss>(most).fill(loss), { maxGroupsPerUser: most, neighbours: "add-remove" });
  tell(
    `Run it once in each group. All groups together cost ${readableLoss(all)}, however many there are, if each person's rows are in at most ${most} of them and data sets differ by one person added or removed.`,
  );
}

function noiseOf(
  { scale, epsilon, rho, measure, sensitivity, maxGroupsPerUser: most }: ExportOpenDpOptions,
  k: number,
  monotone: boolean,
): { readonly measure: "pure" | "zcdp"; readonly scale: Rational } {
  if ([scale, epsilon, rho].filter((one) => one !== undefined).length !== 1)
    throw new Refusal(
      "usage",
      "Exactly one of --scale, --epsilon and --rho must say how much noise there is.",
    );
  if ((scale === undefined) !== (measure === undefined))
    throw new Refusal("usage", "--measure must be given with --scale, and only with it.");
  if (scale !== undefined && most !== undefined)
    throw new Refusal("usage", "--max-groups-per-user needs --epsilon or --rho, which the groups share.");
  const part = (size: string) => rational(size).dividedBy(BigInt(most ?? 1));
  if (scale !== undefined) return { measure: measure ?? "pure", scale: rational(scale, "scale") };
  const range = rational(sensitivity, "sensitivity").times(monotone ? 1n : 2n);
  if (epsilon !== undefined)
    return { measure: "pure", scale: scaleAtLeast(pure(part(epsilon)), { distance: range, rounds: k }) };
  const gumbel = scaleAtLeast(zcdp(part(rho ?? "0")), { distance: range, rounds: k, class: "bounded-range" });
  return { measure: "zcdp", scale: gumbel };
}

function lossOf({ scores, size, ...options }: OpenDpTopK, sensitivity: string) {
  return makeNoisyTopK(options).map(sensitivity);
}

interface ImportOptions {
  readonly sensitivity: string;
  readonly json?: boolean;
}

function registerImportOpenDp(imports: Command): void {
  const command = imports
    .command("opendp <file>")
    .summary("a noisy top k that OpenDP 0.16 serialised")
    .description(
      "Reads what dp.serialize of OpenDP 0.16 wrote for make_noisy_top_k, and prints the call of makeNoisyTopK that does the same. Everything else is refused.",
    );
  addOptions(command, [
    { name: "sensitivity", text: "the sensitivity to report the loss for", default: "1" },
    { name: "json", text: "as JSON" },
  ])
    .addHelpText("after", examples(["winnow import opendp top.json", ""]))
    .action(importOpenDp);
}

async function importOpenDp(path: string, { sensitivity, json }: ImportOptions): Promise<void> {
  const topK = await readOther("The measurement", path, readOpenDp);
  const { scores, size, scale, ...options } = topK;
  const call = { ...options, scale: String(scale) };
  const loss = lossOf(topK, sensitivity);
  if (json)
    return print(
      `${JSON.stringify({ schema: "winnow-opendp/1", ...call, scores, size, loss: lossToJson(loss) }, null, 2)}\n`,
    );
  const listed = Object.entries(call).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const many = size === undefined ? "" : `, of ${size} candidates`;
  await print(
    `makeNoisyTopK({ ${listed.join(", ")} })\n  Scores are ${scores}${many}. For a sensitivity of ${sensitivity}, a run costs ${readableLoss(loss)}.\n`,
  );
}

interface ExportCsvwOptions extends FileOptions {
  readonly item: string;
  readonly user: string;
  readonly maxItemsPerUser?: number;
  readonly domain?: string;
  readonly domainColumn?: string;
}

function registerExportCsvw(exports: Command): void {
  const command = exports
    .command("csvw")
    .summary("the schema of a source as CSVW-EO metadata")
    .description(
      "Writes the public schema of a source as CSVW-EO (formerly CSVW-SAFE) metadata: who is protected, how many items a person counts for, and the public list of candidates.",
    );
  addOptions(command, [
    { name: "item", text: "the column of the items to count", isRequired: true },
    { name: "user", text: "the column that identifies the person", isRequired: true },
    ...(["maxItemsPerUser", "domain", "domainColumn"] as const),
    { name: "output", text: "write to a file instead of standard output" },
    "force",
  ])
    .addHelpText(
      "after",
      examples(["winnow export csvw --item area --user user --domain areas.txt -o visits.json", ""]),
    )
    .action(exportCsvw);
}

async function exportCsvw(options: ExportCsvwOptions): Promise<void> {
  const { item, user, maxItemsPerUser, domain, domainColumn } = options;
  if (item === user) throw new Refusal("usage", "--item and --user must be different columns.");
  const values = domain === undefined ? undefined : await readDomain(domain, domainColumn);
  const inputs = domain === undefined ? [] : [domain];
  await writeText(toCsvw({ user, columns: [{ name: item, values, maxItemsPerUser }] }), options, inputs);
}

async function writeText(
  text: string,
  { output, force }: FileOptions,
  inputs: readonly string[] = [],
): Promise<void> {
  if (output === undefined) return print(text);
  const file = await prepareFile(output, { force, inputs });
  await file.write(text);
}

/** What a public file of another tool says; its fields are not options of ours. */
async function readOther<T>(what: string, path: string, read: (text: string) => T): Promise<T> {
  const text = await readPublicFile(what, path);
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new Refusal("usage", `${what} ${JSON.stringify(path)} cannot be used: ${error.message}.`);
  }
}

/** The options of a question, completed by the metadata that --metadata names. */
export async function withMetadata(
  kind: Question["kind"],
  source: string,
  options: ReleaseOptions,
): Promise<ReleaseOptions> {
  const { metadata: path, ledger, config, defaults = [] } = options;
  if (path === undefined) return options;
  await guardFiles(
    { "--metadata": path },
    { sources: await new Rows(source, options).files(), ledger, config },
  );
  const { user, columns } = await readOther("The metadata", path, readCsvw);
  if (options.user !== undefined && options.user !== user)
    throw contradicts("--user", options.user, JSON.stringify(user));
  if (options.items !== undefined)
    throw new Refusal("usage", "--metadata describes columns: leave it out where --item is computed.");
  const { shape } = kindOf({ kind });
  const option = shape === "values" ? "column" : "item";
  const column = columnFor(option, options[option], columns);
  const { maxItemsPerUser: most } = column;
  const bound = shape === "values" ? "maxValuesPerUser" : "maxItemsPerUser";
  const asked = options[bound];
  if (most !== undefined && asked !== undefined && asked > most)
    throw contradicts(
      shape === "values" ? "--max-values-per-user" : "--max-items-per-user",
      asked,
      String(most),
    );
  const isDefault = asked === undefined && most !== undefined;
  return {
    ...options,
    ...{ user, [option]: column.name },
    ...(isDefault && { [bound]: most, defaults: [...defaults, bound] }),
    ...(shape === "winners" && !needsLimit(kindOf({ kind })) ? await candidatesOf(column, options) : {}),
  };
}

function columnFor(
  option: "item" | "column",
  given: string | undefined,
  columns: readonly CsvwColumn[],
): CsvwColumn {
  const names = columns.map(({ name }) => name);
  const found = given === undefined && columns.length === 1 ? columns[0] : undefined;
  const column = found ?? columns.find(({ name }) => name === given);
  if (column !== undefined) return column;
  if (given === undefined)
    throw new Refusal(
      "unknown-column",
      `--${option} must name one of the ${columns.length} columns of --metadata.`,
    );
  throw new Refusal(
    "unknown-column",
    `--metadata has no column ${JSON.stringify(given)}.${didYouMean(given, names)}`,
  );
}

async function candidatesOf(
  { name, values, hasPrivateValues }: CsvwColumn,
  { domain, domainColumn, domainTable, domainSize }: ReleaseOptions,
): Promise<Pick<ReleaseOptions, "candidates">> {
  if (hasPrivateValues)
    tell(
      `The values of ${JSON.stringify(name)} in --metadata are not used as candidates, because invariantPublicKeys is not true.`,
    );
  if (values === undefined) return {};
  const other = domainTable ?? domainSize;
  if (other !== undefined)
    throw contradicts(domainTable === undefined ? "--domain-size" : "--domain-table", other, "a list");
  if (domain === undefined) return { candidates: values };
  if (!isSameSet(await readDomain(domain, domainColumn), values))
    throw contradicts("--domain", domain, "another list");
  return {};
}

function contradicts(option: string, given: string | number, said: string): Refusal {
  return new Refusal(
    "usage",
    `${option} ${JSON.stringify(given)} contradicts --metadata, which says ${said}.`,
  );
}
