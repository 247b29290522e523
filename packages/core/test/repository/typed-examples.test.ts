import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type ProjectFile, projectFiles, ROOT, read } from "./project.js";

/** From there an import finds the built packages of the workspace, with the declarations that users get. */
const FOLDER = join(ROOT, ".cache", `typed-examples-${process.pid}`);

/** What a strict project has. */
const COMPILER_OPTIONS = {
  target: "es2022",
  module: "nodenext",
  lib: ["es2023", "esnext.disposable", "dom", "dom.iterable", "dom.asynciterable"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: false,
  noEmit: true,
};

/** In a document, or in a comment with its asterisks. */
const EXAMPLE = /^( *\* ?)?```ts\n(.*?)^(?: *\* ?)?```$/gms;

interface Example {
  /** The place of its first line. */
  readonly place: string;
  readonly code: string;
}

function examplesOf({ path, text }: ProjectFile): Example[] {
  return [...text.matchAll(EXAMPLE)].map(({ 1: margin, 2: lines, index }) => ({
    place: `${path}:${text.slice(0, index).split("\n").length + 1}`,
    code: margin === undefined ? lines : lines.replaceAll(/^ *\* ?/gm, ""),
  }));
}

const COMPILER = "node_modules/.bin/tsc";
/** The oldest that docs/support.md states. */
const OLDEST = "examples/client/node_modules/typescript";

/** What a compiler says, with the places where the lines stand in the project. */
function complaintsOf(examples: readonly Example[], compiler = COMPILER): string[] {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const project = { compilerOptions: COMPILER_OPTIONS, include: ["*.mts"] };
  writeFileSync(join(FOLDER, "tsconfig.json"), JSON.stringify(project));
  for (const [i, { code }] of examples.entries())
    writeFileSync(join(FOLDER, `${i}.mts`), `${code}\nexport {};\n`);
  const { stdout } = spawnSync(join(ROOT, compiler), ["-p", FOLDER, "--pretty", "false"], {
    cwd: FOLDER,
    encoding: "utf8",
  });
  return stdout
    .split("\n")
    .filter((line) => /: error TS/.test(line))
    .map((line) =>
      line.replace(/^(\d+)\.mts\((\d+),\d+\)/, (_, example: string, at: string) => {
        const [path, first] = examples[Number(example)].place.split(":");
        return `${path}:${Number(first) + Number(at) - 1}`;
      }),
    );
}

describe("the examples of documents and comments", () => {
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

  const examples = projectFiles(
    /^((packages\/\w+\/)?README\.md|docs\/.*\.md|packages\/\w+\/src\/.*\.ts)$/,
  ).flatMap(examplesOf);

  it("type-check as strict TypeScript, against what users install", () => {
    expect(examples.length).toBeGreaterThan(250);
    expect(complaintsOf(examples)).toEqual([]);
  });

  it("type-check with the oldest TypeScript that is supported, too", () => {
    const { version } = JSON.parse(read(`${OLDEST}/package.json`)) as { version: string };
    const [, stated] = /^\| TypeScript \| ([\d.]+)/m.exec(read("docs/support.md")) ?? [];
    expect(version.startsWith(`${stated}.`)).toBe(true);
    expect(complaintsOf(examples, `${OLDEST}/bin/tsc`)).toEqual([]);
  });

  it("are found in both, and what does not compile is told by its place", () => {
    const document = { path: "a.md", text: 'Text\n\n```ts\nconst sum: number = "2";\n```\n' };
    const comment = { path: "b.ts", text: "/**\n * ```ts\n * 1 + 1;\n * nothing;\n * ```\n */\n" };
    expect(complaintsOf([document, comment].flatMap(examplesOf))).toEqual([
      expect.stringMatching(/^a\.md:4: error TS2322/),
      expect.stringMatching(/^b\.ts:4: error TS2304/),
    ]);
  });
});
