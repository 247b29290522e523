/**
 * Other people's Python packages, for tests that let them judge our files. PYTHON names the interpreter (default: python3).
 * A test whose packages aren't installed is skipped with a sentence. In continuous integration, `.ci/run` installs the
 * ones listed in REQUIRED, so a missing one fails there; csvw-eo, which brings half a gigabyte of others, has no test there.
 * @module
 */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { describe, it } from "vitest";

const PYTHON = process.env.PYTHON ?? "python3";
/** By the names under which they are imported. */
const REQUIRED = ["opendp", "pydp", "yaml", "cyclonedx", "spdx_tools"];

/** What a script prints, given a text on standard input. */
export function python(script: string, input: string): string {
  // Not in the folder of the caller: Python would import what lies there.
  const { stdout, stderr, status } = spawnSync(PYTHON, ["-c", script], {
    input,
    encoding: "utf8",
    cwd: tmpdir(),
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** `describe`, if Python can import the package. */
export function describeWithPython(module: string, title: string, body: () => void): void {
  const isThere = spawnSync(PYTHON, ["-c", `import ${module}`], { cwd: tmpdir() }).status === 0;
  if (isThere) return void describe(title, body);
  const needs = `needs a Python with the package ${module}, named by PYTHON`;
  if (process.env.CI === undefined) return void describe.skip(`${title} (${needs})`, body);
  if (!REQUIRED.includes(module)) return;
  describe(title, () => {
    it(needs, () => {
      throw new Error(`${title} ${needs}`);
    });
  });
}
