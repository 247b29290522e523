/**
 * Rivals in another language, if they are installed: Python's OpenDP, NumPy and diffprivlib, each in a process of its own on
 * the same scores. Their times are wall-clock medians without the start of the process or the reading of the file.
 * @module
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { permuteAndFlip, topK, topKWithGap } from "winnow-dp";
import { quartiles } from "./quartiles.js";
import { zipf } from "./shapes.js";
import { ITEMS } from "./suites/select.js";

export interface PythonRival {
  readonly k: number;
  readonly name: string;
  readonly version: string;
  readonly milliseconds: number;
  /** Ours for the same answer. */
  readonly subject: { readonly name: string; readonly milliseconds: number };
}

const SCRIPT = fileURLToPath(new URL("../python/rivals.py", import.meta.url));
const SIZES = [1, 25];

/** The libraries found, with their times; empty without Python or any of its libraries. */
export function pythonRivals(runs: number): PythonRival[] {
  const scores = zipf(ITEMS);
  const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));
  try {
    const file = join(folder, "scores");
    writeFileSync(file, scores);
    return SIZES.flatMap((k) =>
      measured(file, k, runs).map((rival) => ({ ...rival, k, subject: ours(rival.name, scores, k, runs) })),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measured(
  file: string,
  k: number,
  runs: number,
): Pick<PythonRival, "name" | "version" | "milliseconds">[] {
  const python = process.env.PYTHON ?? "python3";
  const { stdout, status } = spawnSync(python, [SCRIPT, file, String(k), String(runs)], { encoding: "utf8" });
  if (status !== 0) return [];
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The time of the call here that answers the same question: with gaps, without, or the best alone. */
function ours(rival: string, scores: Float64Array, k: number, runs: number): PythonRival["subject"] {
  const options = { epsilon: 1, monotone: true } as const;
  if (rival.includes("gaps in"))
    return timed("topKWithGap", runs, () => topKWithGap(scores, { ...options, k, resolution: "0.1" }));
  if (rival.includes("PermuteAndFlip"))
    return timed("permuteAndFlip", runs, () => permuteAndFlip(scores, options));
  return timed("topK", runs, () => topK(scores, { ...options, k }));
}

function timed(name: string, runs: number, work: () => unknown): PythonRival["subject"] {
  for (let warm = 0; warm < 200; warm++) work();
  const times = Array.from({ length: Math.max(runs, 21) }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return { name, milliseconds: quartiles(times).median };
}
