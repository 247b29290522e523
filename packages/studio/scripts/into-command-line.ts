/**
 * Hands the built page to the command line, whose package carries it for `winnow studio`
 * and `winnow serve`.
 * @module
 */
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { SINGLE_FILE } from "./single-file.js";

/** `name` is that of the folder in the package of the command line. */
export function intoCommandLine(name: "studio-page" | "analyst-page"): Plugin {
  const target = fileURLToPath(new URL(`../../cli/dist/${name}/`, import.meta.url));
  return {
    name: "winnow-into-command-line",
    apply: "build",
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error("the build needs a folder to write to");
      await rm(target, { recursive: true, force: true });
      await mkdir(target, { recursive: true });
      for (const file of await readdir(dir))
        if (!file.startsWith(SINGLE_FILE)) await copyFile(join(dir, file), join(target, file));
    },
  };
}
