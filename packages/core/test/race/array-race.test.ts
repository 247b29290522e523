import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { raceOverArray } from "../../src/race/array-race.js";
import type { FirstCut, firstCut } from "../../src/race/first-cut.js";
import { exponential, type Noise } from "../../src/race/noise.js";
import { Race } from "../../src/race/race.js";
import type { NearScores } from "../../src/race/scan.js";
import { ScoreReader, type Scores } from "../../src/race/scores.js";
import { skipsOf } from "../../src/sample/skips.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { at, skip, wordsOf } from "./words.js";

/** A noise of known bounds. */
function between(least: number, most: number, depth = 0): Noise {
  const enclose = () => expect.fail("no key is needed");
  return { name: "exponential", depth, least: () => least, most: () => most, enclose };
}

/** What is drawn of each contender, by index. */
function drawn({ pool }: Race): Record<number, [word: number, bits: number]> {
  return Object.fromEntries(pool.ids.map((id, place) => [id, [pool.words[place], pool.bits[place]]]));
}

describe("The coins of far candidates", () => {
  let unused = 20; // what is made is remembered: another number each time this runs
  it("have skips that are made once for each number of zeros", () => {
    unused++;
    const skips = skipsOf(unused);
    expect(skips.draw(wordsOf(skip(1000, unused)))).toBe(1000);
    expect(skipsOf(unused)).toBe(skips);
  });

  it("pass nobody by who needs no zeros", () => {
    expect(skipsOf(0).draw(replayEntropy(""))).toBe(0);
  });
});

describe("A race over an array", () => {
  const few: FirstCut = { cut: 5, zeros: 1 };

  it("tosses no coins if all candidates are near", () => {
    const terms = { noise: between(0, 100), scale: rational(1) };
    const entropy = wordsOf(11, 22);
    const guess = () => ({ cut: -Infinity, zeros: 1 });
    const race = raceOverArray(new ScoreReader([3, 3]), 2, terms, entropy, { guess });
    expect(drawn(race)).toEqual({ 0: [11, 32], 1: [22, 32] });
    expect(entropy.bitsUsed).toBe(2 * 32);
  });

  it("enters the near candidates, and of the others those that their coins choose", () => {
    const terms = { noise: between(0, 100), scale: rational(1) };
    const entropy = wordsOf(skip(1, 8), 11, 22, skip(0, 8), 33, skip(1, 8), 44, 55);
    const race = raceOverArray(new ScoreReader([0, 0, 10, 0, 0, 10, 0]), 1, terms, entropy, {
      guess: () => few,
    });
    // The best of the scores is the cut, less their rounding; from there the others are far below for 8 zeros.
    expect(race.cut).toBe(10 - 10 * 1e-12);
    expect(drawn(race)).toEqual({ 1: [11, 40], 2: [22, 32], 3: [33, 40], 5: [44, 32], 6: [55, 40] });
    expect(entropy.bitsUsed).toBe(8 * 32);
  });

  it("takes a cut that the places-th largest score allows, or the guess, or the floor if they are higher", () => {
    const cutOf = (cut: number, depth: number, floor?: number) => {
      const terms = { noise: between(-2, 100, depth), scale: rational(2) };
      const start = { guess: () => ({ cut, zeros: 1 }), ...(floor !== undefined && { floor }) };
      return raceOverArray(new ScoreReader([20, 30]), 1, terms, seededEntropy("cut"), start).cut;
    };
    expect(cutOf(-Infinity, 3)).toBe(30 - 30 * 1e-12 - 6);
    expect(cutOf(8, 1000)).toBe(8);
    expect(cutOf(8, 1000, 5)).toBe(8);
    expect(cutOf(3, 1000, 5)).toBe(5);
  });

  it("raises the threshold of near scores on the way", () => {
    class Watched extends ScoreReader {
      found: Parameters<ScoreReader["keep"]>[0] | undefined;
      override keep(found: NearScores): void {
        this.found = found;
      }
    }
    const reader = new Watched(Float64Array.from({ length: 100 }, (_, i) => i));
    const terms = { noise: between(0, 100), scale: rational(1) };
    raceOverArray(reader, 1, terms, seededEntropy("near"), { guess: () => ({ cut: -Infinity, zeros: 1 }) });
    expect(reader.found!.count).toBeLessThan(10);
    expect(reader.found!.threshold).toBeGreaterThan(85);
  });

  describe("counts from an origin", () => {
    const terms = { noise: exponential, scale: rational(1) };

    /** A race, and what the first cut was asked and said on the way. */
    function watched(scores: Scores, level?: number) {
      const asked: object[] = [];
      const guess: typeof firstCut = (_, places, circumstances) => {
        asked.push({ places, ...circumstances });
        if (asked.length > 4) expect.fail("the origin is found by then");
        return { cut: -Infinity, zeros: 1, ...(level !== undefined && { level }) };
      };
      const race = raceOverArray(new ScoreReader(scores), 1, terms, seededEntropy("far"), {
        guess,
        floor: -7,
      });
      return { race, asked };
    }
    const first = { places: 1, scale: 1, depth: 0, floor: -7 };
    const second = { ...first, floor: -Infinity }; // which is known from another origin

    it("not if the scores are fine", () => {
      const { race, asked } = watched([3, 4]);
      expect(race.origin).toBe(undefined);
      expect(asked).toEqual([first]);
    });

    it("if the best scores are far from 0", () => {
      const { race, asked } = watched([1e30, 1e30]);
      expect(race.origin?.exact.toNumber()).toBe(1e30);
      expect(asked).toEqual([first, second]);
    });

    it("that is guessed, and corrected by what the scan finds", () => {
      const { race, asked } = watched([3, 4], 1e30);
      expect(race.origin?.exact.toNumber()).toBe(0);
      expect(asked).toEqual([first, second, second]);
    });

    it("that comes as near as it takes, in more than one step", () => {
      const best = 10n ** 60n + 7n * 10n ** 33n;
      const { race, asked } = watched([best - 5n, best]);
      const off = race.origin!.exact.minus(rational(best)).toNumber();
      expect(Math.abs(off)).toBeLessThan(2 ** 36);
      expect(asked.length).toBeGreaterThan(2);
      expect(race.finish()[0].id).toBe(1);
    });
  });

  it("draws the dismissed again, as they were dismissed, if the first cut was too high", () => {
    const terms = { noise: exponential, scale: rational(1) };
    const far = new Race(1, terms, replayEntropy("")).farBelow(1, 3); // just near: 3 − ln 2
    const entropy = wordsOf(
      ...[skip(0, 1), at(0.9)], // 0 has a leading zero, and U = 0.45: below the cut
      ...[skip(1, 1), at(0.1)], // 1 has none; 2 has one, and U = 0.05: the only key above the cut
      at(0.9), // 3 is near: below the cut
      2 ** 31, // bits 1, 0, 0: no leading zero for 0, but for 1, twice
      ...[at(0.0001), at(0.9)], // 1 would not have been dismissed with the first
      ...[at(0.01), at(0.8)], // nor 3
    );
    const guess = () => ({ cut: 3, zeros: 1 });
    const race = raceOverArray(new ScoreReader([1, 0, 0.5, far]), 4, terms, entropy, { guess });
    expect(drawn(race)).toEqual({
      0: [1, 1],
      1: [at(0.9), 33],
      2: [at(0.1), 33],
      3: [at(0.8), 32],
    });
    expect(race.pool.count).toBe(4);
    expect(entropy.bitsUsed).toBe(9 * 32 + 3);
    expect(race.cut).toBeLessThan(3);
  });
});
