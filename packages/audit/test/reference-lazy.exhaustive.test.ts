import { Decimal } from "decimal.js";
import { describe, expect, it } from "vitest";
import { Interval } from "../../core/src/exact/interval.js";
import { Rational, type RationalLike, rational } from "../../core/src/exact/rational.js";
import { bitTree } from "../../core/src/testing/bit-tree.js";
import { type Choose, choiceTree } from "../../core/src/testing/choice-tree.js";
import { replayEntropy } from "../../core/src/testing/replay-entropy.js";
import { seededEntropy } from "../../core/src/testing/seeded-entropy.js";
import { expectLaw } from "../../core/test/support/expect-law.js";
import {
  gapFloor,
  isAbove,
  LazyExponential,
  LazyGumbel,
  LazyUniform,
  noisyScore,
  Reference,
} from "../src/reference-samplers.js";

const PRECISION = 128;

/** e^x. */
function exponential(x: RationalLike): Interval {
  return Interval.from(x, PRECISION).exp();
}

/** 2^−places. */
function unit(places: number): Rational {
  return Rational.of(1n, 1n << BigInt(places));
}

/** P(⌊2^places · E⌋ = cell) for an exponential E of mean 1, as text. */
function cellProbability(cell: number, places: number): string {
  const step = unit(places);
  const [from, to] = [step.times(-cell), step.times(-cell - 1)].map(exponential);
  return String(from.minus(to).lower());
}

/** A uniform of which the given bits can be revealed, and no others. */
function uniformOf(bits: string): LazyUniform {
  const entropy = replayEntropy(bits);
  return new LazyUniform(() => entropy.bit());
}

describe("LazyUniform", () => {
  it("reveals bits from the front, each once", () => {
    const uniform = uniformOf("1011");
    expect([uniform.floor(2), uniform.places]).toEqual([0b10n, 2]);
    expect([uniform.floor(4), uniform.places]).toEqual([0b1011n, 4]);
    expect([uniform.floor(1), uniform.places]).toEqual([0b1n, 4]);
    expect(() => uniform.floor(5)).toThrow("more bits were asked for");
  });

  it("is compared by no more bits than it takes to find a difference", () => {
    const [lower, higher] = [uniformOf("010"), uniformOf("011")];
    expect(lower.isBelow(higher)).toBe(true);
    expect(higher.isBelow(lower)).toBe(false);
    expect([lower.places, higher.places]).toEqual([3, 3]);
    expect(uniformOf("10").isBelow(uniformOf("0"))).toBe(false);
  });
});

describe("Reference.exponentialFraction", () => {
  it.each([0, 1, 2, 3])("keeps a uniform with probability e^−U: %d places, 1.2 %% undecided", (places) => {
    const trial = bitTree((entropy) => new Reference(entropy).exponentialFraction()?.floor(places), {
      depth: 20,
    });
    const cells = Array.from({ length: 2 ** places }, (_, cell) => [
      `${cell}`,
      cellProbability(cell, places),
    ]);
    const rejected = String(exponential(-1).lower());
    expectLaw({ tree: trial, probabilities: { ...Object.fromEntries(cells), undefined: rejected } });
    expect(trial.undecided.compare("0.012")).toBe(-1);
  });
});

describe("Reference.lazyExponential", () => {
  it.each([0, 2])("has the law of an exponential to %d places, 17 %% of the bit tree undecided", (places) => {
    const tree = bitTree((entropy) => new Reference(entropy).lazyExponential().floor(places), { depth: 16 });
    const cells = Array.from({ length: 20 }, (_, cell) => [`${cell}`, cellProbability(cell, places)]);
    expectLaw({ tree, probabilities: Object.fromEntries(cells) });
    expect(tree.undecided.compare("0.17")).toBe(-1);
  });

  it("has the law of an exponential to 2 places, from trials that are proven", () => {
    const cellOfZero = exponential(unit(2).negated()).negated().plus(1);
    class Choosing extends Reference {
      readonly choose: Choose;

      constructor(choose: Choose) {
        super(replayEntropy(""));
        this.choose = choose;
      }

      /** Kept with the first two bits 00, 01, 10, 11, or not kept. */
      override exponentialFraction(): LazyUniform | undefined {
        const cells = [0, 1, 2, 3].map((cell) => exponential(unit(2).times(-cell)).times(cellOfZero));
        const chosen = this.choose([...cells, exponential(-1)]);
        return chosen === 4 ? undefined : uniformOf(["00", "01", "10", "11"][chosen]);
      }
    }
    const tree = choiceTree((choose) => new Choosing(choose).lazyExponential().floor(2), {
      smallestMass: "1e-12",
    });
    const cells = Array.from({ length: 80 }, (_, cell) => [`${cell}`, cellProbability(cell, 2)]);
    expectLaw({ tree, probabilities: Object.fromEntries(cells) });
    expect(tree.undecided.isBelow("1e-11")).toBe(true);
  });
});

/** What the revealed bits say about E: it lies in [lower, upper). */
function revealed({ integer, fraction }: LazyExponential): { lower: Rational; upper: Rational } {
  const { places } = fraction;
  const lower = Rational.of((integer << BigInt(places)) + fraction.floor(places), 1n << BigInt(places));
  return { lower, upper: lower.plus(unit(places)) };
}

describe("isAbove and gapFloor", () => {
  const [score, scale, resolution] = ["7/3", "5/4", "1/3"].map((text) => rational(text));
  const pairs = (draws: number, check: (first: LazyExponential, second: LazyExponential) => void) => {
    const entropy = seededEntropy("revealed bits");
    const reference = new Reference(entropy);
    for (let draw = 0; draw < draws; draw++) {
      const [first, second] = [reference.lazyExponential(), reference.lazyExponential()];
      check(first, second);
    }
  };

  it("order by revealed bits only: these alone separate the two numbers", () => {
    pairs(1000, (first, second) => {
      const above = isAbove(noisyScore(score, scale, first), noisyScore(0, scale, second));
      const lead = score.dividedBy(scale); // score + scale·E > scale·F means lead + E > F
      const [one, other] = [revealed(first), revealed(second)];
      if (above) expect(one.lower.plus(lead).compare(other.upper)).not.toBe(-1);
      else expect(other.lower.compare(one.upper.plus(lead))).not.toBe(-1);
    });
  });

  it("count whole steps by revealed bits only: these alone leave one answer", () => {
    pairs(1000, (first, second) => {
      const steps = gapFloor(noisyScore(score, scale, first), noisyScore(0, scale, second), resolution);
      const [one, other] = [revealed(first), revealed(second)];
      const least = one.lower.minus(other.upper).times(scale).plus(score).dividedBy(resolution);
      const most = one.upper.minus(other.lower).times(scale).plus(score).dividedBy(resolution);
      expect(least.floor()).toBe(steps);
      expect(most.compare(steps + 1n)).not.toBe(1);
    });
  });

  it("answer again, and the other way round, without a further bit", () => {
    const entropy = seededEntropy("both ways");
    const reference = new Reference(entropy);
    for (let draw = 0; draw < 300; draw++) {
      const [first, second] = [reference.lazyGumbel(), reference.lazyGumbel()];
      const above = isAbove(first, second);
      const { bitsUsed } = entropy;
      expect(isAbove(first, second)).toBe(above);
      expect(isAbove(second, first)).toBe(!above);
      expect(entropy.bitsUsed).toBe(bitsUsed);
    }
  });

  it("order two noisy scores with the right probability, 4 % undecided", () => {
    const tree = choiceTree(
      (choose) =>
        isAbove(noisyScore(1, 2, chosenExponential(choose)), noisyScore(0, 2, chosenExponential(choose))),
      { smallestMass: "1e-5" },
    );
    const probability = exponential("-1/2").dividedBy(-2).plus(1); // 1 − e^(−lead)/2
    expectLaw({ tree, probabilities: { true: String(probability.lower()) } });
    expect(tree.undecided.isBelow("0.04")).toBe(true);
  });
});

/** An exponential by choices: its binary digits are independent, that of weight w is 1 with 1/(1 + e^w). */
function chosenExponential(choose: Choose): LazyExponential {
  const integer = BigInt(choose(INTEGER_PARTS));
  let place = 0;
  return new LazyExponential(integer, new LazyUniform(() => choose(DIGITS[place++]) as 0 | 1));
}

const INTEGER_PARTS = Array.from({ length: 31 }, (_, n) =>
  n < 30 ? exponential(-n).minus(exponential(-n - 1)) : exponential(-n),
);
const DIGITS = Array.from({ length: 64 }, (_, i) => {
  const one = Interval.from(1, PRECISION).dividedBy(exponential(unit(i + 1)).plus(1));
  return [one.negated().plus(1), one];
});

describe("LazyGumbel", () => {
  const decimal = Decimal.clone({ precision: 60 });
  const toDecimal = ({ numerator, denominator }: Rational) =>
    new decimal(String(numerator)).div(String(denominator));

  it("encloses −ln E at both ends of what is revealed of E, and not much more", () => {
    const reference = new Reference(seededEntropy("enclosures"));
    for (let draw = 0; draw < 200; draw++) {
      const gumbel = reference.lazyGumbel();
      for (const places of [4, 8, 40]) {
        const enclosure = gumbel.enclosure(places);
        const { lower, upper } = revealed(gumbel.exponential);
        const [least, most] = [toDecimal(upper).ln().neg(), toDecimal(lower).ln().neg()];
        expect(toDecimal(enclosure.lower()).lte(least)).toBe(true);
        expect(toDecimal(enclosure.upper()).gte(most)).toBe(true);
        const slack = toDecimal(unit(places))
          .mul(1.1)
          .div(toDecimal(lower))
          .add(toDecimal(unit(places + 4)));
        expect(toDecimal(enclosure.upper()).sub(toDecimal(enclosure.lower())).lt(slack)).toBe(true);
      }
    }
  });

  it("reveals a tiny E until it has an upper bound", () => {
    const gumbel = new LazyGumbel(new LazyExponential(0n, uniformOf(`${"0".repeat(41)}101`)));
    const { lo, hi, precision } = gumbel.enclosure(4);
    expect(precision).toBe(12);
    const [least, most] = [lo, hi].map((end) => Number(end) / 4096);
    expect(least).toBeLessThan(-Math.log(6 * 2 ** -44) + 1e-3);
    expect(most).toBeGreaterThan(-Math.log(5 * 2 ** -44) - 1e-3);
    expect(most - least).toBeLessThan(0.3);
  });
});
