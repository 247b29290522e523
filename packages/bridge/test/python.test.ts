/**
 * The tests of the Python package, where there is a Python that can run them: 3.10 or later with pytest. `WINNOW_PYTHON` names
 * one; continuous integration must have one, with everything that the tests use.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const FOLDER = fileURLToPath(new URL("../../../python", import.meta.url));
const REQUIRED = process.env.CI === "true";
const CAN_TEST = "import sys, pytest; sys.exit(sys.version_info < (3, 10))";

const python = [process.env.WINNOW_PYTHON, "python3", "python"].find(
  (name) => name !== undefined && spawnSync(name, ["-c", CAN_TEST]).status === 0,
);

/** All of what a program printed, for whoever reads the failure. */
function run(words: readonly string[]): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(python ?? "", words, {
    cwd: FOLDER,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  return { status, said: `${stdout}${stderr}` };
}

it("has a Python that can run the tests in continuous integration", () => {
  if (python === undefined && !REQUIRED)
    console.log("The tests of the Python package were skipped: they need Python 3.10 or later with pytest.");
  expect(python !== undefined || !REQUIRED).toBe(true);
  expect(existsSync(`${FOLDER}/src/winnow_dp/engine/engine.mjs`)).toBe(true);
});

it.runIf(python !== undefined)("passes the tests of the Python package", () => {
  const { status, said } = run(["-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider"]);
  expect(said).toMatch(/\d+ passed/);
  if (REQUIRED) expect(said).not.toMatch(/\d+ skipped/);
  expect(status, said).toBe(0);
});

it.runIf(REQUIRED)("has types that mypy and pyright accept", () => {
  for (const checker of ["mypy", "pyright"]) {
    const { status, said } = run(["-m", checker]);
    expect(status, said).toBe(0);
  }
});
