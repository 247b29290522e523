/**
 * Mutation testing: StrykerJS changes one operator, constant or statement of a source file at a time, and a test of the core
 * must fail. A mutant that survives must be explained in survivors.json; else this exits with 1.
 *
 *   node prove/mutation/mutate.js                     all files of the engine, samplers, selections and accounting
 *   node prove/mutation/mutate.js privacy race/pool   a folder, or a file
 *   node prove/mutation/mutate.js --write …           also notes the scores in scores.json
 *   node prove/mutation/mutate.js --tests=GLOB …      with these tests only
 *
 * A mutant first meets the tests of its file, then those of its folder, then all quick tests of the core, without the last with
 * `--near`. Results are those of one core at a time: run it with `nice`.
 * @module
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";

const FOLDERS = ["privacy", "select", "sample", "race"];
const SOURCE = "packages/core/src/";
const root = fileURLToPath(new URL("../../", import.meta.url));
const here = (name) => new URL(name, import.meta.url);
const readJson = (name) => JSON.parse(readFileSync(here(name), "utf8"));

/** The rest of the repository is not copied. */
const LEFT_OUT = [
  "/{bench,docs,examples,experiments,scripts}",
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
    concurrency: 1,
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
    file: relative(root + SOURCE, fileName),
    line: oneLine(lines[start.line - 1]),
    from: oneLine(within.join("\n")),
    to: oneLine(replacement),
  };
}

const isSame = (a, b) => rangeOf(a) === rangeOf(b) && a.replacement === b.replacement;
const isExplained = (mutant) =>
  explained.some((known) =>
    ["file", "line", "from", "to"].every((field) => known[field] === nameOf(mutant)[field]),
  );
const rangeOf = ({ fileName, location: { start, end } }) =>
  `${relative(root, fileName)}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
const isDead = ({ status }) => ["Killed", "Timeout", "RuntimeError", "CompileError"].includes(status);

/** Ever more tests, for those that the ones before left alive: of the same name, of the same folder, all quick ones. */
function stages(file) {
  const only = given.find((argument) => argument.startsWith("--tests="));
  if (only) return [only.slice("--tests=".length)];
  const [folder, name] = file.replace(/\.ts$/, "").split("/");
  const names = readdirSync(`${root}packages/core/test/${folder}`).filter((test) =>
    test.startsWith(`${name}.`),
  );
  const own = names.some((test) => /^[^.]*(\.property)?\.test\.ts$/.test(test))
    ? [`${folder}/${name}.*`]
    : [];
  return [...own, `${folder}/*.`, ...(given.includes("--near") ? [] : ["**/*."])].map(
    (tests) => `packages/core/test/${tests}test.ts`,
  );
}

/** All mutants of a file, with what became of them. */
async function mutateFile(file) {
  let all = [];
  for (const [stage, tests] of stages(file).entries()) {
    const open = all.filter((mutant) => !isDead(mutant) && !isExplained(mutant));
    if (stage > 0 && open.length === 0) break;
    const ranges = stage === 0 ? [SOURCE + file] : [...new Set(open.map(rangeOf))];
    const found = await mutants(ranges, tests, stage === 0);
    const again = (mutant) => found.find((other) => isSame(other, mutant));
    all =
      stage === 0 ? found : all.map((mutant) => (open.includes(mutant) ? (again(mutant) ?? mutant) : mutant));
  }
  return all;
}

const explained = readJson("survivors.json");
const given = process.argv.slice(2);
const wanted = given.filter((argument) => !argument.startsWith("--"));
const files = FOLDERS.flatMap((folder) =>
  readdirSync(`${root}${SOURCE}${folder}`)
    .filter((name) => name !== "index.ts")
    .map((name) => `${folder}/${name}`),
).filter(
  (file) =>
    wanted.length === 0 || wanted.some((start) => file === `${start}.ts` || file.startsWith(`${start}/`)),
);

process.chdir(root);
for (const file of files) {
  const all = await mutateFile(file);
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
  if (open.length > 0) process.exitCode = 1;
  if (given.includes("--write"))
    writeFileSync(
      here("scores.json"),
      `${JSON.stringify({ ...readJson("scores.json"), [file]: score }, null, 2)}\n`,
    );
}
