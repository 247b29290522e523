/** Above core, the names of mechanisms and kinds stand in their own files: front ends are made from the lists. */
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { byPath, type ProjectFile, projectFiles, read } from "./project.js";

const MECHANISM = /^packages\/release\/src\/mechanisms\/[\w-]+\.ts$/;
const SOURCES = /^packages\/(release|cli|server|studio)\/src\/.*\.tsx?$/;

/** The names, by the file that says them. */
const NAMES = namesIn(MECHANISM);

function namesIn(files: RegExp): ReadonlyMap<string, string> {
  const named = projectFiles(files).flatMap(({ path, text }) => {
    const name = /^ {2}name: "([\w-]+)",$/m.exec(text)?.[1];
    return name === undefined ? [] : [[name, path] as const];
  });
  return new Map(named);
}

const LIST = "packages/release/src/mechanisms/mechanisms.ts";

/** What the file of a list imports from beside it, except for the contract. */
function listedIn(path: string): string[] {
  const names = [...read(path).matchAll(/^import \{ \w+ \} from "\.\/([\w-]+)\.js";$/gm)];
  return names.map(([, name = ""]) => name).sort();
}

/** Also a field of questions, for the shares that they list. */
const ALSO_A_FIELD = "quantiles";
/** Also a word of plain sentences: there only a literal of its own is the name. */
const ALSO_A_WORD = "top-k";

const LITERAL = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

describe("the name of a mechanism", () => {
  const sources = projectFiles(SOURCES);

  it("is said by one file each", () => {
    expect([...NAMES.keys()].sort()).toEqual(listedIn(LIST));
    for (const [name, path] of NAMES) expect(posix.basename(path)).toBe(`${name}.ts`);
  });

  it("is behind a file that only the list imports, so a new one touches no other file", () => {
    const files = [...NAMES.values()].map((path) => posix.basename(path, ".ts"));
    const imported = new RegExp(`from "[^"]*/(?:${files.join("|")})\\.js"`);
    const ofRelease = sources.filter(({ path }) => path.startsWith("packages/release/src/"));
    const importers = ofRelease.filter(({ text }) => imported.test(text));
    // Groups without a list are themselves found by one of the mechanisms.
    expect(importers.map(({ path }) => path)).toEqual(["packages/release/src/mechanisms/in-groups.ts", LIST]);
  });

  it.each(byPath(sources))("stands in no literal of %s but its own", (_, source) => {
    expect(named(source)).toEqual([]);
  });

  it("would be found in a table, a switch, a sentence and a template", () => {
    const text = [
      'const TITLES = { "top-k-with-gap": "Top k" };',
      'switch (name) { case "top-k": }',
      "tell(`With stable-top-k you pay more`);",
      '// "limited-top-k"',
      'import { topK } from "./top-k.js"; // docs/mechanisms/top-k.md',
    ].join("\n");
    expect(named({ path: "packages/cli/src/a.ts", text })).toEqual([
      "top-k-with-gap",
      "top-k",
      "stable-top-k",
    ]);
  });
});

describe("the name of a kind", () => {
  const kinds = namesIn(/^packages\/release\/src\/kinds\/[\w-]+\.ts$/);
  const asks = new RegExp(`\\bkind(?:\\.value)?\\s*[!=]==\\s*"(?:${[...kinds.keys()].join("|")})"`);

  it("is said by one file each", () => {
    expect([...kinds.keys()].sort()).toEqual(listedIn("packages/release/src/kinds/kinds.ts"));
    for (const [name, path] of kinds) expect(posix.basename(path)).toBe(`${name}.ts`);
  });

  it("is compared with a literal in no file", () => {
    const found = projectFiles(SOURCES).filter(({ text }) => asks.test(text));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it("would be found in a comparison", () => {
    expect('if (question.kind === "top")').toMatch(asks);
    expect('kind.value !== "names"').toMatch(asks);
  });
});

describe("what something must be", () => {
  const BUILDER = "packages/release/src/refusal/must-be.ts";
  const written = /; got (?=[^*\n]*["`])/;

  it("is put into words by one builder above core", () => {
    const found = projectFiles(SOURCES).filter(({ text }) => written.test(withoutComments(text)));
    expect(found.map(({ path }) => path)).toEqual([BUILDER]);
  });

  it("would be found in a sentence of a file's own", () => {
    expect(`throw new Refusal(\`k must be 1; got \${k}.\`)`).toMatch(written);
    expect('"--k must be 1; got more."').toMatch(written);
  });
});

/** The names in literals of a file, except for its own. */
function named({ path, text }: ProjectFile = { path: "", text: "" }): string[] {
  const code = withoutComments(text).replace(/\bfrom "[^"]+"/g, "");
  const words = (code.match(LITERAL) ?? []).flatMap((literal) =>
    (literal.match(/[\w./-]+/g) ?? []).filter((word) => word !== ALSO_A_WORD || literal === `"${word}"`),
  );
  return words.filter((word) => word !== ALSO_A_FIELD && NAMES.has(word) && NAMES.get(word) !== path);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
}
