/** Pairs of files that differ in one person's rows, from the file to the release. */

export type { ReplayFailure, ReplayReport } from "./compare-pair.js";
export { type DataReplayOptions, replayData } from "./replay-data.js";
export { type NeighbourReplayOptions, replayNeighbours } from "./replay-neighbours.js";
