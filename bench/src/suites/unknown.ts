/**
 * Names that no one listed: the limited-domain top k, every name above a threshold, and the bound on how many names a
 * person is counted for. The rivals here are float code and counting without privacy; those in Python publish noisy counts
 * above a threshold, in a process of their own. Time is processor time there too.
 * @module
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  boundContributions,
  limitedTopK,
  makeLimitedTopK,
  type SelectPartitionsOptions,
  selectPartitions,
  systemEntropy,
} from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { quartiles } from "../quartiles.js";
import { contender, type Outcome, processorTime, type Race } from "../race.js";
import { FloatGaussian } from "../rivals/float-gaussian.js";
import { floatGumbelTopK } from "../rivals/float-gumbel-top-k.js";
import { FloatLaplace } from "../rivals/float-laplace.js";
import { zipf, zipfDescending } from "../shapes.js";
import type { Suite } from "../suite.js";

type Method = NonNullable<SelectPartitionsOptions["method"]>;

const [K, CANDIDATES] = [10, 1000];
const NAMES = 1_000_000;
const [ROWS, PEOPLE, MOST_ITEMS] = [100_000, 5_000, 10];
const DELTA = "1e-6";
/** What the methods need for ε = 1, one name a person: the rivals use the same. */
const [LAPLACE_THRESHOLD, GAUSSIAN_THRESHOLD, SIGMA] = [15, 25, 4.6];
const [RUNS, QUICK_RUNS] = [7, 3];
const PYTHON_NAMES = 100_000;
const SCRIPT = fileURLToPath(new URL("../../python/thresholds.py", import.meta.url));

export const unknown: Suite = {
  name: "unknown",
  works: [
    ...(["gumbel", "exponential"] as const).map((noise) => ({
      name: `limitedTopK, ${noise} noise, the first 1,001 rows, k = 10`,
      prepare: () => firstRows(noise),
    })),
    { name: "limitedTopK, gumbel noise, a Map of 100,000 names, k = 10", prepare: wholeHistogram },
    ...(["optimal", "laplace", "gaussian"] as const).map((method) => ({
      name: `selectPartitions, ${method}, 1,000,000 names, Zipf shuffled`,
      prepare: () => partitions(method, named(zipf(NAMES))),
    })),
    {
      name: "selectPartitions, optimal, 1,000,000 names of one person each",
      prepare: () => partitions("optimal", named(new Float64Array(NAMES).fill(1))),
    },
    { name: "boundContributions, 100,000 rows, 5,000 people, to 10 items each", prepare: bounded },
    ...(["laplace", "gaussian", "optimal"] as const).map((method) => ({
      name: `selectPartitions, ${method}, 100,000 names, against Python`,
      measure: async (isQuick: boolean) => againstPython(method, isQuick ? QUICK_RUNS : RUNS),
    })),
  ],
};

/** A few names with many people and most with one or two, as names that people write tend to be. */
function named(scores: Float64Array): Map<string, number> {
  return new Map(Array.from(scores, (score, i) => [`name ${i}`, Math.max(1, Math.round(score / 20))]));
}

/** From what a database returns: the largest counts in order. */
function firstRows(noise: "gumbel" | "exponential"): Race {
  const counts = zipfDescending(CANDIDATES + 1);
  const rows = Array.from(counts, (count, i) => [`name ${String(i).padStart(4, "0")}`, count] as const);
  const scale = noise === "gumbel" ? 7 : 10;
  const measurement = makeLimitedTopK({ k: K, maxCandidates: CANDIDATES, noise, scale, delta: DELTA });
  const entropy = systemEntropy();
  return {
    unit: "release",
    operations: 1,
    subject: contender(
      "limitedTopK",
      () => measurement.invokeRows(rows, entropy),
      ({ rounds }) => rounds === K,
    ),
    rivals: [
      contender(
        "float Gumbel top-k, 53 bits",
        () => floatGumbelTopK(counts, K, scale, entropy),
        (indices) => indices.length === K,
      ),
    ],
  };
}

function wholeHistogram(): Race {
  const histogram = named(zipf(PYTHON_NAMES));
  const entropy = systemEntropy();
  const options = { k: K, epsilon: 1, delta: DELTA, noise: "gumbel", entropy } as const;
  return {
    unit: "name",
    operations: histogram.size,
    subject: contender(
      "limitedTopK",
      () => limitedTopK(histogram, options),
      ({ rounds }) => rounds === K,
    ),
    rivals: [
      contender(
        "sorting the counts",
        () => Float64Array.from(histogram.values()).sort(),
        (sorted) => sorted.length === histogram.size,
      ),
    ],
  };
}

function partitions(method: Method, histogram: Map<string, number>): Race {
  const entropy = systemEntropy();
  const noise = method === "gaussian" ? new FloatGaussian(SIGMA) : new FloatLaplace(1);
  const least = method === "gaussian" ? GAUSSIAN_THRESHOLD : LAPLACE_THRESHOLD;
  const most = [...histogram.values()].filter((count) => count > 1).length;
  const options = { maxItemsPerUser: 1, epsilon: 1, delta: DELTA, method, counts: method !== "optimal" };
  return {
    unit: "name",
    operations: histogram.size,
    subject: contender(
      `selectPartitions, ${method}`,
      () => selectPartitions(histogram, { ...options, entropy }),
      (answer) => answer.winners.length <= most + 20,
    ),
    rivals: [
      contender(
        `float ${method === "gaussian" ? "Gaussian" : "Laplace"} noise and a threshold, 53 bits`,
        () => {
          const kept: { name: string; count: number }[] = [];
          for (const [name, count] of histogram) {
            const noisy = count + noise.sample(entropy);
            if (noisy >= least) kept.push({ name, count: noisy });
          }
          return kept.sort((a, b) => (a.name < b.name ? -1 : 1));
        },
        (kept) => kept.length <= most + 20,
      ),
    ],
  };
}

/** 20 rows a person on average, of which about 18 are different items. */
function bounded(): Race {
  const entropy = seededEntropy("people and items");
  const rows = Array.from({ length: ROWS }, () => {
    const [person, item] = [entropy.bits(30) % PEOPLE, Math.floor(1e4 ** (entropy.bits(30) / 2 ** 30))];
    return [`user ${person}`, `item ${item}`] as const;
  });
  const total = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);
  return {
    unit: "row",
    operations: ROWS,
    subject: contender(
      "boundContributions",
      () => boundContributions(rows, { maxItemsPerUser: MOST_ITEMS }),
      (counts) => total(counts) <= PEOPLE * MOST_ITEMS,
    ),
    rivals: [
      contender(
        "counting distinct rows, without a bound",
        () => {
          const itemsOf = new Map<string, Set<string>>();
          for (const [user, item] of rows) {
            const items = itemsOf.get(user);
            if (items === undefined) itemsOf.set(user, new Set([item]));
            else items.add(item);
          }
          const counts = new Map<string, number>();
          for (const items of itemsOf.values())
            for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
          return counts;
        },
        (counts) => total(counts) <= ROWS,
      ),
    ],
  };
}

interface PythonTimes {
  readonly name: string;
  readonly milliseconds: readonly number[];
}

/** The times of the installed libraries; none without Python or its libraries. */
function againstPython(method: Method, runs: number): Outcome {
  const histogram = named(zipf(PYTHON_NAMES));
  const options = { maxItemsPerUser: 1, epsilon: 1, delta: DELTA, method, counts: method !== "optimal" };
  const work = () => selectPartitions(histogram, options);
  for (let warm = 0; warm < 5; warm++) work();
  const ours = Array.from({ length: runs }, () => {
    const start = processorTime();
    work();
    return (processorTime() - start) / 1e6;
  });
  const time = (name: string, milliseconds: readonly number[]) => {
    const { median } = quartiles(milliseconds);
    return { name, milliseconds: median, nanoseconds: (median * 1e6) / PYTHON_NAMES, bytes: Number.NaN };
  };
  return {
    unit: "name",
    subject: time("selectPartitions", ours),
    rivals: pythonTimes(histogram, method, runs).map(({ name, milliseconds }) => ({
      ...time(name, milliseconds),
      ratio: quartiles(milliseconds.map((theirs, i) => ours[i] / theirs)),
    })),
  };
}

function pythonTimes(histogram: Map<string, number>, method: Method, runs: number): PythonTimes[] {
  const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));
  try {
    const file = join(folder, "counts");
    writeFileSync(file, Float64Array.from(histogram.values()));
    const python = process.env.PYTHON ?? "python3";
    const { stdout, status } = spawnSync(python, [SCRIPT, file, method, String(runs)], { encoding: "utf8" });
    const lines = status === 0 ? stdout.split("\n").filter((line) => line !== "") : [];
    return lines.map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
