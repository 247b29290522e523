import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { Refusal } from "../../src/refusal.js";
import { openSource } from "../../src/sources/open-source.js";
import { EVERYTHING, histogramOf, runSql, useFolder } from "./source-folder.js";

const MEGABYTE = 2 ** 20;

/** Private folders of this process or the given one. */
function foldersOf(process_: number | undefined): string[] {
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(`winnow-${process_}-`))
    .map((name) => join(tmpdir(), name));
}

describe("the reader's process", () => {
  const { folder, write } = useFolder();
  const large = join(folder, "large.parquet");

  beforeAll(async () => {
    // Counting this takes seconds, writing it does not.
    await runSql(
      `COPY (SELECT i::VARCHAR AS "user", (i * 7919 % 1000003)::VARCHAR AS item FROM range(6000000) t(i)) TO '${large}'`,
    );
  });

  const request = { item: "item", user: "user", candidates: EVERYTHING };
  const drain = async (batches: AsyncIterable<unknown>) => {
    for await (const _ of batches);
  };

  it("is ended at the time limit", async () => {
    await runSql(`ATTACH '${folder}/empty.duckdb' AS made; CREATE TABLE made.t (i INTEGER)`);
    const query = `SELECT 'u' AS "user", sum(a.i * b.i) AS item FROM range(10000000) a(i), range(10000000) b(i)`;
    const source = await openSource(`${folder}/empty.duckdb`, { query, timeLimit: 6000 });
    await expect(drain(source.histogram(request))).rejects.toMatchObject({
      code: "source-limit",
      message: expect.stringContaining("time limit"),
    });
    await source.close();
    expect(foldersOf(process.pid)).toEqual([]);
  });

  it("is ended at the time limit when no single request takes that long", async () => {
    const endless = (function* () {
      for (let i = 0; ; i++) yield String(i % 1000);
    })();
    const source = await openSource(write("rows.csv", "user,item\na,x\n"), { timeLimit: 6000 });
    const listed = { ...request, candidates: { kind: "listed", items: endless } } as const;
    await expect(drain(source.histogram(listed))).rejects.toMatchObject({ code: "source-limit" });
    await source.close();
  });

  it("is ended when the run is interrupted, with the run's reason", async () => {
    const source = await openSource(large);
    const controller = new AbortController();
    const counting = drain(
      source.histogram({
        ...request,
        signal: controller.signal,
        onProgress: () => controller.abort(new Refusal("interrupted", "Because.")),
      }),
    );
    await expect(counting).rejects.toMatchObject({ code: "interrupted", message: "Because." });
    await expect(drain(source.histogram(request))).rejects.toMatchObject({ code: "interrupted" });
    await source.close();
    expect(foldersOf(process.pid)).toEqual([]);
  });

  it("refuses what needs more memory than the limit", async () => {
    await expect(histogramOf(large, { memoryLimit: 4 * MEGABYTE })).rejects.toMatchObject({
      code: "source-limit",
    });
  });

  it("keeps its folder to itself", async () => {
    const source = await openSource(write("one.csv", "user,item\na,b\n"));
    const [own] = foldersOf(process.pid);
    expect(statSync(own).mode & 0o777).toBe(0o700);
    await source.close();
    expect(existsSync(own)).toBe(false);
  });

  it.each(["SIGKILL", "SIGINT"] as const)(
    "leaves no folder and no process behind when its run gets %s",
    async (signal) => {
      const run = spawnRun(large);
      const reader = await readerOf(run);
      const [own] = foldersOf(run.pid);
      expect(existsSync(own)).toBe(true);
      run.kill(signal);
      await until(() => !isRunning(reader) && !existsSync(own));
    },
  );

  it("may be killed: the run is refused and its folder removed", async () => {
    const run = spawnRun(large);
    const reader = await readerOf(run);
    const [own] = foldersOf(run.pid);
    process.kill(reader, "SIGKILL");
    expect(await outputOf(run)).toContain("source-limit");
    expect(existsSync(own)).toBe(false);
  });

  it("removes what a run that was killed together with its reader left behind", async () => {
    const run = spawnRun(large);
    const reader = await readerOf(run);
    const [own] = foldersOf(run.pid);
    process.kill(reader, "SIGSTOP"); // so that it cannot tidy up
    run.kill("SIGKILL");
    await once(run, "exit");
    process.kill(reader, "SIGKILL");
    await until(() => !isRunning(reader));
    expect(existsSync(own)).toBe(true);
    await (await openSource(write("one.csv", "user,item\na,b\n"))).close();
    expect(existsSync(own)).toBe(false);
  });

  it("counts a file ten times larger than its memory", async () => {
    const [memoryLimit, rows] = [64 * MEGABYTE, 4_900_000];
    const path = join(folder, "huge.csv");
    await writeRows(path, rows);
    expect(statSync(path).size).toBeGreaterThan(10 * memoryLimit);
    const { histogram, skipped } = await histogramOf(path, { memoryLimit }, { kind: "largest", rows: 3 });
    expect(Object.values(histogram)).toEqual([rows / 1000, rows / 1000, rows / 1000]);
    expect(skipped).toBe(0);
  });
});

/** Neither the file nor its distinct pairs fit into the memory. */
async function writeRows(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write("user,note,item\n");
  const note = "x".repeat(120);
  for (let start = 0; start < rows; start += 10_000) {
    const lines = Array.from(
      { length: 10_000 },
      (_, i) => `u${start + i},${note},item ${(start + i) % 1000}\n`,
    );
    if (!file.write(lines.join(""))) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
}

/** A run that counts the file in a process of its own. */
function spawnRun(path: string): ChildProcess {
  const module = fileURLToPath(new URL("../../dist/sources/open-source.js", import.meta.url));
  const script = `const { openSource } = await import(${JSON.stringify(module)});
    const source = await openSource(${JSON.stringify(path)}, { memoryLimit: ${200 * MEGABYTE} });
    try {
      for await (const batch of source.histogram({ item: "item", user: "user", candidates: { kind: "largest", rows: 1 } }));
    } catch (error) { console.log(error.code); }
    await source.close();`;
  return spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function outputOf({ stdout }: ChildProcess): Promise<string> {
  let output = "";
  for await (const chunk of stdout!) output += chunk;
  return output;
}

/** The process that reads for a run, once it has begun to put aside what does not fit. */
async function readerOf(run: ChildProcess): Promise<number> {
  await until(() => foldersOf(run.pid).some((folder) => readdirSync(join(folder, "rows")).length > 0));
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === run.pid);
  return Number(children[0]);
}

function parentOf(process_: string): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${process_}/stat`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}

function isRunning(process_: number): boolean {
  try {
    return !/\) Z/.test(readFileSync(`/proc/${process_}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(20);
}
