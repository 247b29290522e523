import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asInterval } from "../../src/exact/interval.js";
import { ln2 } from "../../src/exact/ln.js";
import { Rational, rational } from "../../src/exact/rational.js";
import type { Noise } from "../../src/race/noise.js";
import { Race } from "../../src/race/race.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { exactly, neighbour } from "./doubles.js";
import { infimum, NOISES, supremum } from "./noise-oracle.js";

/** A candidate with digits of its U, and a cut that is as close to its largest key as doubles come. */
interface Close {
  readonly noise: Noise;
  readonly scale: Rational;
  readonly exactScore: number | Rational;
  readonly word: number;
  readonly bits: number;
  readonly places: number;
}

const scales = fc
  .tuple(fc.integer({ min: 1, max: 10 ** 6 }), fc.integer({ min: -290, max: 280 }))
  .map(([mantissa, exponent]) => rational(`${mantissa}e${exponent}`));

const cells = fc
  .integer({ min: 1, max: 80 })
  .chain((bits) => fc.nat(Math.min(bits, 32)).map((length) => ({ bits, length })))
  .chain(({ bits, length }) =>
    fc.record({ bits: fc.constant(bits), word: fc.integer({ min: 1, max: Math.max(1, 2 ** length - 1) }) }),
  );

/** Scores of the size of the noise, of any size, and integers of up to 40 digits. */
function scoresFor(scale: Rational): fc.Arbitrary<number | Rational> {
  const limit = 10n ** 40n;
  return fc.oneof(
    fc.double({ min: -1e4, max: 1e4, noNaN: true }).map((factor) => factor * scale.toNumber()),
    fc.double({ min: -1e300, max: 1e300, noNaN: true }),
    fc.bigInt({ min: -limit, max: limit }).map((integer) => Rational.of(integer)),
  );
}

const closeCalls: fc.Arbitrary<Close> = scales.chain((scale) =>
  fc
    .record({
      noise: fc.constantFrom(...NOISES),
      scale: fc.constant(scale),
      exactScore: scoresFor(scale),
      places: fc.integer({ min: -40, max: 40 }),
    })
    .chain((call) => cells.map((cell) => ({ ...call, ...cell }))),
);

function nearest(score: number | Rational): number {
  return typeof score === "number" ? score : score.toNumber();
}

/** The largest key that the candidate may have, rounded up a little. */
function largestKey({ noise, scale, exactScore, word, bits }: Close): Rational {
  return scale.times(supremum(noise, word, bits)!.upper()).plus(rational(exactScore));
}

function raceWithCut({ noise, scale }: Close, cut: number): Race {
  const race = new Race(1, { noise, scale }, seededEntropy("race"));
  race.guessCut(cut);
  return race;
}

describe("In a race", () => {
  it("whoever is dismissed is below the cut, however close it is and whatever the sizes", () => {
    fc.assert(
      fc.property(closeCalls, (call) => {
        const key = largestKey(call);
        const cut = neighbour(key.toNumber(), call.places);
        const isDismissed = raceWithCut(call, cut).dismisses(nearest(call.exactScore), call.word, call.bits);
        expect(!isDismissed || key.compare(exactly(cut)) < 0).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("whoever is clearly below the cut is dismissed", () => {
    fc.assert(
      fc.property(closeCalls, (call) => {
        const key = largestKey(call);
        const reach = Math.abs(nearest(call.exactScore)) + 64 * call.scale.toNumber();
        const cut = key.toNumber() + reach * 2 ** -24;
        expect(raceWithCut(call, cut).dismisses(nearest(call.exactScore), call.word, call.bits)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("the doubles of a contender are around its key", () => {
    fc.assert(
      fc.property(closeCalls, (call) => {
        const { noise, scale, exactScore, word, bits } = call;
        const race = raceWithCut(call, -Infinity);
        race.consider(0, exactScore, word, bits);
        const [{ lower, upper }] = race.finish();
        expect(exactly(upper).compare(largestKey(call))).toBeGreaterThanOrEqual(0);
        const least = infimum(noise, word, bits);
        if (least === undefined) expect(lower).toBe(-Infinity);
        else {
          const key = scale.times(least.lower()).plus(rational(exactScore));
          expect(exactly(lower).compare(key)).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("a score below `farBelow` has a key below the cut unless its U starts with the zeros", () => {
    fc.assert(
      fc.property(closeCalls, fc.integer({ min: 0, max: 60 }), (call, zeros) => {
        const cut = largestKey(call).toNumber();
        const score = neighbour(raceWithCut(call, cut).farBelow(zeros), -1);
        const exactScore = exactly(score)
          .plus(exactly(neighbour(score, 1)))
          .dividedBy(2n); // rounds to it at most
        const key = exactScore.plus(call.scale.times(asInterval(ln2(192)).upper()).times(BigInt(zeros)));
        expect(key.compare(exactly(cut))).toBeLessThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });

  it("without a margin, rounding would dismiss some that are not below the cut", () => {
    const wrong = fc.sample(closeCalls, { numRuns: 2000, seed: 1 }).filter((call) => {
      const key = largestKey(call);
      const cut = neighbour(key.toNumber(), call.places);
      const most = supremum(call.noise, call.word, call.bits)!.toNumber("up");
      return nearest(call.exactScore) + call.scale.toNumber() * most < cut && key.compare(exactly(cut)) > 0;
    });
    expect(wrong.length).toBeGreaterThan(0);
  });
});
