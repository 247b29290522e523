/**
 * How a run ends that does not release: one sentence and the next step on standard error, and the exit code. An error that
 * nobody foresaw may carry anything in its text, so its text is not shown: only its kind and the place in the code.
 * @module
 */
import { CommanderError } from "commander";
import { WinnowError } from "winnow-dp";
import { visible } from "winnow-release";
import { optionName } from "./option-name.js";
import { CATALOGUE, Refusal, type RefusalCode } from "./refusal.js";
import { errorStyle } from "./render/style.js";

/** Which entry of the catalogue an error of the library belongs to. */
const ENTRY: Readonly<Record<WinnowError["code"], RefusalCode>> = {
  "invalid-parameter": "usage",
  "invalid-score": "usage",
  "stream-finished": "unexpected",
  "sample-out-of-range": "unexpected",
  "entropy-unavailable": "no-entropy",
  "budget-exceeded": "over-budget",
};

/** Says what happened, and gives the exit code. */
export function reportFailure(error: unknown, write: (text: string) => void): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (error instanceof CommanderError && error.code === "commander.help") return CATALOGUE.usage.exit; // it was printed
  const { code, sentence, next } = readFailure(error);
  const style = errorStyle();
  write(`${style.bad("winnow:")} ${visible(sentence)}\n`);
  write(`${style.faint(`  ${next} [${code}]`)}\n`);
  return CATALOGUE[code].exit;
}

interface Failure {
  readonly code: RefusalCode;
  readonly sentence: string;
  readonly next: string;
}

function readFailure(error: unknown): Failure {
  if (error instanceof Refusal) return failure(error.code, error.message);
  if (error instanceof WinnowError) return failure(ENTRY[error.code], `${asOption(error)}.`);
  if (error instanceof CommanderError) return failure("usage", sentenceOf(error));
  if (error instanceof Error && error.name === "AbortError")
    return failure("interrupted", "The run was interrupted.");
  return failure("unexpected", `Something went wrong that should not (${placeOf(error)}).`);
}

function failure(code: RefusalCode, sentence: string): Failure {
  return { code, sentence, next: CATALOGUE[code].next };
}

/** `epsilon must be …` becomes `--epsilon must be …`, as it was typed. */
function asOption({ message, field }: WinnowError): string {
  if (field === undefined || !message.startsWith(`${field} `)) return message;
  return (OTHER_NAMES[field] ?? optionName(field)) + message.slice(field.length);
}

/** What the library calls otherwise than the command line does. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  budget: "The price",
  scale: "The scale of the noise",
  header: "The header",
  domain: "The domain",
  "domain.kind": "The domain",
};

/** Commander writes "error: unknown option '--epsilom'\n(Did you mean --epsilon?)". */
function sentenceOf({ message }: CommanderError): string {
  const text = message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?)]$/.test(text) ? "" : "."}`;
}

/** The kind of an error and where it came from: neither can hold what was read. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frame = /\/((?:dist|src|node_modules)\/[\w@./-]+:\d+)/.exec(
    error.stack?.replace(error.message, "") ?? "",
  );
  return frame === null ? error.constructor.name : `${error.constructor.name} at ${frame[1]}`;
}
