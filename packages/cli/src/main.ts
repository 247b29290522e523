#!/usr/bin/env node
/**
 * The program `winnow`. The release goes to standard output; everything else goes to standard error.
 * @module
 */
import { createProgram } from "./program.js";
import { CATALOGUE } from "./refusal.js";
import { reportFailure } from "./report-failure.js";

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
