#!/usr/bin/env node
/**
 * The program `winnow`. The release goes to standard output; everything else goes to standard error.
 * @module
 */
import { createProgram } from "./program.js";
import { reportFailure } from "./report-failure.js";

// A reader that has seen enough (`winnow … | head`) is no failure: the answer is recorded and can be printed again.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error, (text) => process.stderr.write(text));
}
