/**
 * `winnow demo`: the story in a minute, on generated visitors. The real program runs every command that the demo
 * shows, in a temporary folder of its own that is removed afterwards.
 * @module
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import { candidatesOf, generateCsv, type VisitsOptions } from "winnow-release";
import { examples } from "../command-options.js";
import { interruptible } from "../interrupt.js";
import { Refusal } from "../refusal.js";
import { outputStyle, print, wrap } from "../render/terminal.js";
import { PROGRAM } from "../this-package.js";

export function register(program: Command): void {
  program
    .command("demo")
    .summary("the two-minute tour on generated data")
    .description(
      "Tells the story of a private top five on generated visitors. Needs no file and leaves nothing behind.",
    )
    .option("--fast", "without pauses")
    .addHelpText("after", examples(["winnow demo", ""], ["winnow demo --fast", ""]))
    .action(({ fast = false }: { fast?: boolean }) => tellStory(STORY, { fast }));
}

const STORY: Story = {
  users: 2000,
  rows: 8000,
  items: 24,
  steps: [
    {
      words: [
        "2,000 people visited 24 areas of a web site. The log has a row for each visit: who, and where.",
        "Which five areas have the most visitors? Counting is easy. But whoever knows all visitors but one learns from exact counts where that one was. So each count gets noise, just enough, and the winners are named by the noisy counts.",
        "First, how much may be learnt from these rows in total? That is the budget, written down once:",
      ],
      command: "budget init visits --epsilon 1",
    },
    {
      words: ["What would ε buy? Simulated on generated visits, before a private row is read:"],
      command: "plan -k 5 --items 24 --users 2000 --epsilon 0.05,0.5 --runs 100 --mechanism top-k-with-gap",
    },
    {
      words: [
        "ε = 1/2 is plenty. Now the release itself, which is charged to the budget before it is printed:",
      ],
      command:
        "top visits.csv --dataset visits --item area --user user -k 5 --epsilon 1/2 --domain areas.txt --release-id june",
    },
    {
      words: [
        "Each area is shown with its lead over the next, which comes for free. Asked again, the same answer, no charge:",
      ],
      command:
        "top visits.csv --dataset visits --item area --user user -k 5 --epsilon 1/2 --domain areas.txt --release-id june --csv",
    },
    {
      words: ["Nobody can overspend. This would cost more than what is left, and is refused:"],
      command:
        "top visits.csv --dataset visits --item area --user user -k 5 --epsilon 3/4 --domain areas.txt",
      exit: 3,
    },
    {
      words: ["And nobody can change the record unseen: every entry holds the hash of the one before."],
      command: "budget verify",
    },
  ],
  end: "That was all on generated data, and it is gone. Next: winnow help top",
};

export interface Story extends VisitsOptions {
  readonly steps: readonly Step[];
  readonly end: string;
}

export interface Step {
  /** In paragraphs. */
  readonly words: readonly string[];
  /** As it would be typed, without `winnow`. */
  readonly command: string;
  /** The exit code that belongs to the story. Default 0. */
  readonly exit?: number;
}

/** Time to read a line. */
const PAUSE = 1500;

export async function tellStory(story: Story, { fast }: { fast: boolean }): Promise<void> {
  const style = outputStyle();
  const pause = fast || !style.isTerminal ? 0 : PAUSE;
  await interruptible(async ({ signal }) => {
    const folder = await mkdtemp(join(tmpdir(), "winnow-demo-"));
    try {
      await writeFile(join(folder, "visits.csv"), [...generateCsv(story)].join(""));
      await writeFile(join(folder, "areas.txt"), candidatesOf(story).join("\n"));
      for (const step of story.steps) {
        const words = step.words.map((paragraph) => `${wrap(paragraph, style)}\n`).join("");
        await print(`\n${words}\n  ${style.accent("$")} ${style.strong(`winnow ${step.command}`)}\n`);
        await setTimeout(pause, undefined, { signal });
        await runStep(step, folder, signal);
      }
      await print(`\n  ${story.end}\n`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function runStep({ command, exit = 0 }: Step, cwd: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...command.split(" ")], { cwd, signal, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== exit) throw new Refusal("unhealthy", `The step "winnow ${command}" ended with ${code}.`);
}
