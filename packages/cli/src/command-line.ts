/**
 * A command line of some commands: their shared options, how defaults from a configuration file reach them, and how a run ends.
 *
 * The release goes to standard output; everything else goes to standard error, and a failure becomes an exit code.
 * A run that does not release ends with one sentence and the next step. The text of an unforeseen error may
 * contain anything, private rows included, so it is never shown: only the kind of error and the place in the code.
 * @module
 */
import { Command, CommanderError } from "commander";
import { WinnowError } from "winnow-dp";
import { CATALOGUE, didYouMean, Refusal, type RefusalCode, refusalOf, visible } from "winnow-release";
import { examples, optionName } from "./command-options.js";
import { applyConfiguration } from "./config.js";
import { errorStyle } from "./render/terminal.js";
import { SOFTWARE } from "./this-package.js";

/** One file of `commands/`. */
export interface CommandModule {
  register(program: Command): void;
}

type Example = readonly [line: string, meaning: string];

const EXAMPLES: readonly Example[] = [
  ["winnow demo", "a one-minute tour on generated data"],
  ["winnow top visits.csv --item area --user user -k 5 --epsilon 1 --domain areas.txt", ""],
  ["winnow help top", "everything about one command"],
];

export function commandLine(commands: readonly CommandModule[], shown = EXAMPLES): Command {
  const program = new Command("winnow")
    .description("Publish rankings from personal data with a mathematical privacy guarantee.")
    .version(SOFTWARE.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .option("--config <file>", "defaults for options (default: winnow.json, if it exists)")
    .showSuggestionAfterError(false) // `sentenceOf` does, as everywhere
    .exitOverride()
    .configureOutput({ outputError: () => {} }) // reported once, in our words, by `reportFailure`
    .hook("preAction", (_, action) => applyConfiguration(action))
    .addHelpText("after", examples(...shown) + EXIT_CODES);
  for (const { register } of commands) register(program);
  return program;
}

const EXIT_CODES = `
Exit codes:
    0  released
    1  a claim failed (winnow audit)
    2  invalid usage
    3  refused by the budget
    4  the source or the ledger failed
  130  interrupted
`;

export async function runCommandLine(program: () => Command): Promise<void> {
  // `print` reports a failed write to its caller; a write that no one awaits must at least not end with exit code 0.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.exitCode = CATALOGUE["not-written"].exit;
  });

  // A closed standard error must not stop the release.
  process.stderr.on("error", () => {});

  try {
    await program().parseAsync();
  } catch (error) {
    process.exitCode = reportFailure(
      error,
      (text) => process.stderr.write(text),
      commandsIn(program(), process.argv.slice(2)),
    );
    // Interrupted work may wait for rows that never come.
    if (process.exitCode === CATALOGUE.interrupted.exit) process.exit();
  }
}

/** The program, and the command and subcommand that the words name. */
export function commandsIn(program: Command, words: readonly string[]): readonly Command[] {
  const asked = [program];
  for (const word of words) {
    const next = asked.at(-1)!.commands.find((command) => command.name() === word);
    if (next !== undefined) asked.push(next);
  }
  return asked;
}

/** Reports the failure and returns the exit code. The help of the first command among those asked explains it. */
export function reportFailure(
  error: unknown,
  write: (text: string) => void,
  asked: readonly Command[] = [],
): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (error instanceof CommanderError && error.code === "commander.help") return CATALOGUE.usage.exit; // it was printed
  const { code, sentence, next } = readFailure(error, asked);
  const command = asked[1]?.name();
  const style = errorStyle();
  write(`${style.bad("winnow:")} ${visible(sentence)}\n`);
  const help = command === undefined ? next : next.replace("`winnow help`", `\`winnow help ${command}\``);
  write(`${style.faint(`  ${help} [${code}]`)}\n`);
  return CATALOGUE[code].exit;
}

interface Failure {
  readonly code: RefusalCode;
  readonly sentence: string;
  readonly next: string;
}

function readFailure(error: unknown, asked: readonly Command[]): Failure {
  if (error instanceof CommanderError) return failure("usage", sentenceOf(error, asked));
  if (error instanceof WinnowError && INVALID.has(error.code)) return failure("usage", `${asOption(error)}.`);
  const { code, message } = refusalOf(error);
  return failure(code, message);
}

/** The library refuses something that was typed or that a public file holds. */
const INVALID: ReadonlySet<string> = new Set<WinnowError["code"]>(["invalid-parameter", "invalid-score"]);

function failure(code: RefusalCode, sentence: string): Failure {
  return { code, sentence, next: new Refusal(code, sentence).next("cli") };
}

/** `epsilon must be …` becomes `--epsilon must be …`, as typed. */
function asOption({ message, field }: WinnowError): string {
  const typed = message.replace(IN_CODE, AS_TYPED);
  if (field === undefined || !typed.startsWith(`${field} `)) return typed;
  return (OTHER_NAMES[field] ?? optionName(field)) + typed.slice(field.length);
}

/** How the library and a person write numbers. */
const [IN_CODE, AS_TYPED] = ['"1/3", "0.1", "1e-6", 1n or 0.1', "1/3, 0.1 or 1e-6"];

/** Names that differ between the library and the command line. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  budget: "The price",
  limit: "The budget",
  scale: "The scale of the noise",
  header: "The header",
  domain: "The domain",
  "domain.kind": "The domain",
};

/** Commander writes "error: unknown option '--epsilom'". */
function sentenceOf({ code, message }: CommanderError, asked: readonly Command[]): string {
  const text = message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  const [, written = ""] = /'([^'=]+)/.exec(message) ?? [];
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?)]$/.test(text) ? "" : "."}`;
  return sentence + didYouMean(written, NAMES[code]?.(asked) ?? []);
}

/** What could have been meant, by the kind of mistake. */
const NAMES: Readonly<Record<string, (asked: readonly Command[]) => readonly string[]>> = {
  "commander.unknownOption": (asked) =>
    asked.flatMap(({ options }) => options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []))),
  "commander.unknownCommand": (asked) => (asked.at(-1)?.commands ?? []).map((command) => command.name()),
};
