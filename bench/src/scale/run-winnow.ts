/**
 * Runs the command line and sees how long it takes and how much memory it ever has, its children apart.
 * @module
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../../packages/cli/bin/winnow.js", import.meta.url));
const LOOK_EVERY = 20;

export interface Run {
  readonly seconds: number;
  /** Processor time of the process and its children. */
  readonly cpuSeconds: number;
  /** The most that the process ever had in memory, in megabytes. */
  readonly megabytes: number;
  /** The most that one child ever had; 0 without children. */
  readonly childMegabytes: number;
}

/** With a ledger of its own, which is gone afterwards. */
export async function runWinnow(args: readonly string[]): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), "winnow-scale-"));
  try {
    return await measured([...args, "--ledger", join(folder, "ledger"), "--dataset", "scale"]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs it with these arguments. */
export function measured(args: readonly string[]): Promise<Run> {
  const start = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let [own, children, cpuSeconds] = [0, 0, 0];
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  child.stdout.resume();
  const watch = setInterval(() => {
    own = Math.max(own, peakOf(child.pid));
    const running = childrenOf(child.pid);
    const used = [child.pid, ...running].reduce((sum: number, pid) => sum + cpuSecondsOf(pid), 0);
    cpuSeconds = Math.max(cpuSeconds, used);
    for (const pid of running) children = Math.max(children, peakOf(pid));
  }, LOOK_EVERY);
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => {
      clearInterval(watch);
      const seconds = (performance.now() - start) / 1000;
      if (code === 0) resolve({ seconds, cpuSeconds, megabytes: own, childMegabytes: children });
      else reject(new Error(`winnow ended with ${code}: ${said}`));
    });
  });
}

function peakOf(pid: number | undefined): number {
  try {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return peak === null ? 0 : Number(peak[1]) / 1024;
  } catch {
    return 0; // it has ended
  }
}

/** The processes that it started and that still run. */
export function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

const TICKS_A_SECOND = 100;

/** Processor time of a process and of its children that have ended. */
export function cpuSecondsOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
  } catch {
    return 0; // it has ended
  }
}
