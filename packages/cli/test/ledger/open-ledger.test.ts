import { execFileSync, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it, vi } from "vitest";
import { pure } from "winnow-dp";
import { Refusal } from "winnow-release";
import { exampleRelease } from "../../../release/test/ledger/laws/place.js";
import { createLedger } from "../../src/ledger/ledger-file.js";
import { findLedger, openLedger } from "../../src/ledger/open-ledger.js";
import { Connection } from "../../src/ledger/sqlite-connection.js";
import { APPLICATION_ID, newSchema, SCHEMA_VERSION } from "../../src/ledger/sqlite-schema.js";
import { builtProgram } from "../support/built-program.js";
import { expectRefused } from "../support/expect-refused.js";
import { ORDINARY } from "../support/ordinary-account.js";
import { ended, folder } from "../support/winnow.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const VERSION_AT = 60;
const APPLICATION_AT = 68;

describe("openLedger", () => {
  it("makes one private file, whole from the start", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "winnow.ledger");
    (await openLedger(path, { create: true })).close();
    expect(readdirSync(folder)).toEqual(["winnow.ledger"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const header = readFileSync(path);
    expect(header.readUInt32BE(VERSION_AT)).toBe(SCHEMA_VERSION);
    expect(header.readUInt32BE(APPLICATION_AT)).toBe(APPLICATION_ID);
  });

  it("keeps all rows in the one file after it is closed", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "l");
    const ledger = await openLedger(path, { create: true });
    await ledger.record("visits", exampleRelease("a"));
    ledger.close();
    writeFileSync(join(folder, "copy"), readFileSync(path));
    const copy = await openLedger(join(folder, "copy"));
    expect(await copy.find("a")).toMatchObject({ id: "a", ledger: { sequence: 1 } });
    copy.close();
  });

  it("refuses a missing ledger unless it may make one", async () => {
    const path = join(temporaryFolder(), "l");
    await expect(openLedger(path)).rejects.toThrow(refusal("missing-ledger"));
    await expect(findLedger(path)).resolves.toBeUndefined();
    expect(() => statSync(path)).toThrow();
  });

  it("refuses a place where no file can be made", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    for (const place of ["no/such/folder/l", "file/l"])
      await expect(openLedger(join(folder, place), { create: true })).rejects.toThrow(Refusal);
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  it("opens a ledger whose maker was killed before it removed the name it was built under", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "l");
    linkSync(realLedger(path), `${path}.${randomUUID()}.new`);
    (await openLedger(path)).close();
    expect(readdirSync(folder)).toEqual(["l"]);
  });

  it.each<[name: string, make: (path: string) => void, sentence: RegExp]>([
    ["an empty file", (path) => writeFileSync(path, ""), /isn't a Winnow ledger/],
    ["text", (path) => writeFileSync(path, "user,item\n".repeat(1000)), /isn't a Winnow ledger/],
    ["a directory", (path) => mkdirSync(path), /must be a regular file; it is a directory/],
    ["a link", (path) => symlinkSync(realLedger(`${path}.real`), path), /is a symbolic link/],
    ["a link to nothing", (path) => symlinkSync(`${path}.none`, path), /is a symbolic link/],
    [
      "one file by two names",
      (path) => linkSync(realLedger(path), `${path}.second`),
      /has 2 names \(hard links\), .* remove all names but one/,
    ],
    ["a pipe", (path) => execFileSync("mkfifo", [path]), /is a device or a pipe/],
    [
      "another database",
      (path) => realDatabase(path, "CREATE TABLE log (x)"),
      /is a database, but not a Winnow ledger/,
    ],
    [
      "an older schema",
      (path) => realDatabase(path, schemaOf(0)),
      /has schema version 0, and this version .* reads 2/,
    ],
    [
      "a newer schema",
      (path) => realDatabase(path, schemaOf(3)),
      /has schema version 3, and this version .* reads 2/,
    ],
    ["half a ledger", (path) => truncateSync(realLedger(path), 5000), /can't be read/],
    ["a header alone", (path) => truncateSync(realLedger(path), 100), /can't be read|isn't a Winnow ledger/],
    [
      "no tables",
      (path) =>
        realDatabase(path, `PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${SCHEMA_VERSION}`),
      /can't be read/,
    ],
    [
      "a journal without its ledger",
      (path) => writeFileSync(`${path}-wal`, "x"),
      /is missing, but its write-ahead log/,
    ],
  ])("refuses %s and leaves it as it was", async (_, make, sentence) => {
    const folder = temporaryFolder();
    const path = join(folder, "l");
    make(path);
    const before = contents(folder);
    const use = async () => {
      const ledger = await openLedger(path, { create: true });
      try {
        await ledger.record("visits", exampleRelease("a"));
      } finally {
        ledger.close();
      }
    };
    await expect(use()).rejects.toThrow(refusal("ledger-broken"));
    await expect(use()).rejects.toThrow(sentence);
    expect(contents(folder)).toMatchObject(before);
  });
});

function refusal(code: string) {
  return expect.objectContaining({ name: "Refusal", code });
}

function schemaOf(version: number): string {
  return `${newSchema()} PRAGMA user_version = ${version};`;
}

function realDatabase(path: string, sql: string): string {
  const database = new Database(path);
  database.exec(sql);
  database.close();
  return path;
}

function realLedger(path: string): string {
  createLedger(path);
  return path;
}

/** What is in every regular file. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ name }) => [name, digest(readFileSync(join(folder, name)))]));
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

describe("the cost of a charge", () => {
  /** Entries that are read to charge one more. */
  async function rowsRead(entries: number): Promise<number> {
    const path = join(temporaryFolder(), "l");
    const ledger = await openLedger(path, { create: true });
    for (let i = 0; i < entries; i++) await ledger.record("visits", exampleRelease(`r${i}`));
    ledger.close();
    const again = await openLedger(path);
    const spy = vi.spyOn(Connection.prototype, "all");
    await again.admitLoss("visits", pure(1n));
    await again.record("visits", exampleRelease("one more"));
    const rows = spy.mock.results.reduce((sum, { value }) => sum + (value as unknown[]).length, 0);
    spy.mockRestore();
    again.close();
    return rows;
  }

  it("does not grow with the ledger: as many rows are read after 10 entries as after 300", async () => {
    expect(await rowsRead(300)).toBe(await rowsRead(10));
  });
});

describe("a ledger that may only be read", () => {
  it("is shown, listed and verified, and not charged", async () => {
    const place = folder({});
    const ledger = await openLedger(place.file("winnow.ledger"), { create: true });
    await ledger.record("visits", exampleRelease("a"));
    ledger.close();
    // Without SQLite's own files, which go when the driver's garbage is collected.
    const files = () => readdirSync(place.path).filter((name) => !/-(wal|shm)$/.test(name));
    chmodSync(place.file("winnow.ledger"), 0o444);
    chmodSync(place.path, 0o555);
    const run = (...args: string[]) =>
      ended(spawnOrdinary([process.execPath, builtProgram(), "budget", ...args], place.path));
    for (const command of ["show", "log", "verify"]) {
      const { exit, stderr } = await run(command);
      expect(exit, stderr).toBe(0);
    }
    const refused = await run("init", "visits", "--epsilon", "3");
    chmodSync(place.path, 0o755);
    expectRefused(refused, { exit: 4, code: "no-permission" });
    expect(files()).toEqual(["winnow.ledger"]);
  });

  it("gets a warning if others may write it", async () => {
    const place = folder({});
    (await openLedger(place.file("winnow.ledger"), { create: true })).close();
    expect((await place.winnow(["budget", "show"])).stderr).toBe("");
    chmodSync(place.file("winnow.ledger"), 0o664);
    const { stderr } = await place.winnow(["budget", "show"]);
    expect(stderr).toContain('Other accounts can write the ledger "winnow.ledger"');
  });
});

function spawnOrdinary(command: readonly string[], cwd: string) {
  const [name, ...args] = [...ORDINARY, ...command];
  return spawn(name, args, { cwd });
}
