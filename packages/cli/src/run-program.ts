/**
 * Runs the program that the command line asks for. The release goes to standard output; everything else goes to standard
 * error, and a failure becomes an exit code.
 * @module
 */
import { createProgram } from "./program.js";
import { CATALOGUE } from "./refusal.js";
import { reportFailure } from "./report-failure.js";

export async function runProgram(): Promise<void> {
  // Whoever prints hears of a failure from print.ts; what nobody awaits must at least not end with 0.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.exitCode = CATALOGUE["not-written"].exit;
  });

  // Whoever does not listen to remarks may still have the release.
  process.stderr.on("error", () => {});

  try {
    await createProgram().parseAsync();
  } catch (error) {
    process.exitCode = reportFailure(error, (text) => process.stderr.write(text));
    // What was interrupted may wait for rows that never come.
    if (process.exitCode === CATALOGUE.interrupted.exit) process.exit();
  }
}
