/**
 * A witness on small disks with 0, 1, 2 … free pages: `node full-disk-witness.js FOLDER KEY LOG FIRST SECOND`, in a mount namespace. For
 * each it prints what came of the second request, and how many entries the witness remembers once there is room again.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { readCheckpoint, readNote, readNoteKey, readPrivateKey, Witness } from "winnow-release";
import { WitnessFolder } from "../../../dist/heads/witness-memory.js";

const PAGE = 4096;
const [folder, key, log, first, second] = process.argv.slice(2);
const signer = await readPrivateKey(key);
const logs = [readNoteKey(log)];

for (let free = 0; free < 8; free++) {
  const disk = join(folder, String(free));
  mkdirSync(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=128k,mode=700", "winnow-test", disk]);
  const memory = await WitnessFolder.begin(join(disk, "seen"));
  const witness = new Witness({ signer, logs, memory });
  const { status: before } = await witness.addCheckpoint(JSON.parse(first));
  const filler = fill(disk, free);
  const { status } = await witness.addCheckpoint(JSON.parse(second)).catch(({ code }) => ({ status: code }));
  rmSync(filler);
  const { note } = await memory.last(logs[0].name);
  const { size } = readCheckpoint(readNote(note).text);
  writeSync(1, `${JSON.stringify({ free, before, status, size })}\n`);
}

/** Leaves so many pages of the disk. */
function fill(disk, free) {
  const filler = join(disk, "filler");
  let pages = 0;
  writeFileSync(filler, "");
  try {
    for (; ; pages++) appendFileSync(filler, Buffer.alloc(PAGE));
  } catch (error) {
    if (error.code !== "ENOSPC") throw error;
  }
  truncateSync(filler, Math.max(0, pages - free) * PAGE);
  return filler;
}
