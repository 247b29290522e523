import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { makePrivateFolder, removePrivateFolder } from "../../../src/sources/files/private-folder.js";

/** A process that puts one file after the other into the folder, as an engine does, and ends when it finds it no more. */
async function startWriter(folder: string) {
  const script = `const { writeFileSync } = require("node:fs");
    process.stdout.write("writing");
    for (let i = 0; i < 1e5; i++) writeFileSync(process.argv[1] + "/" + i, "");`;
  const writer = spawn(process.execPath, ["-e", script, folder], { stdio: ["ignore", "pipe", "ignore"] });
  await once(writer.stdout, "data");
  return writer;
}

/** What this process has left there. */
function traces(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`winnow-${process.pid}-`));
}

describe("A private folder", () => {
  // In a place of its own: every other run on this machine tidies up where all of them are.
  beforeAll(() => void vi.stubEnv("TMPDIR", mkdtempSync(join(tmpdir(), "winnow-test-"))));
  afterAll(() => {
    rmSync(tmpdir(), { recursive: true });
    vi.unstubAllEnvs();
  });

  it("is removed while a process writes into it", async () => {
    for (let round = 0; round < 10; round++) {
      const folder = makePrivateFolder();
      const writer = await startWriter(folder);
      const gone = once(writer, "exit");
      removePrivateFolder(folder);
      await gone;
      expect(traces()).toEqual([]);
    }
  });

  it("may be removed twice", () => {
    const folder = makePrivateFolder();
    removePrivateFolder(folder);
    removePrivateFolder(folder);
    expect(traces()).toEqual([]);
  });

  it("is removed by the next run when its own was killed, also half way through removing it", async () => {
    const killed = spawn(process.execPath, ["-e", ""]);
    await once(killed, "exit");
    const left = ["rows", "rows-removed"].map((name, i) =>
      join(tmpdir(), `winnow-${killed.pid}-abcde${i}`, name),
    );
    for (const folder of left) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "user"), "");
    }
    removePrivateFolder(makePrivateFolder());
    expect(left.filter((folder) => existsSync(dirname(folder)))).toEqual([]);
  });
});
