import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Release } from "winnow-release";
import { builtProgram } from "../../../cli/test/support/built-program.js";
import { asCommand } from "../../src/worker/as-code.js";
import { aRelease, aReleaseInGroups, EVERY_MECHANISM } from "../support/a-release.js";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "winnow-command-"));
  await writeFile(join(folder, "candidates.txt"), "a\nb\nc\n");
  await writeFile(join(folder, "groups.txt"), "DE\nFR\n");
  const script = join(folder, "winnow");
  await writeFile(script, `#!/bin/sh\nexec '${process.execPath}' '${builtProgram()}' "$@"\n`);
  await chmod(script, 0o755);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a release as a command", () => {
  it.each(EVERY_MECHANISM)(
    "is understood by the command line, which names the same price: %j",
    async (asked) => {
      const release = await aRelease(asked);
      const { stdout, stderr } = await inShell(`${asCommand(release)} --dry-run`);
      expect(stdout + stderr).toContain(release.loss.readable);
    },
  );

  it("is understood in groups too", async () => {
    const release = await aReleaseInGroups();
    const { stdout, stderr } = await inShell(`${asCommand(release)} --dry-run`);
    expect(stdout + stderr).toContain(release.loss.readable);
  });

  it("says first that running it spends again, names the account and the file, and has all options", async () => {
    const [counted, names] = [await aRelease(EVERY_MECHANISM[8]!), await aRelease(EVERY_MECHANISM[10]!)];
    expect(asCommand(counted, "my visits.csv")).toMatch(
      /^# Running this spends ε = 1, δ = \S+ again on the people of "visits": it is another release\.\nwinnow top 'my visits\.csv' -k 2 .*--dataset visits .*--counts$/s,
    );
    expect(asCommand(names)).toMatch(/\nwinnow names visits\.csv .*--max-items-per-user 1 /s);
    expect(asCommand(await aRelease(EVERY_MECHANISM[0]!))).toContain("# candidates.txt: the public list");
  });

  it("says so if the file has no header, and what separates its fields", async () => {
    const release = await aRelease(EVERY_MECHANISM[0]!, "2", "1");
    const dialect = { format: "csv", header: "none, columns by number", delimiter: "\t", quote: '"' };
    const headerless = { ...release, source: { ...release.source, dialect } };
    await writeFile(join(folder, "visits.csv"), "u1\ta\nu2\tb\n");
    const { stdout, stderr } = await inShell(`${asCommand(headerless)} --dry-run`);
    expect(asCommand(headerless)).toMatch(/--delimiter \$'\\U00000009' .*--no-header$/s);
    expect(stdout + stderr).toContain(release.loss.readable);
  });

  it("keeps every value one word of text for the shell, whatever is in it", async () => {
    const hostile = 'it\'s $(touch hacked) `touch hacked` "x" ; touch hacked & \\ !';
    const release = await aRelease(EVERY_MECHANISM[0]!, hostile, `${hostile}2`);
    const words = asCommand(release).replace(/^winnow/m, "printf '%s\\n'");
    const { stdout } = await inShell(words);
    const lines = stdout.split("\n");
    expect(lines[lines.indexOf("--item") + 1]).toBe(hostile);
    expect(lines[lines.indexOf("--user") + 1]).toBe(`${hostile}2`);
    expect((await inShell("ls")).stdout).not.toContain("hacked");
  });

  it("writes what a terminal would act on as escapes, which the shell reads back", async () => {
    const hostile = "x\u001b[201~touch hacked\n\u202e'\\'";
    const release = await aRelease(EVERY_MECHANISM[0]!, hostile);
    expect(asCommand(release)).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    expect(await itemIn(release)).toBe(hostile);
  });
});

async function itemIn(release: Release): Promise<string | undefined> {
  const words = asCommand(release).replace(/^winnow/m, "printf '%s\\0'");
  const { stdout } = await inShell(words, "bash");
  const values = stdout.split("\0");
  return values[values.indexOf("--item") + 1];
}

function inShell(command: string, shell = "sh") {
  const PATH = `${folder}${delimiter}${process.env.PATH}`;
  return promisify(execFile)(shell, ["-c", command], {
    cwd: folder,
    env: { ...process.env, PATH },
    timeout: 60_000,
  });
}
