/**
 * Running times by data set and k [Ding23, Table 4]: the published algorithm with and without pruning, the float baseline, and
 * `topKWithGap`, all in this language on this machine with the paper's noise, and the paper's figures beside them.
 * @module
 */

import { floatTopKWithGap } from "winnow-audit";
import { topKWithGap } from "winnow-dp";
import type { Section, Settings } from "../experiment.js";
import { medianTime, milliseconds } from "../stopwatch.js";
import { paperTopKWithGap } from "../study/paper-top-k-with-gap.js";
import { table } from "../table.js";
import { noiseScale, type Published, SIZES, type Transactions, transactions } from "./transactions.js";

type Algorithm = (counts: Float64Array, k: number) => unknown;

interface Contender {
  readonly name: string;
  readonly run: Algorithm;
  /** The share of the trials asked for: the published algorithm in big integers is slow. */
  readonly share: number;
  readonly published?: (times: Published) => readonly number[];
}

const RESOLUTION = "0.1";

const CONTENDERS: readonly Contender[] = [
  {
    name: "as published, no pruning",
    run: (counts, k) =>
      paperTopKWithGap([...counts], { k, scale: noiseScale(k), resolution: RESOLUTION, prune: false }),
    share: 0.1,
    published: ({ secure }) => secure,
  },
  {
    name: "as published, pruned",
    run: (counts, k) => paperTopKWithGap([...counts], { k, scale: noiseScale(k), resolution: RESOLUTION }),
    share: 0.1,
    published: ({ pruned }) => pruned,
  },
  {
    name: "float baseline (unsafe)",
    run: (counts, k) => floatTopKWithGap(counts, { k, scale: noiseScale(k) }),
    share: 0.3,
    published: ({ baseline }) => baseline,
  },
  {
    name: "topKWithGap",
    run: (counts, k) => topKWithGap(counts, { k, epsilon: 1, resolution: RESOLUTION }),
    share: 1,
  },
  {
    name: "topKWithGap, told that counts are monotone (noise k/ε)",
    run: (counts, k) => topKWithGap(counts, { k, epsilon: 1, resolution: RESOLUTION, monotone: true }),
    share: 1,
  },
];

export function runningTime({ trials, data }: Settings): Section {
  const rows = transactions(data).flatMap((set) =>
    CONTENDERS.flatMap((contender) => rowsOf(set, contender, trials)),
  );
  return {
    title: "[Ding23, Table 4] Running times of top k with gaps, in milliseconds",
    notes:
      "ε = 1, so noise of scale 2k as in the paper; resolution 0.1, M = 10; medians here, means of 1000 runs in the paper (Python on an i9-10900X) [Ding23, Table 4]. The published algorithm [Ding23, Algorithm 4] runs in big integers, one bit at a time, as its oracle does in the tests.",
    table: table(["data", "algorithm", ...SIZES.map((k) => `k = ${k}`)], rows),
  };
}

function rowsOf({ name, counts, published }: Transactions, contender: Contender, trials: number): string[][] {
  console.error(`${name}: ${contender.name}`);
  const runs = Math.max(1, Math.round(trials * contender.share));
  const times = SIZES.map((k) =>
    k < counts.length ? milliseconds(medianTime(runs, () => contender.run(counts, k))) : "–",
  );
  const ours = [name, contender.name, ...times];
  const theirs = published === undefined ? undefined : contender.published?.(published);
  return theirs === undefined
    ? [ours]
    : [ours, [name, `${contender.name}: the paper's`, ...theirs.map(String)]];
}
