/**
 * The examples in the comments of what the packages export: for each value, the code after `@example`.
 * @module
 */
import { posix } from "node:path";
import { parseSync } from "vite";
import { read } from "./project.js";

/** What callers import, by the module that lists it. */
export const ENTRY_POINTS: Readonly<Record<string, string>> = {
  "winnow-dp": "packages/core/src/index.ts",
  "winnow-dp/sample": "packages/core/src/sample/index.ts",
  "winnow-dp/parallel": "packages/core/src/parallel.ts",
  "winnow-dp/testing": "packages/core/src/testing/index.ts",
  "winnow-audit": "packages/audit/src/index.ts",
};

export interface ExportedValue {
  readonly name: string;
  /** As TypeScript, of all examples of the value. */
  readonly examples: readonly string[];
}

/** The values that a module exports, with the examples of their comments. */
export function exportedValues(path: string): ExportedValue[] {
  const { module } = parseSync(path, read(path));
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ isType, exportName }) => !isType && exportName.kind === "Name")
    .map(({ exportName, importName, moduleRequest }) => {
      const name = exportName.name ?? "";
      if (moduleRequest === null) return { name, examples: examplesOf(path, name) };
      const source = posix.join(posix.dirname(path), moduleRequest.value).replace(/\.js$/, ".ts");
      return { name, examples: examplesOf(source, importName.name ?? "") };
    });
}

/** The code blocks after `@example` in the comment before the first declaration of the name. */
function examplesOf(path: string, name: string): string[] {
  const text = read(path);
  const declaration = new RegExp(
    `^export (?:async )?(?:abstract )?(?:function\\*?|class|const) ${name}\\b`,
    "m",
  );
  const start = declaration.exec(text)?.index;
  if (start === undefined) throw new Error(`${path} has no declaration of ${name}`);
  const { comments } = parseSync(path, text);
  const comment = comments.findLast(({ end }) => end <= start);
  if (comment === undefined || text.slice(comment.end, start).trim() !== "") return [];
  const lines = comment.value.split("\n").map((line) => line.replace(/^\s*\* ?/, ""));
  const [, ...examples] = lines.join("\n").split("@example");
  return examples.flatMap((example) =>
    [...example.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code),
  );
}
