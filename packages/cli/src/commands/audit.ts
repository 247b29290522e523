/**
 * `winnow audit`: checks our claims. Attacks on textbook code and on ours, promises against exact distributions, replays
 * on neighbouring data, timing. The exit code is 1 if a claim fails.
 * @module
 */
import { resolve } from "node:path";
import type { Command } from "commander";
import { forJson, Refusal } from "winnow-release";
import type { AuditReport } from "../audit-report/audit-report.js";
import { toHtml } from "../audit-report/html-report.js";
import { ownFile } from "../audit-report/replay-checks.js";
import { type AuditPart, type AuditSubjects, auditSubjects, runAudit } from "../audit-report/run-audit.js";
import { textReport } from "../audit-report/text-report.js";
import { addOptions, examples, positiveInteger } from "../command-options.js";
import { interruptible, withProgress } from "../long-work.js";
import { Rows } from "../release/rows.js";
import { outputStyle, tellPrivately } from "../render/terminal.js";

import type { SourceOptions } from "../sources/source.js";
import { type PendingFile, prepareFile } from "../write-file.js";

interface AuditOptions {
  readonly attacks?: boolean;
  readonly exact?: boolean;
  readonly replay?: boolean;
  readonly timing?: boolean;
  readonly data?: string;
  readonly item?: string;
  readonly user?: string;
  readonly format?: SourceOptions["format"];
  readonly multiline?: boolean;
  readonly people?: number;
  readonly quick?: boolean;
  readonly json?: string;
  readonly html?: string;
  readonly force?: boolean;
  /** Which of these come from the configuration file. */
  readonly defaults?: readonly string[];
}

export function register(program: Command): void {
  const command = program
    .command("audit")
    .summary("attack floating-point code, and check Winnow exactly")
    .description(
      "Checks the claims of this program on this machine: attacks that break textbook code and must fail on ours, promises against exact distributions, replays on neighbouring data, and timing. Runs all parts unless you choose some.",
    )
    .option("--attacks", "every attack, with success rates and confidence intervals")
    .option(
      "--exact",
      "promises and code against exact distributions, or against many runs where those are too large",
    )
    .option("--replay", "replays with the same answers on neighbouring data")
    .option("--timing", "constant-work modes under a stopwatch")
    .option("--data <file>", "your own file, leaving out some people in turn and adding hostile strangers");
  addOptions(command, [
    { name: "item", text: "the column of --data to count" },
    { name: "user", text: "the column of --data that identifies the person" },
    { name: "format", text: "the format of --data", choices: FORMATS },
    { name: "multiline", text: "read --data as if its writer were trusted, to see what that would allow" },
  ])
    .option("--people <n>", "how many people to leave out in turn", positiveInteger("--people"), 20)
    .option("--quick", "fewer runs")
    .option("--json <file>", "write the report as JSON")
    .option("--html <file>", "write the report as a page with plots");
  addOptions(command, ["force"])
    .addHelpText(
      "after",
      `${examples(
        ["winnow audit --quick", "a first look"],
        ["winnow audit --attacks --html audit.html", "the attacks, as a page"],
        [
          "winnow audit --data visits.csv --item area --user user",
          "your own file; nothing is released or charged",
        ],
      )}\nExit code 1 if a claim fails.\n`,
    )
    .action(async (options: AuditOptions) => {
      if (!(await audit(options))) process.exitCode = 1;
    });
}

const PARTS: readonly AuditPart[] = ["attacks", "exact", "replay", "data", "timing"];
const FORMATS = ["csv", "tsv", "ndjson", "json", "parquet"];

/** Runs, prints and writes the audit; returns whether all claims hold. Tests replace `subjects` to plant a false claim. */
export async function audit(options: AuditOptions, subjects = subjectsFor(options)): Promise<boolean> {
  const files = await prepareFiles(options);
  try {
    const report = await interruptible(({ signal }) => auditWithProgress(options, subjects, signal));
    process.stdout.write(textReport(report, outputStyle()));
    if (options.data !== undefined)
      tellPrivately("The report is about your own file, so it depends on private rows.");
    await files.json?.write(`${forJson(report)}\n`);
    await files.html?.write(toHtml(report));
    return report.holds;
  } finally {
    await files.json?.discard();
    await files.html?.discard();
  }
}

function auditWithProgress(
  options: AuditOptions,
  subjects: AuditSubjects,
  signal: AbortSignal,
): Promise<AuditReport> {
  const setting = { parts: partsOf(options), quick: options.quick ?? false, signal };
  return withProgress("auditing", (progress) =>
    runAudit({ ...setting, onSubject: (_, share) => progress.pause(share) }, subjects),
  );
}

/** The requested parts, or all of them. A file is part of the replay, so --data requests it. */
function partsOf(options: AuditOptions): readonly AuditPart[] {
  const chosen = PARTS.filter((part) => options[part] || (part === "data" && options.replay));
  return chosen.length === 0 ? PARTS : chosen;
}

/** All subjects, with the curator's file in place of the generated ones. */
function subjectsFor(options: AuditOptions): AuditSubjects {
  const { data, item, user, format, multiline, people } = options;
  if (data === undefined) {
    refuseIdleDescription(options);
    return auditSubjects();
  }
  if (item === undefined || user === undefined)
    throw new Refusal("usage", "--data also needs the columns of the file: add --item and --user.");
  return {
    ...auditSubjects(),
    files: [ownFile({ location: data, item, user, people, options: { format, multiline } })],
  };
}

/** Describing a file without naming it must not run on generated files instead. Defaults from the configuration don't count. */
function refuseIdleDescription({ defaults = [], ...options }: AuditOptions): void {
  const idle = (["item", "user", "format", "multiline"] as const).find(
    (name) => options[name] !== undefined && !defaults.includes(name),
  );
  if (idle !== undefined) throw new Refusal("usage", `--${idle} needs --data, the file that it describes.`);
}

/** Reserves the output files before minutes of work. */
async function prepareFiles({ json, html, force, data }: AuditOptions): Promise<{
  readonly json: PendingFile | undefined;
  readonly html: PendingFile | undefined;
}> {
  if (json !== undefined && html !== undefined && resolve(json) === resolve(html))
    throw new Refusal("usage", "--json and --html must be different files.");
  const place = { force, inputs: data === undefined ? [] : await new Rows(data, {}).files() };
  const first = json === undefined ? undefined : await prepareFile(json, place);
  try {
    return { json: first, html: html === undefined ? undefined : await prepareFile(html, place) };
  } catch (error) {
    await first?.discard();
    throw error;
  }
}
