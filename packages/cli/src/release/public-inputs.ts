/**
 * The files of this machine as the guards of winnow-release compare them: two names are one file if device and inode are the
 * same, through links, and a copy has the same SHA-256. A private file is read only if its size equals that of a public one.
 *
 * Rows that a ledger has charged are private too, whatever they are used for now: it knows their mark.
 * @module
 */
import { createHash } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { pipeline } from "node:stream/promises";
import {
  type ComparedInputs,
  type FoundFile,
  guardPublicInputs,
  type PrivateFile,
  type PublicInput,
} from "winnow-release";
import { CONFIGURATION } from "../config.js";
import { statsOf } from "../sources/source.js";
import { markWith } from "./dataset-name.js";

interface PrivateFiles {
  /** The files of the source, as the engine finds them. */
  readonly sources: readonly string[];
  readonly ledger: string;
  readonly config?: string | undefined;
}

/** By option. */
type PublicFiles = Readonly<Record<string, string | undefined>>;

/** Throws `not-public` if one of the public files is private. */
export function guardFiles(given: PublicFiles, files: PrivateFiles): Promise<ComparedInputs> {
  const inputs = Object.entries(given).flatMap(([role, name]): PublicInput[] => {
    const file = name === undefined ? undefined : foundFile(name);
    return name === undefined || file === undefined ? [] : [{ role, name, file }];
  });
  return guardPublicInputs(inputs, async () => privateFilesOf(files));
}

function privateFilesOf({ sources: paths, ledger, config = CONFIGURATION }: PrivateFiles): PrivateFile[] {
  const kept = ["", "-wal", "-shm"].map((end) => ({ what: "the ledger", path: ledger + end }));
  const sources = paths.map((path) => ({ what: "the source", path }));
  return [...sources, ...kept, { what: "the configuration", path: config }].flatMap(({ what, path }) => {
    const file = foundFile(path);
    return file === undefined ? [] : [{ what, file }];
  });
}

/** Undefined for a file that isn't there. */
function foundFile(path: string): FoundFile | undefined {
  const stats = statsOf(path);
  if (stats === undefined) return undefined;
  // What isn't a file, such as a pipe, is never read to compare it.
  return {
    size: stats.isFile() ? stats.size : 0,
    identity: identityOf(stats),
    hash: () => hashOf(path),
    mark: async (key) => markWith(key, { location: path, files: [path] }),
  };
}

/** Inodes are 0 where they are unreliable. */
function identityOf({ ino, dev }: Stats): string | undefined {
  return ino === 0 ? undefined : `${dev}:${ino}`;
}

/** Undefined for a file that can't be read: the code that needs it reports that. */
async function hashOf(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path), hash);
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}
