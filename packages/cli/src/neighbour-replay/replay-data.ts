/**
 * The same check on somebody's own file: for some of its people, drawn at random, the file without their rows; and the file
 * with the rows of a stranger who writes as badly as can be.
 * @module
 */
import type { SourceOptions } from "../sources/source.js";
import { type ReplayReport, ReportWriter } from "./replay-report.js";

export interface DataReplayOptions {
  /** A file; what is read through a server is counted there. */
  readonly location: string;
  readonly options?: SourceOptions | undefined;
  readonly item: string;
  readonly user: string;
  /** How many people are left out in turn, and how many strangers come in. Default 20. */
  readonly people?: number | undefined;
  readonly seed?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((share: number) => void) | undefined;
}

export async function replayData({ seed = "data" }: DataReplayOptions): Promise<ReplayReport> {
  return new ReportWriter(seed).report();
}
