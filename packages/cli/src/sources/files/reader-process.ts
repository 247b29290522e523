/**
 * The reader's own process. It answers requests one after the other, and only counts, columns and refusals leave
 * it: its standard output and error are closed, and an engine's message never gets further than this process. When its
 * run is gone, it removes its folder and ends.
 * @module
 */

import { createReadStream } from "node:fs";
import { Refusal } from "winnow-release";
import type { Batch } from "../source.js";
import { startEngine } from "./engine.js";
import type { Progress, Reply, Request } from "./file-source.js";
import { matchingFiles } from "./find-files.js";
import { removePrivateFolder } from "./private-folder.js";
import { AsyncQueue, type Counted, Reader } from "./reader.js";

const PROGRESS_EVERY_MILLISECONDS = 200;
const ROWS_IN_A_BATCH = 16_384;
/** The memory that the process may use beyond the limit of the engine: JavaScript, buffers and code. */
const MEMORY_BESIDE_ENGINE = 768 * 2 ** 20;

/** Started while the run finds out what to read. */
const started = startEngine();
let reader: Reader | undefined;
let folder: string | undefined;
let batches: AsyncIterator<Batch> | undefined;
let list: { queue: AsyncQueue<string>; loaded: Promise<void> } | undefined;

process.on("message", async (request: Request) => send(await answer(request)));
process.on("disconnect", () => {
  if (folder !== undefined) removePrivateFolder(folder);
  process.kill(process.pid, "SIGKILL"); // an orderly end would wait for the writer of a pipe
});

async function answer(request: Request): Promise<Reply> {
  try {
    return await replyTo(request);
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", code: error.code, sentence: error.message };
    return { kind: "refused", code: "unreadable-source", sentence: "The source couldn't be read." };
  }
}

async function replyTo(request: Request): Promise<Reply> {
  if (request.kind === "open") return open(request);
  if (request.kind === "find") return { kind: "found", files: await find(request.pattern) };
  if (reader === undefined) throw new Refusal("unreadable-source", "The source is not open.");
  switch (request.kind) {
    case "count":
      return { kind: "counted", ...(await count(reader, request)) };
    case "list":
      await takeList(reader, request.items);
      return { kind: "listed" };
    case "read":
      batches = reader.counts(request.candidates, request.isInGroups);
      early = undefined;
      return { kind: "batch", batch: await nextBatch(batches) };
    case "next":
      return {
        kind: "batch",
        batch: batches === undefined ? { items: [], users: [] } : await nextBatch(batches),
      };
    case "compare users":
      return { kind: "compared users", similar: await reader.similarUsers(request.roles) };
  }
}

async function find(pattern: string): Promise<readonly string[]> {
  const connection = await (await started).connect();
  return matchingFiles(connection, pattern);
}

async function open(request: Request & { kind: "open" }): Promise<Reply> {
  const { location, options } = request;
  folder = request.folder;
  if (options.memoryLimit !== undefined) watchMemory(options.memoryLimit + MEMORY_BESIDE_ENGINE);
  const input = {
    "standard input": () => process.stdin,
    pipe: () => createReadStream(location),
    files: () => undefined,
  }[request.input]();
  reader = await Reader.open({ location, folder, input }, options, started);
  return { kind: "opened", columns: reader.relation.columns, dialect: reader.relation.dialect };
}

async function count(reader: Reader, { counting }: Request & { kind: "count" }): Promise<Counted> {
  const timer = setInterval(
    () => send({ kind: "progress", share: reader.progress() }),
    PROGRESS_EVERY_MILLISECONDS,
  );
  try {
    return await reader.count(counting);
  } finally {
    clearInterval(timer);
  }
}

/** The engine reads the list as it arrives; the reply to the last part waits until everything is loaded. */
async function takeList(reader: Reader, items: readonly string[]): Promise<void> {
  if (list === undefined) {
    const queue = new AsyncQueue<string>();
    const loaded = reader.load(queue);
    loaded.catch(() => {}); // reported to the caller that waits for it
    list = { queue, loaded };
  }
  // The part was taken, or the load has failed and reports why.
  if (items.length > 0) return Promise.race([list.queue.push(items), list.loaded]);
  list.queue.end();
  await list.loaded;
  list = undefined;
}

/** The start of the next group. */
let early: Batch | undefined;

async function nextBatch(batches: AsyncIterator<Batch>): Promise<Batch> {
  const items: string[] = [];
  const users: number[] = [];
  let group: string | undefined;
  while (items.length < ROWS_IN_A_BATCH) {
    const batch = early ?? (await nextOf(batches));
    early = undefined;
    if (batch === undefined) break;
    if (items.length > 0 && batch.group !== group) {
      early = batch;
      break;
    }
    group = batch.group;
    for (const [i, item] of batch.items.entries()) {
      items.push(item);
      users.push(batch.users[i]);
    }
  }
  return { group, items, users };
}

async function nextOf(batches: AsyncIterator<Batch>): Promise<Batch | undefined> {
  const { value, done } = await batches.next();
  return done ? undefined : value;
}

function watchMemory(most: number): void {
  setInterval(() => {
    if (process.memoryUsage.rss() <= most) return;
    send({
      kind: "refused",
      code: "source-limit",
      sentence: "Reading needs more memory than the limit allows.",
    });
    process.disconnect();
  }, PROGRESS_EVERY_MILLISECONDS).unref();
}

function send(message: Reply | Progress): void {
  if (process.connected) process.send?.(message);
}
