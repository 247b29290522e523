/**
 * Measuring in fresh processes, where nothing is compiled yet. Time is processor time, that of V8's own threads included: on a
 * machine that others use, time on the clock would be theirs too.
 * @module
 */
import { execFileSync } from "node:child_process";

/** The Node that fresh processes run: this one, or that of the environment variable BENCH_NODE. */
export const NODE = process.env.BENCH_NODE ?? process.execPath;

/** What this process has computed so far. */
export function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What a fresh process prints, as JSON. */
export function runFresh<T>(args: readonly string[]): T {
  return JSON.parse(execFileSync(NODE, args, { encoding: "utf8" }));
}
