/**
 * The replays of the audit: the same rows without each person in turn, over several runs, and the findings of all of
 * them. In Winnow's own paths from rows to a release, a replay must find nothing. In mechanisms with a planted fault,
 * it must find the fault. Each fault is one that real programs had.
 *
 * The same for files that differ in one person's rows: generated files, or the curator's own. Reading is part of the
 * mechanism, so one person's rows must not change how another person's rows are read. The engine is loaded only when
 * needed.
 * @module
 */
import {
  countListed,
  countUsers,
  type RecordedMechanism,
  type Row,
  recordedWays,
  replay,
  type Violation,
  withoutEachUser,
} from "winnow-audit";
import { type Entropy, makeNoisyTopK, type Recorder, systemEntropy } from "winnow-dp";
import type { ReplayReport } from "../neighbour-replay/compare-pair.js";
import type { DataReplayOptions } from "../neighbour-replay/replay-data.js";
import type { FilesEntry, ReplayEntry } from "./audit-report.js";

interface ReplaySetting {
  readonly rows: readonly Row[];
  /** The number of runs, each with fresh bits. */
  readonly runs: number;
  readonly entropy?: Entropy | undefined;
}

export function auditReplay(subject: ReplaySubject, setting: ReplaySetting): ReplayEntry {
  const { name, expected, mechanism } = subject;
  const { rows, runs, entropy = systemEntropy() } = setting;
  const replays = Array.from({ length: runs }, () =>
    replay(mechanism, { input: rows, neighbours: withoutEachUser(rows), entropy }),
  );
  const violations = replays.flatMap((one) => one.violations);
  return {
    name,
    expected,
    steps: replays[0].steps,
    runs,
    neighbours: replays[0].neighbours,
    violations: [...new Set(violations.map(inWords))],
    holds: expected === "none" ? violations.length === 0 : violations.some(({ kind }) => kind === expected),
  };
}

function inWords({ step, message }: Violation): string {
  return step === "release" ? `the release ${message}` : `"${step}" ${message}`;
}

export interface ReplaySubject {
  readonly name: string;
  /** The kind of violation that must be found, or none. */
  readonly expected: Violation["kind"] | "none";
  readonly mechanism: RecordedMechanism<readonly Row[]>;
}

const PEOPLE = 60;
const PLACES = ["airport", "beach", "castle", "docks", "exchange", "forum", "garden", "harbour"];

/** Generated rows: some people appear twice, and the harbour has a single visitor. */
export function replayRows(): readonly Row[] {
  const rows: Row[] = [{ user: "p7", item: "harbour" }];
  for (let person = 0; person < PEOPLE; person++) {
    for (const [place, item] of PLACES.slice(0, -1).entries())
      if ((person * 7 + place * place) % (place + 2) === 0) rows.push({ user: `p${person}`, item });
    if (person % 5 === 0)
      rows.push({ user: `p${person}`, item: "airport" }, { user: `p${person}`, item: "airport" });
  }
  return rows;
}

/** One winner, by exponential noise on these counts. */
function noisyMax(counts: readonly number[], scale: number, recorder: Recorder): number {
  const step = { name: "noisy max", parameters: { scale }, input: counts, sensitivity: 1, monotone: true };
  const measurement = makeNoisyTopK({ k: 1, measure: "pure", scale, monotone: true });
  return recorder.step(step, (entropy) => measurement.invoke(counts, entropy).winners[0].candidate);
}

const FAULTS: readonly ReplaySubject[] = [
  {
    name: "the scale of the noise is a tenth of the number of rows",
    expected: "parameters",
    mechanism: (rows, recorder) => noisyMax(countListed(rows, PLACES), rows.length / 10, recorder),
  },
  {
    name: "a person counts once per row",
    expected: "sensitivity",
    mechanism: (rows, recorder) => {
      const visits = PLACES.map((place) => rows.filter(({ item }) => item === place).length);
      return noisyMax(visits, 1, recorder);
    },
  },
  {
    name: "the candidates are the places that have rows",
    expected: "sensitivity",
    mechanism: (rows, recorder) => noisyMax([...countUsers(rows).values()], 1, recorder),
  },
  {
    name: "the winner's count is released beside the winner",
    expected: "release",
    mechanism: (rows, recorder) => {
      const counts = countListed(rows, PLACES);
      const winner = noisyMax(counts, 1, recorder);
      return { winner, count: counts[winner] };
    },
  },
  {
    name: "a query that fails on one row is answered as for no rows",
    expected: "sensitivity",
    mechanism: (rows, recorder) => {
      const hasFailed = rows.some(({ item }) => item === "harbour");
      return noisyMax(countListed(hasFailed ? [] : rows, PLACES), 1, recorder);
    },
  },
  {
    name: "a second try for some data only",
    expected: "steps",
    mechanism: (rows, recorder) => {
      const counts = countListed(rows, PLACES);
      const isEven = counts.reduce((sum, count) => sum + count, 0) % 2 === 0;
      const first = noisyMax(counts, 1, recorder);
      return isEven ? noisyMax(counts, 1, recorder) : first;
    },
  },
];

/** Ours first. */
export function replaySubjects(): readonly ReplaySubject[] {
  const ours = recordedWays(PLACES).map((way) => ({ ...way, expected: "none" as const }));
  return [...ours, ...FAULTS];
}

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
