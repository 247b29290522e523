/**
 * Writes files whole or not at all, and replaces an existing file only on request. No request replaces a ledger, or a file
 * that the run reads. The file is prepared before anything is charged, so that a name that can't be written costs nothing.
 * The text goes to a temporary file in the same folder, which gets its name at the end.
 * @module
 */

import { randomUUID } from "node:crypto";
import { realpathSync, rmSync, type Stats } from "node:fs";
import { type FileHandle, link, lstat, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { mustBe, Refusal } from "winnow-release";
import { fileRefusal } from "./refusal.js";

/** Characters written at once. */
const AT_ONCE = 2 ** 16;

export interface PendingFile {
  readonly path: string;
  /** Writes the text, or its pieces one after the other, and gives the file its name. */
  write(text: string | AsyncIterable<string>): Promise<void>;
  /** Removes the temporary file, unless it was written. */
  discard(): Promise<void>;
}

interface Place {
  /** Replace a file that exists. */
  readonly force?: boolean | undefined;
  /** The files that the run reads. */
  readonly inputs?: readonly string[];
  /** What replaces a file gets its mode and its owner, and no one else can read it before. */
  readonly keepsAccess?: boolean;
}

/** Makes sure that a file of this name can be written; it doesn't exist under its name until `write`. */
export async function prepareFile(
  path: string,
  { force = false, inputs = [], keepsAccess = false }: Place = {},
): Promise<PendingFile> {
  if (path === "" || /[/\\]$/.test(path))
    throw new Refusal("usage", mustBe("The path of an output", "the name of a file", path));
  const target = resolve(path); // the same place, whether or not the folders on the way exist
  const existing = await lstat(target).catch(() => undefined);
  if (inputs.map(realPlace).includes(realPlace(path)))
    throw new Refusal(
      "usage",
      `The file ${JSON.stringify(path)} is an input or the ledger of this run and cannot be its output.`,
    );
  if (existing !== undefined && !force) throw alreadyThere(path);
  if (existing !== undefined && !existing.isFile())
    throw new Refusal("usage", `${JSON.stringify(path)} isn't a regular file, so Winnow doesn't replace it.`);
  if (existing !== undefined && (await isOfLedger(target)))
    throw new Refusal("usage", `The file ${JSON.stringify(path)} is a ledger, so Winnow doesn't replace it.`);
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  const file = await open(temporary, "wx", keepsAccess ? 0o600 : undefined).catch((error: unknown) => {
    const isFolder = ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
    throw fileRefusal(isFolder ? "The folder for the file" : "The file", path, error);
  });
  const pending = new TemporaryFile(path, target, temporary, file, force);
  if (keepsAccess && existing !== undefined) await pending.giveAccess(existing);
  return pending;
}

/** Follows links, also those of a folder whose file doesn't exist yet: files are compared, not spellings of their paths. */
export function realPlace(path: string): string {
  const place = resolve(path);
  for (const [known, rest] of [
    [place, ""],
    [dirname(place), basename(place)],
  ] as const) {
    try {
      return join(realpathSync(known), rest);
    } catch {
      // the file doesn't exist, but its folder may
    }
  }
  return place;
}

/** Whether it is a ledger, or the log that SQLite keeps beside one. */
async function isOfLedger(path: string): Promise<boolean> {
  const { isLedgerFile } = await import("./ledger/ledger-file.js");
  return isLedgerFile(path.replace(/-(wal|shm|journal)$/, ""));
}

class TemporaryFile implements PendingFile {
  #isOpen = true;
  /** However the run ends. */
  readonly #removeAtExit = () => rmSync(this.temporary, { force: true });

  constructor(
    readonly path: string,
    readonly target: string,
    readonly temporary: string,
    readonly file: FileHandle,
    readonly force: boolean,
  ) {
    process.on("exit", this.#removeAtExit);
  }

  /** Gives it the owner and mode of the file that it replaces. */
  async giveAccess({ uid, gid, mode }: Stats): Promise<void> {
    try {
      const own = await this.file.stat();
      if (own.uid !== uid || own.gid !== gid) await this.file.chown(uid, gid);
      await this.file.chmod(mode & 0o777);
    } catch {
      await this.discard();
      throw new Refusal(
        "usage",
        `The file ${JSON.stringify(this.path)} belongs to another account and wasn't changed: run this as that account.`,
      );
    }
  }

  async write(text: string | AsyncIterable<string>): Promise<void> {
    try {
      await (typeof text === "string" ? this.file.writeFile(text) : this.#writePieces(text));
      await this.file.sync();
      await this.#close();
      await (this.force ? rename(this.temporary, this.target) : link(this.temporary, this.target));
    } catch (error) {
      if (error instanceof Refusal) throw error; // of the text, such as a ledger that is broken
      throw (error as NodeJS.ErrnoException).code === "EEXIST"
        ? alreadyThere(this.path)
        : fileRefusal("The file", this.path, error);
    } finally {
      await this.discard();
    }
  }

  /** Many short lines are one write. */
  async #writePieces(pieces: AsyncIterable<string>): Promise<void> {
    let pending = "";
    for await (const piece of pieces) {
      pending += piece;
      if (pending.length < AT_ONCE) continue;
      await this.file.write(pending);
      pending = "";
    }
    await this.file.write(pending);
  }

  async discard(): Promise<void> {
    await this.#close();
    await rm(this.temporary, { force: true });
    process.off("exit", this.#removeAtExit);
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.file.close();
  }
}

function alreadyThere(path: string): Refusal {
  return new Refusal("file-exists", `The file ${JSON.stringify(path)} exists already and wasn't changed.`);
}
