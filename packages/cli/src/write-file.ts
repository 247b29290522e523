/**
 * Files that are written whole or not at all, and never over an existing one unasked. Room is made before anything is
 * charged, so that a name that cannot be written costs nothing; the text goes to a neighbour of the target and takes its
 * name at the end.
 * @module
 */
import { randomUUID } from "node:crypto";
import { type FileHandle, link, lstat, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileRefusal } from "./file-refusal.js";
import { Refusal } from "./refusal.js";

export interface PendingFile {
  readonly path: string;
  /** Gives the file its text and its name. */
  write(text: string): Promise<void>;
  /** Leaves no trace, unless it was written. */
  discard(): Promise<void>;
}

/** Makes sure that a file of this name could be written; nothing is there under the name until `write`. */
export async function prepareFile(path: string, { force = false } = {}): Promise<PendingFile> {
  const existing = await lstat(path).catch(() => undefined);
  if (existing !== undefined && !force) throw alreadyThere(path);
  if (existing !== undefined && !existing.isFile())
    throw new Refusal("file-exists", `${JSON.stringify(path)} is no plain file, and is not replaced by one.`);
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  const file = await open(temporary, "wx").catch((error: unknown) => {
    throw fileRefusal("The file", path, error);
  });
  return new TemporaryFile(path, temporary, file, force);
}

class TemporaryFile implements PendingFile {
  #isOpen = true;

  constructor(
    readonly path: string,
    readonly temporary: string,
    readonly file: FileHandle,
    readonly force: boolean,
  ) {}

  async write(text: string): Promise<void> {
    try {
      await this.file.writeFile(text);
      await this.file.sync();
      await this.#close();
      await (this.force ? rename(this.temporary, this.path) : link(this.temporary, this.path));
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === "EEXIST"
        ? alreadyThere(this.path)
        : fileRefusal("The file", this.path, error);
    } finally {
      await this.discard();
    }
  }

  async discard(): Promise<void> {
    await this.#close();
    await rm(this.temporary, { force: true });
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.file.close();
  }
}

function alreadyThere(path: string): Refusal {
  return new Refusal("file-exists", `The file ${JSON.stringify(path)} exists already and was left as it is.`);
}
