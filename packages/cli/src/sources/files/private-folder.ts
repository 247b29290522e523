/**
 * A folder for data that doesn't fit in memory and for rows from standard input: no one else can read it, and it is
 * removed however the run ends. Its name contains the number of the process that made it, so a later run can
 * remove what is left of a run that was killed together with its reader.
 * @module
 */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const NAME = /^winnow-(\d+)-[A-Za-z0-9]{6}$/;

/** Creates one, inside another that only its owner may enter. */
export function makePrivateFolder(): string {
  removeLeftovers();
  const folder = join(mkdtempSync(join(tmpdir(), `winnow-${process.pid}-`)), "rows");
  mkdirSync(folder);
  return folder;
}

/**
 * An engine may still be writing into it. After renaming, the engine no longer finds it, so nothing new appears while it is
 * emptied.
 */
export function removePrivateFolder(folder: string): void {
  try {
    renameSync(folder, `${folder}-removed`);
  } catch {} // someone else was first
  rmSync(dirname(folder), { recursive: true, force: true, maxRetries: 10, retryDelay: 10 });
}

/** Ignores folders that can't be removed: most likely their reader is just removing them. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const maker = NAME.exec(name)?.[1];
    const folder = join(tmpdir(), name);
    if (maker === undefined || isRunning(Number(maker)) || !isOurs(folder)) continue;
    try {
      removePrivateFolder(join(folder, "rows"));
    } catch {}
  }
}

function isOurs(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}

function isRunning(process_: number): boolean {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
