/**
 * Generated pairs of files that differ in one person's rows, each through one format to its counts and on to its releases.
 * @module
 */
import { seededEntropy } from "winnow-dp/testing";
import { listedDomain, readQuestion } from "winnow-release";
import { makePrivateFolder, removePrivateFolder } from "../sources/duckdb/private-folder.js";
import { comparePair, type Questions } from "./compare-pair.js";
import { FileCounter } from "./count-file.js";
import { CANDIDATES, generateFiles, generateRows } from "./file-pair.js";
import type { LineFormat } from "./line-writer.js";
import { type PairResult, type ReplayReport, reportOf } from "./replay-report.js";

export type ReplayFormat = LineFormat | "parquet";

const FORMATS: readonly ReplayFormat[] = ["csv", "tsv", "ndjson", "parquet"];

/** Engines side by side: one waits for its engine while the other computes here. */
const LANES = 2;

export interface NeighbourReplayOptions {
  readonly pairs: number;
  /** Taken in turn. Default: all four. */
  readonly formats?: readonly ReplayFormat[] | undefined;
  /** The same seed makes the same pairs. */
  readonly seed?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The share done. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

export async function replayNeighbours({
  pairs,
  formats = FORMATS,
  seed = "neighbours",
  signal,
  onProgress,
}: NeighbourReplayOptions): Promise<ReplayReport> {
  const questions = await questionsOver(CANDIDATES);
  const results = new Array<PairResult>(pairs);
  let started = 0;
  let done = 0;
  const replayInTurn = async (counter: FileCounter) => {
    for (let pair = started++; pair < pairs; pair = started++) {
      signal?.throwIfAborted();
      results[pair] = await replayPair(counter, formats[pair % formats.length], questions, `${seed} ${pair}`);
      onProgress?.(++done / pairs);
    }
  };
  await Promise.all(Array.from({ length: LANES }, () => withCounter(replayInTurn)));
  return reportOf(results, seed);
}

async function withCounter(work: (counter: FileCounter) => Promise<void>): Promise<void> {
  const folder = makePrivateFolder();
  const counter = await FileCounter.open(folder);
  try {
    await work(counter);
  } finally {
    counter.close();
    removePrivateFolder(folder);
  }
}

/** A top three with gaps over a public list, and one over whatever the file mentions. */
export async function questionsOver(candidates: readonly string[]): Promise<Questions> {
  const shared = { k: Math.min(3, candidates.length), unit: "one value of the column user" };
  return {
    candidates,
    listed: readQuestion({ ...shared, domain: await listedDomain(candidates), epsilon: 1 }),
    unknown: readQuestion({ ...shared, domain: { kind: "unknown" }, rho: "1/2", delta: "1e-6" }),
  };
}

async function replayPair(
  counter: FileCounter,
  format: ReplayFormat,
  questions: Questions,
  seed: string,
): Promise<PairResult> {
  const entropy = seededEntropy(seed);
  const rows = generateRows(entropy);
  if (format === "parquet") {
    const [less, more] = [
      await counter.countRows(rows.others),
      await counter.countRows([...rows.person, ...rows.others]),
    ];
    return comparePair(format, less, more, questions, seed);
  }
  const files = generateFiles(rows, format, entropy);
  const [less, more] = [
    await counter.countBytes(format, files.without),
    await counter.countBytes(format, files.with),
  ];
  return comparePair(format, less, more, questions, seed);
}
