/**
 * Hands the built page to the command line, whose package carries it for `winnow studio`.
 * @module
 */
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { SINGLE_FILE } from "./single-file.js";

const TARGET = fileURLToPath(new URL("../../cli/dist/studio-page/", import.meta.url));

export function intoCommandLine(): Plugin {
  return {
    name: "winnow-into-command-line",
    apply: "build",
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error("the build needs a folder to write to");
      await rm(TARGET, { recursive: true, force: true });
      await mkdir(TARGET, { recursive: true });
      for (const name of await readdir(dir))
        if (!name.startsWith(SINGLE_FILE)) await copyFile(join(dir, name), join(TARGET, name));
    },
  };
}
