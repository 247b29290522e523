import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import whole from "../../vitest.config.js";

/** The quick tests of the core, or those that `mutate.js` names: each mutant meets those of them that reach it. */
const tests = process.env.MUTATION_TESTS ?? "packages/core/test/**/*.test.ts";

/** Slow ones, which only `--tests` asks for; no mutant is in those that replace a module. */
const exhaustive = /exhaustive/.test(tests)
  ? "{base2/{clamped-laplace-law,draw-optimised},sample/one-off-choices}.exhaustive"
  : "**/*.exhaustive";

/** Small files first, properties last: one failure is enough. */
class QuickFirst extends BaseSequencer {
  async sort(files) {
    const weight = ({ moduleId }) => statSync(moduleId).size + (moduleId.includes(".property.") ? 1e9 : 0);
    return [...files].sort((a, b) => weight(a) - weight(b));
  }
}

/** For `mutant-runner.js`: the sources with all their mutants. */
const sources = process.env.MUTATION_SOURCES
  ? JSON.parse(readFileSync(process.env.MUTATION_SOURCES, "utf8"))
  : {};
const withMutants = { name: "with-mutants", enforce: "pre", load: (id) => sources[id] };

export default defineConfig({
  plugins: [withMutants],
  resolve: whole.resolve,
  test: {
    isolate: false,
    sequence: { sequencer: QuickFirst },
    include: [tests],
    exclude: [
      `packages/core/test/${exhaustive}.test.ts`,
      "packages/core/test/**/*.statistical.test.ts",
      "packages/core/test/repository/**",
      "packages/core/test/{parallel,system-entropy,types}.test.ts", // other threads, the system and types aren't mutated
    ],
    setupFiles: ["packages/core/test/support/property-seed.ts"],
    testTimeout: 60_000,
    ...(process.env.MUTATION_SOURCES && {
      runner: fileURLToPath(new URL("mutant-runner.js", import.meta.url)),
      pool: "forks",
      maxWorkers: 1,
      testTimeout: 240_000, // a busy machine isn't a reason: the runner counts processor time
      dangerouslyIgnoreUnhandledErrors: true, // what a mutant left behind
    }),
  },
});
