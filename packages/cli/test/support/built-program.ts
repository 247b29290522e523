/**
 * The built program that tests start. A test that starts an older build would be green about yesterday's code, so the first one
 * that asks for it compares the build with the sources of all packages in it.
 * @module
 */
import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../../../", import.meta.url));
const BUILT = join(PACKAGES, "cli/bin");
/** Bundled into it. */
const SOURCES = ["core", "audit", "release", "server", "cli"].map((name) => join(PACKAGES, name, "src"));

let isFresh = false;

/** The path of the program. Throws if a source was changed after it was built. */
export function builtProgram(): string {
  const program = join(BUILT, "winnow.js");
  if (!isFresh) refuseStale(SOURCES, program);
  isFresh = true;
  return program;
}

export function refuseStale(sources: readonly string[], built: string): void {
  const time = statSync(built).mtimeMs;
  const changed = sources.flatMap(filesIn).find((path) => statSync(path).mtimeMs > time);
  if (changed !== undefined)
    throw new Error(
      `${relative(PACKAGES, changed)} was changed after ${relative(PACKAGES, built)} was built: run \`npm run build\` first`,
    );
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((each) =>
    each.isFile() && each.name.endsWith(".ts") ? [join(each.parentPath, each.name)] : [],
  );
}
