import { defineConfig } from "vitest/config";
import whole from "../../vitest.config.js";

/** The quick tests of the core, or those that `mutate.js` names: each mutant meets those of them that reach it. */
const tests = process.env.MUTATION_TESTS ?? "packages/core/test/**/*.test.ts";

export default defineConfig({
  resolve: whole.resolve,
  test: {
    isolate: false,
    include: [tests],
    exclude: [
      "packages/core/test/**/*.{exhaustive,statistical}.test.ts",
      "packages/core/test/repository/**",
      "packages/core/test/{parallel,system-entropy,types}.test.ts", // other threads, the system and types aren't mutated
    ],
    setupFiles: ["packages/core/test/support/property-seed.ts"],
    testTimeout: 60_000,
  },
});
