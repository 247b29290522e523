/**
 * `winnow audit`: checks our claims instead of believing them. Attacks on textbook code and on ours, promises against exact laws,
 * replays on neighbouring data, timing. Ends with 1 when a claim fails.
 * @module
 */
import type { Command } from "commander";
import { toHtml } from "../audit-report/html/to-html.js";
import { type AuditPart, type AuditSetting, runAudit } from "../audit-report/run-audit.js";
import { textReport } from "../audit-report/text-report.js";
import { startProgress } from "../progress.js";
import { examples } from "../render/examples.js";
import { outputStyle } from "../render/style.js";
import { type PendingFile, prepareFile } from "../write-file.js";

export interface AuditOptions {
  readonly attacks?: boolean;
  readonly exact?: boolean;
  readonly replay?: boolean;
  readonly timing?: boolean;
  readonly quick?: boolean;
  readonly json?: string;
  readonly html?: string;
  readonly force?: boolean;
}

export function register(program: Command): void {
  program
    .command("audit")
    .summary("attacks on float code, exact checks of ours")
    .description(
      "Checks the claims of this program on this machine: attacks that break textbook code and must fail on ours,\npromises against exact laws, replays on neighbouring data, and timing. Without a choice of parts, all of them.",
    )
    .option("--attacks", "ten attacks, with success rates and confidence intervals")
    .option("--exact", "promises and code against exact laws, and runs where laws are too large")
    .option("--replay", "the same answers on neighbouring data")
    .option("--timing", "constant-work modes under a stopwatch")
    .option("--quick", "fewer runs")
    .option("--json <file>", "the report as JSON")
    .option("--html <file>", "the report as a page with plots")
    .option("--force", "write over existing files")
    .addHelpText(
      "after",
      `${examples(
        ["winnow audit --quick", "a first look"],
        ["winnow audit --attacks --html audit.html", "the attacks, as a page"],
      )}\nExit code 1 if a claim fails.\n`,
    )
    .action(async (options: AuditOptions) => {
      if (!(await audit(options))) process.exitCode = 1;
    });
}

const PARTS: readonly AuditPart[] = ["attacks", "exact", "replay", "timing"];

/** Runs, prints and writes the audit; whether all claims hold. `run` is replaced by tests to plant a false claim. */
export async function audit(
  options: AuditOptions,
  run: (setting: AuditSetting) => ReturnType<typeof runAudit> = runAudit,
): Promise<boolean> {
  const chosen = PARTS.filter((part) => options[part]);
  const files = await prepareFiles(options);
  const progress = startProgress("auditing");
  try {
    const report = await run({
      parts: chosen.length === 0 ? PARTS : chosen,
      quick: options.quick ?? false,
      onSubject: (_, share) => progress.pause(share),
    });
    progress.stop();
    process.stdout.write(textReport(report, outputStyle()));
    await files.json?.write(`${JSON.stringify(report, null, 2)}\n`);
    await files.html?.write(toHtml(report));
    return report.holds;
  } finally {
    progress.stop();
    await files.json?.discard();
    await files.html?.discard();
  }
}

/** Makes room before minutes of work. */
async function prepareFiles({ json, html, force = false }: AuditOptions): Promise<{
  readonly json: PendingFile | undefined;
  readonly html: PendingFile | undefined;
}> {
  const first = json === undefined ? undefined : await prepareFile(json, { force });
  try {
    return { json: first, html: html === undefined ? undefined : await prepareFile(html, { force }) };
  } catch (error) {
    await first?.discard();
    throw error;
  }
}
