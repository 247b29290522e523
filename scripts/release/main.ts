/**
 *     npm run release -- --dry-run [--to DIR]    everything that a release publishes, built twice from clean clones and compared
 *     npm run release -- --once --to DIR         the same, once: what the workflow does before it uploads
 *     npm run release -- version 1.2.3           writes the version wherever it stands
 *
 * Nothing here uploads: a tag starts `.github/workflows/release.yml`, which does.
 * @module
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { filesOf, makeArtefacts } from "./artefacts.js";
import { run } from "./run.js";
import { writeVersion } from "./version.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      "dry-run": { type: "boolean", default: false },
      once: { type: "boolean", default: false },
      to: { type: "string" },
    },
  });
  if (positionals[0] === "version" && positionals.length === 2) {
    for (const path of writeVersion(ROOT, positionals[1])) console.log(path);
  } else if (positionals.length === 0 && values["dry-run"] !== values.once) {
    release(resolve(values.to ?? mkdtempSync(join(tmpdir(), "winnow-release-"))), values["dry-run"]);
  } else {
    throw new Error(
      "Pass --dry-run or --once, or version and a number. A tag uploads (.github/workflows/release.yml).",
    );
  }
}

function release(target: string, isCompared: boolean): void {
  mkdirSync(target, { recursive: true });
  if (readdirSync(target).length > 0) throw new Error(`${target} must be empty`);
  checkBuilder();
  if (run(ROOT, "git", ["status", "--porcelain"]) !== "")
    console.error("Changes that aren't committed are not in the release.");
  build(target);
  if (isCompared) compare(target);
  const files = filesOf(target);
  console.log(`${files.length} files in ${target}:`);
  for (const path of files) console.log(`  ${path}`);
}

/** Before ten minutes of building: what the wheel is built with, of the version that the package names. */
function checkBuilder(): void {
  const [wanted] = /hatchling==[\d.]+/.exec(readFileSync(join(ROOT, "python/pyproject.toml"), "utf8")) ?? [];
  const python = process.env.WINNOW_PYTHON ?? "python3";
  const version = "from importlib.metadata import version; print('hatchling==' + version('hatchling'))";
  const { stdout } = spawnSync(python, ["-c", version], { encoding: "utf8" });
  if (stdout?.trim() !== wanted)
    throw new Error(
      `${python} must have ${wanted}, which builds the wheel. Install it there, or set WINNOW_PYTHON to a Python that has it.`,
    );
}

/** In a clone of its own, so that nothing that lies around gets in. */
function build(target: string): void {
  const clone = mkdtempSync(join(tmpdir(), "winnow-clone-"));
  try {
    run(clone, "git", ["clone", "--quiet", "--no-hardlinks", ROOT, "winnow"]);
    makeArtefacts(join(clone, "winnow"), target);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

/** Builds again in another folder; throws if one byte differs. */
function compare(target: string): void {
  const again = mkdtempSync(join(tmpdir(), "winnow-again-"));
  try {
    build(again);
    const paths = new Set([...filesOf(target), ...filesOf(again)]);
    const differ = [...paths].filter((path) => !isSame(join(target, path), join(again, path)));
    if (differ.length > 0) throw new Error(`two builds differ: ${differ.join(", ")}`);
    console.log("Two builds in two folders gave the same bytes.");
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
}

function isSame(a: string, b: string): boolean {
  return existsSync(a) && existsSync(b) && readFileSync(a).equals(readFileSync(b));
}
