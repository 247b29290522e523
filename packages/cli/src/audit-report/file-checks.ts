/**
 * The part of the audit that compares files that differ in one person's rows: generated files, or the curator's own.
 * Reading is part of the mechanism, so one person's rows must not change how another person's rows are read. The
 * engine is loaded only when needed.
 * @module
 */
import type { ReplayReport } from "../neighbour-replay/compare-pair.js";
import type { DataReplayOptions } from "../neighbour-replay/replay-data.js";
import type { FilesEntry } from "./audit-report.js";

export interface FilesSubject {
  readonly name: string;
  readonly replay: (pairs: number, watch: Watch) => Promise<ReplayReport>;
}

/** Progress, and whether to continue. */
type Watch = Pick<DataReplayOptions, "onProgress" | "signal">;

/** CSV, TSV, NDJSON and Parquet, with hostile rows. */
export const generatedFiles: FilesSubject = {
  name: "generated CSV, TSV, NDJSON and Parquet files, with hostile rows",
  replay: async (pairs, watch) => {
    const { replayNeighbours } = await import("../neighbour-replay/replay-neighbours.js");
    return replayNeighbours({ pairs, ...watch });
  },
};

/** The curator's own file, leaving out some of its people in turn. */
export function ownFile(options: DataReplayOptions): FilesSubject {
  return {
    name: options.location,
    replay: async (_, watch) => {
      const { replayData } = await import("../neighbour-replay/replay-data.js");
      return replayData({ ...options, ...watch });
    },
  };
}

/** One person may change a count by one. */
const MOST_CHANGE = 1;

interface FilesSetting {
  /** The number of pairs of generated files. */
  readonly pairs: number;
  readonly pause: (share: number) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

export async function auditFiles(
  { name, replay }: FilesSubject,
  { pairs, pause, signal }: FilesSetting,
): Promise<FilesEntry> {
  // The signal itself ends the replay; this only reports progress.
  const report = await replay(pairs, { signal, onProgress: (share) => void pause(share).catch(() => {}) });
  const { pairsWithChange, largestChange, releases } = report;
  const failures = [...new Set(report.failures.map(({ failure }) => failure))];
  const isWell = failures.length === 0 && largestChange <= MOST_CHANGE;
  // A replay in which no one's rows changed a count shows nothing.
  return {
    name,
    pairs: report.pairs,
    pairsWithChange,
    largestChange,
    releases,
    failures,
    holds: isWell && pairsWithChange > 0,
  };
}
