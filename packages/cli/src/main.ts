#!/usr/bin/env node
/**
 * The program `winnow`. Where a file will be read, its reader is started first: it loads its engine while the rest of the
 * program is loaded. Its title replaces its arguments, which everybody on the machine could see (`ps`): the address of a server
 * may hold a password.
 * @module
 */
import { startEarly } from "./sources/files/reader-start.js";

process.title = "winnow";
if (readsFile(process.argv.slice(2))) startEarly();
const { runProgram } = await import("./program.js");
await runProgram();

/** `winnow top FILE …`: not for help, a dry run, standard input or a server. */
function readsFile([command, ...rest]: readonly string[]): boolean {
  if (command !== "top" && command !== "adaptive") return false;
  return !rest.some((word) => ["-h", "--help", "--dry-run", "-"].includes(word) || word.includes("://"));
}
