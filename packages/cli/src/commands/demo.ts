/**
 * `winnow demo`: a one-minute tour on generated visitors. The real program runs every command that the tour shows, in a
 * temporary folder that is removed afterwards, or in the folder that `--keep` names. The guides use the files that are kept.
 * @module
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import { candidatesOf, generateCsv, mustBe, Refusal, usualMechanism } from "winnow-release";
import { examples } from "../command-options.js";
import { interruptible } from "../long-work.js";
import { fileRefusal } from "../refusal.js";
import { outputStyle, print, wrap } from "../render/terminal.js";
import { PROGRAM } from "../this-package.js";

export function register(program: Command): void {
  program
    .command("demo")
    .summary("a one-minute tour on generated data")
    .description(
      "Publishes a private top five of generated visitors, step by step. Needs no file, and leaves none unless you pass --keep.",
    )
    .option("--fast", "don't pause")
    .option("--keep <dir>", "keep the files in this new folder: the guides use them")
    .addHelpText(
      "after",
      examples(["winnow demo", ""], ["winnow demo --fast --keep tour", "leaves files to try things with"]),
    )
    .action(({ fast = false, keep }: { fast?: boolean; keep?: string }) => tour({ fast, keep }));
}

/** The mechanism of the release below. */
const USUAL = usualMechanism({ kind: "top", domain: "listed", size: 24, k: 5 });

const STEPS: readonly Step[] = [
  {
    words: [
      "5,000 people visited 24 areas of a web site. The log has one row per visit: who, and where.",
      "Which five areas have the most visitors? Counting is easy. But anyone who knows where all visitors but one went can read from exact counts where that one went. So Winnow adds just enough noise to each count, and ranks the areas by the noisy counts.",
      "First, how much may anyone learn from these rows in total? That is the budget. You set it once:",
    ],
    command: "budget init visits --epsilon 1",
  },
  {
    words: ["What does ε buy? A simulation on other generated visits, before any private row is read:"],
    command: `plan -k 5 --items 24 --users 5000 --epsilon 0.02,0.5 --runs 100 --mechanism ${USUAL.name}`,
  },
  {
    words: [
      "ε = 1/2 is plenty. Now the release itself. Winnow charges it to the budget before it prints it:",
    ],
    command:
      "top visits.csv --dataset visits --item area --user user -k 5 --epsilon 1/2 --domain areas.txt --counts --release-id june",
  },
  {
    words: [
      "Each area comes with a noisy count and the interval that the true one is in, 95 times out of 100; its lead over the next costs nothing extra. Ask again with the same id, and you get the same answer for free:",
    ],
    command:
      "top visits.csv --dataset visits --item area --user user -k 5 --epsilon 1/2 --domain areas.txt --counts --release-id june --csv",
  },
  {
    words: ["No one can overspend. This costs more than the remaining budget, so Winnow refuses it:"],
    command: "top visits.csv --dataset visits --item area --user user -k 5 --epsilon 3/4 --domain areas.txt",
    exit: 3,
  },
  {
    words: ["And no one can change the record unnoticed: every entry holds the hash of the one before."],
    command: "budget verify",
  },
];

interface Step {
  /** One entry per paragraph. */
  readonly words: readonly string[];
  /** As typed, without `winnow`. */
  readonly command: string;
  /** The exit code that the step must end with. Default 0. */
  readonly exit?: number;
}

/** The time to read a line. */
const PAUSE = 1500;

async function tour({ fast, keep }: { fast: boolean; keep?: string | undefined }): Promise<void> {
  const style = outputStyle();
  const pause = fast || !style.isTerminal ? 0 : PAUSE;
  await interruptible(async ({ signal }) => {
    const folder = keep === undefined ? await mkdtemp(join(tmpdir(), "winnow-demo-")) : await newFolder(keep);
    let isKept = false;
    try {
      await writeFiles(folder);
      for (const step of STEPS) {
        const words = step.words.map((paragraph) => `${wrap(paragraph, style)}\n`).join("");
        await print(`\n${words}\n  ${style.accent("$")} ${style.strong(`winnow ${step.command}`)}\n`);
        await setTimeout(pause, undefined, { signal });
        await runStep(step, folder, signal);
      }
      if (keep === undefined) {
        await print("\n  The data were generated, and the files are gone. Next: winnow demo --keep tour\n");
        return;
      }
      await rename(join(folder, "winnow.ledger"), join(folder, "demo.ledger"));
      isKept = true;
      await print(`\n${wrap(KEPT(keep), style)}\n`);
    } finally {
      if (!isKept) await rm(folder, { recursive: true, force: true });
    }
  });
}

const KEPT = (folder: string) =>
  `The files are in ${folder}: visits.csv (generated rows), synthetic.csv (a public twin of them), areas.txt (the public list), scores.txt (public scores), orders.csv (amounts), votes.csv (teachers' votes) and demo.ledger (the record of this tour). You start there with a new ledger and no charges.`;

async function newFolder(path: string): Promise<string> {
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST")
      throw new Refusal("usage", mustBe("--keep", "a folder that doesn't exist yet", path));
    throw fileRefusal("The folder", path, error);
  });
  return resolve(path);
}

/** The files that the tour and the guides use: rows, the public list, public scores, a public twin, orders, and teachers' votes. */
async function writeFiles(folder: string): Promise<void> {
  const scores = Array.from({ length: 40 }, (_, rank) => Math.floor(2000 / (rank + 1)));
  const files = {
    "visits.csv": [...generateCsv()].join(""),
    "synthetic.csv": [...generateCsv({ seed: "synthetic" })].join(""),
    "areas.txt": `${candidatesOf().join("\n")}\n`,
    "scores.txt": `${scores.join("\n")}\n`,
    "orders.csv": `${["customer,amount", ...orders()].join("\n")}\n`,
    "votes.csv": `${["query,teacher,label", ...votes()].join("\n")}\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** Three thousand customers, some with two orders. */
function* orders(): Generator<string, void> {
  for (let i = 0; i < 4000; i++) yield `c${i % 3000},${((i * 7919) % 90_000) / 100}`;
}

/** A hundred teachers on three queries: most agree on the first two, and disagree on the third. */
function* votes(): Generator<string, void> {
  for (const [query, agreeing] of [95, 80, 0].entries())
    for (let teacher = 0; teacher < 100; teacher++)
      yield `q${query},t${teacher},${teacher < agreeing ? "cat" : ["cat", "dog", "bird", "fish"][teacher % 4]}`;
}

async function runStep({ command, exit = 0 }: Step, cwd: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...command.split(" ")], { cwd, signal, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== exit) throw new Refusal("unhealthy", `The step "winnow ${command}" ended with ${code}.`);
}
