import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { Refusal } from "winnow-release";
import { openSource } from "../../src/sources/open-source.js";
import type { SourceOptions } from "../../src/sources/source.js";
import { EVERYTHING, histogramOf, runSql, useFolder } from "./source-folder.js";

const MEGABYTE = 2 ** 20;

/** Private folders of this process or the given one. */
function foldersOf(process_: number | undefined): string[] {
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(`winnow-${process_}-`))
    .map((name) => join(tmpdir(), name));
}

/** Counting these takes more memory than `LITTLE_MEMORY`. */
const MANY = `SELECT i::VARCHAR AS "user", (i * 7919 % 1000003)::VARCHAR AS item FROM range(6000000) t(i)`;
/** Rows without end, of one person, so that they take none. */
const ENDLESS = `SELECT 'u' AS "user", 'x' AS item FROM range(1000000000000000) t(i)`;
const LITTLE_MEMORY = 200 * MEGABYTE;

describe("a value with more bytes than a line may have", () => {
  const { folder } = useFolder();

  it.each([
    ["parquet", "rows.parquet", {}],
    ["duckdb", "rows.duckdb", { table: "visits" }],
  ])("is skipped, whoever it names, and no one else: %s", async (_, name, options: SourceOptions) => {
    const long = (bytes: number) => `repeat('é', ${(bytes - 1) / 2}) || 'x'`;
    const rows = [
      ...["('u1', 'tea')", `('u2', ${long(65_535)})`, `('u3', ${long(65_537)})`],
      ...[`(${long(65_537)}, 'tea')`, `(${long(65_535)}, 'tea')`],
    ];
    await runSql(
      `CREATE TABLE visits AS SELECT * FROM (VALUES ${rows.join(", ")}) t("user", item)`,
      name.endsWith("parquet")
        ? `COPY visits TO '${folder}/${name}'`
        : `ATTACH '${folder}/${name}' AS made; CREATE TABLE made.visits AS FROM visits`,
    );
    const { histogram } = await histogramOf(`${folder}/${name}`, options);
    const lengths = Object.entries(histogram).map(([item, users]) => [Buffer.byteLength(item), users]);
    expect(lengths).toEqual([
      [3, 2],
      [65_535, 1],
    ]);
  });
});

describe("the reader's process", () => {
  const { folder, write } = useFolder();
  const database = join(folder, "empty.duckdb");
  const request = { item: "item", user: "user", candidates: EVERYTHING };
  const drain = async (batches: AsyncIterable<unknown>) => {
    for await (const _ of batches);
  };

  beforeAll(async () => {
    // Private folders in a place of their own: every other run on this machine tidies up where all of them are.
    const place = join(folder, "temporary");
    mkdirSync(place);
    vi.stubEnv("TMPDIR", place);
    await runSql(`ATTACH '${database}' AS made; CREATE TABLE made.t (i INTEGER)`);
  });
  afterAll(() => void vi.unstubAllEnvs());

  it("is ended at the time limit", async () => {
    const counting = histogramOf(database, { trustQuery: true, query: ENDLESS, timeLimit: 2000 });
    await expect(counting).rejects.toMatchObject({
      code: "source-limit",
      message: expect.stringContaining("time limit"),
    });
    expect(foldersOf(process.pid)).toEqual([]);
  });

  it("is ended at the time limit when no single request takes that long", async () => {
    const endless = (function* () {
      for (let i = 0; ; i++) yield String(i % 1000);
    })();
    const path = write("rows.csv", "user,item\na,x\n");
    const counting = histogramOf(path, { timeLimit: 2000 }, { kind: "listed", items: endless });
    await expect(counting).rejects.toMatchObject({ code: "source-limit" });
  });

  it("is ended when the run is interrupted, with the run's reason", async () => {
    const source = await openSource(database, { trustQuery: true, query: ENDLESS });
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
    await expect(
      histogramOf(database, { trustQuery: true, query: MANY, memoryLimit: 2 * MEGABYTE }),
    ).rejects.toMatchObject({
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
      const run = spawnRun(database);
      const reader = await readerOf(run);
      const [own] = foldersOf(run.pid);
      expect(existsSync(own)).toBe(true);
      run.kill(signal);
      await until(() => !isRunning(reader) && !existsSync(own));
    },
  );

  it("may be killed: the run is refused and its folder removed", async () => {
    const run = spawnRun(database);
    const reader = await readerOf(run);
    const [own] = foldersOf(run.pid);
    process.kill(reader, "SIGKILL");
    expect(await outputOf(run)).toContain("source-limit");
    expect(existsSync(own)).toBe(false);
  });

  it("removes what a run that was killed together with its reader left behind", async () => {
    const run = spawnRun(database);
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

/** A run that counts for ever in a process of its own, and soon more than fits into its memory. */
function spawnRun(path: string): ChildProcess {
  const options: SourceOptions = {
    trustQuery: true,
    query: `${MANY} UNION ALL ${ENDLESS}`,
    memoryLimit: LITTLE_MEMORY,
  };
  const module = fileURLToPath(new URL("../../dist/sources/open-source.js", import.meta.url));
  const script = `const { openSource } = await import(${JSON.stringify(module)});
    const source = await openSource(${JSON.stringify(path)}, ${JSON.stringify(options)});
    try {
      for await (const batch of source.histogram({ item: "item", user: "user", candidates: { kind: "largest", rows: 1 } }));
    } catch (error) { console.log(error.code); }
    await source.close();`;
  const run = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void run.kill("SIGKILL")); // its reader ends with it
  return run;
}

async function outputOf({ stdout }: ChildProcess): Promise<string> {
  let output = "";
  for await (const chunk of stdout!) output += chunk;
  return output;
}

/** The process that reads for a run, once it has begun to put aside what does not fit. */
async function readerOf(run: ChildProcess): Promise<number> {
  await until(() => foldersOf(run.pid).some((folder) => hasFiles(join(folder, "rows"))));
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === run.pid);
  return Number(children[0]);
}

/** The folder may not be there yet. */
function hasFiles(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
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
