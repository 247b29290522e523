import { describe, expect, it } from "vitest";
import { type Rational, rational } from "../../src/exact/rational.js";
import { exponential, type Noise } from "../../src/race/noise.js";
import { farScore, isFine, Race, takeAll } from "../../src/race/race.js";
import { Origin } from "../../src/race/scores.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

/** A noise between the doubles given, whose key is its word: what a race does with bounds, apart from any logarithm. */
function between(least: number, most: number) {
  const asked: string[] = [];
  const noise: Noise = {
    name: "exponential",
    depth: 0,
    most(word) {
      asked.push(`most ${word}`);
      return most;
    },
    least: () => least,
    enclose(u) {
      asked.push(`enclose ${u.numerator}`);
      return { lo: u.numerator, hi: u.numerator, precision: 0 };
    },
  };
  return { terms: { noise, scale: rational(1) }, asked };
}

const NO_BITS = replayEntropy("");

describe("The doubles of a race", () => {
  const ends = (score: number | Rational, least: number, most: number) => {
    const race = new Race(1, between(least, most).terms, NO_BITS);
    race.consider(0, score, 1, 1);
    return [race.pool.lower[0], race.pool.upper[0]];
  };

  it("are moved outward by 2^−48 of both sizes, and by 1e-300", () => {
    expect(ends(1, 1, 3)).toEqual([2 - 2 ** -47, 4 + 2 ** -46]);
    expect(ends(-1, 1, 3)).toEqual([-(2 ** -47), 2 + 2 ** -46]);
    expect(ends(0, 0, 0)).toEqual([-1e-300, 1e-300]);
    expect(ends(1e-300 + 1e-300 * 2 ** -48, 0, 0)[0]).toBe(0);
  });

  it("say nothing of a score beyond them", () => {
    for (const score of ["1e400", "-1e400"])
      expect(ends(rational(score), 1, 3)).toEqual([-Infinity, Infinity]);
  });

  it("are fine up to 2^36 scales", () => {
    expect([2 ** 36, -(2 ** 36), 2 ** 36 + 1, -(2 ** 36) - 1].map((level) => isFine(level, 1))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([isFine(2 ** 38, 4), isFine(2 ** 35, 1 / 4)]).toEqual([true, false]);
  });

  it("put the threshold of zeros below the cut by ln 2 each, and by the margin of the cut", () => {
    const race = new Race(1, { noise: exponential, scale: rational(2) }, NO_BITS);
    race.guessCut(100);
    expect(race.farBelow(0)).toBe(100 - 100 * 2 ** -48);
    expect(race.farBelow(0, 0)).toBe(-1e-300);
    const below = 100 - 6 * Math.LN2 - race.farBelow(3);
    expect(below).toBeGreaterThan(100 * 2 ** -48);
    expect(below).toBeLessThan(1e-10);
  });

  it("put it as far below scores that are not counted from the origin", () => {
    const terms = { noise: exponential, scale: rational(1) };
    const from = (origin: string, cut: number) => {
      const race = new Race(1, terms, NO_BITS, new Origin(rational(origin)));
      race.guessCut(cut);
      return race;
    };
    const race = from("100", -100);
    const far = race.farBelow(2);
    expect(farScore(race, 2)).toBe(100 + far - (100 - far) * 2 ** -48);
    expect(farScore(from("1e400", 5), 1)).toBe(-Infinity);
    const without = new Race(1, terms, NO_BITS);
    without.guessCut(7);
    expect(farScore(without, 1)).toBe(without.farBelow(1));
  });
});

describe("A candidate below a cut", () => {
  /** Whether it is dismissed, by both ways to ask, and what was asked of the noise on the way. */
  function dismissal(cut: number, score: number, word: number, bits: number, most = 0) {
    const { terms, asked } = between(0, most);
    const race = new Race(1, terms, NO_BITS);
    race.guessCut(cut);
    const isDismissed = race.dismisses(score, word, bits);
    const times = asked.length;
    race.consider(0, score, word, bits);
    expect(race.pool.count).toBe(isDismissed ? 0 : 1);
    expect(asked.length).toBe(2 * times);
    return { isDismissed, isNoiseAsked: times > 0 };
  }

  it("is dismissed by its leading zeros alone where they tell", () => {
    expect(dismissal(1, 0, 1, 1)).toEqual({ isDismissed: true, isNoiseAsked: false }); // −ln U ≤ ln 2
    expect(dismissal(1, 0, 3, 2)).toEqual({ isDismissed: true, isNoiseAsked: false });
    expect(dismissal(1.5, 0, 1, 2)).toEqual({ isDismissed: true, isNoiseAsked: false });
    expect(dismissal(1.5, 0, 1, 3)).toEqual({ isDismissed: true, isNoiseAsked: true }); // −ln U ≤ 3·ln 2
    expect(dismissal(100, 0, 0, 2)).toEqual({ isDismissed: true, isNoiseAsked: true }); // U may be as small as can be
  });

  it("is dismissed by the bound of its noise, and not where that is the cut", () => {
    const upper = 0.5 + 0.5 * 2 ** -48;
    expect(dismissal(upper, 0, 1, 1, 0.5)).toEqual({ isDismissed: false, isNoiseAsked: true });
    expect(dismissal(upper * (1 + 2 ** -52), 0, 1, 1, 0.5)).toEqual({
      isDismissed: true,
      isNoiseAsked: true,
    });
    expect(dismissal(100, 0, 0, 2, Infinity)).toEqual({ isDismissed: false, isNoiseAsked: true });
  });
});

describe("A race", () => {
  class Counted extends Race {
    readonly settledAt: number[] = [];
    override settle(): void {
      this.settledAt.push(this.pool.count);
      super.settle();
    }
  }

  /** So many candidates, of which the doubles tell nothing. */
  function crowd(count: number, places = 2) {
    const race = new Counted(places, between(-1e6, 1e6).terms, NO_BITS);
    for (let id = 0; id < count; id++) race.consider(id, 0, id, 32);
    return race;
  }

  it("sorts contenders out when there are 1.5·places + 16, and then twice as many as are left", () => {
    expect(crowd(100).settledAt).toEqual([19, 38, 76]);
    expect(crowd(100).origin).toBe(undefined);
    expect(crowd(40, 20).settledAt).toEqual([]);
  });

  it("sorts out once more at the end if there are twice as many as at first", () => {
    for (const [count, settledAt] of [
      [37, [19]],
      [38, [19, 38, 38]],
      [39, [19, 38, 39]],
    ] as const) {
      const race = crowd(count);
      expect(race.finish().map(({ id }) => id)).toEqual([count - 1, count - 2]);
      expect(race.settledAt).toEqual(settledAt);
    }
  });

  it("gives away all who could still finish", () => {
    const race = new Race(1, between(0, 1).terms, NO_BITS);
    for (const [id, score] of [5, 0, 5.5].entries()) race.consider(id, score, id, 32);
    const { ids, scores, words, bits } = takeAll(race);
    expect([ids, scores, [...words], [...bits]]).toEqual([
      [0, 2],
      [5, 5.5],
      [0, 2],
      [32, 32],
    ]);
    expect(race.pool.count).toBe(0);
  });

  it("has room for few at first, however many places there are", () => {
    const room = (places: number) => new Race(places, between(0, 1).terms, NO_BITS).pool.lower.length;
    expect([room(10), room(10_000)]).toEqual([31, 4096]);
  });

  it("has a cut from as many contenders as places on", () => {
    const race = new Race(2, between(0, 1).terms, NO_BITS);
    race.consider(0, 5, 1, 1);
    race.settle();
    expect(race.cut).toBe(-Infinity);
    race.consider(1, 3, 1, 1);
    race.settle();
    expect(race.cut).toBe(race.pool.lower[race.pool.ids.indexOf(1)]);
    expect(race.cut).toBeCloseTo(3);
  });

  it("is certain of a guessed cut when so many contenders are not below it", () => {
    const race = new Race(2, between(0, 10).terms, NO_BITS);
    expect(race.isCertain()).toBe(true);
    race.guessCut(-5);
    expect([race.cut, race.isCertain(), race.countAboveCut()]).toEqual([-5, false, 0]);
    race.consider(0, 5, 1, 1);
    race.consider(1, -9, 1, 1); // from −9 to 1
    expect([race.isCertain(), race.countAboveCut()]).toEqual([false, 1]);
    race.consider(2, 6, 1, 1);
    expect([race.isCertain(), race.countAboveCut()]).toEqual([true, 2]);
    race.guessCut(-6);
    expect([race.cut, race.isCertain()]).toEqual([-5, true]);
  });

  it("is certain of a floor, and of any guess that is not above it", () => {
    for (const guess of [5, 3, Number.NaN]) {
      const race = new Race(2, between(0, 1).terms, NO_BITS, undefined, 5);
      race.guessCut(guess);
      expect([race.cut, race.isCertain()]).toEqual([5, true]);
    }
  });

  describe("of scores that doubles hardly tell apart", () => {
    const BASE = 10n ** 30n;
    const STEP = 150_000_000_000_000n; // little more than a place of doubles
    /** Nineteen of them, in no order; the doubles of all overlap. */
    function near(cut = -Infinity) {
      const race = new Race(1, between(0, 1).terms, NO_BITS);
      race.guessCut(cut);
      for (let i = 0n; i < 18n; i++) race.consider(Number(i), rational(BASE + STEP * ((7n * i) % 18n)), 1, 1);
      return race;
    }

    it("counts from the score that is about where the cut is, as soon as it is full", () => {
      const race = near();
      for (let id = 18; race.origin === undefined && id < 30; id++) race.consider(id, rational(BASE), 1, 1);
      expect(race.origin?.exact).toEqual(rational(BASE + STEP * 17n));
      expect(race.cut).toBeCloseTo(0);
      expect(race.pool.ids).toEqual([(17 * 13) % 18]); // 7·13 = 1 modulo 18
    });

    it("does so as soon as the contenders have raised a guessed cut, and not before", () => {
      const full = roomOf(1);
      const raised = near(-5e30);
      while (raised.pool.count < full && raised.origin === undefined)
        raised.consider(99, rational(BASE), 1, 1);
      expect(raised.origin).toBeDefined();
      const guessed = near(1e30 + 2e15);
      const { count } = guessed.pool;
      while (guessed.pool.count < 2 * count + full) guessed.consider(99, rational(BASE + 17n * STEP), 1, 1);
      guessed.settle();
      expect([guessed.origin, guessed.cut, guessed.isCertain()]).toEqual([undefined, 1e30 + 2e15, false]);
    });

    const roomOf = (places: number) => new Race(places, between(0, 1).terms, NO_BITS).pool.lower.length;
  });
});

describe("The end of a race", () => {
  /** Contenders between doubles, in the order of their words; what is asked for of their keys. */
  function finish(places: number, ...ends: [lower: number, upper: number][]) {
    const { terms, asked } = between(0, 0);
    const race = new Race(places, terms, NO_BITS);
    ends.forEach(([lower, upper], word) => {
      const place = race.pool.next();
      Object.assign(race.pool.ids, { [place]: word });
      Object.assign(race.pool.scores, { [place]: 0 });
      [race.pool.lower[place], race.pool.upper[place]] = [lower, upper];
      [race.pool.words[place], race.pool.bits[place]] = [word, 32];
    });
    const order = race.finish().map(({ id }) => id);
    return { order, keys: [...new Set(asked)].sort() };
  }

  it("asks for no key where doubles tell", () => {
    expect(finish(2, [1, 2], [3, 4], [5, 6], [1, 2])).toEqual({ order: [2, 1], keys: [] });
    expect(finish(1, [5, Infinity])).toEqual({ order: [0], keys: [] });
  });

  it("asks for the keys of those who may win, and of nobody else", () => {
    expect(finish(1, [9, 10], [1, 3], [2, 4])).toEqual({ order: [0], keys: [] });
    const top = { order: [1, 0], keys: ["enclose 0", "enclose 1"] };
    expect(finish(2, [8, 10], [9, 10], [1, 3], [2, 4])).toEqual(top);
    expect(finish(1, [9, 10], [5, 6], [3, 9.5])).toEqual({ order: [2], keys: ["enclose 0", "enclose 2"] });
    // The third may still be second; the fourth may be before the third, and not before the first two.
    expect(finish(2, [9, 10], [5, 6], [3, 7], [2, 4])).toEqual({
      order: [0, 2],
      keys: ["enclose 1", "enclose 2"],
    });
  });

  it("asks for keys where ends touch", () => {
    expect(finish(1, [5, 6], [3, 5])).toEqual({ order: [1], keys: ["enclose 0", "enclose 1"] });
  });
});
