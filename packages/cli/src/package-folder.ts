/**
 * Where this package lies on the disk. Sources, compiled modules and the bundle lie one folder below it, so that the same
 * words find it from each of them.
 * @module
 */
import { fileURLToPath } from "node:url";

/** The path of something in the package, by its name relative to the package. */
export function inPackage(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** The program as it is installed. */
export const PROGRAM = inPackage("bin/winnow.js");
