/**
 * The folder in which the documents' commands are run: `winnow` on the path, and the files that `winnow demo --keep` leaves.
 * @module
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../bin/winnow.js", import.meta.url));
const CHANGE_FOLDER = /^cd (\S+)$/;

export interface Ran {
  readonly exit: number | null;
  readonly output: string;
}

export class DocumentsFolder {
  readonly #base = mkdtempSync(join(tmpdir(), "winnow-documents-"));
  #folder = join(this.#base, "work");

  /** With a copy of these files, or empty. */
  constructor({ files, program = MAIN }: { files?: string | undefined; program?: string } = {}) {
    if (files === undefined) mkdirSync(this.#folder);
    else cpSync(files, this.#folder, { recursive: true });
    mkdirSync(join(this.#base, "bin"));
    writeFileSync(
      join(this.#base, "bin/winnow"),
      `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`,
    );
    chmodSync(join(this.#base, "bin/winnow"), 0o755);
  }

  get path(): string {
    return this.#folder;
  }

  /** As it would be typed: a `cd` holds for the commands that follow. */
  run(command: string): Ran {
    const [, target] = CHANGE_FOLDER.exec(command) ?? [];
    if (target !== undefined) {
      this.#folder = join(this.#folder, target);
      return { exit: existsSync(this.#folder) ? 0 : 1, output: "" };
    }
    const env = { ...process.env, PATH: `${join(this.#base, "bin")}:${process.env.PATH}`, NO_COLOR: "1" };
    const { status, stdout, stderr } = spawnSync("bash", ["-c", command], {
      cwd: this.#folder,
      env,
      encoding: "utf8",
    });
    return { exit: status, output: stdout + stderr };
  }

  remove(): void {
    rmSync(this.#base, { recursive: true });
  }
}
