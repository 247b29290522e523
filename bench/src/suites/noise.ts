/**
 * The smallest noise: what it takes to find it, sets, counts that share noise, groups, and noise on a whole histogram. Some of it must be
 * done within a time that a person doesn't notice; there the rival is that time.
 * @module
 */
import {
  histogramTopK,
  type NamedCounts,
  systemEntropy,
  topKApprox,
  topKInGroups,
  topKSet,
  topKWithCounts,
} from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { quartiles } from "../quartiles.js";
import { contender, type Outcome, processorTime, type Race } from "../race.js";
import { FloatGaussian } from "../rivals/float-gaussian.js";
import { scanTopK } from "../rivals/scan-top-k.js";
import { OTHER_SHAPES, type Shape, zipf } from "../shapes.js";
import type { Suite } from "../suite.js";

const DELTA = "1e-6";
/** How many winners, and in how many milliseconds of processor time their noise must be found. */
const LIMITS = [
  [10, 20],
  [25, 20],
  [100, 80],
] as const;
const [SET_CANDIDATES, SET_SIZE, SET_LIMIT] = [100_000, 100, 25];
const SET_SHAPES: Readonly<Record<string, Shape>> = { "Zipf shuffled": zipf, ...OTHER_SHAPES };
const NAMES = 100_000;
const [ROWS, PEOPLE, GROUPS, ITEMS] = [100_000, 5_000, 200, 1_000];
const [LISTED, MOST_ITEMS] = [1_000_000, 10];
const [RUNS, QUICK_RUNS] = [21, 5];

export const noise: Suite = {
  name: "noise",
  works: [
    ...LIMITS.map(([k, limit]) => ({
      name: `topKApprox, noise not found before, n = 1,000, k = ${k}`,
      measure: async (isQuick: boolean) => within(limit, isQuick ? QUICK_RUNS : RUNS, newQuestion(k)),
    })),
    ...Object.entries(SET_SHAPES).map(([shape, make]) => ({
      name: `topKSet, ${shape}, n = 100,000, k = 100`,
      measure: async (isQuick: boolean) =>
        within(SET_LIMIT, isQuick ? QUICK_RUNS : RUNS, largestSet(make(SET_CANDIDATES))),
    })),
    { name: "topKWithCounts, shared noise, 100,000 names, k = 10", prepare: sharedCounts },
    { name: "topKInGroups, 100,000 rows, 200 groups, k = 10", prepare: groups },
    { name: "histogramTopK, 1,000,000 candidates, 10 items a person, k = 10", prepare: histogram },
  ],
};

/** A call with an ε that no call had before: noise is remembered by its question. */
function newQuestion(k: number): () => boolean {
  const counts = zipf(1000);
  const entropy = systemEntropy();
  let asked = 0;
  return () => {
    const epsilon = `${10_000 + ++asked}/10000`;
    return topKApprox(counts, { k, epsilon, delta: DELTA, monotone: true, entropy }).winners.length === k;
  };
}

function largestSet(scores: Float64Array): () => boolean {
  const entropy = systemEntropy();
  const options = { k: SET_SIZE, epsilon: 1, monotone: true, entropy } as const;
  return () => topKSet(scores, options).candidates.length === SET_SIZE;
}

/** Warm runs of the work against a limit in milliseconds. */
function within(limit: number, runs: number, work: () => boolean): Outcome {
  for (let warm = 0; warm < 5; warm++) work();
  const milliseconds = Array.from({ length: runs }, () => {
    const start = processorTime();
    if (!work()) throw new Error("the answer is wrong");
    return (processorTime() - start) / 1e6;
  });
  const time = (name: string, median: number) => ({
    name,
    milliseconds: median,
    nanoseconds: median * 1e6,
    bytes: Number.NaN,
  });
  return {
    unit: "call",
    subject: time("ours", quartiles(milliseconds).median),
    rivals: [
      {
        ...time(`a limit of ${limit} ms`, limit),
        goal: 1,
        ratio: quartiles(milliseconds.map((ours) => ours / limit)),
      },
    ],
  };
}

function sharedCounts(): Race {
  const people: NamedCounts = new Map(
    Array.from(zipf(NAMES), (score, i) => [`name ${i}`, Math.max(1, Math.round(score / 20))]),
  );
  const release = (sharing: "shared" | "independent") => {
    const options = { k: 10, epsilon: 1, delta: DELTA, neighbours: "add-remove", sharing } as const;
    const entropy = systemEntropy();
    return contender(
      `topKWithCounts, ${sharing} noise`,
      () => topKWithCounts(people, { ...options, entropy }),
      ({ winners }) => winners.length === 10,
      sharing === "independent" ? 1.1 : undefined,
    );
  };
  return { unit: "release", operations: 1, subject: release("shared"), rivals: [release("independent")] };
}

function groups(): Race {
  const entropy = seededEntropy("people, groups and items");
  const rows = Array.from({ length: ROWS }, () => {
    const [person, group] = [entropy.bits(30) % PEOPLE, Math.floor(GROUPS ** (entropy.bits(30) / 2 ** 30))];
    const item = Math.floor(ITEMS ** (entropy.bits(30) / 2 ** 30));
    return [`user ${person}`, `group ${group}`, `item ${item}`] as const;
  });
  const listed = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name} ${i}`);
  const options = { groups: listed("group", GROUPS), items: listed("item", ITEMS), maxGroupsPerUser: 2 };
  const bits = systemEntropy();
  return {
    unit: "row",
    operations: ROWS,
    subject: contender(
      "topKInGroups",
      () => topKInGroups(rows, { ...options, k: 10, epsilon: 1, entropy: bits }).groups,
      (answers) => answers.length === GROUPS,
    ),
    rivals: [
      contender(
        "counting distinct rows and sorting, without a bound or noise",
        () => {
          const counts = new Map(options.groups.map((group) => [group, new Map<string, number>()]));
          const seen = new Set<string>();
          for (const [user, group, item] of rows) {
            const row = `${user}\n${group}\n${item}`;
            const items = counts.get(group);
            if (seen.has(row) || items === undefined) continue;
            seen.add(row);
            items.set(item, (items.get(item) ?? 0) + 1);
          }
          return [...counts.values()].map((items) => [...items].sort((a, b) => b[1] - a[1]).slice(0, 10));
        },
        (answers) => answers.length === GROUPS,
      ),
    ],
  };
}

function histogram(): Race {
  const counts = zipf(LISTED);
  const entropy = systemEntropy();
  const gaussian = new FloatGaussian(Math.sqrt(MOST_ITEMS / 2 / 0.5));
  return {
    unit: "candidate",
    operations: LISTED,
    subject: contender(
      "histogramTopK",
      () => histogramTopK(counts, { k: 10, maxItemsPerUser: MOST_ITEMS, rho: "1/2", entropy }),
      ({ winners }) => winners.length === 10,
    ),
    rivals: [
      contender(
        "float Gaussian noise and a scan, 53 bits",
        () =>
          scanTopK(
            counts.map((count) => count + gaussian.sample(entropy)),
            10,
          ),
        (indices) => indices.length === 10,
      ),
    ],
  };
}
