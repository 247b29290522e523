import { defineConfig } from "vitest/config";

// The kinds of evidence for `core`, each a project of its own: `npx vitest run --project exact`.
const core = "packages/core/test";

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ["packages/core/test/support/property-seed.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "exact",
          include: [`${core}/**/*.test.ts`],
          exclude: [`${core}/**/*.{property,statistical}.test.ts`, `${core}/repository/**`],
        },
      },
      { extends: true, test: { name: "property", include: [`${core}/**/*.property.test.ts`] } },
      { extends: true, test: { name: "statistical", include: [`${core}/**/*.statistical.test.ts`] } },
      { extends: true, test: { name: "repository", include: [`${core}/repository/*.test.ts`] } },
      { extends: true, test: { name: "bench", include: ["{bench,experiments}/test/**/*.test.ts"] } },
      { extends: true, test: { name: "release", include: ["packages/release/test/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "cli",
          include: ["packages/cli/test/**/*.test.ts"],
          exclude: ["packages/cli/test/servers/**"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: "servers",
          include: ["packages/cli/test/servers/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: "studio",
          include: ["packages/studio/test/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: { name: "runtime", include: ["packages/core/runtime/*.test.ts"], testTimeout: 300_000 },
      },
    ],
  },
});
