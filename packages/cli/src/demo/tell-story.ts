/**
 * A story of words and commands: the commands are run by this very program, in a temporary folder with generated visits, and
 * print what they print.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { candidatesOf, generateCsv, type VisitsOptions } from "winnow-release";
import { interruptible } from "../interrupt.js";
import { PROGRAM } from "../package-folder.js";
import { Refusal } from "../refusal.js";
import { print } from "../render/print.js";
import { outputStyle } from "../render/style.js";
import { wrap } from "../render/wrap.js";

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
