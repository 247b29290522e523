/**
 * The folder in which the documents' commands are run: `winnow` on the path, and the files that `winnow demo --keep` leaves.
 * @module
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtProgram } from "../support/built-program.js";
import { winnowHere } from "../support/in-process.js";
import { Folder } from "../support/winnow.js";

const MAIN = fileURLToPath(new URL("../../bin/winnow.js", import.meta.url));
const CHANGE_FOLDER = /^cd (\S+)$/;

/** One command of ours, except the demo, which starts the program itself, of words that a shell leaves as they are or takes out of quotes. */
const PLAIN = /^winnow(?! demo)(?: +(?:[\w./:=,+-]+|"[^"$`\\]*"|'[^']*'))+$/;

export interface Ran {
  readonly exit: number | null;
  readonly output: string;
}

export class DocumentsFolder {
  readonly #base = mkdtempSync(join(tmpdir(), "winnow-documents-"));
  readonly #program: string;
  #folder = join(this.#base, "work");

  /** With a copy of these files, or empty. */
  constructor({ files, program = MAIN }: { files?: string | undefined; program?: string } = {}) {
    this.#program = program;
    if (program === MAIN) builtProgram();
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

  /**
   * As it would be typed: a `cd` holds for the commands that follow. A plain command of the built program runs in this
   * process, any other in a shell that starts the program.
   */
  async run(command: string): Promise<Ran> {
    const [, target] = CHANGE_FOLDER.exec(command) ?? [];
    if (target !== undefined) {
      this.#folder = join(this.#folder, target);
      return { exit: existsSync(this.#folder) ? 0 : 1, output: "" };
    }
    if (this.#program !== MAIN || !PLAIN.test(command)) return this.#shell(command);
    const words = command.match(/[\w./:=,+-]+|"[^"]*"|'[^']*'/g) ?? [];
    const args = words.slice(1).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
    const { exit, stdout, stderr } = await winnowHere(new Folder(this.#folder), args);
    return { exit, output: stdout + stderr };
  }

  #shell(command: string): Ran {
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
