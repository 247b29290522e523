/**
 * What a stopwatch sees of the published samplers: rejected draws by the minimum of retries [Ilv20, Figure 9], and how many bits are looked at
 * before one outcome is left [Ilv20, Algorithms 2 and 4].
 * @module
 */
import { fixedPrecisionBase2 } from "winnow-audit";
import { base2Exponential, type Entropy } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { barChart } from "../bar-chart.js";
import { fromZero } from "../chart-frame.js";
import type { Section, Settings } from "../experiment.js";
import { lineChart } from "../line-chart.js";
import { spreadOf } from "../statistics.js";
import { median } from "../stopwatch.js";
import { eliminateByBits, sampleBitByBit } from "../study/bitwise-sampling.js";
import { table } from "../table.js";
import { ETA } from "./mechanisms.js";

/** As in the paper: 256 outcomes whose weights add up to 128, or to half a unit more if one of them is better. */
const OUTCOMES = 256;
const PRECISION = 32;
const RETRIES = [1, 2, 3, 4, 6, 8, 10];

const even = Array.from({ length: OUTCOMES }, () => 1);
const uneven = even.map((utility, i) => (i === 0 ? 0 : utility));

interface Seen {
  readonly bits: number;
  readonly time: number;
}

/** Mean bits and median milliseconds of `runs` runs. */
function watch(runs: number, seed: string, draw: (entropy: Entropy) => unknown): Seen {
  const entropy = seededEntropy(seed);
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    draw(entropy);
    return performance.now() - start;
  });
  return { bits: entropy.bitsUsed / runs, time: median(times) };
}

export function retrySweep({ trials }: Settings): Section {
  console.error("retries");
  const runs = Math.max(20, 4 * trials);
  const ours = {
    eta: ETA,
    lower: 0,
    upper: 1,
    maxCandidates: OUTCOMES,
    mode: "constant-work",
  } as const;
  const rows = RETRIES.map((minRetries) => {
    const published = [even, uneven].map((utilities) =>
      watch(runs, `retries ${minRetries}`, (entropy) =>
        fixedPrecisionBase2(utilities, { eta: ETA, precision: PRECISION, minRetries, entropy }),
      ),
    );
    const constant = [even, uneven].map((utilities) =>
      watch(Math.min(runs, 50), `constant ${minRetries}`, (entropy) =>
        base2Exponential(utilities, (utility) => utility, { ...ours, minRetries, entropy }),
      ),
    );
    return { minRetries, published, constant };
  });
  const ratio = ([first, second]: readonly Seen[], of: "bits" | "time") => second[of] / first[of];
  const kinds = ["published", "constant"] as const;
  return {
    title: "[Ilv20, Figure 9] Rejected draws by the minimum of retries",
    notes: `${OUTCOMES} outcomes of utility 1, whose weights add up to 128, and the same with one of utility 0, 128.5: then nearly every second draw is rejected [Ilv20, Figure 9]. How many times as many random bits and as much time the second takes; the paper finds 1.5 times the time without a minimum, and that the two come together as the minimum grows. Random bits are what a stopwatch would see if nothing else took time. Beside the published sampler, base2Exponential in constant work. ${runs} runs each.`,
    table: table(
      ["minimum", "published: bits", "published: time", "constant work: bits", "constant work: time"],
      rows.map(({ minRetries, ...row }) => [
        String(minRetries),
        ...kinds.flatMap((kind) => [
          ratio(row[kind], "bits").toFixed(3),
          ratio(row[kind], "time").toFixed(2),
        ]),
      ]),
    ),
    chart: {
      name: "retries",
      svg: lineChart(
        {
          title: "[Ilv20, Figure 9] Random bits with one better outcome, relative to none",
          x: "minimum of retries",
          y: "ratio",
        },
        RETRIES.map(String),
        [
          {
            name: "published sampler",
            points: rows.map(({ published }) => ({ mean: ratio(published, "bits"), deviation: 0 })),
          },
          {
            name: "constant work",
            points: rows.map(({ constant }) => ({ mean: ratio(constant, "bits"), deviation: 0 })),
          },
        ],
        fromZero(rows.flatMap(({ published }) => ratio(published, "bits"))),
      ),
    },
  };
}

/** Weights 2^(2 − utility) of eight outcomes, without Alice and with her. */
const NEIGHBOURS: Readonly<Record<string, readonly number[]>> = {
  "all utilities 1": [2, 2, 2, 2, 2, 2, 2, 2],
  "one utility 0": [4, 2, 2, 2, 2, 2, 2, 2],
};

export function bitsLookedAt({ trials }: Settings): Section {
  const total = (weights: readonly number[]) => weights.reduce((sum, weight) => sum + weight, 0);
  const profiles = Object.entries(NEIGHBOURS).map(([name, weights]) => {
    const bits = Array.from({ length: total(weights) }, (_, sample) => eliminateByBits(weights, sample).bits);
    const entropy = seededEntropy(`bit by bit ${name}`);
    const { mean } = spreadOf(20 * trials, () => sampleBitByBit(weights, entropy).bits);
    const shares = [1, 2, 3, 4, 5].map((count) => bits.filter((one) => one === count).length / bits.length);
    return { name, shares, eliminated: total(bits) / bits.length, mean };
  });
  return {
    title: "[Ilv20, Lemma 3.7] Bits looked at before one outcome is left",
    notes:
      "Eight outcomes, each unit of utility halving the weight. How often the sampler without division [Ilv20, Algorithm 2] looks at 1, 2, … bits of a number that was drawn before, over all such numbers; its mean; and the mean number of bits that the one bit by bit [Ilv20, Algorithm 4] draws. They differ between neighbours, so neither may be timed; base2Exponential in constant work scans everything instead.",
    table: table(
      ["utilities", "1 bit", "2", "3", "4", "5", "mean, Algorithm 2", "mean, Algorithm 4"],
      profiles.map(({ name, shares, eliminated, mean }) => [
        name,
        ...shares.map((share) => share.toFixed(3)),
        eliminated.toFixed(3),
        mean.toFixed(2),
      ]),
    ),
    chart: {
      name: "bits-looked-at",
      svg: barChart(
        { title: "[Ilv20, Lemma 3.7] Bits that Algorithm 2 looks at", x: "bits", y: "share of all draws" },
        ["1", "2", "3", "4", "5"],
        profiles.map(({ name, shares }) => ({ name, values: shares })),
      ),
    },
  };
}
