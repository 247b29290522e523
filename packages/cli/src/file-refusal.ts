/**
 * What the system says about a file that the user named, as a refusal: the path is public, and of the system's message only
 * its code is used.
 * @module
 */
import { Refusal, type RefusalCode } from "./refusal.js";

const REASONS: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  ENOENT: ["missing-source", "does not exist"],
  ENOTDIR: ["missing-source", "does not exist"],
  EACCES: ["no-permission", "may not be opened by this account"],
  EPERM: ["no-permission", "may not be opened by this account"],
  EROFS: ["no-permission", "is on a file system that cannot be written"],
  EISDIR: ["unreadable-source", "is a directory, not a file"],
  ENAMETOOLONG: ["usage", "has too long a name"],
  ENOSPC: ["disk-full", "could not be written because the disk is full"],
  EDQUOT: ["disk-full", "could not be written because the disk quota is used up"],
};

/** The refusal for a failed operation on a file, `what` being e.g. "the list of candidates". */
export function fileRefusal(what: string, path: string, error: unknown): Refusal {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "";
  const [refusal, reason] = REASONS[code] ?? ["unreadable-source", "could not be used"];
  return new Refusal(refusal, `${what} ${JSON.stringify(path)} ${reason}.`);
}
