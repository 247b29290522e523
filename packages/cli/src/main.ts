#!/usr/bin/env node
/**
 * The program `winnow`. If it will read a file, it starts the reader first, so that the reader loads its engine while the rest
 * of the program loads. The process title hides the arguments, which everyone on the machine could see (`ps`): the address of
 * a server may contain a password.
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
