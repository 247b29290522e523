/**
 * The real program in a folder of its own: what it prints on either side, and how it ends.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { builtProgram } from "./built-program.js";

/** Where the program is; whoever starts it asks `builtProgram`. */
export const PROGRAM = fileURLToPath(new URL("../../bin/winnow.js", import.meta.url));

export interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

/** A folder that is gone after the test, with these files in it. */
export function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): Folder {
  const path = mkdtempSync(join(tmpdir(), "winnow-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return new Folder(path);
}

export class Folder {
  constructor(readonly path: string) {}

  file(name: string): string {
    return join(this.path, name);
  }

  /** Runs `winnow` here to its end. */
  async winnow(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const child = this.start(args, options);
    child.stdin!.on("error", () => {}); // it may have ended without reading
    child.stdin!.end(options.input ?? "");
    return ended(child);
  }

  /** The same as a line of bash, with something before or after it. */
  shell(args: readonly string[], { before = "", after = "" } = {}): Promise<Ended> {
    const words = [process.execPath, builtProgram(), ...args].map(
      (word) => `'${word.replaceAll("'", "'\\''")}'`,
    );
    return ended(spawn("bash", ["-c", `${before} ${words.join(" ")} ${after}`], { cwd: this.path }));
  }

  /** Starts `winnow` here. */
  start(args: readonly string[], { env }: RunOptions = {}): ChildProcess {
    return spawn(process.execPath, [builtProgram(), ...args], {
      cwd: this.path,
      env: { ...process.env, NO_COLOR: "", FORCE_COLOR: "", ...env },
    });
  }
}

/** Collects what a child says until it has ended. */
export function ended(child: ChildProcess): Promise<Ended> {
  const said = { stdout: "", stderr: "" };
  for (const side of ["stdout", "stderr"] as const) {
    child[side]!.setEncoding("utf8");
    child[side]!.on("data", (text: string) => {
      said[side] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exit) => resolve({ exit, ...said }));
  });
}
