/**
 * The folder in which the documents' commands are run: the files that they name, generated, and `winnow` on the path.
 * @module
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { candidatesOf, generateCsv } from "winnow-release";
import { winnowHere } from "../support/in-process.js";
import { Folder } from "../support/winnow.js";

const MAIN = fileURLToPath(new URL("../../bin/winnow.js", import.meta.url));

/** One command of ours, of words that a shell leaves as they are or takes out of quotes. */
const PLAIN = /^winnow(?: +(?:[\w./:=,+-]+|"[^"$`\\]*"|'[^']*'))+$/;

export interface Ran {
  readonly exit: number | null;
  readonly output: string;
}

export class DocumentsFolder {
  readonly #folder = mkdtempSync(join(tmpdir(), "winnow-documents-"));

  constructor() {
    this.#write("visits.csv", [...generateCsv()].join(""));
    this.#write("areas.txt", candidatesOf().join("\n"));
    this.#write(
      "scores.txt",
      Array.from({ length: 40 }, (_, rank) => Math.floor(2000 / (rank + 1))).join("\n"),
    );
    this.#write("votes.csv", ["query,teacher,label", ...votes(), ""].join("\n"));
    mkdirSync(join(this.#folder, "bin"));
    this.#write("bin/winnow", `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
    chmodSync(join(this.#folder, "bin/winnow"), 0o755);
  }

  /** In this process if it is a plain command, otherwise in a shell that starts the program. */
  async run(command: string): Promise<Ran> {
    if (!PLAIN.test(command)) return this.#shell(command);
    const words = command.match(/[\w./:=,+-]+|"[^"]*"|'[^']*'/g) ?? [];
    const args = words.slice(1).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
    const { exit, stdout, stderr } = await winnowHere(new Folder(this.#folder), args);
    return { exit, output: stdout + stderr };
  }

  #shell(command: string): Ran {
    const env = { ...process.env, PATH: `${join(this.#folder, "bin")}:${process.env.PATH}`, NO_COLOR: "1" };
    const { status, stdout, stderr } = spawnSync("bash", ["-c", command], {
      cwd: this.#folder,
      env,
      encoding: "utf8",
    });
    return { exit: status, output: stdout + stderr };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.#folder, name), text);
  }
}

/** A hundred teachers on three queries: most agree on the first two, none on the third. */
function* votes(): Generator<string, void> {
  for (const [query, agreeing] of [95, 80, 0].entries())
    for (let teacher = 0; teacher < 100; teacher++)
      yield `q${query},t${teacher},${teacher < agreeing ? "cat" : ["cat", "dog", "bird", "fish"][teacher % 4]}`;
}
