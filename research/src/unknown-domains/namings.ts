/**
 * The library's ways to name the k largest within (ε, δ): four without a list, and one with.
 * @module
 */
import {
  boundContributions,
  type Entropy,
  limitedTopK,
  type Rational,
  rational,
  rhoAtMost,
  selectPartitions,
  stableTopKFixed,
  topK,
} from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import type { PeopleItems } from "./people-items.js";

export const DELTA = "1e-6";
/** The bound of the threshold mechanisms. */
export const MOST_ITEMS = 10;
/** How many keys are drawn for bounding; each trial uses one of them. */
const BOUNDINGS = 10;

export interface Naming {
  /** The names for each k that is asked for, best first. */
  readonly names: readonly (readonly string[])[];
  /** What a ledger counts for each k; only for limited domains. */
  readonly rounds?: readonly number[];
}

/** How names are found: for each k, in one trial. */
export type Method = (epsilon: number, sizes: readonly number[], seed: string, trial: number) => Naming;

/** All methods on one data set. Where one of two kinds of noise is better depends on the question, so both are here. */
export function methodsOn({ counts, rows }: PeopleItems): Readonly<Record<string, Method>> {
  const bounded = Array.from({ length: BOUNDINGS }, (_, i) =>
    boundContributions(rows, { maxItemsPerUser: MOST_ITEMS, entropy: seededEntropy(`bounding ${i}`) }),
  );
  const [items, scores] = [[...counts.keys()], Float64Array.from(counts.values())];
  const each =
    (indices: (k: number, epsilon: number, entropy: Entropy) => readonly number[]): Method =>
    (epsilon, sizes, seed) => ({
      names: sizes.map((k) => {
        const entropy = seededEntropy(`${seed} ${k}`);
        return indices(Math.min(k, items.length - 1), epsilon, entropy).map((index) => items[index]);
      }),
    });
  const given = (k: number, budget: { rho: Rational } | { epsilon: number }, entropy: Entropy) =>
    topK(scores, { k, ...budget, monotone: true, entropy }).winners.map(({ candidate }) => candidate);
  return {
    stable: each((k, epsilon, entropy) => {
      const half = rational(DELTA).dividedBy(2);
      const terms = { k, domain: "unknown", rho: rhoOf(epsilon, half), delta: half, monotone: true } as const;
      return stableTopKFixed(scores, { ...terms, entropy }).candidates;
    }),
    "limited, Gumbel": limited(counts, "gumbel"),
    "limited, exponential": limited(counts, "exponential"),
    "threshold, Gaussian": threshold(bounded, "gaussian"),
    "threshold, Laplace": threshold(bounded, "laplace"),
    "public, Gumbel": each((k, epsilon, entropy) =>
      given(k, { rho: rhoOf(epsilon, rational(DELTA)) }, entropy),
    ),
    "public, exponential": each((k, epsilon, entropy) => given(k, { epsilon }, entropy)),
  };
}

const known = new Map<string, Rational>();

/** What (ε, δ) is worth in zCDP, computed once. */
function rhoOf(epsilon: number, delta: Rational): Rational {
  const name = `${epsilon} ${delta}`;
  const rho = known.get(name) ?? rhoAtMost({ epsilon, delta });
  known.set(name, rho);
  return rho;
}

function limited(counts: ReadonlyMap<string, number>, noise: "gumbel" | "exponential"): Method {
  // All that the mechanism looks at is the first k̄ + 1 rows, k̄ = max(1000, 10k).
  const first = (k: number) => new Map([...counts].slice(0, Math.max(1000, 10 * k) + 1));
  const rows = new Map<number, Map<string, number>>();
  return (epsilon, sizes, seed) => {
    const answers = sizes.map((k) => {
      rows.set(k, rows.get(k) ?? first(k));
      const entropy = seededEntropy(`${seed} ${k}`);
      return limitedTopK(rows.get(k)!, { k, epsilon, delta: DELTA, noise, entropy });
    });
    return {
      names: answers.map(({ winners }) => winners.map(({ candidate }) => candidate)),
      rounds: answers.map(({ rounds }) => rounds),
    };
  };
}

/** One release serves every k: the names with the largest noisy counts. */
function threshold(bounded: readonly Map<string, number>[], method: "gaussian" | "laplace"): Method {
  return (epsilon, sizes, seed, trial) => {
    const budget = { maxItemsPerUser: MOST_ITEMS, epsilon, delta: DELTA, counts: true, method };
    const entropy = seededEntropy(seed);
    const { winners } = selectPartitions(bounded[trial % BOUNDINGS], { ...budget, entropy });
    const noisy = winners.map(({ candidate, count }) => ({ candidate, count: Number(count) }));
    const names = noisy.sort((a, b) => b.count - a.count).map(({ candidate }) => candidate);
    return { names: sizes.map((k) => names.slice(0, k)) };
  };
}
