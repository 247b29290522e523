import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Entropy } from "../../src/entropy.js";
import { Rational, type RationalLike, rational } from "../../src/exact/rational.js";
import { exponential, type Noise } from "../../src/race/noise.js";
import { Race } from "../../src/race/race.js";
import { reportNoisyMax } from "../../src/select/report-noisy-max.js";
import { topK } from "../../src/select/top-k.js";
import { TopKStream } from "../../src/select/top-k-stream.js";
import { topKWithGap } from "../../src/select/top-k-with-gap.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { infimum, NOISES, supremum } from "./noise-oracle.js";

/**
 * Scores up to the ends of the doubles and beyond, scales up to the ends of what is allowed, denominators of hundreds of
 * digits: an answer agrees with the ideal keys, or the call is refused for a public parameter. Each candidate's first word
 * is recorded, and exact arithmetic says what it leaves open.
 */

/** Seeded words, of which the first ones are remembered: one for each candidate. */
function recorded(seed: number): { entropy: Entropy; words: number[] } {
  const source = seededEntropy(seed);
  const words: number[] = [];
  const entropy = new Entropy({
    poolWords: 1,
    fill(pool) {
      pool[0] = source.word();
      words.push(pool[0]);
    },
  });
  return { entropy, words };
}

/** What the first word of a candidate leaves open of its key; undefined where it is unbounded. */
interface Key {
  readonly least: Rational | undefined;
  readonly most: Rational | undefined;
}

function keysOf(
  scores: readonly RationalLike[],
  words: readonly number[],
  noise: Noise,
  scale: Rational,
): Key[] {
  return scores.map((score, index) => {
    const [least, most] = [infimum(noise, words[index], 32), supremum(noise, words[index], 32)];
    return {
      least: least && scale.times(least.lower()).plus(score),
      most: most && scale.times(most.upper()).plus(score),
    };
  });
}

/** Nobody is certainly above one that comes before it. */
function expectOrder(winners: readonly number[], keys: readonly Key[]): void {
  expect(new Set(winners).size).toBe(winners.length);
  winners.forEach((index, place) => {
    const { most } = keys[index];
    const ahead = new Set(winners.slice(0, place + 1));
    keys.forEach(({ least }, other) => {
      if (most === undefined || least === undefined || ahead.has(other)) return;
      expect(least.compare(most)).toBeLessThanOrEqual(0);
    });
  });
}

/** Each gap is a multiple of the resolution that the keys allow; the last is over the best that is left. */
function expectGaps(
  winners: readonly { candidate: number; gap?: Rational }[],
  keys: readonly Key[],
  unit: Rational,
): void {
  winners.forEach(({ candidate, gap }, place) => {
    expect(gap!.dividedBy(unit).isInteger()).toBe(true);
    expect(gap!.numerator >= 0n).toBe(true);
    const next = winners[place + 1];
    if (next === undefined) return;
    const [a, b] = [keys[candidate], keys[next.candidate]];
    if (a.most !== undefined && b.least !== undefined)
      expect(gap!.compare(a.most.minus(b.least))).toBeLessThanOrEqual(0);
    if (a.least !== undefined && b.most !== undefined)
      expect(gap!.plus(unit).compare(a.least.minus(b.most))).toBeGreaterThanOrEqual(0);
  });
}

const scales = fc
  .tuple(
    fc.integer({ min: 1, max: 10 }),
    fc.oneof(fc.constantFrom(-270, 0, 269), fc.integer({ min: -270, max: 269 })),
  )
  .map(([mantissa, exponent]) => rational(`${mantissa}e${exponent}`));

const ENDS = [
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  1.7e308,
  -1e308,
  5e-324,
  -5e-324,
  1e-310,
  2.2e-308,
  0,
  1,
  -1,
  1e270,
];

const doubles = fc.oneof(
  fc.constantFrom(...ENDS),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -5, max: 5 }),
);

/** Doubles, and integers near one of any size, for which doubles are too coarse. */
const scoreLists: fc.Arbitrary<(number | bigint)[]> = fc.oneof(
  fc.array(doubles, { minLength: 4, maxLength: 12 }),
  fc
    .tuple(
      fc.integer({ min: 0, max: 300 }),
      fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 4, maxLength: 12 }),
    )
    .map(([digits, offsets]) => offsets.map((offset) => 10n ** BigInt(digits) + BigInt(offset))),
);

/** Any rational: near each other at any height, with denominators of hundreds of digits. */
const rationalLists: fc.Arbitrary<Rational[]> = fc
  .tuple(
    fc.integer({ min: -400, max: 400 }),
    fc.bigInt({ min: 1n, max: 10n ** 300n }),
    fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 4, maxLength: 40 }),
    scales,
  )
  .map(([exponent, denominator, offsets, scale]) =>
    offsets.map((offset) =>
      rational(`1e${exponent}`)
        .plus(scale.times(Rational.of(BigInt(offset), 7n)))
        .plus(Rational.of(1n, denominator)),
    ),
  );

describe("Whatever the sizes of scores, scales and resolutions,", () => {
  it("the answer of topK, topKWithGap and streams is that of the ideal keys", () => {
    fc.assert(
      fc.property(scoreLists, scales, scales, fc.nat(), (scores, scale, unit, seed) => {
        fc.pre(unit.compare(scale.times("1e-300")) >= 0); // finer ones are refused
        const exact = scores.map((score) => rational(score));
        const check = (
          run: (entropy: Entropy) => readonly { candidate: number; gap?: Rational }[],
          withGaps: boolean,
        ) => {
          const { entropy, words } = recorded(seed);
          const winners = run(entropy);
          const keys = keysOf(exact, words, exponential, scale);
          expectOrder(
            winners.map(({ candidate }) => candidate),
            keys,
          );
          if (withGaps) expectGaps(winners, keys, unit);
        };
        const options = { k: 2, scale, resolution: unit };
        check((entropy) => topKWithGap(scores, { ...options, entropy }).winners, true);
        check((entropy) => new TopKStream({ ...options, entropy }).pushScores(scores).finish().winners, true);
        check((entropy) => topK(scores, { k: 3, scale, entropy }).winners, false);
      }),
      { numRuns: 70 },
    );
  });

  it("the answer of reportNoisyMax is that of the ideal keys", () => {
    fc.assert(
      fc.property(scoreLists, scales, fc.constantFrom(...NOISES), fc.nat(), (all, scale, noise, seed) => {
        const scores = all.slice(0, 6); // so few all enter, one word each
        const { entropy, words } = recorded(seed);
        const { candidate } = reportNoisyMax(scores, { noise: noise.name, scale, entropy });
        expectOrder(
          [candidate],
          keysOf(
            scores.map((score) => rational(score)),
            words,
            noise,
            scale,
          ),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("Gaussian noise moves no winner that leads by a thousand deviations", () => {
    fc.assert(
      fc.property(scoreLists, scales, fc.nat(), (scores, sigma, seed) => {
        const variance = sigma.times(sigma);
        const { candidate } = reportNoisyMax(scores, {
          noise: "gaussian",
          variance,
          entropy: seededEntropy(seed),
        });
        const lead = scores.map((score) => rational(score).minus(rational(scores[candidate])));
        for (const by of lead) expect(by.compare(sigma.times(1000))).toBeLessThan(0);
      }),
      { numRuns: 100 },
    );
  });

  it("races of any rationals, in one part or joined, are those of the ideal keys", () => {
    fc.assert(
      fc.property(
        rationalLists,
        scales,
        fc.constantFrom(...NOISES),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(),
        (scores, scale, noise, places, seed) => {
          const { entropy, words } = recorded(seed);
          const races = Array.from({ length: 2 }, () => new Race<number>(places, { noise, scale }, entropy));
          scores.forEach((score, index) => {
            races[index % (seed % 2 === 0 ? 1 : 2)].enter(index, score, 0);
          });
          races[0].join(races[1]);
          const order = races[0].finish().map(({ id }) => id);
          expect(order.length).toBe(places);
          expectOrder(order, keysOf(scores, words, noise, scale));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("a scale that doubles cannot carry is refused, whatever the scores", () => {
    for (const scale of ["1e-271", "1e271", "1e-9999", "1e9999"])
      for (const scores of [
        [1, 2, 3],
        [1e308, -1e308, 5e-324],
      ]) {
        const expected = "scale must be a rational from 1e-270 to 1e270";
        expect(() => topK(scores, { k: 1, scale })).toThrow(expected);
        expect(() => topKWithGap(scores, { k: 1, scale })).toThrow(expected);
        expect(() => new TopKStream({ k: 1, scale })).toThrow(expected);
        expect(() => reportNoisyMax(scores, { noise: "gumbel", scale })).toThrow(expected);
      }
  });
});

describe("Scores that are huge beside the noise", () => {
  it("of 20,000 candidates are told apart in linear time and memory for few", () => {
    const n = 20_000;
    for (const base of [1e15, 1e300, -1e300]) {
      const scores = new Float64Array(n).fill(base);
      const { winners } = topKWithGap(scores, { k: 5, scale: "1e-3", entropy: seededEntropy(`${base}`) });
      expect(new Set(winners.map(({ candidate }) => candidate)).size).toBe(5);
      const stream = new TopKStream({ k: 5, scale: "1e-3", entropy: seededEntropy(`${base}`) });
      stream.pushScores(scores);
      expect(stream.detach().ids.length).toBeLessThan(60);
    }
    const whole = Array.from({ length: n }, (_, index) => 10n ** 40n + BigInt(index % 100));
    const [best] = topK(whole, { k: 1, scale: "1e-3", entropy: seededEntropy("bigints") }).winners;
    expect(best.candidate % 100).toBe(99);
  });
});
