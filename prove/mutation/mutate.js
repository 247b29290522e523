/**
 * Mutation testing: StrykerJS changes one operator, constant or statement of a source file at a time, and a test of the core
 * must fail. A mutant that survives must be explained in survivors.json; else this exits with 1.
 *
 *   node prove/mutation/mutate.js                     all files of the folders in summary.js
 *   node prove/mutation/mutate.js privacy race/pool   a folder, or a file
 *   node prove/mutation/mutate.js --write …           also notes the scores, in scores.json and the documents, of files without an open mutant
 *   node prove/mutation/mutate.js --tests=GLOB …      with these tests only, and those left alive in processes of their own, unless `--near`
 *   node prove/mutation/mutate.js --resume …          only mutants that earlier runs left alive, where the source is unchanged
 *   node prove/mutation/mutate.js --explained …       also mutants that are explained: a reason is wrong if a test kills its mutant
 *   node prove/mutation/mutate.js --look …            a first look: tests of the folder that take less than 100 ms
 *
 * All files given are one batch, since finding out which test reaches which mutant takes longer than most mutants live. A mutant
 * first meets the tests of its folder, then the frozen answers, then all quick tests of the core, without the latter with `--near`;
 * quick files come first.
 * Run it with `nice`; `--workers=2` uses two cores.
 * @module
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { FOLDERS, filesOf, writeDocuments } from "./summary.js";

const SOURCE = "packages/core/src/";
const root = fileURLToPath(new URL("../../", import.meta.url));
const here = (name) => new URL(name, import.meta.url);
const readJson = (name) => JSON.parse(readFileSync(here(name), "utf8"));

const given = process.argv.slice(2);
const option = (name) => given.find((argument) => argument.startsWith(`${name}=`))?.slice(name.length + 1);

/** The rest of the repository is not copied. */
const LEFT_OUT = [
  "/{bench,docs,examples,research,scripts}",
  "/packages/{cli,release,studio}",
  "/prove/{arithmetic,fuzz,ledger,timing,verify}",
  "{dist,coverage,.cache,.github}",
  "tsconfig*.json", // Stryker would read them with an interface that TypeScript 7 doesn't have
];

/** Runs the tests on each mutant of the files or ranges. */
async function mutants(mutate, tests, ignoreStatic) {
  process.env.MUTATION_TESTS = tests;
  return await new Stryker({
    mutate,
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "prove/mutation/vitest.config.js", related: false },
    coverageAnalysis: "perTest",
    ignoreStatic,
    ignorePatterns: LEFT_OUT,
    concurrency: Number(option("--workers") ?? 1),
    reporters: [],
    tempDirName: ".cache/stryker",
    logLevel: "error",
    warnings: false,
    timeoutMS: 60_000, // a busy machine isn't a reason; Stryker counts the turns of endless loops
  }).runMutationTest();
}

/** A mutant as the list of survivors names it: by what stands there, not where, so that it stays when lines move. */
function nameOf({ fileName, location: { start, end }, replacement }) {
  const lines = readFileSync(fileName, "utf8").split("\n");
  const within = lines.slice(start.line - 1, end.line);
  within[within.length - 1] = within.at(-1).slice(0, end.column - 1);
  within[0] = within[0].slice(start.column - 1);
  const oneLine = (text) => text.replace(/\s+/g, " ").trim();
  return {
    file: fileOf({ fileName }),
    line: oneLine(lines[start.line - 1]),
    from: oneLine(within.join("\n")),
    to: oneLine(replacement),
  };
}

const idOf = (mutant) => `${rangeOf(mutant)} ${mutant.replacement}`;
const fileOf = ({ fileName }) => relative(root + SOURCE, fileName);
const isExplained = (mutant) =>
  explained.some((known) =>
    ["file", "line", "from", "to"].every((field) => known[field] === nameOf(mutant)[field]),
  );
const rangeOf = ({ fileName, location: { start, end } }) =>
  `${relative(root, fileName)}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
const isOpen = (mutant) => !isDead(mutant) && (given.includes("--explained") || !isExplained(mutant));
const isDead = ({ status }) => ["Killed", "Timeout", "RuntimeError", "CompileError"].includes(status);

const SANDBOX = `${root}.cache/mutation/${process.pid}/`;

/** Notes when a module is loaded, and counts who is reached only as long as that is asked for. */
const counted = (content) =>
  `${content.replace("function cover() {", "function cover() {\n    if (ns.isCounted) return;")}
;globalThis.__stryker__.loads = (globalThis.__stryker__.loads ?? 0) + 1;\n`;

/** The files with all their mutants, each behind a switch, as Stryker writes them. */
async function instrument(files) {
  const logger = { debug() {}, info() {}, isDebugEnabled: () => false };
  const sources = files.map((file) => `${root}${SOURCE}${file}`);
  const read = (name) => ({ name, mutate: true, content: readFileSync(name, "utf8") });
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: false };
  const { files: out, mutants } = await new Instrumenter(logger).instrument(sources.map(read), options);
  const shift = ({ line, column }) => ({ line: line + 1, column: column + 1 });
  return {
    sources: Object.fromEntries(out.map(({ name, content }) => [name, counted(content)])),
    mutants: mutants.map(({ location: { start, end }, ...mutant }) => ({
      ...mutant,
      location: { start: shift(start), end: shift(end) },
    })),
  };
}

/** Runs the tests on the mutants that aren't dead, all in one process: see `mutant-runner.js`. Notes who dies, and who is static. */
async function meetAll(sources, mutants, tests, under) {
  const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  const alive = new Set(mutants.filter(isOpen).map(({ id }) => id));
  mkdirSync(SANDBOX, { recursive: true });
  writeFileSync(`${SANDBOX}sources.json`, JSON.stringify(sources));
  while (alive.size > 0) {
    writeFileSync(`${SANDBOX}alive.json`, JSON.stringify([...alive]));
    writeFileSync(`${SANDBOX}log`, "");
    const { hung, output } = await runTests(tests, under);
    const events = readFileSync(`${SANDBOX}log`, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    for (const [event, what] of events) {
      if (event === "killed") byId.get(what).status = "Killed";
      if (event === "static") for (const id of what) if (byId.has(id)) byId.get(id).static = true;
      if (["killed", "survived"].includes(event)) alive.delete(what);
    }
    const [event, id] = events.at(-1) ?? [];
    if (event === "end") return;
    if (hung && event === "try") byId.get(id).status = "Timeout";
    else if (event !== "doubted") throw new Error(`the tests must pass without a mutant:\n${output}`);
    alive.delete(id);
  }
}

/** Runs vitest, and ends it if a mutant keeps it busy for five minutes. */
function runTests(tests, under) {
  const log = `${SANDBOX}log`;
  const env = {
    ...process.env,
    MUTATION_TESTS: tests,
    MUTATION_SOURCES: `${SANDBOX}sources.json`,
    MUTATION_ALIVE: `${SANDBOX}alive.json`,
    MUTATION_LOG: log,
    MUTATION_UNDER: String(under),
  };
  const program = [`${root}node_modules/vitest/vitest.mjs`, "run", "-c", "prove/mutation/vitest.config.js"];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, program, { cwd: root, env, detached: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    let hung = false;
    const watch = setInterval(() => {
      if (Date.now() - statSync(log).mtimeMs < 300_000) return;
      hung = true;
      process.kill(-child.pid, "SIGKILL");
    }, 5000);
    child.on("close", () => {
      clearInterval(watch);
      resolve({ hung, output });
    });
  });
}

/** All mutants of the files, with what became of them. */
async function mutateFiles(files) {
  const only = option("--tests");
  const near = `packages/core/test/{${["none", ...new Set(files.map((file) => file.split("/")[0]))]}}/*.test.ts`;
  const frozen = "packages/core/test/frozen/*.test.ts";
  const everywhere = "packages/core/test/**/*.test.ts";
  const { sources, mutants: all } = await instrument(files);
  const kept = given.includes("--resume") ? readKept() : {};
  const before = new Map(
    files
      .filter((file) => kept[file]?.source === digestOf(file))
      .flatMap((file) => kept[file].mutants)
      .map((mutant) => [idOf(mutant), mutant]),
  );
  for (const mutant of all) Object.assign(mutant, { status: "Survived" }, before.get(idOf(mutant)));

  const inPlace = async (tests, under) => {
    await meetAll(sources, all, tests, under);
    keep(files, all);
  };
  /** One at a time, each in a process of its own, for what runs while modules are loaded or is remembered. */
  const alone = async (tests, takes) => {
    const open = all.filter((mutant) => isOpen(mutant) && takes(mutant));
    if (open.length === 0) return;
    const found = await mutants([...new Set(open.map(rangeOf))], tests, false);
    const dead = new Set(found.filter(isDead).map(idOf));
    for (const mutant of open) if (dead.has(idOf(mutant))) mutant.status = "Killed";
    keep(files, all);
  };
  await inPlace(only ?? near, 100);
  if (given.includes("--look")) return all;
  await inPlace(only ?? near, Infinity);
  if (only === undefined) await inPlace(frozen, Infinity);
  const isNear = given.includes("--near");
  await alone(only ?? near, (mutant) => mutant.static === true || (only !== undefined && !isNear));
  if (only || isNear) return all;
  await inPlace(everywhere, Infinity);
  await alone(everywhere, () => true);
  return all;
}

/** What became of the mutants of each file and version of it, for `--resume`. */
const KEPT = `${root}.cache/mutants.json`;
const readKept = () => (existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, "utf8")) : {});
const digestOf = (file) =>
  createHash("sha256")
    .update(readFileSync(`${root}${SOURCE}${file}`))
    .digest("hex");
function keep(files, all) {
  if (option("--tests") && !given.includes("--resume")) return; // fewer tests may say less than an earlier run
  const kept = readKept();
  for (const file of files) {
    const mutants = all
      .filter((mutant) => fileOf(mutant) === file)
      .map(({ fileName, location, replacement, status, static: atLoading }) => ({
        ...{ fileName, location, replacement, status, static: atLoading },
      }));
    kept[file] = { source: digestOf(file), mutants };
  }
  mkdirSync(`${root}.cache`, { recursive: true });
  writeFileSync(KEPT, JSON.stringify(kept));
}

const explained = readJson("survivors.json");
const wanted = given.filter((argument) => !argument.startsWith("--"));
const files = Object.keys(FOLDERS)
  .flatMap(filesOf)
  .filter(
    (file) =>
      wanted.length === 0 || wanted.some((start) => file === `${start}.ts` || file.startsWith(`${start}/`)),
  );

process.chdir(root);
const everything = await mutateFiles(files);
rmSync(SANDBOX, { recursive: true, force: true });
for (const file of files) {
  const all = everything.filter((mutant) => fileOf(mutant) === file);
  const alive = all.filter((mutant) => !isDead(mutant));
  const open = alive.filter((mutant) => !isExplained(mutant));
  const score = {
    mutants: all.length,
    killed: all.length - alive.length,
    explained: alive.length - open.length,
  };
  console.log(
    `${file}: ${score.killed} of ${score.mutants} killed, ${score.explained} explained, ${open.length} open`,
  );
  for (const mutant of open) console.log(JSON.stringify(nameOf(mutant)));
  const named = new Set(alive.map((mutant) => JSON.stringify(nameOf(mutant)))); // two mutants may have one name
  const refuted = all.filter((mutant) => isExplained(mutant) && !named.has(JSON.stringify(nameOf(mutant))));
  for (const mutant of refuted) console.log(`explained, but killed: ${JSON.stringify(nameOf(mutant))}`);
  if (open.length + refuted.length > 0) process.exitCode = 1;
  if (given.includes("--write")) {
    const scores = { ...readJson("scores.json"), [file]: open.length > 0 ? undefined : score };
    const sorted = Object.fromEntries(Object.entries(scores).sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(here("scores.json"), `${JSON.stringify(sorted, null, 2)}\n`);
  }
}
if (given.includes("--write")) writeDocuments();
