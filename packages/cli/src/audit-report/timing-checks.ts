/**
 * Timing as a part of the audit: constant-work modes must look the same in two neighbouring worlds, and a control
 * that leaks must be flagged; otherwise the stopwatch is too coarse to prove anything. The fast mode is timed
 * too, but promises nothing. The utilities are those of the published exploit: 256 outcomes of utility 1 have a
 * total weight of 128, and one of utility 0 among them makes it 128.5, so every second draw is rejected.
 *
 * Runs are timed one at a time with the worlds in random order, so other work on the machine affects both.
 * The times are compared by Welch's t: how many standard errors two means are apart, for samples of unequal
 * spread. As is usual for timing leaks, the slowest few of all measurements are left out, whichever world they are
 * from, because interruptions by the system would hide a difference of nanoseconds.
 * @module
 */

import { fixedPrecisionBase2 } from "winnow-audit";
import { base2Exponential, type Entropy, eta, systemEntropy } from "winnow-dp";
import type { TimingEntry } from "./audit-report.js";

export interface TimedSubject {
  readonly name: string;
  /** Whether a difference must not be seen, must be seen, or may be seen. */
  readonly expected: "same" | "different" | "not promised";
  /** The statements of the papers that it is about. */
  readonly source?: string;
  readonly prepare: () => TimedRun;
}

const HALF = eta(1, 1, 1);

/**
 * Utilities without the person and with them, stored in the same way: an engine reads a list of small integers faster than a
 * list of fractions, and that time belongs to the caller's list, not to the mechanism.
 */
type Worlds = readonly [Float64Array, Float64Array];

/** All equal, or one outcome better than the others. */
function rejectionWorlds(outcomes: number): Worlds {
  const alike = Float64Array.from({ length: outcomes }, () => 1);
  return [alike, alike.map((utility, index) => (index === 0 ? 0 : utility))];
}

/** Weight on few levels, or spread over all. */
function concentrationWorlds(outcomes: number, levels: number): Worlds {
  const spread = Float64Array.from({ length: outcomes }, (_, index) => index % levels);
  return [spread.map(() => 0), spread];
}

/** Integers, or fractions that must be rounded. */
function roundingWorlds(outcomes: number): Worlds {
  const integers = Float64Array.from({ length: outcomes }, () => 1);
  return [integers, integers.map((utility) => utility + 0.5)];
}

function base2Run(worlds: Worlds, mode: "constant-work" | "optimised"): TimedRun {
  const entropy: Entropy = systemEntropy();
  const upper = Math.ceil(Math.max(...worlds[0], ...worlds[1]));
  const options = { eta: HALF, lower: 0, upper, maxCandidates: worlds[0].length, mode, entropy };
  return (world) => {
    base2Exponential(worlds[world], (utility) => utility, options);
  };
}

export const TIMED_SUBJECTS: readonly TimedSubject[] = [
  {
    name: "base2Exponential, constant work: totals 128 and 128.5",
    expected: "same",
    source: "[Ilv20, Proposition 3.8] [Ilv20p, Proposition 3.2]",
    prepare: () => base2Run(rejectionWorlds(256), "constant-work"),
  },
  {
    name: "base2Exponential, constant work: weight on one level or on eight",
    expected: "same",
    source: "[Ilv20, Proposition 3.8] [Ilv20p, Proposition 3.2]",
    prepare: () => base2Run(concentrationWorlds(256, 8), "constant-work"),
  },
  {
    name: "base2Exponential, constant work: integers or fractions",
    expected: "same",
    source: "[Ilv20, Proposition 3.8] [Ilv20p, Proposition 3.2]",
    prepare: () => base2Run(roundingWorlds(256), "constant-work"),
  },
  {
    name: "control: the published sampler without a minimum of retries",
    expected: "different",
    source: "[Ilv20, Figure 9]",
    prepare: () => {
      const worlds = rejectionWorlds(16).map((utilities) => [...utilities]);
      const options = { eta: HALF, precision: 128, minRetries: 1, entropy: systemEntropy() };
      return (world) => {
        fixedPrecisionBase2(worlds[world], options);
      };
    },
  },
  {
    name: "base2Exponential, optimised: weight on one level or on eight",
    expected: "not promised",
    prepare: () => base2Run(concentrationWorlds(256, 8), "optimised"),
  },
];

/** From here on a difference counts as detected; by chance that happens once in 10^5. */
export const FLAGGED = 4.5;

export async function auditTiming(
  { name, expected, source = "", prepare }: TimedSubject,
  runs: number,
  pause: (share: number) => Promise<void>,
): Promise<TimingEntry> {
  const clock = () => process.hrtime.bigint();
  const { means, t, standardError } = await measureWorlds(prepare(), {
    runs,
    entropy: systemEntropy(),
    clock,
    pause,
  });
  return {
    name,
    expected,
    source,
    runs,
    means,
    t,
    smallest: FLAGGED * standardError,
    holds: isAsExpected(expected, t),
  };
}

function isAsExpected(expected: TimedSubject["expected"], t: number): boolean {
  if (expected === "not promised") return true;
  return Math.abs(t) < FLAGGED === (expected === "same");
}

/** Work that runs in one of the worlds. */
type TimedRun = (world: 0 | 1) => void;

interface MeasureOptions {
  /** The number of runs, of both worlds together. */
  readonly runs: number;
  /** Decides whose turn it is. */
  readonly entropy: Entropy;
  /** In nanoseconds. */
  readonly clock: () => bigint;
  /** Called between blocks of runs with the share done. */
  readonly pause: (share: number) => Promise<void>;
}

/** Warm-up runs that don't count, so that the engine compiles the code. */
const WARM_UP = 1000;
const BLOCK = 500;

/** A comparison of times in nanoseconds. */
export async function measureWorlds(run: TimedRun, options: MeasureOptions): Promise<Comparison> {
  const { runs, entropy, clock, pause } = options;
  const times: [number[], number[]] = [[], []];
  for (let turn = -WARM_UP; turn < runs; turn++) {
    const world = entropy.bit();
    const start = clock();
    run(world);
    const end = clock();
    if (turn >= 0) times[world].push(Number(end - start));
    if (turn % BLOCK === 0) await pause(Math.max(0, turn) / runs);
  }
  return welch(...times);
}

interface Comparison {
  /** The measurements of each world that were used. */
  readonly sizes: readonly [number, number];
  readonly means: readonly [number, number];
  /** The second mean minus the first, in standard errors. */
  readonly t: number;
  /** The standard error of the difference. */
  readonly standardError: number;
}

/** The share of all measurements that is compared: the fastest ones. */
const SHARE_KEPT = 0.95;

/** Compares two lists of times. */
export function welch(first: readonly number[], second: readonly number[]): Comparison {
  const limit = quantile([...first, ...second], SHARE_KEPT);
  const worlds = [first, second].map((times) => momentsOf(times.filter((time) => time <= limit)));
  const [one, other] = worlds;
  const standardError = Math.sqrt(one.variance / one.size + other.variance / other.size);
  const difference = other.mean - one.mean;
  return {
    sizes: [one.size, other.size],
    means: [one.mean, other.mean],
    t: difference === 0 ? 0 : difference / standardError,
    standardError,
  };
}

/** The smallest value that this share of the values doesn't exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

interface Moments {
  readonly size: number;
  readonly mean: number;
  readonly variance: number;
}

function momentsOf(values: readonly number[]): Moments {
  const size = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / size;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (size - 1);
  return { size, mean, variance };
}
