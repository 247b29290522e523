import { afterAll, describe, expect, it } from "vitest";
import { base2Exponential, eta } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { BlockCounter, type BlockCounts, differences } from "./block-counts.js";

const counter = new BlockCounter("packages/core/src");
afterAll(() => counter.close());

interface Choice {
  readonly mode?: "constant-work" | "optimised";
  readonly minRetries?: number;
}

function run(utilities: Float64Array, seed: string, choice: Choice): void {
  base2Exponential([...utilities.keys()], (index) => utilities[index], {
    eta: eta(3, 2),
    lower: 0,
    upper: 20,
    maxCandidates: utilities.length,
    entropy: seededEntropy(seed),
    ...choice,
  });
}

function countsOf(utilities: Float64Array, seed: string, choice: Choice): BlockCounts {
  run(utilities, seed, choice); // what is made once is made
  return counter.count(() => run(utilities, seed, choice));
}

const world = Float64Array.from({ length: 40 }, (_, index) => (index * 7) % 20);
const neighbours = [
  ["one utility higher", world.map((utility, index) => (index === 3 ? utility + 1 : utility))],
  ["every utility lower", world.map((utility) => Math.max(utility - 1, 0))],
  ["fractions", world.map((utility) => utility + 0.25)],
  ["utilities beyond both bounds", world.map((utility, index) => (index % 2 === 0 ? -50 : utility + 100))],
  ["all alike", world.map(() => 20)],
] as const;
const SEEDS = Array.from({ length: 8 }, (_, seed) => `constant work ${seed}`);

describe("the blocks that base2Exponential runs", () => {
  it.each(neighbours)("are run equally often in constant work: %s", (_, neighbour) => {
    for (const seed of SEEDS) {
      const mode = {}; // the default, as 20 levels are few
      const counts = countsOf(world, seed, mode);
      expect(counts.size).toBeGreaterThan(50);
      expect(differences(counts, countsOf(neighbour, seed, mode))).toEqual([]);
      expect(differences(counts, countsOf(world, `another ${seed}`, mode))).toEqual([]);
    }
  });

  it.each<[string, Choice]>([
    ["in the optimised mode", { mode: "optimised" }],
    ["if constant work stops at the first try that is accepted", { mode: "constant-work", minRetries: 1 }],
  ])("are not run equally often %s", (_, choice) => {
    const different = neighbours.flatMap(([, neighbour]) =>
      SEEDS.filter(
        (seed) => differences(countsOf(world, seed, choice), countsOf(neighbour, seed, choice)).length > 0,
      ),
    );
    expect(different.length).toBeGreaterThan(SEEDS.length / 2);
  });
});
