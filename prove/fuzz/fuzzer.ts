/**
 * A fuzzer: a statement about all cases, tried on generated ones. Cases that once refuted it are in seeds.json, each with a
 * sentence on what it found, and come first. The number of cases is fixed, no clock is asked, and the seed is that of all
 * property tests. A fuzzer also has to show its power: it must refute the same statement about something broken.
 * @module
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect } from "vitest";

/** `npm run prove` tries more. */
const MORE = process.env.PROVE === "all" ? 10 : 1;

interface Seed {
  /** What was wrong when this case was found. */
  readonly found: string;
  readonly case: unknown;
}

const SEEDS = JSON.parse(readFileSync(new URL("seeds.json", import.meta.url), "utf8")) as Record<
  string,
  readonly Seed[]
>;

/** Throws, or rejects, if the statement is false. */
type Statement<Case> = (example: Case) => void | Promise<void>;

export class Fuzzer<Case> {
  readonly #cases: fc.Arbitrary<Case>;
  readonly #runs: number;
  readonly #seeds: readonly Seed[];

  /** `name` is that of its seeds. */
  constructor(name: string, cases: fc.Arbitrary<Case>, runs: number) {
    this.#cases = cases;
    this.#runs = runs;
    this.#seeds = SEEDS[name] ?? [];
  }

  /** All cases, the known ones first. */
  async holds(statement: Statement<Case>): Promise<void> {
    await this.#assert(statement, { examples: this.#examples, numRuns: this.#runs * MORE });
  }

  /** Whether the cases of one ordinary run, without the known ones, refute the statement. */
  async refutes(statement: Statement<Case>): Promise<boolean> {
    const { failed } = await fc.check(this.#property(statement), { numRuns: this.#runs, endOnFailure: true });
    return failed;
  }

  /** Whether a known case refutes the statement; each says what it found. */
  async seedRefutes(statement: Statement<Case>): Promise<boolean> {
    const numRuns = this.#seeds.length;
    const { failed } = await fc.check(this.#property(statement), {
      examples: this.#examples,
      numRuns,
      endOnFailure: true,
    });
    return numRuns > 0 && failed;
  }

  get #examples(): [Case][] {
    for (const { found } of this.#seeds) expect(found).toMatch(/\.$/);
    return this.#seeds.map((seed) => [seed.case as Case]);
  }

  #property(statement: Statement<Case>) {
    return fc.asyncProperty(this.#cases, async (example) => {
      await statement(example);
    });
  }

  #assert(statement: Statement<Case>, parameters: fc.Parameters<[Case]>): Promise<void> {
    return fc.assert(this.#property(statement), parameters);
  }
}
