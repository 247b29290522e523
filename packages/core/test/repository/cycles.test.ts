/** No file imports itself through others, types included. */
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { type ProjectFile, projectFiles } from "./project.js";

const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

describe("imports", () => {
  const sources = projectFiles(/^packages\/\w+\/src\/.*\.tsx?$/);

  it("have no cycles", () => {
    expect(inCycles(importsOf(sources))).toEqual([]);
  });

  it("lead from topK neither to budgets and reservations nor to conversions and profiles", () => {
    const reached = reachedFrom("packages/core/src/select/top-k.ts", importsOf(sources));
    expect(reached).toContain("packages/core/src/accounting/price.ts");
    const accounts =
      /accounting\/(budget|reservation|running-total|convert|approx|gaussian-approx|compose|gumbel-scale)\.ts$/;
    expect([...reached].filter((path) => accounts.test(path))).toEqual([]);
    const ofBudget = reachedFrom("packages/core/src/index.ts", importsOf(sources));
    expect([...ofBudget].filter((path) => accounts.test(path))).toHaveLength(8); // each of them exists
  });

  it("would be found in a circle of three, and of types", () => {
    const file = (path: string, text: string) => ({ path, text });
    const files = [
      file("src/a.ts", 'import type { B } from "./b.js";'),
      file("src/b.ts", 'export { c } from "./deep/c.js";'),
      file("src/deep/c.ts", 'type A = import("../a.js").A;'),
      file("src/d.ts", 'import { a } from "./a.js";'),
    ];
    expect(inCycles(importsOf(files))).toEqual(["src/a.ts", "src/b.ts", "src/deep/c.ts"]);
  });
});

/** By file, the files that it imports or re-exports from. */
function importsOf(files: readonly ProjectFile[]): ReadonlyMap<string, readonly string[]> {
  const known = new Set(files.map(({ path }) => path));
  const resolve = (path: string, specifier: string) => {
    const target = posix.join(posix.dirname(path), specifier).replace(/\.jsx?$/, "");
    return [`${target}.ts`, `${target}.tsx`].filter((candidate) => known.has(candidate));
  };
  return new Map(
    files.map(({ path, text }) => [
      path,
      [...text.matchAll(IMPORT)].flatMap(([, specifier]) => resolve(path, specifier)),
    ]),
  );
}

/** The files that can be reached from themselves, sorted. */
function inCycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  return [...imports.keys()].filter((path) => reaches(path, path, imports)).sort();
}

function reaches(from: string, to: string, imports: ReadonlyMap<string, readonly string[]>): boolean {
  return reachedFrom(from, imports).has(to);
}

/** The files that a file imports, directly or through others. */
function reachedFrom(from: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const [seen, next] = [new Set<string>(), [...(imports.get(from) ?? [])]];
  for (let path = next.pop(); path !== undefined; path = next.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    next.push(...(imports.get(path) ?? []));
  }
  return seen;
}
