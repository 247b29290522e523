/**
 * When the system refuses a file that the user named, the path is public, and only the system's error code is used, not its
 * message.
 * @module
 */
import { Refusal, type RefusalCode } from "winnow-release";

const REASONS: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  ENOENT: ["missing-source", "doesn't exist"],
  ENOTDIR: ["missing-source", "doesn't exist"],
  EACCES: ["no-permission", "can't be opened by this account"],
  EPERM: ["no-permission", "can't be opened by this account"],
  EROFS: ["no-permission", "is on a read-only file system"],
  EISDIR: ["unreadable-source", "is a directory, not a file"],
  ENAMETOOLONG: ["usage", "has a name that is too long"],
  ENOSPC: ["disk-full", "couldn't be written because the disk is full"],
  EDQUOT: ["disk-full", "couldn't be written because the disk quota is used up"],
};

/** The refusal for a failed operation on a file, `what` being e.g. "the list of candidates". */
export function fileRefusal(what: string, path: string, error: unknown): Refusal {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "";
  const [refusal, reason] = REASONS[code] ?? ["unreadable-source", "couldn't be used"];
  return new Refusal(refusal, `${what} ${JSON.stringify(path)} ${reason}.`);
}
