/**
 * What a witness remembers, in a folder: for each ledger a folder of its own, named by a hash of the ledger's name, with one file, the
 * last head that was cosigned, named by its number.
 *
 * A head is replaced as follows: the new one is written to a file without a number and flushed to disk; a link gives it the next
 * number, which fails if another process has taken that; the folder is flushed; and a look at the folder makes sure that no
 * later number is there, because files with earlier ones are removed then. So of several processes one replaces a head, and after a
 * kill, a power failure or a full disk there is the old head or the new one, whole. Nothing is signed before.
 *
 * It is worth as much as the folder: an older copy of it that is put back makes the witness forget. A path that is wrong doesn't: a file
 * marks the folder as a memory, and only someone who says that the witness is new starts one.
 * @module
 */
import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Refusal, readNote, type SeenHead, type WitnessMemory } from "winnow-release";
import { fileRefusal } from "../refusal.js";

const ACCUSED = ".accused";
/** Heads that are kept as evidence, for each ledger. */
const MOST_ACCUSED = 100;
const HEAD = /^(\d{16})\.head$/;
/** In the folder from the start. */
const MARK = "winnow-witness";
const MARKED = "What a witness has seen (winnow witness). Never put an older copy of this folder back.\n";

export class WitnessFolder implements WitnessMemory {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens a memory that was begun. */
  static async open(folder: string): Promise<WitnessFolder> {
    try {
      await readFile(join(folder, MARK));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" && code !== "ENOTDIR")
        throw fileRefusal("The memory of the witness", folder, error);
      throw new Refusal(
        "missing-source",
        `The folder ${JSON.stringify(folder)} isn't the memory of a witness. Only a new witness starts without one, with --new.`,
      );
    }
    return new WitnessFolder(folder);
  }

  /** Begins a memory that has seen nothing, in an empty folder or a new one. */
  static async begin(folder: string): Promise<WitnessFolder> {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if ((await readdir(folder)).length > 0)
        throw new Refusal(
          "usage",
          `The folder ${JSON.stringify(folder)} isn't empty: a witness that has a memory is started without --new.`,
        );
      await writeDurably(join(folder, MARK), MARKED);
      await flushFolder(folder);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw fileRefusal("The memory of the witness", folder, error);
    }
    return new WitnessFolder(folder);
  }

  async last(origin: string): Promise<SeenHead | undefined> {
    for (;;) {
      const generation = await this.#newest(origin);
      if (generation === 0) return undefined;
      const path = join(this.#of(origin), nameOf(generation));
      try {
        return { generation, note: await readWhole(path) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // replaced between two looks
      }
    }
  }

  async replace(origin: string, { generation, note }: SeenHead): Promise<boolean> {
    const folder = this.#of(origin);
    if (generation === 1) await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `${randomUUID()}.new`);
    const path = join(folder, nameOf(generation));
    try {
      await writeDurably(draft, note);
      if (!(await isLinked(draft, path))) return false;
      await flushFolder(folder);
      if (generation === 1) await flushFolder(this.#folder);
      if ((await this.#newest(origin)) > generation) {
        await rm(path, { force: true });
        return false;
      }
    } finally {
      await rm(draft, { force: true }).catch(() => {});
    }
    // A file that stays harms no one, so a failure is ignored.
    await rm(join(folder, nameOf(generation - 1)), { force: true }).catch(() => {});
    return true;
  }

  async accuse(origin: string, note: string, last: SeenHead): Promise<void> {
    const folder = this.#of(origin);
    const kept = (await readdir(folder)).filter((file) => file.endsWith(ACCUSED));
    if (kept.length >= MOST_ACCUSED) return; // who has the key of one ledger must not fill the disk of all
    const name = createHash("sha256").update(readNote(note).text).digest("hex").slice(0, 32);
    const path = join(folder, `${name}${ACCUSED}`);
    await writeDurably(path, `${note}\nThe last head before:\n\n${last.note}`, "w");
  }

  async #newest(origin: string): Promise<number> {
    const names = await readdir(this.#of(origin)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    return Math.max(0, ...names.map((name) => Number(HEAD.exec(name)?.[1] ?? 0)));
  }

  #of(origin: string): string {
    return join(this.#folder, createHash("sha256").update(origin).digest("hex").slice(0, 32));
  }
}

function nameOf(generation: number): string {
  return `${String(generation).padStart(16, "0")}.head`;
}

/** A file that was damaged after it was written is an error and never an empty memory. */
async function readWhole(path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  try {
    readNote(text);
  } catch {
    throw new Refusal(
      "unreadable-source",
      "A file of the witness is damaged; it signs nothing for that ledger.",
    );
  }
  return text;
}

async function writeDurably(path: string, text: string, flags = "wx"): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function isLinked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Windows does that by itself and can't open folders. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
