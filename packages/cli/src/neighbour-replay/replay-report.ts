/**
 * What a replay found. It holds numbers of pairs and kinds of failures, and nothing that was read: it may be shown.
 * @module
 */

/** What one person's rows must never do. */
export type ReplayFailure =
  /** A count moved by more than one, or one went up and another down. */
  | "count-moved-too-far"
  /** One file of the pair was refused and the other not, or for another reason. */
  | "refused-alone"
  /** Equal counts and equal random bits gave two answers. */
  | "unequal-release"
  /** The answer has another shape or price, or names somebody that only one of the files knows. */
  | "release-not-allowed";

export interface ReplayReport {
  readonly pairs: number;
  /** How many pairs went through each format. */
  readonly formats: Readonly<Record<string, number>>;
  /** By how much one person's rows changed a count, at most. */
  readonly largestChange: number;
  /** Pairs in which the person's rows changed a count: a replay in which none did has shown nothing. */
  readonly pairsWithChange: number;
  /** Pairs in which both files were refused alike. */
  readonly pairsRefused: number;
  readonly releases: number;
  readonly failures: readonly {
    readonly failure: ReplayFailure;
    readonly format: string;
    /** Counted from 0; with the seed it makes the pair again. */
    readonly pair: number;
  }[];
  readonly seed: string;
}

export interface PairResult {
  readonly format: string;
  readonly change: number;
  readonly isRefused: boolean;
  readonly releases: number;
  readonly failures: readonly ReplayFailure[];
}

export function reportOf(results: readonly PairResult[], seed: string): ReplayReport {
  const formats: Record<string, number> = {};
  for (const { format } of results) formats[format] = (formats[format] ?? 0) + 1;
  return {
    pairs: results.length,
    formats,
    largestChange: results.reduce((most, { change }) => Math.max(most, change), 0),
    pairsWithChange: results.filter(({ change }) => change > 0).length,
    pairsRefused: results.filter(({ isRefused }) => isRefused).length,
    releases: results.reduce((sum, { releases }) => sum + releases, 0),
    failures: results.flatMap(({ format, failures }, pair) =>
      failures.map((failure) => ({ failure, format, pair })),
    ),
    seed,
  };
}
