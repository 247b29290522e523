/**
 * `import "winnow-dp"`, as it is published, against the import of an empty module. Each is measured in a fresh process that
 * has imported another empty module before, so that what Node does once for the first of all imports counts for neither.
 *
 * Time is processor time, that of V8's own threads included: on the clock, what else the machine does would count too.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runFresh } from "../fresh-process.js";
import { quartiles } from "../quartiles.js";
import type { Outcome } from "../race.js";
import type { Suite } from "../suite.js";

const [ROUNDS, QUICK_ROUNDS] = [41, 7];
const GOAL = 10;

export const imports: Suite = {
  name: "import",
  works: [
    {
      name: 'import "winnow-dp" in a fresh process',
      measure: async (isQuick) => measure(isQuick ? QUICK_ROUNDS : ROUNDS),
    },
  ],
};

function measure(rounds: number): Outcome {
  const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));
  try {
    const [first, empty] = ["first.mjs", "empty.mjs"].map((name) => {
      writeFileSync(join(folder, name), "export {};\n");
      return pathToFileURL(join(folder, name)).href;
    });
    const modules = [import.meta.resolve("winnow-dp"), empty];
    const times: number[][] = [];
    for (let round = 0; round <= rounds; round++) {
      const milliseconds = modules.map((module) => importTime(first, module));
      if (round > 0) times.push(milliseconds); // the first one fills the caches
    }
    const time = (name: string, which: number) => {
      const { median } = quartiles(times.map((round) => round[which]));
      return { name, nanoseconds: median * 1e6, milliseconds: median, bytes: Number.NaN };
    };
    const ratio = quartiles(times.map(([ours, theirs]) => ours / theirs));
    return {
      unit: "import",
      subject: time("winnow-dp", 0),
      rivals: [{ ...time("an empty module", 1), goal: GOAL, ratio }],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** In milliseconds of processor time. */
function importTime(first: string, module: string): number {
  const program = `await import(process.argv[1]);
    const time = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
    time();
    const start = time();
    await import(process.argv[2]);
    console.log(time() - start);`;
  const args = ["--input-type=module", "--eval", program, first, module];
  return runFresh<number>(args);
}
