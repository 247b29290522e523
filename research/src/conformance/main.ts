/**
 * `npm run conformance`: runs the conformance file on Winnow, on float code that must fail, and on the programs that
 * --program names, and prints a table.
 *
 *   --program 'NAME=COMMAND …'   another implementation; may be given several times
 *   --python FILE                an interpreter for the adapters of research/python, each if its library is there
 *   --details                    one line for each case
 *   --write                      also writes the file into docs/public/conformance
 *
 * Ends with 1 if Winnow fails a case, or float code passes all of them.
 * @module
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type ConformanceVerdict, checkConformance, type Implementation } from "winnow-audit";
import { conformanceFile } from "./cases.js";
import { floatNoise, Program, winnow } from "./implementations.js";

const FILE = fileURLToPath(new URL("../../../docs/public/conformance/conformance-1.json", import.meta.url));
const ADAPTERS = fileURLToPath(new URL("../../python/conformance_adapters.py", import.meta.url));
/** Other libraries, and the names under which they are distributed. */
const LIBRARIES = { opendp: "opendp", diffprivlib: "diffprivlib", pydp: "python-dp", autodp: "autodp" };

const { values } = parseArgs({
  options: {
    program: { type: "string", multiple: true, default: [] },
    python: { type: "string" },
    details: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});

const file = conformanceFile();
if (values.write) writeFileSync(FILE, `${JSON.stringify(file, null, 1)}\n`);

const tried: [name: string, verdicts: readonly ConformanceVerdict[]][] = [];

async function run(name: string, implementation: Implementation): Promise<void> {
  const verdicts = await checkConformance(file, implementation);
  tried.push([name, verdicts]);
  if (!values.details) return;
  for (const { id, verdict, detail } of verdicts) console.log(`${name}: ${id} ${verdict} (${detail})`);
}

async function runProgram(name: string, words: readonly string[]): Promise<void> {
  const program = new Program(words);
  try {
    await run(name, program.ask);
  } finally {
    program.close();
  }
}

await run("Winnow", winnow());
await run("control: exponential noise in doubles", floatNoise());
await run("control: nine tenths of the noise", floatNoise(undefined, 0.9));
for (const [library, distribution] of Object.entries(values.python === undefined ? {} : LIBRARIES)) {
  const python = values.python ?? "";
  const version = `import ${library}; from importlib.metadata import version; print(version("${distribution}"))`;
  const { status, stdout } = spawnSync(python, ["-c", version], { encoding: "utf8" });
  if (status === 0) await runProgram(`${library} ${stdout.trim()}`, [python, ADAPTERS, library]);
}
for (const program of values.program) {
  const [name, command = ""] = program.split(/=(.*)/s);
  await runProgram(name, command.split(" "));
}

const cells = tried.map(([name, verdicts]) => {
  const many = (wanted: string) => verdicts.filter(({ verdict }) => verdict === wanted);
  const failed = many("fails").map(({ id }) => id);
  return `| ${name} | ${many("passes").length} | ${failed.length} | ${many("unsupported").length} | ${failed.join(", ")} |`;
});
console.log(
  "| implementation | passes | fails | not offered | which fail |\n| --- | --- | --- | --- | --- |",
);
console.log(cells.join("\n"));
const [[, ours], ...others] = tried;
const controls = others
  .slice(0, 2)
  .every(([, verdicts]) => verdicts.some(({ verdict }) => verdict === "fails"));
process.exitCode = ours.every(({ verdict }) => verdict === "passes") && controls ? 0 : 1;
