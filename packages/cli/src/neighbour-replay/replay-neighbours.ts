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
import { type PairResult, type ReplayReport, ReportWriter } from "./replay-report.js";

export type ReplayFormat = LineFormat | "parquet";

const FORMATS: readonly ReplayFormat[] = ["csv", "tsv", "ndjson", "parquet"];

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
  const writer = new ReportWriter(seed);
  const folder = makePrivateFolder();
  const counter = await FileCounter.open(folder);
  try {
    const questions = await questionsOver(CANDIDATES);
    for (let pair = 0; pair < pairs; pair++) {
      signal?.throwIfAborted();
      writer.add(await replayPair(counter, formats[pair % formats.length], questions, `${seed} ${pair}`));
      onProgress?.((pair + 1) / pairs);
    }
    return writer.report();
  } finally {
    counter.close();
    removePrivateFolder(folder);
  }
}

/** A top three with gaps over a public list, and one over whatever the file mentions. */
export async function questionsOver(candidates: readonly string[]): Promise<Questions> {
  const shared = { k: Math.min(3, candidates.length), epsilon: 1, unit: "one value of the column user" };
  return {
    candidates,
    listed: readQuestion({ ...shared, domain: await listedDomain(candidates) }),
    unknown: readQuestion({ ...shared, domain: { kind: "unknown" }, delta: "1e-6" }),
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
