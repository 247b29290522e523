/**
 * What streams cost: a file of candidates in constant memory, and by the number of winners the time of a push, the size of
 * what a shard sends and the time to merge it.
 * @module
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serialize } from "node:v8";
import { TopKStream, type TopKStreamOptions } from "winnow-dp";

const STREAM_FILE = fileURLToPath(new URL("stream-file.js", import.meta.url));
const LINES_AT_ONCE = 100_000;
const PUSHED = 5_000_000;

export interface FileRun {
  readonly candidates: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

/** Scores with Zipf's law, from a file. */
export async function measureFile(candidates: number, k: number): Promise<FileRun> {
  const file = join(tmpdir(), `winnow-scale-scores-${process.pid}.txt`);
  try {
    const output = createWriteStream(file);
    for (let first = 0; first < candidates; first += LINES_AT_ONCE) {
      const lines = Array.from({ length: LINES_AT_ONCE }, (_, i) => scoreOf(first + i, candidates));
      if (!output.write(`${lines.join("\n")}\n`)) await once(output, "drain");
    }
    await new Promise<void>((resolve) => output.end(resolve));
    const { stdout } = await promisify(execFile)(process.execPath, [STREAM_FILE, file, String(k)]);
    return JSON.parse(stdout);
  } finally {
    await rm(file, { force: true });
  }
}

/** 10⁸ over a rank, the ranks in an order that is neither up nor down. */
function scoreOf(candidate: number, candidates: number): number {
  const rank = ((candidate * 48_271) % candidates) + 1;
  return Math.floor(1e8 / rank);
}

export interface StreamRun {
  readonly k: number;
  readonly nanosecondsAPush: number;
  readonly stateBytes: number;
  readonly millisecondsAMerge: number;
}

/** One shard of five million candidates, sent and merged into another of as many. */
export function measureStream(k: number): StreamRun {
  const options: TopKStreamOptions = { k, epsilon: 1, resolution: 1, monotone: true };
  const start = performance.now();
  const [one, other] = [0, PUSHED].map((first) => {
    const stream = new TopKStream(options);
    for (let i = 0; i < PUSHED; i++) stream.push(first + i, scoreOf(first + i, 2 * PUSHED));
    return stream;
  });
  const pushed = performance.now();
  const state = other.detach();
  const stateBytes = serialize(state).byteLength;
  const sent = performance.now();
  one.attach(structuredClone(state));
  const merged = performance.now();
  one.finish();
  return {
    k,
    nanosecondsAPush: ((pushed - start) * 1e6) / (2 * PUSHED),
    stateBytes,
    millisecondsAMerge: merged - sent,
  };
}
