/**
 * Records on small disks with 0, 1, 2 … free pages, until it fits: `node full-disk-process.js FOLDER`, in a mount namespace.
 * For each number of pages it prints what came of the release, and what the ledger held before and holds once there is
 * room again. Every attempt has a disk of its own.
 */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { openLedger } from "../../../dist/ledger/open-ledger.js";

const PAGE = 4096;
const FITS_TIMES = 3;

for (const scenario of ["new", "existing"]) {
  for (let free = 0, fits = 0; fits < FITS_TIMES; free++) {
    const disk = smallDisk(`${scenario}-${free}`);
    const path = join(disk, "l");
    if (scenario === "existing") await record(path, "first");
    const before = await idsOf(path);
    const filler = fill(disk, free);
    const meanwhile = await idsOf(path, { readOnly: true });
    const outcome = await record(path, "second");
    rmSync(filler);
    const after = await idsOf(path);
    const strays = readdirSync(disk).filter((name) => !/^l(-wal|-shm)?$/.test(name));
    writeSync(1, `${JSON.stringify({ scenario, free, outcome, before, meanwhile, after, strays })}\n`);
    fits = outcome === "released" ? fits + 1 : 0;
  }
}

function smallDisk(name) {
  const disk = join(process.argv[2], name);
  mkdirSync(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=512k,mode=700", "winnow-test", disk]);
  return disk;
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

async function record(path, id) {
  let ledger;
  try {
    ledger = await openLedger(path, { create: true });
    await ledger.record("visits", {
      id,
      dataset: "visits",
      time: "2026-01-02T03:04:05.678Z",
      software: { name: "full-disk", version: "0" },
      question: { k: 1 },
      loss: { measure: "pure", epsilon: "1" },
      answer: { padding: "x".repeat(10 * PAGE) },
    });
    return "released";
  } catch (error) {
    return error.code ?? String(error);
  } finally {
    ledger?.close();
  }
}

/** What the ledger holds, and whatever is wrong with it. */
async function idsOf(path, options) {
  if (!existsSync(path)) return [];
  const ledger = await openLedger(path, options);
  try {
    const { findings } = await ledger.verify();
    const ids = [];
    for await (const { release } of ledger.entries()) ids.push(release.id);
    return [...findings, ...ids];
  } finally {
    ledger.close();
  }
}
