import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ROOT, read } from "./project.js";

/** From there an import finds the built packages of the workspace, with the declarations that users get. */
const FOLDER = join(ROOT, ".cache", `declarations-${process.pid}`);

/** A library that publishes its own declarations: every type that it infers must be one that it can write down. */
const PROJECT = {
  compilerOptions: {
    ...{ target: "es2022", module: "nodenext", lib: ["es2023", "dom"], types: [], strict: true },
    ...{ declaration: true, emitDeclarationOnly: true, outDir: "out", skipLibCheck: true },
  },
  include: ["*.mts"],
};

/** Their parameters depend on each other or on the call, so they cannot be called with any. */
const GENERIC = ["compose", "convert", "readOptions", "sha256"];
const MEASUREMENTS = [
  "NoisyTopK",
  "LimitedTopK",
  "TopKWithCounts",
  "StableTopK",
  "StableTopKFixed",
  "AboveThreshold",
];

function complaints(lines: readonly string[]): string[] {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "tsconfig.json"), JSON.stringify(PROJECT));
  writeFileSync(join(FOLDER, "library.mts"), `import * as core from "winnow-dp";\n${lines.join("\n")}\n`);
  const { stdout } = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", FOLDER, "--pretty", "false"], {
    ...{ cwd: FOLDER, encoding: "utf8" },
  });
  return stdout.split("\n").filter((line) => /: error TS/.test(line));
}

describe("a library that exports what winnow-dp answers", () => {
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

  const lists = [...read("packages/core/src/index.ts").matchAll(/^export \{([^}]*)\}/gm)];
  const names = lists.flatMap(([, list]) => list.split(",").map((name) => name.trim()));
  const functions = names.filter(
    (name) => /^[a-z]\w*$/.test(name) && name !== "readers" && !GENERIC.includes(name),
  );

  it("needs no type that it cannot name: every answer is exported by name, or written out where it is used", () => {
    expect(functions.length).toBeGreaterThan(70);
    const calls = functions.map(
      (name) =>
        `export function of_${name}(...given: Parameters<typeof core.${name}>) { return core.${name}(...given); }`,
    );
    const runs = MEASUREMENTS.map(
      (name) =>
        `export function run_${name}(it: ReturnType<typeof core.make${name}>, ...given: Parameters<typeof it.invoke>) { return it.invoke(...given); }`,
    );
    const parts = [
      ...["core.NoisyTopK", "core.LimitedTopKMeasurement"].flatMap((type) => [
        `${type}["domain"]`,
        `${type}["metric"]`,
      ]),
      ...[`core.LimitedTopK["charge"]`, `core.TopKWithCounts["winners"]`, `core.HistogramTopK["winners"]`],
      ...[`ReturnType<core.ListRenewal["start"]>`, `ReturnType<core.AboveThreshold["push"]>`],
      ...[`ReturnType<core.TeacherRun["answer"]>`, `ReturnType<core.TeacherRun["report"]>`],
    ].map((type, i) => `export function part_${i}(it: ${type}) { return it; }`);
    expect(complaints([...calls, ...runs, ...parts])).toEqual([]);
  });

  it("would be told of a type that it cannot name", () => {
    const [complaint] = complaints(["export const hidden = core.LimitedTopKStream.prototype.pushFrom;"]);
    expect(complaint).toContain("cannot be named");
  });
});
