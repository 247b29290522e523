/**
 * `winnow changes`: who entered a list, who left it and who moved, from one release to the next, and a picture of the ranks over time.
 * It reads published releases only, as files or from the ledger, so it costs nothing.
 * @module
 */
import type { Command } from "commander";
import { WinnowError } from "winnow-dp";
import {
  CHANGES_NOTE,
  changesOf,
  forJson,
  groupReleases,
  inOrderOfMoments,
  momentOf,
  Refusal,
  type Release,
  ranksSvg,
  readRelease,
  seriesOf,
} from "winnow-release";
import { addOptions, DEFAULT_LEDGER, examples } from "../command-options.js";
import { openLedger } from "../ledger/open-ledger.js";
import { readPublicFile } from "../public-files.js";
import { lateReleases } from "../release/before.js";
import { tidyUp } from "../release/tell.js";
import { changeLines } from "../render/release-table.js";
import { outputStyle, print } from "../render/terminal.js";
import { prepareFile } from "../write-file.js";

interface ChangesOptions {
  readonly dataset?: string;
  readonly ledger: string;
  readonly group?: string;
  readonly title?: string;
  readonly plot?: string;
  readonly json?: boolean;
  readonly force?: boolean;
}

export function register(program: Command): void {
  const command = program
    .command("changes [releases...]")
    .summary("who entered a list, who left it and who moved")
    .description(
      "Compares published releases about one question, each with the one before it: files (JSON), or with --dataset those of the ledger. Reads no rows and charges nothing.",
    );
  addOptions(command, [
    { name: "dataset", text: "compare the latest releases of this data set in the ledger" },
    { name: "ledger", text: "the ledger: a file, or postgres://host/database", default: DEFAULT_LEDGER },
  ])
    .option("--group <name>", "of releases in groups, this group only")
    .option("--title <text>", "the heading of the picture");
  addOptions(command, [
    { name: "plot", text: "write a picture of the ranks over time to an SVG file" },
    { name: "json", text: "print the changes as JSON (schema winnow-changes/1)" },
    "force",
  ])
    .addHelpText(
      "after",
      examples(
        ["winnow changes w46.json w47.json w48.json --plot ranks.svg", ""],
        ["winnow changes --dataset visits.csv", "the latest question that has several releases"],
        ["winnow changes w46.json w47.json --group DE", ""],
      ),
    )
    .action(changes);
}

async function changes(paths: readonly string[], options: ChangesOptions): Promise<void> {
  const all = paths.length > 0 ? await ofFiles(paths, options) : await ofLedger(options);
  const releases = options.group === undefined ? all : ofGroup(all, options.group);
  const picture = options.plot === undefined ? undefined : await prepareFile(options.plot, options);
  try {
    if (picture !== undefined) {
      if (releases.some((release) => groupReleases(release) !== undefined))
        throw new Refusal("usage", "--plot needs --group: the picture shows the ranks of one group.");
      await picture.write(ranksSvg(releases, options.title === undefined ? {} : { title: options.title }));
    }
    await print(options.json ? `${forJson(changesJson(releases))}\n` : textOf(releases));
  } finally {
    await picture?.discard();
  }
}

async function ofFiles(paths: readonly string[], { dataset }: ChangesOptions): Promise<readonly Release[]> {
  if (dataset !== undefined)
    throw new Refusal("usage", "--dataset takes releases from the ledger, so leave out the files.");
  const releases = await Promise.all(paths.map(readFileAt));
  const [first] = releases.map(seriesOf);
  if (first === undefined) throw new Refusal("usage", "Only lists of names are compared.");
  const other = releases.findIndex((release) => seriesOf(release) !== first);
  if (other > 0)
    throw new Refusal(
      "usage",
      `The releases must be about one question; ${JSON.stringify(paths[other])} is about another data set, column, kind of question, groups or rows.`,
    );
  return several(inOrderOfMoments(releases));
}

async function readFileAt(path: string): Promise<Release> {
  const text = await readPublicFile("The release", path);
  try {
    return readRelease(text);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new Refusal("usage", `${JSON.stringify(path)} must be a release (JSON).`);
  }
}

/** The releases about the question that was asked last, of those with an earlier release. */
async function ofLedger({ dataset, ledger: path }: ChangesOptions): Promise<readonly Release[]> {
  if (dataset === undefined)
    throw new Refusal("usage", "winnow changes needs releases (JSON files), or --dataset.");
  const ledger = await openLedger(path, { readOnly: true });
  try {
    const releases = await lateReleases(ledger, dataset);
    const series = releases.map(seriesOf);
    const latest = series.findLast((text, i) => text !== undefined && series.indexOf(text) < i);
    return several(inOrderOfMoments(releases.filter((_, i) => latest !== undefined && series[i] === latest)));
  } finally {
    await tidyUp(() => ledger.close());
  }
}

function several(releases: readonly Release[]): readonly Release[] {
  if (releases.length < 2)
    throw new Refusal("usage", "winnow changes needs two or more releases about one question.");
  return releases;
}

/** The answers about one group, as releases of their own. */
function ofGroup(releases: readonly Release[], group: string): readonly Release[] {
  return releases.map((release) => {
    const found = groupReleases(release)?.find(({ label }) => label === group);
    if (found === undefined)
      throw new Refusal(
        "usage",
        `The release of ${momentOf(release)} has no group ${JSON.stringify(group)}.`,
      );
    return found.release;
  });
}

/** Each release with the one before it. */
function steps(releases: readonly Release[]): readonly (readonly [before: Release, after: Release])[] {
  return releases.slice(1).map((after, i) => [releases[i]!, after]);
}

function textOf(releases: readonly Release[]): string {
  const style = outputStyle();
  const lines = steps(releases).flatMap(([before, after]) => [
    "",
    `  ${style.strong(momentOf(after))}  ${style.faint(`since ${momentOf(before)}`)}`,
    ...changeLines(before, after, style),
  ]);
  return [...lines, "", `  ${style.faint(CHANGES_NOTE)}`, "", ""].join("\n");
}

function changesJson(releases: readonly Release[]) {
  const about = (release: Release) => ({ id: release.id, about: momentOf(release) });
  return {
    schema: "winnow-changes/1",
    steps: steps(releases).map(([before, after]) => ({
      from: about(before),
      to: about(after),
      lists: changesOf(before, after).map(({ label, changes }) => ({
        ...(label !== undefined && { group: label }),
        ...changes,
      })),
    })),
  };
}
