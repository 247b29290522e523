import { describe, expect, it } from "vitest";
import { Reference } from "../../../packages/audit/src/reference-samplers.js";
import {
  caseOf,
  closedLaw,
  type GapCase,
  onGrid,
  outcomeOf,
  vectorLaw,
} from "../../../packages/audit/test/laws/gap-outcomes.js";
import { rational } from "../../../packages/core/src/exact/rational.js";
import { expectAccepts, expectRejects, tally } from "../../../packages/core/test/support/tally.js";
import { vectors } from "../../../packages/core/test/support/vectors.js";
import {
  byLazyReals,
  byMergedStreams,
  byRanks,
  byRefinement,
  byReversedStream,
  byStream,
  type GapOracle,
  SMALL_CASES,
} from "./gap-oracles.js";
import { rankingFirst, stoppingEarly } from "./gap-shortcuts.js";

/** The oracles of top k with gaps on the vectors, by seeded draws; their trees are in files of their own. */

function draws(name: string, oracle: GapOracle, of: GapCase, runs: number) {
  const sample = (reference: Reference) => outcomeOf(oracle(of, reference), of);
  return tally({
    seed: `${name} ${of.scores}`,
    runs,
    sample: (entropy) => sample(new Reference(entropy)),
  });
}

describe.each<[string, GapOracle]>([
  ["rankFree", byRanks],
  ["paperTopKWithGap with M = 10", byRefinement(10n)],
  ["lazyRealTopKWithGap of floored scores", (of, reference) => byLazyReals(onGrid(of), reference)],
  ["GridStream", byStream],
  ["GridStream from the last to the first", byReversedStream],
  ["GridStreams that are merged", byMergedStreams],
])("%s", (name, oracle) => {
  it.each(vectors.noisy_topk_gap)("has the law of the vector $name", (vector) => {
    expectAccepts(draws(name, oracle, caseOf(vector), 4_000), vectorLaw(vector));
  });

  it("is told from noise that is 10 percent off", () => {
    const of = caseOf(vectors.noisy_topk_gap[1]);
    const off = { ...of, scale: rational(of.scale).times("1.1") };
    expectRejects(draws(name, oracle, of, 12_000), closedLaw(off));
  });
});

describe("Of scores that are not on the grid", () => {
  const { fractions } = SMALL_CASES;

  it("lazyRealTopKWithGap has the law as they are, and the published algorithm that of floored ones", () => {
    const [lazy, paper] = [byLazyReals, byRefinement(10n)].map((oracle, i) =>
      draws(`fractions ${i}`, oracle, fractions, 4_000),
    );
    expectAccepts(lazy, closedLaw(fractions));
    expectAccepts(paper, closedLaw(onGrid(fractions)));
    expectRejects(lazy, closedLaw(onGrid(fractions)));
    expectRejects(paper, closedLaw(fractions));
  });
});

describe("The random bits for a candidate among 2,000", () => {
  const scores = Array.from({ length: 2000 }, (_, i) => Math.floor(20_000 / ((i * 7) % 2000 || 1)));
  const of = { scores, k: 5, scale: 5, resolution: "1/10", largestGap: 1 };

  it.each<[string, GapOracle, number, number]>([
    ["rankFree", byRanks, 18, 20],
    ["paperTopKWithGap", byRefinement(10n), 18, 20],
    ["lazyRealTopKWithGap", byLazyReals, 17, 21],
    ["GridStream", byStream, 3.5, 4.5],
  ])("of %s are as its header says", (name, oracle, least, most) => {
    const bits = draws(`bits of ${name}`, oracle, of, 3).bitsPerRun / scores.length;
    expect(bits).toBeGreaterThan(least);
    expect(bits).toBeLessThan(most);
  });
});

describe("The same draws and test", () => {
  const { three, allRanked } = SMALL_CASES;

  it.each<[string, GapOracle, GapCase]>([
    ["a tie with the last leader is left unbroken", stoppingEarly, three],
    ["ties are broken after the ranking", rankingFirst, allRanked],
  ])("notice when %s", (name, shortcut, of) => {
    expectRejects(draws(name, shortcut, of, 6_000), closedLaw(of));
    expectAccepts(draws(name, byRanks, of, 6_000), closedLaw(of));
  });
});
