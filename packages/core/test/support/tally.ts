/**
 * Seeded experiments and their verdicts. Draw a tally once, then let it accept the true law and reject wrong
 * ones: a test that cannot reject says nothing.
 *
 *     const draws = tally({ seed: "geometric 1/2", runs: 100_000, sample });
 *     expectAccepts(draws, law);
 *     expectRejects(draws, lawOfAScaleTenPercentOff);
 *
 * Rejecting a wrong law needs all draws. A right law is accepted after a third of them, and all of them every night
 * (`PROVE=all`); draws are made when they are needed.
 *
 * Seeds are fixed, so a test gives the same verdict every time. `WINNOW_SEED=text` varies all of them.
 * @module
 */
import { expect } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { amount } from "./amount.js";
import { type ChiSquare, chiSquare } from "./chi-square.js";
import type { Law } from "./law.js";

/** A right sampler fails on one seed in 10,000; a wrong one must be this certain. */
const ACCEPTED_FROM = 1e-4;
const REJECTED_BELOW = 1e-6;

export interface Tally {
  readonly seed: string;
  readonly runs: number;
  /** How often each outcome came up. */
  readonly counts: ReadonlyMap<string, number>;
  /** The mean number of random bits that a run used. */
  readonly bitsPerRun: number;
}

/** Runs a sampler many times on one seeded entropy. */
export function tally<T>(experiment: {
  seed: string;
  runs: number;
  sample: (entropy: Entropy) => T;
  key?: (outcome: T) => string;
}): Tally {
  const { sample, ...rest } = experiment;
  return tallyBatch({
    ...rest,
    *batch(entropy, runs) {
      for (let run = 0; run < runs; run++) yield sample(entropy);
    },
  });
}

/** The same for a sampler that gives all its draws at once, such as one that fills an array. */
export function tallyBatch<T>(experiment: {
  seed: string;
  runs: number;
  batch: (entropy: Entropy, runs: number) => Iterable<T>;
  key?: (outcome: T) => string;
}): Tally {
  const { runs, batch, key = String } = experiment;
  const seed = seedInUse(experiment.seed);
  const entropy = seededEntropy(seed);
  return new Draws(seed, runs, batch(entropy, runs)[Symbol.iterator](), key, entropy);
}

/** A tally that draws no more than it is asked for. */
class Draws<T> implements Tally {
  readonly #outcomes: Iterator<T>;
  readonly #key: (outcome: T) => string;
  readonly #entropy: { readonly bitsUsed: number };
  readonly #counts = new Map<string, number>();
  #drawn = 0;

  constructor(
    readonly seed: string,
    readonly runs: number,
    outcomes: Iterator<T>,
    key: (outcome: T) => string,
    entropy: { readonly bitsUsed: number },
  ) {
    this.#outcomes = outcomes;
    this.#key = key;
    this.#entropy = entropy;
  }

  get counts(): ReadonlyMap<string, number> {
    return this.first(this.runs).counts;
  }

  get bitsPerRun(): number {
    return this.first(this.runs).bitsPerRun;
  }

  /** The tally of so many runs, or of more if they were drawn already. */
  first(runs: number): Tally {
    for (; this.#drawn < runs; this.#drawn++) {
      const { value, done } = this.#outcomes.next();
      if (done) throw new Error(`${this.#drawn} draws where ${this.runs} were promised`);
      const name = this.#key(value);
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    }
    const bitsPerRun = this.#entropy.bitsUsed / this.#drawn;
    return { seed: this.seed, runs: this.#drawn, counts: this.#counts, bitsPerRun };
  }
}

function seedInUse(seed: string): string {
  const variation = process.env.WINNOW_SEED;
  return variation === undefined ? seed : `${seed}, ${variation}`;
}

/** The share of the runs by which a right law is accepted. */
const SHARE = amount(1 / 3, 1);

export function expectAccepts(all: Tally, law: Law): void {
  const draws = all instanceof Draws ? all.first(Math.ceil(all.runs * SHARE)) : all;
  const verdict = goodnessOfFit(draws, law);
  expect(verdict.pValue, report("must accept this law", draws, verdict)).toBeGreaterThanOrEqual(
    ACCEPTED_FROM,
  );
}

export function expectRejects(draws: Tally, law: Law): void {
  const verdict = goodnessOfFit(draws, law);
  expect(verdict.pValue, report("must reject this law", draws, verdict)).toBeLessThan(REJECTED_BELOW);
}

/** Pearson's test of the tally, with one more cell for the outcomes that the law does not name. */
export function goodnessOfFit({ runs, counts }: Tally, law: Law): ChiSquare {
  const cells = Object.entries(law).map(([outcome, p]) => ({
    observed: counts.get(outcome) ?? 0,
    expected: rational(p).toNumber() * runs,
  }));
  const observed = runs - cells.reduce((sum, cell) => sum + cell.observed, 0);
  const expected = runs - cells.reduce((sum, cell) => sum + cell.expected, 0);
  return chiSquare([...cells, { observed, expected: Math.max(0, expected) }]);
}

function report(
  demand: string,
  { seed, runs }: Tally,
  { statistic, degreesOfFreedom, pValue }: ChiSquare,
): string {
  const figures = `χ² = ${statistic.toPrecision(5)}, ${degreesOfFreedom} degrees of freedom, p = ${pValue.toPrecision(3)}`;
  return `${runs} runs on seed "${seed}" ${demand}: ${figures}`;
}
