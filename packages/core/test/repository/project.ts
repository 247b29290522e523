/**
 * The repository as its guard tests see it: every file that is tracked or would be, by path from the root.
 * @module
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** Of an error: there is nothing, or a folder. */
const NO_FILE = ["ENOENT", "EISDIR"];

export interface ProjectFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** The files whose paths match, read. What git ignores is no part of the project. */
export function projectFiles(pattern: RegExp): ProjectFile[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return listed
    .split("\0")
    .filter((path) => pattern.test(path))
    .flatMap((path) => {
      const text = readIfThere(path);
      return text === undefined ? [] : [{ path, text }];
    });
}

/** Files as the rows of an `it.each`, whose `%s` is the path. */
export function byPath(files: readonly ProjectFile[]): [string, ProjectFile][] {
  return files.map((file) => [file.path, file]);
}

export function read(path: string): string {
  return readFileSync(ROOT + path, "utf8");
}

/** A listed path need not be a file: it may be deleted and not yet committed, or another program's for a moment. */
function readIfThere(path: string): string | undefined {
  try {
    return read(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && NO_FILE.includes(String(error.code))) return undefined;
    throw error;
  }
}

/** The modules of core and of the audit, which holds to the same rules. */
export function librarySources(): ProjectFile[] {
  return projectFiles(/^packages\/(?:core|audit)\/src\/.*\.ts$/);
}

/** The modules of `packages/core/src`. */
export function coreSources(): ProjectFile[] {
  return projectFiles(/^packages\/core\/src\/.*\.ts$/);
}
