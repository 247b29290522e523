/**
 * The step of `action.yml`: one release by the command line, and from the ledger its table, picture and statement. What is for the
 * curator's eyes (standard error) is not shown: the log of a workflow may be public.
 * @module
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const COMMANDS = ["top", "names", "adaptive", "quantile", "frequencies"];
/** Inputs that are options of the same name. */
const OPTIONS = ["ledger", "dataset", "release-id", "item", "user", "epsilon", "rho", "delta", "domain"];
/** Ends of the command line that say nothing about the rows. */
const REASONS = {
  2: "The question was refused.",
  3: "The budget doesn't allow it.",
  4: "The source or the ledger failed.",
};

const inputs = JSON.parse(process.env.WINNOW_INPUTS ?? "{}");
const folder = resolve(inputs.output ?? "winnow-release");
const file = (name) => join(folder, name);

try {
  main();
} catch (error) {
  fail(error instanceof Error ? error.message : "Something went wrong.");
}

function main() {
  if (!COMMANDS.includes(inputs.command)) fail(`command must be one of ${COMMANDS.join(", ")}.`);
  for (const name of ["source", "ledger", "dataset", "release-id"])
    if (!inputs[name]) fail(`${name} must be given.`);
  mkdirSync(folder, { recursive: true });
  for (const name of ["release.json", "release.csv", "picture.svg", "statement.txt"])
    if (existsSync(file(name))) fail(`output must not have ${name} yet.`);

  winnow(inputs.command, ...options(), "--json", `--output=${file("release.json")}`, "--", inputs.source);
  const again = ["show", `--ledger=${inputs.ledger}`];
  const { released } = JSON.parse(readFileSync(file("release.json"), "utf8")).answer;
  const isReleased = released !== false;
  winnow(...again, "--csv", `--output=${file("release.csv")}`, "--", inputs["release-id"]);
  const labels = inputs.labels ? [`--labels=${inputs.labels}`] : [];
  const picture = isReleased ? [`--plot=${file("picture.svg")}`] : [];
  const statement = winnow(...again, ...labels, ...picture, "--statement", "--", inputs["release-id"]);
  writeFileSync(file("statement.txt"), statement);
  tell("GITHUB_STEP_SUMMARY", `\`\`\`\`text\n${statement}\n\`\`\`\`\n`);
  tell("GITHUB_OUTPUT", `folder=${folder}\nreleased=${isReleased}\n`);
}

/** As `--name=value`, so that no value can be read as an option. */
function options() {
  const named = OPTIONS.filter((name) => inputs[name]).map((name) => `--${name}=${inputs[name]}`);
  if (inputs.k) named.push("-k", String(inputs.k));
  if (inputs.counts === "true") named.push("--counts");
  const others = (inputs.options ?? "").split("\n").map((line) => line.trim());
  for (const line of others.filter(Boolean)) {
    if (!line.startsWith("--")) fail("options must start with -- and stand on lines of their own.");
    if (/^--(?:yes|force|new-dataset)\b/.test(line))
      fail("A scheduled release answers no question for its curator.");
    named.push(line);
  }
  return named;
}

/** Runs the command line without a terminal, so that what it would ask about is refused. */
function winnow(...args) {
  const [program, ...before] = commandLine();
  const { status, stdout, error } = spawnSync(program, [...before, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", process.env.WINNOW_SHOW_MESSAGES === "true" ? "inherit" : "ignore"],
  });
  if (error) fail("winnow can't be started.");
  if (status === 0) return stdout;
  return fail(
    `${REASONS[status] ?? "winnow failed."} Run it on your machine to see why (exit ${status}).`,
    status,
  );
}

/** A program that is there already, or the published one, of the action's version by default. */
function commandLine() {
  if (process.env.WINNOW_PROGRAM) return [process.execPath, process.env.WINNOW_PROGRAM];
  const own = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
  return ["npx", "--yes", `winnow-cli@${inputs.version || own}`];
}

function tell(name, text) {
  if (process.env[name]) appendFileSync(process.env[name], text);
}

function fail(message, status = 1) {
  console.log(`::error title=Winnow::${message}`);
  process.exit(status);
}
