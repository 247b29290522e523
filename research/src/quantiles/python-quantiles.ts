/**
 * Quantiles of Python's libraries, if they are installed: diffprivlib and OpenDP, each on the same column with the same range and ε. `PYTHON` names
 * the interpreter, `python3` by default.
 * @module
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Column } from "./columns.js";

/** What one library answered to one question, again and again. */
export interface PythonAnswers {
  readonly name: string;
  /** The error that ended it, in which case there are no answers. */
  readonly failed?: string;
  /** For each run, one answer for each quantile. */
  readonly answers: readonly (readonly number[])[];
  /** The median of a run. */
  readonly milliseconds: number;
}

const SCRIPT = fileURLToPath(new URL("../../python/quantiles.py", import.meta.url));

/** Answers within ε, for all of the quantiles together; empty if Python or all of its libraries are absent. */
export function pythonQuantiles(
  { values, lower, upper }: Column,
  ps: readonly number[],
  epsilon: number,
  runs: number,
): PythonAnswers[] {
  const folder = mkdtempSync(join(tmpdir(), "winnow-quantiles-"));
  try {
    const file = join(folder, "values");
    writeFileSync(file, values);
    const question = [lower, upper, ps.join(","), epsilon, runs].map(String);
    const python = process.env.PYTHON ?? "python3";
    const { stdout, status } = spawnSync(python, [SCRIPT, file, ...question], { encoding: "utf8" });
    if (status !== 0) return [];
    return stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
