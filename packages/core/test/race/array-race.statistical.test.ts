import { describe, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import { raceOverArray } from "../../src/race/array-race.js";
import { type FirstCut, firstCut } from "../../src/race/first-cut.js";
import { exponential, gumbel, type Noise } from "../../src/race/noise.js";
import { gapsOf, WINNERS } from "../../src/race/ranking.js";
import { ScoreReader } from "../../src/race/scores.js";
import { GUMBEL, ONE_SHOT, orderOf, orderWithGaps, WITH_GAP } from "../select/selection-laws.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";
import { patternsOfRounds, twoLevels, winOfHigh } from "./two-levels.js";

const RUNS = 1200;

/** First cuts by how far they are above the largest score, in scales. */
const GUESSES: readonly { above: number; zeros: number }[] = [
  { above: -10, zeros: 1 },
  { above: -1, zeros: 2 },
  { above: 0, zeros: 1 },
  { above: 0.5, zeros: 3 },
  { above: 2, zeros: 1 },
  { above: 2, zeros: 2 },
  { above: 6, zeros: 3 },
];

/** The winners of a race whose first cut is so far above the largest score. */
function race(
  {
    scores,
    k,
    scale,
    resolution,
  }: { scores: readonly number[]; k: number; scale: string; resolution?: string },
  noise: Noise,
  { above, zeros }: { above: number; zeros: number },
) {
  const release = resolution === undefined ? WINNERS : gapsOf(rational(resolution));
  const terms = { noise, scale: rational(scale) };
  const cut = Math.max(...scores) + above * terms.scale.toNumber();
  return (entropy: Entropy) => {
    const reader = new ScoreReader(scores);
    const places = k + release.spare;
    const order = raceOverArray(reader, places, terms, entropy, { guess: () => ({ cut, zeros }) }).finish();
    return release.of(order, terms);
  };
}

describe.each(GUESSES)(
  "With a first cut $above scales above the best score and coins for $zeros zeros",
  (guess) => {
    it("a top k by exponential noise has its law", () => {
      for (const selection of ONE_SHOT) {
        const sample = race(selection, exponential, guess);
        expectAccepts(
          tally({ seed: `one shot ${selection.scores} ${guess.above}`, runs: RUNS, sample, key: orderOf }),
          selection.law,
        );
      }
    });

    it("a top k by Gumbel noise has its law", () => {
      for (const selection of GUMBEL) {
        const sample = race(selection, gumbel, guess);
        expectAccepts(
          tally({ seed: `gumbel ${selection.scores} ${guess.above}`, runs: RUNS, sample, key: orderOf }),
          selection.law,
        );
      }
    });

    it("gaps have their law", () => {
      for (const selection of WITH_GAP) {
        const draws = tally({
          seed: `gaps ${selection.name} ${guess.above}`,
          runs: RUNS,
          sample: race(selection, exponential, guess),
          key: orderWithGaps(selection),
        });
        expectAccepts(draws, selection.law);
      }
    });
  },
);

/** Who wins k places of scores of two levels, as `"HHL"`. */
function levelsOf(
  levels: Float64Array,
  k: number,
  noise: Noise,
  scale: number,
  guess?: () => FirstCut,
  base = 0n,
) {
  const reader = new ScoreReader(base === 0n ? levels : Array.from(levels, (level) => base + BigInt(level)));
  const terms = { noise, scale: rational(scale) };
  return (entropy: Entropy) =>
    raceOverArray(reader, k, terms, entropy, { guess: guess ?? firstCut })
      .finish()
      .map(({ id }) => (levels[id] > 0 ? "H" : "L"))
      .join("");
}

describe("Over thousands of scores of two levels", () => {
  const length = 1500;

  it.each([
    { high: 700, level: 1, scale: 1, k: 3 },
    { high: 40, level: 4, scale: 1, k: 3 },
    { high: 4, level: 7, scale: 1, k: 2 },
    { high: 40, level: 400, scale: 100, k: 3 },
  ])(
    "rounds of the exponential mechanism have their law: $high are high by $level",
    ({ high, level, scale, k }) => {
      const scores = twoLevels(length, high, level);
      const draws = tally({
        seed: `${high} high, Gumbel`,
        runs: RUNS,
        sample: levelsOf(scores, k, gumbel, scale),
      });
      expectAccepts(draws, patternsOfRounds(high, length - high, Math.exp(level / scale), k));
    },
  );

  it.each([
    { high: 700, level: 1, scale: 1 },
    { high: 40, level: 4, scale: 1 },
    { high: 4, level: 7, scale: 1 },
    { high: 40, level: 40, scale: 10 },
  ])("exponential noise has its law: $high are high by $level", ({ high, level, scale }) => {
    const win = winOfHigh(high, length - high, Math.exp(level / scale));
    const draws = tally({
      seed: `${high} high`,
      runs: RUNS,
      sample: levelsOf(twoLevels(length, high, level), 1, exponential, scale),
    });
    expectAccepts(draws, { H: win, L: 1 - win });
  });

  it.each([10n ** 18n, -(10n ** 18n), 10n ** 40n])(
    "both noises have their law where all scores are near %d",
    (base) => {
      const [high, level, scale, runs] = [40, 4, 1, 200];
      const levels = twoLevels(length, high, level);
      const win = winOfHigh(high, length - high, Math.exp(level / scale));
      expectAccepts(
        tally({
          seed: `near ${base}`,
          runs,
          sample: levelsOf(levels, 1, exponential, scale, undefined, base),
        }),
        { H: win, L: 1 - win },
      );
      // A first cut that is too high is repaired there too.
      const tooHigh = () => ({ cut: level + 12 * scale, zeros: 3 });
      expectAccepts(
        tally({
          seed: `too high near ${base}`,
          runs: 100,
          sample: levelsOf(levels, 1, exponential, scale, tooHigh, base),
        }),
        { H: win, L: 1 - win },
      );
      expectAccepts(
        tally({
          seed: `Gumbel near ${base}`,
          runs,
          sample: levelsOf(levels, 3, gumbel, scale, undefined, base),
        }),
        patternsOfRounds(high, length - high, Math.exp(level / scale), 3),
      );
    },
  );

  it("as many high ones win with the first cut as without any", () => {
    const scores = twoLevels(length, 750, 100);
    const highs = (guess?: () => FirstCut) => {
      const sample = levelsOf(scores, 160, exponential, 100, guess);
      return (entropy: Entropy) =>
        Math.round([...sample(entropy)].filter((level) => level === "H").length / 3);
    };
    const without = tally({
      seed: "no cut",
      runs: 2000,
      sample: highs(() => ({ cut: -Infinity, zeros: 1 })),
    });
    const law = Object.fromEntries(
      [...without.counts]
        .filter(([, count]) => count > 25)
        .map(([name, count]) => [name, count / without.runs]),
    );
    expectAccepts(tally({ seed: "first cut", runs: 400, sample: highs() }), law);
  });

  it("they have another law when the scale is 10 % off", () => {
    const win = winOfHigh(40, length - 40, Math.exp(4));
    const sample = levelsOf(twoLevels(length, 40, 4), 1, exponential, 0.9);
    expectRejects(tally({ seed: "off", runs: 4000, sample }), { H: win, L: 1 - win });
  });
});
