/**
 * A folder for what does not fit into memory and for rows from standard input: readable by nobody else, and removed however
 * the run ends. Its name carries the number of the process that made it, so that a later run removes what one that was
 * killed together with its reader left behind.
 * @module
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAME = /^winnow-(\d+)-[A-Za-z0-9]{6}$/;

/** Makes one, with mode 0700. */
export function makePrivateFolder(): string {
  removeLeftovers();
  return mkdtempSync(join(tmpdir(), `winnow-${process.pid}-`));
}

export function removePrivateFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const maker = NAME.exec(name)?.[1];
    const folder = join(tmpdir(), name);
    if (maker !== undefined && !isRunning(Number(maker)) && isOurs(folder)) removePrivateFolder(folder);
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
