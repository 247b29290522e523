/**
 * The Go program beside this file: other people's code that reads and writes signed notes. It is built once for all tests, into the
 * cache of the account; the modules come from the proxy that Go is configured with, which may be busy for a moment.
 * @module
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const SOURCES = fileURLToPath(new URL("go", import.meta.url));
/** Between attempts, in milliseconds. */
const PAUSES = [0, 5000, 20_000];

export function hasGo(): boolean {
  return spawnSync("go", ["version"]).status === 0;
}

/** The path of the built program. */
export async function goNotes(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of readdirSync(SOURCES).sort()) hash.update(readFileSync(join(SOURCES, name)));
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "winnow-ci", "go-notes");
  const program = join(folder, hash.digest("hex").slice(0, 16));
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const draft = `${program}.${process.pid}`;
  let problem: unknown;
  for (const pause of PAUSES) {
    await sleep(pause);
    try {
      const env = { ...process.env, CGO_ENABLED: "0", ...(pause > 0 && { GOTOOLCHAIN: "auto" }) };
      execFileSync("go", ["build", "-mod=readonly", "-o", draft, "."], { cwd: SOURCES, env, stdio: "pipe" });
      renameSync(draft, program);
      return program;
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

/** Answers of the program to these requests, in their order. */
export async function askGo<T>(program: string, requests: readonly object[]): Promise<T[]> {
  const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(requests.map((request) => `${JSON.stringify(request)}\n`).join(""));
  let said = "";
  for await (const text of child.stdout.setEncoding("utf8")) said += text;
  return said
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}
