/**
 * Runs a TypeScript example from a page as a module of its own, on the built package, and checks what it shows.
 * `value; // → text` claims that the statement's value is displayed as that text; after `const name = …;` the
 * claim is about the name; `// → throws text` is about an error's message.
 * @module
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type ESTree, parseSync, transformWithOxc } from "vite";

export interface Claim {
  /** Of the example, from 1. */
  readonly line: number;
  readonly shown: string;
}

const ARROW = "→ ";
const RUNNER = fileURLToPath(new URL("example-runner.js", import.meta.url));

/** What a runner answers to an example. */
type Run = { readonly shown: Claim[] } | { readonly error: string };

/** What the example claims. */
export function claimsOf(source: string): Claim[] {
  return arrows(source).map(({ start, value }) => ({
    line: lineAt(source, start),
    shown: value.trim().slice(ARROW.length),
  }));
}

/** What the example shows where it makes a claim. Rejects when the example fails. */
export async function showsOf(source: string): Promise<Claim[]> {
  const { code } = await transformWithOxc(instrumented(source), "example.ts");
  const run = await runAsModule(code);
  if ("error" in run) throw new Error(run.error);
  return run.shown;
}

/** The source with every claim's statement replaced by one that also records its value. */
function instrumented(source: string): string {
  const { program, errors } = parseSync("example.ts", source);
  if (errors.length > 0) throw new Error(errors[0].message);
  let result = source;
  // From the last to the first, so that the earlier positions stay right.
  for (const { start } of arrows(source).reverse()) {
    const line = lineAt(source, start);
    const statement = program.body.findLast(({ end }) => end <= start);
    if (statement === undefined || source.slice(statement.end, start).includes("\n"))
      throw new Error(`line ${line} claims a value where no statement ends`);
    result =
      result.slice(0, statement.start) + recorded(statement, source, line) + result.slice(statement.end);
  }
  return result;
}

/** `value;` becomes `await record(line, async () => value);`, and a declaration is followed by the same for its name. */
function recorded(statement: ESTree.Statement, source: string, line: number): string {
  const record = (value: string) => `await record(${line}, async () => (${value}));`;
  const text = ({ start, end }: ESTree.Span) => source.slice(start, end);
  if (statement.type === "ExpressionStatement") return record(text(statement.expression));
  if (statement.type === "VariableDeclaration") {
    const { id } = statement.declarations[0];
    if (id.type === "Identifier") return `${text(statement)} ${record(id.name)}`;
  }
  throw new Error(`line ${line} claims a value, but its statement has none`);
}

function arrows(source: string) {
  return parseSync("example.ts", source).comments.filter(
    ({ type, value }) => type === "Line" && value.trim().startsWith(ARROW),
  );
}

function lineAt(source: string, position: number): number {
  return source.slice(0, position).split("\n").length;
}

let runner: ChildProcess | undefined;
/** Who waits for an answer; a runner answers in order. */
const waiting: ((run: Run) => void)[] = [];

function runAsModule(code: string): Promise<Run> {
  runner ??= startRunner();
  runner.send(code);
  return new Promise((resolve) => waiting.push(resolve));
}

function startRunner(): ChildProcess {
  const started = fork(RUNNER, { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let complaints = "";
  started.stderr?.setEncoding("utf8").on("data", (text) => {
    complaints += text;
  });
  started.on("message", (run) => waiting.shift()?.(run as Run));
  started.on("close", () => {
    runner = undefined;
    for (const answer of waiting.splice(0)) answer({ error: complaints });
  });
  // It ends with this process, which need not wait for it.
  started.unref();
  started.channel?.unref();
  return started;
}
