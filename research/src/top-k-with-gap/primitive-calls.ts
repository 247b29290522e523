/**
 * How often each primitive is called in one run on Kosarak's number of items at k = 800 [Ding23, Table 6], and how many
 * random bits `topKWithGap` takes for the same answer.
 * @module
 */

import { topKWithGap } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import type { Section, Settings } from "../experiment.js";
import { paperTopKWithGap } from "../study/paper-top-k-with-gap.js";
import { table } from "../table.js";
import { noiseScale, transactions } from "./transactions.js";
import { WatchedReference } from "./watched-reference.js";

const K = 800;
/** Calls, and seconds in a profiler. */
const PUBLISHED = {
  whole: [1, 1.208],
  geometric: [42_874, 1.011],
  bernoulli: [303_216, 0.735],
  uniformBelow: [369_613, 0.779],
  sorts: [3, 0.002],
} as const;

export function primitiveCalls({ data }: Settings): Section {
  const { name, counts } = transactions(data).find(({ counts }) => counts.length === 41_270)!;
  const scale = noiseScale(K);
  const bits = seededEntropy("calls of the published algorithm");
  const reference = new WatchedReference(bits, { timed: true });
  const start = performance.now();
  paperTopKWithGap([...counts], { k: K, scale, resolution: "0.1" }, reference);
  const whole = performance.now() - start;
  const ours = seededEntropy("words of topKWithGap");
  topKWithGap(counts, { k: K, scale, resolution: "0.1", entropy: ours });
  const { calls, times } = reference;
  const row = (
    title: string,
    here: number,
    time: number | undefined,
    [theirs, seconds]: readonly (number | undefined)[] = [],
  ) => [
    title,
    grouped(here),
    inSeconds(time),
    theirs === undefined ? "" : grouped(theirs),
    inSeconds(seconds, 1),
  ];
  return {
    title: "[Ding23, Table 6] Calls of each primitive in one run",
    notes: `${name}, k = ${K}, noise of scale 2k [Ding23, Table 6]. Seconds are with everything that a primitive calls, under a stopwatch here and a profiler in the paper, and both slow it down. A digit to break a tie is drawn here as such, with fewer calls than the geometric variate of the paper; a coin of probability p/q takes no uniform integer here.`,
    table: table(
      ["primitive", "calls here", "seconds here", "calls, the paper's", "seconds, the paper's"],
      [
        row("the whole algorithm", 1, whole, PUBLISHED.whole),
        row("geometric", calls.geometric, times.geometric, PUBLISHED.geometric),
        row("Bernoulli", calls.bernoulli, times.bernoulli, PUBLISHED.bernoulli),
        row("uniform below n", calls.uniformBelow, times.uniformBelow, PUBLISHED.uniformBelow),
        row("sorts", 1 + reference.refinements, undefined, PUBLISHED.sorts),
        row("random bits", bits.bitsUsed, undefined),
        row("random bits of topKWithGap", ours.bitsUsed, undefined),
      ],
    ),
  };
}

function inSeconds(time: number | undefined, perSecond = 1000): string {
  return time === undefined ? "" : (time / perSecond).toFixed(3);
}

function grouped(count: number): string {
  return count.toLocaleString("en");
}
