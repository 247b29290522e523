/**
 * `winnow mcp`: the service as tools for an agent, over standard input and output (Model Context Protocol). Standard output
 * carries only the protocol; the log goes to standard error, one JSON object a line, without rows, names or answers.
 *
 * Who asks, how much a session may spend and whether the person is asked come from the command line alone: neither the agent
 * nor a `winnow.json` in the working directory, which an agent may be able to write, can change them.
 * @module
 */
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { readers } from "winnow-dp";
import {
  type BudgetJson,
  budgetFrom,
  CATALOGUE,
  concernAboutBudget,
  didYouMean,
  kindAndPlace,
  mustBe,
  Refusal,
  readableLoss,
} from "winnow-release";
import type { ServiceEvent } from "winnow-server";
import { examples } from "../command-options.js";
import { SOFTWARE } from "../this-package.js";

/** Equal to the server's `ASKING`, which a test checks: the server is loaded only when it is started. */
export const ASK = ["always", "when-possible", "never"] as const;

interface McpOptions {
  readonly analyst: string;
  readonly sessionCap: string;
  readonly sessionDelta: string;
  readonly ask: (typeof ASK)[number];
  readonly yes?: boolean;
}

export function register(program: Command): void {
  program
    .command("mcp <config>")
    .summary("tools for an agent (Model Context Protocol), within a cap")
    .description(
      "Serves the data sets of a service's configuration to an agent over standard input and output. Each new release is within the session's cap and the analyst's, and asks the person first.",
    )
    .requiredOption("--analyst <name>", "whose cap and budget the agent uses")
    .option("--session-cap <epsilon>", "the most that one session may spend, over all data sets", "1/2")
    .option("--session-delta <delta>", "with at most this δ (0: none)", "1e-6")
    .addOption(
      new Option(
        "--ask <when>",
        "ask the person before each new release; always refuses if the client can't ask",
      )
        .choices(ASK)
        .default("always"),
    )
    .option("--yes", "agree to a session cap above ε = 10 or δ = 10⁻⁵")
    .addHelpText(
      "after",
      examples(
        ["winnow mcp service.json --analyst alice", "started by the agent's client"],
        ["winnow mcp service.json --analyst alice --session-cap 2 --ask when-possible", ""],
      ),
    )
    .action(serve);
}

async function serve(file: string, options: McpOptions): Promise<void> {
  process.on("SIGUSR1", () => {}); // Node would open a port for a debugger
  const cap = capOf(options);
  const concern = concernAboutBudget(cap, "The session cap");
  // Standard input is the agent's, so no one can be asked.
  if (concern !== undefined && !options.yes) throw new Refusal("unconfirmed", concern);
  const server = await import("winnow-server");
  const { machineHost, readServiceFile } = await import("../serve/machine.js");
  const path = resolve(file);
  const end = endSignal();
  const config = server.readConfig(await readServiceFile(path));
  checkAnalyst(options.analyst, Object.keys(config.analysts));
  const service = await server.Service.open(config, machineHost(path, config), { onEvent: logFailure });
  const session = new server.AgentSession({ cap, asking: options.ask });
  const { analyst, ask: asking } = options;
  log({ event: "started", analyst, cap: readableLoss(session.cap, "down"), asking });
  await server.serveAgent({ service, analyst, session, software: SOFTWARE, signal: end, onEvent: log });
  log({ event: "ended" });
}

function capOf({ sessionCap, sessionDelta }: McpOptions): BudgetJson {
  const epsilon = readers.positiveRational("sessionCap", sessionCap);
  if (readers.rational("sessionDelta", sessionDelta).numerator === 0n) return budgetFrom({ epsilon });
  return budgetFrom({ epsilon, delta: readers.properProbability("sessionDelta", sessionDelta) });
}

function checkAnalyst(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new Refusal(
    "usage",
    mustBe("--analyst", "one of the configuration's analysts", name) + didYouMean(name, known),
  );
}

/** Ctrl-C and SIGTERM end the server when what has begun is recorded or given up; a second one ends it at once. */
function endSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(CATALOGUE.interrupted.exit);
      controller.abort();
    });
  return controller.signal;
}

/** The text of the cause may quote rows. */
function logFailure(event: ServiceEvent): void {
  const isUnforeseen = "code" in event && event.code === "unexpected";
  const { cause, ...words } = { cause: undefined, ...event };
  log({ ...words, ...(isUnforeseen && { place: kindAndPlace(cause) }) });
}

function log(event: object): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
}
