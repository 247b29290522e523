/**
 * Where the published algorithm spends its time [Ding23, Table 5]: the possible top k, the ties, the gaps.
 * @module
 */

import { systemEntropy } from "winnow-dp";
import type { Section, Settings } from "../experiment.js";
import { spreadOf } from "../statistics.js";
import { milliseconds } from "../stopwatch.js";
import { paperTopKWithGap } from "../study/paper-top-k-with-gap.js";
import { table } from "../table.js";
import { noiseScale, SIZES, type Transactions, transactions } from "./transactions.js";
import { WatchedReference } from "./watched-reference.js";

const PHASES = ["possible top k", "resolve ties", "find gaps"];

export function phases({ trials, data }: Settings): Section {
  const runs = Math.max(1, Math.round(trials / 10));
  const rows = transactions(data).flatMap((set) => rowsOf(set, runs));
  return {
    title: "[Ding23, Table 5] The published algorithm by its parts, in milliseconds",
    notes: `With pruning and noise of scale 2k; means of ${runs} runs here and of 100 in the paper [Ding23, Table 5].`,
    table: table(["data", "part", ...SIZES.map((k) => `k = ${k}`)], rows),
  };
}

function rowsOf({ name, counts, published }: Transactions, runs: number): string[][] {
  console.error(`${name}: parts of the published algorithm`);
  const scores = [...counts];
  const times = SIZES.map((k) => (k < scores.length ? phaseTimes(scores, k, runs) : undefined));
  return PHASES.flatMap((phase, part) => {
    const ours = [name, phase, ...times.map((time) => (time === undefined ? "–" : milliseconds(time[part])))];
    if (published === undefined) return [ours];
    return [ours, [name, `${phase}: the paper's`, ...published.phases[part].map(String)]];
  });
}

function phaseTimes(scores: readonly number[], k: number, runs: number): number[] {
  const measured = Array.from({ length: runs }, () => {
    const reference = new WatchedReference(systemEntropy());
    paperTopKWithGap(scores, { k, scale: noiseScale(k), resolution: "0.1" }, reference);
    return reference.phases();
  });
  return PHASES.map((_, part) => spreadOf(runs, (run) => measured[run][part]).mean);
}
