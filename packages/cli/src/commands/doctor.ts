/**
 * `winnow doctor`: whether this machine can do the work, check by check.
 * @module
 */
import type { Command } from "commander";
import { visible } from "winnow-release";
import { type Check, checksFor, type Finding, tryCheck } from "../doctor/checks.js";
import { DEFAULT_LEDGER } from "../ledger/open-ledger.js";
import { Refusal } from "../refusal.js";
import { examples } from "../render/examples.js";
import { print } from "../render/print.js";
import { outputStyle } from "../render/style.js";

const NAME_WIDTH = 12;

export function register(program: Command): void {
  program
    .command("doctor")
    .summary("check that this machine can do the work")
    .description("Tries what a release needs: Node, fair random bits, the engine, the ledger, the terminal.")
    .option("--ledger <file>", "the ledger to check", DEFAULT_LEDGER)
    .option("--json", "the findings as JSON")
    .addHelpText(
      "after",
      examples(["winnow doctor", ""], ["winnow doctor --ledger visits.ledger --json", ""]),
    )
    .action(examine);
}

async function examine({ ledger, json }: { ledger: string; json?: boolean }): Promise<void> {
  const results: { check: Check; finding: Finding }[] = [];
  for (const check of checksFor(ledger)) {
    const finding = await tryCheck(check);
    results.push({ check, finding });
    if (!json) await print(lineOf(check, finding));
  }
  if (json) {
    const findings = results.map(({ check: { name, isNeeded }, finding }) => ({
      name,
      isNeeded,
      ...finding,
    }));
    await print(`${JSON.stringify({ schema: "winnow-doctor/1", findings }, null, 2)}\n`);
  }
  const ill = results.filter(({ check, finding }) => check.isNeeded && !finding.isWell);
  if (ill.length > 0)
    throw new Refusal("unhealthy", `Not ready to release: ${ill.map(({ check }) => check.name).join(", ")}.`);
}

function lineOf({ name, isNeeded }: Check, { isWell, text }: Finding): string {
  const style = outputStyle();
  const mark = isWell ? style.good("✓") : isNeeded ? style.bad("✗") : style.faint("–");
  return `  ${mark} ${name.padEnd(NAME_WIDTH)} ${style.faint(visible(text))}\n`;
}
