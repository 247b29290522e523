/**
 * The commands of the program `winnow`.
 * @module
 */
import type { Command } from "commander";
import { commandLine, runCommandLine } from "./command-line.js";
import * as audit from "./commands/audit.js";
import * as budget from "./commands/budget.js";
import * as changes from "./commands/changes.js";
import * as completion from "./commands/completion.js";
import * as demo from "./commands/demo.js";
import * as doctor from "./commands/doctor.js";
import * as interchange from "./commands/interchange.js";
import * as keygen from "./commands/keygen.js";
import * as mcp from "./commands/mcp.js";
import * as pate from "./commands/pate.js";
import * as plan from "./commands/plan.js";
import * as questions from "./commands/questions.js";
import * as serve from "./commands/serve.js";
import * as show from "./commands/show.js";
import * as simulate from "./commands/simulate.js";
import * as studio from "./commands/studio.js";
import * as verify from "./commands/verify.js";
import * as watch from "./commands/watch.js";
import * as witness from "./commands/witness.js";

const COMMANDS = [
  ...[questions, watch, plan, simulate, show, changes, budget, verify, keygen, witness, pate, interchange],
  ...[serve, mcp, audit, demo, studio, doctor, completion],
];

export function createProgram(): Command {
  return commandLine(COMMANDS);
}

export function runProgram(): Promise<void> {
  return runCommandLine(createProgram);
}
