import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// The kinds of evidence for the libraries, each a project of its own: `npx vitest run --project exact`.
const library = "packages/{core,audit}/test";

/** Files that share a process load the sources once; whoever replaces a module with `vi.mock` needs one of its own. */
const shared = { isolate: false };

/** Tests see the sources of all packages, never a build, so that there is one copy of each class. */
const source = (path: string) => fileURLToPath(new URL(`packages/${path}`, import.meta.url));
const alias = [
  { find: /^winnow-dp$/, replacement: source("core/src/index.ts") },
  { find: /^winnow-dp\/parallel$/, replacement: source("core/src/parallel.ts") },
  { find: /^winnow-dp\/(sample|testing)$/, replacement: source("core/src/$1/index.ts") },
  { find: /^winnow-audit$/, replacement: source("audit/src/index.ts") },
  { find: /^winnow-release$/, replacement: source("release/src/index.ts") },
  { find: /^winnow-server$/, replacement: source("server/src/index.ts") },
];

export default defineConfig({
  resolve: { alias },
  test: {
    maxWorkers: availableParallelism() + 2, // many tests wait: for programs, servers and pages
    testTimeout: 300_000, // on a machine that is busy with other things
    hookTimeout: 300_000,
    setupFiles: ["packages/core/test/support/property-seed.ts"],
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: "exact",
          include: [`${library}/**/*.test.ts`],
          exclude: [`${library}/**/*.{exhaustive,property,statistical}.test.ts`, `${library}/repository/**`],
        },
      },
      {
        extends: true,
        test: { name: "exhaustive", include: [`${library}/**/*.exhaustive.test.ts`] },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: "property",
          include: ["packages/{core,audit,release}/test/**/*.property.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: "statistical",
          include: ["packages/{core,audit,release}/test/**/*.statistical.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: "repository",
          include: [`${library}/repository/*.test.ts`, "scripts/test/*.test.ts"],
        },
      },
      { extends: true, test: { name: "bench", include: ["bench/test/**/*.test.ts"] } },
      { extends: true, test: { name: "research", include: ["research/test/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          ...shared,
          name: "release",
          include: ["packages/release/test/**/*.test.ts"],
          exclude: ["packages/release/test/**/*.{property,statistical}.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: "cli",
          include: ["packages/cli/test/**/*.test.ts"],
          exclude: ["packages/cli/test/servers/**"],
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: "servers",
          include: ["packages/cli/test/servers/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: "studio",
          include: ["packages/studio/test/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: "server",
          include: ["packages/server/test/**/*.test.ts"],
        },
      },
      { extends: true, test: { name: "python", include: ["packages/bridge/test/**/*.test.ts"] } },
      { extends: true, test: { name: "prove", include: ["prove/**/*.test.ts"] } },
      {
        extends: true,
        test: { name: "runtime", include: ["packages/core/runtime/*.test.ts"] },
      },
    ],
  },
});
