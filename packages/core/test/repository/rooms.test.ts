import { posix } from "node:path";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { type ProjectFile, projectFiles } from "./project.js";

/** A file is a topic that one person reviews in one sitting. */
const MOST_LINES = 400;
const FEWEST_LINES = 40;
/**
 * 330 in the second edition. Since then: sparse vector, quantiles, frequency lists, their commands, and every core; five for
 * the files that others read and for conformance; five for Trino; the service for a team and the agents' tools; and 30 fewer
 * where files with one reader joined the topic they belong to. Three for the types of budgets, the noise of sparse vector, and
 * how the budget of names with counts is split; one for the sums of charges that a ledger no longer tells apart, and one for
 * what a ledger asks of its database. One for the questions before it is too late.
 */
const MOST_FILES = 376;

/** Short files that importers in two folders do not explain, each with its reason. */
const SHORT: Readonly<Record<string, string>> = {
  "packages/audit/src/claims/exact-claims.ts": "the list of all claims",
  "packages/cli/src/main.ts": "an entry point",
  "packages/core/src/internal.ts": "an entry point",
  "packages/core/src/parallel-worker.ts": "an entry point",
  "packages/core/src/sample/index.ts": "an entry point",
  "packages/core/src/testing/index.ts": "an entry point",
  "packages/studio/src/main.tsx": "an entry point",
  "packages/studio/src/worker/worker.ts": "an entry point",
};

const sources = projectFiles(/^packages\/[^/]+\/src\/.*\.tsx?$/);

describe("the rooms of the house", () => {
  it(`are at most ${MOST_FILES} source files`, () => {
    expect(sources.length).toBeLessThanOrEqual(MOST_FILES);
  });

  it(`have at most ${MOST_LINES} lines each, tests too`, () => {
    const long = projectFiles(/\.[cm]?[jt]sx?$/).filter(({ text }) => lines(text) > MOST_LINES);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it(`have at least ${FEWEST_LINES} lines, or importers in two folders, or a reason that is written down here`, () => {
    const short = sources.filter(({ text }) => lines(text) < FEWEST_LINES).map(({ path }) => path);
    const unexplained = short.filter((path) => foldersThatImport(path).size < 2);
    expect(unexplained.sort()).toEqual(Object.keys(SHORT).sort());
  });

  it("have names that no other file of the package has", () => {
    const names = sources.map(
      ({ path }) => `${path.split("/")[1]}: ${posix.basename(path).replace(/\.tsx?$/, "")}`,
    );
    const twice = names.filter((name, at) => names.indexOf(name) !== at && !name.endsWith(": index"));
    expect(twice).toEqual([]);
  });
});

function lines(text: string): number {
  return text.trimEnd().split("\n").length;
}

/** The folders with files that import this one. */
function foldersThatImport(path: string): Set<string> {
  return new Set(
    sources.filter((file) => importsOf(file).includes(path)).map(({ path }) => posix.dirname(path)),
  );
}

const known = new Map<string, string[]>();

function importsOf({ path, text }: ProjectFile): string[] {
  const imports = known.get(path) ?? readImports(path, text);
  known.set(path, imports);
  return imports;
}

function readImports(path: string, text: string): string[] {
  const { module } = parseSync(path, text);
  const fixed = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  const dynamic = module.dynamicImports.map(({ moduleRequest }) =>
    text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
  );
  return [...fixed, ...dynamic].flatMap((to) => {
    const target = posix.join(posix.dirname(path), to);
    return to.startsWith(".") ? [target.replace(/\.js$/, ".ts"), target.replace(/\.js$/, ".tsx")] : [];
  });
}
