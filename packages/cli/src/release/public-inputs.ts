/**
 * A private file must not serve as a public one. A list of candidates, a public twin or a list of names decides what is
 * published, so it must not be the source, the ledger or the configuration, neither under another name (device and inode,
 * through links) nor as a copy (size, then SHA-256).
 *
 * Rows that a ledger has charged are private too, whatever they are used for now: it knows their mark.
 *
 * The private file is read here only if its size equals that of the public one. Winnow cannot recognise a changed copy, or
 * a list that was extracted from the rows.
 * @module
 */
import { createHash } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Ledger } from "winnow-release";
import { CONFIGURATION } from "../config.js";
import { Refusal } from "../refusal.js";
import { statsOf } from "../sources/source.js";
import { markOf } from "./dataset-name.js";

interface PrivateFiles {
  /** The files of the source, as the engine finds them. */
  readonly sources: readonly string[];
  readonly ledger: string;
  readonly config?: string | undefined;
}

interface PrivateFile {
  readonly what: string;
  readonly path: string;
}

/** By option. */
type PublicFiles = Readonly<Record<string, string | undefined>>;

/** Throws `not-public` if one of the public files is private. */
export async function refusePrivateFiles(given: PublicFiles, files: PrivateFiles): Promise<void> {
  const publicFiles = Object.entries(given).flatMap(([option, path]) => {
    const stats = path === undefined ? undefined : statsOf(path);
    return path === undefined || stats === undefined ? [] : [{ option, path, stats }];
  });
  if (publicFiles.length === 0) return;
  for (const { what, path } of privateFilesOf(files)) {
    const stats = statsOf(path);
    if (stats === undefined) continue;
    for (const open of publicFiles) {
      if (isSameFile(open.stats, stats)) throw notPublic(open.option, open.path, `is ${what} itself`);
      if (await isCopy(open, { path, stats }))
        throw notPublic(open.option, open.path, `is a copy of ${what}`);
    }
  }
}

/** Throws `not-public` if the ledger has charged one of the public files, under any name. */
export async function refuseChargedFiles(given: PublicFiles, ledger: Ledger): Promise<void> {
  for (const [option, path] of Object.entries(given)) {
    const mark = path === undefined ? undefined : await markOf(ledger, { location: path, files: [path] });
    const dataset = mark === undefined ? undefined : await ledger.chargedTo(mark);
    if (dataset !== undefined)
      throw notPublic(option, path!, `has rows that were charged to ${JSON.stringify(dataset)}`);
  }
}

function notPublic(option: string, path: string, why: string): Refusal {
  return new Refusal("not-public", `${option} must be a public file, but ${JSON.stringify(path)} ${why}.`);
}

function privateFilesOf({ sources: paths, ledger, config = CONFIGURATION }: PrivateFiles): PrivateFile[] {
  const kept = ["", "-wal", "-shm"].map((end) => ({ what: "the ledger", path: ledger + end }));
  const sources = paths.map((path) => ({ what: "the source", path }));
  return [...sources, ...kept, { what: "the configuration", path: config }];
}

/** Inodes are 0 where they are unreliable. */
function isSameFile(one: Stats, other: Stats): boolean {
  return one.ino !== 0 && one.ino === other.ino && one.dev === other.dev;
}

interface Measured {
  readonly path: string;
  readonly stats: Stats;
}

async function isCopy(one: Measured, other: Measured): Promise<boolean> {
  if (!one.stats.isFile() || !other.stats.isFile()) return false;
  if (one.stats.size !== other.stats.size || one.stats.size === 0) return false;
  const [first, second] = await Promise.all([one, other].map(({ path }) => hashOf(path)));
  return first !== undefined && first === second;
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
