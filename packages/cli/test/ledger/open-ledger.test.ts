import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
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
import { describe, expect, it } from "vitest";
import { APPLICATION_ID, createLedger, SCHEMA, SCHEMA_VERSION } from "../../src/ledger/ledger-file.js";
import { findLedger, openLedger } from "../../src/ledger/open-ledger.js";

import { Refusal } from "../../src/refusal.js";
import { exampleRelease, temporaryFolder } from "./support/examples.js";

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
    ["an empty file", (path) => writeFileSync(path, ""), /is not a ledger of Winnow/],
    ["text", (path) => writeFileSync(path, "user,item\n".repeat(1000)), /is not a ledger of Winnow/],
    ["a directory", (path) => mkdirSync(path), /is a directory and must be a regular file/],
    ["a link", (path) => symlinkSync(realLedger(`${path}.real`), path), /is a symbolic link/],
    ["a link to nothing", (path) => symlinkSync(`${path}.none`, path), /is a symbolic link/],
    [
      "one file by two names",
      (path) => linkSync(realLedger(path), `${path}.second`),
      /has 2 names \(hard links\), .* remove all but one/,
    ],
    ["a pipe", (path) => execFileSync("mkfifo", [path]), /is a device or a pipe/],
    [
      "another database",
      (path) => realDatabase(path, "CREATE TABLE log (x)"),
      /is a database, but not a ledger/,
    ],
    [
      "an older schema",
      (path) => realDatabase(path, schemaOf(0)),
      /has schema version 0, and this version .* reads 1/,
    ],
    [
      "a newer schema",
      (path) => realDatabase(path, schemaOf(2)),
      /has schema version 2, and this version .* reads 1/,
    ],
    ["half a ledger", (path) => truncateSync(realLedger(path), 5000), /cannot be read/],
    ["a header alone", (path) => truncateSync(realLedger(path), 100), /cannot be read|not a ledger/],
    [
      "no tables",
      (path) => realDatabase(path, `PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=1`),
      /cannot be read/,
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
  return `${SCHEMA} PRAGMA user_version = ${version};`;
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
