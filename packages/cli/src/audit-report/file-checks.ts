/**
 * Files that differ in one person's rows as a part of the audit, generated ones or the curator's own. Reading is
 * part of the mechanism: what one person writes must not change how another person's rows are read. The engine is
 * loaded only when needed.
 * @module
 */
import type { ReplayReport } from "../neighbour-replay/compare-pair.js";
import type { DataReplayOptions } from "../neighbour-replay/replay-data.js";
import type { FilesEntry } from "./audit-report.js";

export interface FilesSubject {
  readonly name: string;
  readonly replay: (pairs: number, watch: Watch) => Promise<ReplayReport>;
}

/** How far it is, and whether to go on. */
type Watch = Pick<DataReplayOptions, "onProgress" | "signal">;

/** CSV, TSV, NDJSON and Parquet, with hostile rows. */
export const generatedFiles: FilesSubject = {
  name: "generated CSV, TSV, NDJSON and Parquet files, hostile rows among them",
  replay: async (pairs, watch) => {
    const { replayNeighbours } = await import("../neighbour-replay/replay-neighbours.js");
    return replayNeighbours({ pairs, ...watch });
  },
};

/** Somebody's own file, without some of its people in turn. */
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
  /** How many pairs of generated files. */
  readonly pairs: number;
  readonly pause: (share: number) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

export async function auditFiles(
  { name, replay }: FilesSubject,
  { pairs, pause, signal }: FilesSetting,
): Promise<FilesEntry> {
  // The replay ends by the signal itself; here it is only told how far it is.
  const report = await replay(pairs, { signal, onProgress: (share) => void pause(share).catch(() => {}) });
  const { pairsWithChange, largestChange, releases } = report;
  const failures = [...new Set(report.failures.map(({ failure }) => failure))];
  const isWell = failures.length === 0 && largestChange <= MOST_CHANGE;
  // A replay in which nobody's rows changed a count has shown nothing.
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
