/**
 * `winnow doctor` checks whether this machine can make a release. Each check tries the real thing: the engine counts a
 * file, the generator produces bits, the ledger in the working directory is read and verified. Nothing is left behind.
 * @module
 */

import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Command } from "commander";
import { systemEntropy } from "winnow-dp";
import { uniformBelow } from "winnow-dp/sample";
import { Refusal, visible } from "winnow-release";
import { DEFAULT_LEDGER, examples } from "../command-options.js";
import { findLedger, ledgerName } from "../ledger/open-ledger.js";
import { openLazily } from "../release/rows.js";
import { outputStyle, print } from "../render/terminal.js";
import { SOFTWARE } from "../this-package.js";

const NAME_WIDTH = 12;

export function register(program: Command): void {
  program
    .command("doctor")
    .summary("check that this machine can make a release")
    .description(
      "Tries everything that a release needs: Node, fair random bits, the engine, the ledger, the terminal.",
    )
    .option("--ledger <file>", "the ledger to check", DEFAULT_LEDGER)
    .option("--json", "print the findings as JSON")
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

interface Finding {
  readonly isWell: boolean;
  readonly text: string;
}

interface Check {
  readonly name: string;
  /** Whether every release needs it, or only some tasks. */
  readonly isNeeded: boolean;
  readonly run: () => Finding | Promise<Finding>;
}

const OLDEST_NODE = 20;

function checksFor(ledger: string): Check[] {
  return [
    { name: "winnow", isNeeded: true, run: () => well(`${SOFTWARE.name} ${SOFTWARE.version}`) },
    { name: "Node", isNeeded: true, run: checkNode },
    { name: "random bits", isNeeded: true, run: checkEntropy },
    { name: "engine", isNeeded: true, run: checkEngine },
    { name: "ledger", isNeeded: true, run: () => checkLedger(ledger) },
    { name: "terminal", isNeeded: false, run: checkTerminal },
    { name: "servers", isNeeded: false, run: checkClients },
    { name: "browser", isNeeded: false, run: checkBrowser },
  ];
}

/** A check that throws has failed. Its reason may be private, so only refusals are quoted. */
async function tryCheck({ run }: Check): Promise<Finding> {
  try {
    return await run();
  } catch (error) {
    return ill(error instanceof Refusal ? error.message : "failed unexpectedly");
  }
}

function checkNode(): Finding {
  const { node } = process.versions;
  const isWell = Number(node.split(".")[0]) >= OLDEST_NODE;
  return { isWell, text: isWell ? node : `${node}, but ${OLDEST_NODE} or later is needed` };
}

const COINS = 40_000;

/** Detects a generator that is stuck or biased; whether it is cryptographic, only the system can promise. */
function checkEntropy(): Finding {
  const entropy = systemEntropy();
  let heads = 0;
  let changes = 0;
  let last = 0;
  for (let coin = 0; coin < COINS; coin++) {
    const side = uniformBelow(2, entropy);
    heads += side;
    changes += side ^ last;
    last = side;
  }
  // Seven standard deviations: a fair coin fails once in 200 billion tries.
  const isFair = [heads, changes].every((count) => Math.abs(count - COINS / 2) < 7 * Math.sqrt(COINS / 4));
  return isFair
    ? well("fair, from the system's cryptographic generator")
    : ill("the system's generator isn't fair");
}

/** Two people, three rows. */
const ROWS = "user,item\nann,tea\nann,tea\nbob,tea\n";

async function checkEngine(): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), "winnow-doctor-"));
  try {
    const path = join(folder, "rows.csv");
    await writeFile(path, ROWS);
    const source = await openLazily(path, {});
    try {
      const counts: number[] = [];
      const candidates = { kind: "listed", items: ["tea"] } as const;
      for await (const { users } of source.histogram({ item: "item", user: "user", candidates }))
        counts.push(...users);
      return counts.join() === "2" ? well("counts a file line by line") : ill("counted a file wrongly");
    } finally {
      await source.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkLedger(path: string): Promise<Finding> {
  const ledger = await findLedger(path);
  if (ledger === undefined)
    return path === DEFAULT_LEDGER
      ? well(`none at ${JSON.stringify(path)} yet; the first release creates it`)
      : ill(`there is none at ${JSON.stringify(ledgerName(path))}; \`winnow budget init\` creates one`);
  try {
    const { findings, head } = await ledger.verify();
    const { sequence } = head;
    return findings.length === 0
      ? well(`${JSON.stringify(ledger.name)} is intact: ${sequence} ${sequence === 1 ? "entry" : "entries"}`)
      : ill(`${JSON.stringify(ledger.name)} was changed: run winnow budget verify`);
  } finally {
    await ledger.close();
  }
}

function checkTerminal(): Finding {
  const { isTerminal, columns, strong } = outputStyle();
  if (!isTerminal) return well("none: plain output");
  return well(`${columns} columns, ${strong("x") === "x" ? "no colour" : "colour"}`);
}

async function checkClients(): Promise<Finding> {
  await Promise.all([import("pg"), import("@clickhouse/client")]);
  return well("clients for postgres:// and clickhouse:// load");
}

const BROWSERS = ["chromium", "chromium-browser", "google-chrome"];

function checkBrowser(): Finding {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = BROWSERS.find((name) => folders.some((folder) => existsSync(join(folder, name))));
  return found === undefined ? ill("none found; only the page's tests need one") : well(found);
}

function well(text: string): Finding {
  return { isWell: true, text };
}

function ill(text: string): Finding {
  return { isWell: false, text };
}
