/**
 * Where a release goes: standard output, and the requested files. Files are prepared before anything is charged, so that a
 * name that can't be written costs nothing.
 * @module
 */
import {
  type BudgetLeft,
  FILL_IN,
  Refusal,
  type Release,
  statement,
  toCsv,
  toJson,
  toRegistryRecord,
  toSvg,
} from "winnow-release";
import { readLabels } from "../public-files.js";
import { releaseTable } from "../render/release-table.js";
import { outputStyle, PLAIN, print, type Style, tell } from "../render/terminal.js";
import { type PendingFile, prepareFile, realPlace } from "../write-file.js";
import type { ReleaseOptions } from "./release-options.js";
import { tellClosed } from "./tell.js";

export interface Outputs {
  /** Prints and writes the release; the table says what changed since `before`. */
  publish(release: Release, budget: BudgetLeft, before?: Release): Promise<void>;
  /** Removes what was prepared and not written. */
  discard(): Promise<void>;
}

/** How and where a release is shown. */
export type OutputOptions = Pick<
  ReleaseOptions,
  "json" | "csv" | "plot" | "labels" | "statement" | "registry" | "output" | "force"
>;

/** `inputs` are files of the run, which its output must not replace. */
export async function prepareOutputs(options: OutputOptions, inputs: readonly string[]): Promise<Outputs> {
  const { json, csv, plot, registry, output, statement: wantsStatement, force = false } = options;
  if (json && csv) throw new Refusal("usage", "--json and --csv cannot be combined.");
  if (wantsStatement && (json || csv))
    throw new Refusal("usage", "--statement goes with the table; the JSON release has the same fields.");
  if (options.labels !== undefined && json)
    throw new Refusal("usage", "--labels goes with the table and --csv; the JSON release has items only.");
  const labels = options.labels === undefined ? undefined : await readLabels(options.labels);
  refuseSamePlace([plot, registry, output].flatMap((path) => path ?? []));
  const files: PendingFile[] = [];
  const prepare = async (path: string | undefined) => {
    if (path === undefined) return undefined;
    const file = await prepareFile(path, { force, inputs });
    files.push(file);
    return file;
  };
  const discard = async () => {
    await Promise.all(files.map((file) => file.discard()));
  };
  try {
    const pending = {
      plot: await prepare(plot),
      registry: await prepare(registry),
      output: await prepare(output),
    };
    return new FilesAndOutput(options, labels, pending, discard);
  } catch (error) {
    await discard();
    throw error;
  }
}

function refuseSamePlace(outputs: readonly string[]): void {
  if (new Set(outputs.map(realPlace)).size < outputs.length)
    throw new Refusal("usage", "--plot, --registry and --output must be different files.");
}

class FilesAndOutput implements Outputs {
  constructor(
    readonly options: OutputOptions,
    readonly labels: ReadonlyMap<string, string> | undefined,
    readonly files: Readonly<Record<"plot" | "registry" | "output", PendingFile | undefined>>,
    readonly discard: () => Promise<void>,
  ) {}

  async publish(release: Release, budget: BudgetLeft, before?: Release): Promise<void> {
    const { plot, registry, output } = this.files;
    await plot?.write(toSvg(release, { labels: this.labels }));
    if (registry !== undefined) {
      await registry.write(toRegistryRecord(release, budget));
      tell(`Complete the fields of ${registry.path} that say "${FILL_IN}" before you submit it.`);
    }
    if (output === undefined)
      await print(this.#text(release, budget, outputStyle(), before), () => tellClosed(release.id));
    else await output.write(this.#text(release, budget, PLAIN, before));
  }

  #text(release: Release, budget: BudgetLeft, style: Style, before: Release | undefined): string {
    if (this.options.json) return toJson(release);
    if (this.options.csv) return toCsv(release, this.labels);
    const table = releaseTable(release, style, this.labels, before);
    return this.options.statement ? `${table}\n${statement(release, budget).text}` : table;
  }
}
