/**
 * This package on disk: where it lies, and its name and version. This file must stay directly in `src`: sources,
 * compiled modules and the bundle each lie one folder below the package, so the same relative path finds it from
 * all three. The program loads this file before anything else, so it imports nothing of ours.
 * @module
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of something in the package, by its name relative to the package. */
export function inPackage(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** The program as it is installed. */
export const PROGRAM = inPackage("bin/winnow.js");

const { name, version } = JSON.parse(readFileSync(inPackage("package.json"), "utf8")) as {
  name: string;
  version: string;
};

export const SOFTWARE = { name, version } as const;
