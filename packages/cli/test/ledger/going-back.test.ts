import { linkSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { createLedger } from "../../src/ledger/ledger-file.js";
import { describeGoingBack } from "./support/going-back.js";
import { temporaryFolder } from "./support/temporary-folder.js";

/** All rows are in the one file then, as a backup tool wants it. */
function checkpoint(path: string): void {
  const database = new Database(path);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

describeGoingBack(
  "the ledger in a file",
  [
    "an older copy renamed over it",
    "an older copy written into it",
    "deleted",
    "moved away",
    "a new ledger in its place",
    "its write-ahead log deleted",
    "its write-ahead log truncated",
    "a second name",
  ],
  {
    fresh: async () => {
      const path = join(temporaryFolder(), "a.ledger");
      createLedger(path);
      return path;
    },
    copy: async (path) => {
      checkpoint(path);
      const older = readFileSync(path);
      const remove = () => {
        for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
      };
      return {
        "an older copy renamed over it": async () => {
          remove();
          writeFileSync(`${path}.copy`, older);
          renameSync(`${path}.copy`, path);
        },
        "an older copy written into it": async () => {
          checkpoint(path);
          writeFileSync(path, older);
        },
        deleted: async () => remove(),
        "moved away": async () => renameSync(path, `${path}.moved`),
        "a new ledger in its place": async () => {
          remove();
          createLedger(path);
        },
        "its write-ahead log deleted": async () => rmSync(`${path}-wal`),
        "its write-ahead log truncated": async () => truncateSync(`${path}-wal`),
        "a second name": async () => linkSync(path, `${path}.second`),
      };
    },
  },
);
