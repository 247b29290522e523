/** One comparison of sparse vector against its law, by all strings of bits. */
import { describe, expect, it, vi } from "vitest";
import { Base2Weights } from "../../src/base2/weights.js";
import type { Entropy } from "../../src/entropy.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { AboveThreshold, eta, etaAtMost } from "../../src/index.js";
import {
  type Above,
  type Comparison,
  drawBase2Geometric,
  drawOdds,
  IntegerComparison,
  RealComparison,
  type RealNoise,
} from "../../src/numbers/comparison.js";
import { Contender } from "../../src/race/contender.js";
import { exponential, gumbel } from "../../src/race/noise.js";
import { lazyGaussian } from "../../src/sample/lazy-gaussian.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const ZERO = rational(0);
const nameOf = (above: Above | undefined) =>
  above === undefined ? "below" : above.gap === undefined ? "above" : `above by ${above.gap}`;

/** The outcomes agree with their probabilities in doubles, up to what the tree leaves undecided. */
function expectLaw(
  sample: (entropy: Entropy) => string,
  law: Readonly<Record<string, number>>,
  { depth = 12, undecided: most = 0.05 } = {},
): void {
  const { mass, undecided } = bitTree(sample, { depth });
  const open = undecided.toNumber();
  expect(open).toBeLessThan(most);
  for (const [outcome, probability] of Object.entries(law)) {
    const found = (mass.get(outcome) ?? ZERO).toNumber();
    expect(found, outcome).toBeLessThan(probability + 1e-9);
    expect(found + open, outcome).toBeGreaterThan(probability - 1e-9);
  }
}

/** One value against the threshold 0, with fresh noise on both. */
const compared = (make: (entropy: Entropy) => Comparison, value: number) => (entropy: Entropy) =>
  nameOf(make(entropy).compare(value, ZERO, 0));

const LEVEL = { margin: ZERO, scale: rational(3) };

describe("with exponential noise of scales 2 and 3", () => {
  const noise: RealNoise = {
    threshold: { scale: rational(2) },
    query: exponential,
    levels: [LEVEL],
    resolution: undefined,
  };
  /** P(d + 3E ≥ 2E′). */
  const above = (d: number) => (d >= 0 ? 1 - 0.4 * Math.exp(-d / 2) : 0.6 * Math.exp(d / 3));

  it.each([-7, -1, 0, 1, 4])("a value that leads by %d is above as often as the law says", (lead) => {
    const sample = compared((entropy) => new RealComparison(noise, entropy), lead);
    expectLaw(sample, { above: above(lead), below: 1 - above(lead) });
  });

  it.each([-2, 0, 3])("a value that leads by %d has the gaps of the law, rounded down", (lead) => {
    const resolution = rational("3/2");
    const sample = compared((entropy) => new RealComparison({ ...noise, resolution }, entropy), lead);
    // The gap exceeds g exactly if a value that leads by g less is above.
    const between = (from: number, to: number) => above(lead - from) - above(lead - to);
    expectLaw(
      sample,
      {
        below: 1 - above(lead),
        "above by 0": between(0, 1.5),
        "above by 1.5": between(1.5, 3),
        "above by 3": between(3, 4.5),
        "above by 7.5": between(7.5, 9),
      },
      { undecided: 0.2 },
    );
  });

  it("levels are tried in their order, each with a noise of its own", () => {
    const levels = [
      { margin: rational(4), scale: rational(6) },
      { margin: ZERO, scale: rational(3) },
    ];
    const sample = (entropy: Entropy) => {
      const { level } = new RealComparison({ ...noise, levels }, entropy).compare(3, ZERO, 0) ?? {};
      return String(level);
    };
    // P(3 − 4 + 6E ≥ 2E′) = 6/8·e^(−1/6).
    expectLaw(sample, { 0: 0.75 * Math.exp(-1 / 6) }, { undecided: 0.1 });
    const [first, second] = [1e6, 2].map((value) =>
      new RealComparison({ ...noise, levels }, seededEntropy("levels")).compare(value, rational(-50), 0),
    );
    expect([first?.level, second?.level]).toEqual([0, 0]);
    expect(new RealComparison({ ...noise, levels }, seededEntropy("far")).farBelow(ZERO)).toBe(-Infinity);
  });

  it("a query with 16 zeros drawn is above as often as its U allows", () => {
    // −ln U > 16·ln 2 is certain, so 3E is 33.27 or more.
    const sample = (entropy: Entropy) => nameOf(new RealComparison(noise, entropy).compare(-40, ZERO, 16));
    expectLaw(sample, { above: above(-40 + 48 * Math.LN2) });
  });

  it("nothing below farBelow is ever above unless its U starts with 16 zeros", () => {
    for (let seed = 0; seed < 50; seed++) {
      const threshold = rational("12345/7");
      const comparison = new RealComparison(noise, seededEntropy(`far ${seed}`));
      const far = comparison.farBelow(threshold);
      // The noise of the threshold is at least 0, and what 16 zeros are worth is 48·ln 2.
      expect(far).toBeGreaterThanOrEqual(12345 / 7 - 48 * Math.LN2 - 1e-9);
      for (let i = 0; i < 20; i++) expect(comparison.compare(far - 1e-6, threshold, 0)).toBeUndefined();
    }
  });
});

describe("with Gaussian noise of variance 5/3 and Gumbel noise of scale 3", () => {
  const noise: RealNoise = {
    threshold: { variance: rational("5/3") },
    query: gumbel,
    levels: [LEVEL],
    resolution: rational("1/4"),
  };

  /** 3·G − √(5/3)·Z of the same bits, in doubles; U is known to a word of 32 bits. */
  function noiseOf(seed: string): number {
    const entropy = seededEntropy(seed);
    const normal = lazyGaussian(entropy);
    const u = (entropy.word() + 0.5) / 2 ** 32;
    while (normal.upper - normal.lower > 1e-7) normal.refine();
    return -3 * Math.log(-Math.log1p(-u)) - Math.sqrt(5 / 3) * normal.lower;
  }

  it("a value is above, and by as much, as its noises say", () => {
    const found = { above: 0, below: 0 };
    for (let seed = 0; seed < 300; seed++) {
      const lead = (seed % 13) - 8;
      const difference = lead + noiseOf(`gaussian ${seed}`);
      const places = difference * 4;
      if (Math.abs(places - Math.round(places)) < 1e-4) continue; // too close for doubles to tell
      const comparison = new RealComparison(noise, seededEntropy(`gaussian ${seed}`));
      const answer = comparison.compare(lead + 100, rational(100), 0);
      expect(answer?.gap?.toNumber()).toBe(difference < 0 ? undefined : Math.floor(places) / 4);
      found[answer === undefined ? "below" : "above"]++;
    }
    expect([found.above > 50, found.below > 50]).toEqual([true, true]);
  });

  it("a gap is told to as many digits as are asked for", () => {
    const fine = new RealComparison({ ...noise, resolution: rational("1e-40") }, seededEntropy("digits"));
    const coarse = new RealComparison(noise, seededEntropy("digits"));
    const [more, fewer] = [fine, coarse].map((each) => each.compare(100, ZERO, 0)?.gap as Rational);
    expect(more.minus(fewer).compare(0)).toBe(1);
    expect(more.minus(fewer).compare("1/4")).toBe(-1);
    expect(more.times(10n ** 40n).isInteger()).toBe(true);
    expect(more.times(10n ** 30n).isInteger()).toBe(false);
  });

  it("nothing below farBelow is above, and not all of the rest is far", () => {
    for (let seed = 0; seed < 30; seed++) {
      const comparison = new RealComparison(noise, seededEntropy(`far ${seed}`));
      const far = comparison.farBelow(rational(100));
      const { lower, upper } = lazyGaussian(seededEntropy(`far ${seed}`));
      expect(far).toBeLessThan(100 - 48 * Math.LN2 + Math.sqrt(5 / 3) * upper);
      expect(far).toBeGreaterThan(100 - 48 * Math.LN2 + Math.sqrt(5 / 3) * lower - 1e-9);
      for (let i = 0; i < 20; i++) expect(comparison.compare(far - 1e-6, rational(100), 0)).toBeUndefined();
    }
  });
});

describe("doubles tell", () => {
  it("a clear answer, without an enclosure", () => {
    const key = vi.spyOn(Contender.prototype, "key");
    const answers: (Above | undefined)[] = [];
    for (const threshold of [{ scale: rational(2) }, { variance: rational(2) }])
      for (const query of [exponential, gumbel]) {
        const noise = { threshold, query, levels: [LEVEL], resolution: undefined };
        const comparison = new RealComparison(noise, seededEntropy("clear"));
        answers.push(...[1000, -1000].map((value) => comparison.compare(value, ZERO, 0)));
      }
    const { length } = key.mock.calls;
    key.mockRestore();
    expect(answers.map(nameOf)).toEqual(Array(4).fill(["above", "below"]).flat());
    expect(length).toBe(0);
  });
});

describe("where doubles end", () => {
  const noise = (scale: string): RealNoise => ({
    threshold: { scale: rational(scale) },
    query: exponential,
    levels: [{ margin: ZERO, scale: rational(scale) }],
    resolution: undefined,
  });

  it.each(["1e-320", "1e-300", "1e300", "1e307"])("a scale of %s has the law of a scale of 1", (scale) => {
    const sample = (entropy: Entropy) => {
      const comparison = new RealComparison(noise(scale), entropy);
      return nameOf(comparison.compare(0, rational(scale), 0));
    };
    expectLaw(sample, { above: Math.exp(-1) / 2 });
  });

  it("no value is far from a threshold that isn't a finite double", () => {
    const comparison = new RealComparison(noise("1"), seededEntropy("wide"));
    expect(comparison.farBelow(rational("-1e400"))).toBe(-Infinity);
    expect(new RealComparison(noise("1e400"), seededEntropy("wide")).farBelow(ZERO)).toBe(-Infinity);
  });

  it.each(["exponential", "gaussian"])("equal values are decided by more digits, with %s noise", (kind) => {
    const tiny = rational("1e-90");
    const threshold = kind === "gaussian" ? { variance: tiny.times(tiny) } : { scale: tiny };
    const entropy = seededEntropy(kind);
    const found = new Set<string>();
    for (let i = 0; i < 40; i++)
      found.add(
        nameOf(
          new RealComparison(
            { threshold, query: exponential, levels: [{ margin: ZERO, scale: tiny }], resolution: tiny },
            entropy,
          ).compare(3, rational(3), 0),
        ),
      );
    expect(found).toContain("below");
    expect(found).toContain("above by 0");
    expect(found).toContain(`above by ${tiny}`);
  });
});

/** (x/2^y)^z. */
const BASES = [
  { parameter: eta(1, 1), base: 1 / 2 },
  { parameter: eta(3, 2), base: 3 / 4 },
  { parameter: eta(1, 2), base: 1 / 4 },
  { parameter: eta(7, 3, 2), base: 49 / 64 },
] as const;

describe.each(BASES)("in base 2, with B = $base", ({ parameter, base }) => {
  it("the geometric law is (1 − B)·B^k", () => {
    const weights = new Base2Weights(parameter);
    const law = Object.fromEntries([0, 1, 2, 3, 5].map((k) => [String(k), (1 - base) * base ** k]));
    expectLaw((entropy) => String(drawBase2Geometric(weights, entropy)), law, { depth: 10, undecided: 0.4 });
  });

  it("the odds of a distance are w/(1 + w)", () => {
    const weights = new Base2Weights(parameter);
    for (const distance of [1, 3]) {
      const weight = base ** distance;
      expectLaw(
        (entropy) => String(drawOdds(weights, BigInt(distance), entropy)),
        {
          true: weight / (1 + weight),
          false: 1 / (1 + weight),
        },
        { depth: 10, undecided: 0.2 },
      );
    }
  });

  const step = rational("1/2");
  const make = (hasGaps: boolean) => (entropy: Entropy) =>
    new IntegerComparison({ threshold: parameter, query: parameter, step, hasGaps }, entropy);

  it("a value is compared in steps of the grid, and its gap is its lead and a geometric number", () => {
    const weights = new Base2Weights(parameter);
    for (let seed = 0; seed < 200; seed++) {
      const units = (seed % 9) - 5;
      const bits = seededEntropy(`steps ${seed}`);
      const distance = 7n + drawBase2Geometric(weights, bits) - BigInt(7 + units);
      const isAbove = distance <= 0n || weights.keeps(distance, 0, bits);
      const gap = (distance < 0n ? -distance : 0n) + (isAbove ? drawBase2Geometric(weights, bits) : 0n);
      const comparison = make(true)(seededEntropy(`steps ${seed}`));
      const answer = comparison.compare((7 + units) / 2 + 1 / 4, rational("7/2"), 0); // rounded down
      expect(answer).toEqual(isAbove ? { level: 0, gap: step.times(gap) } : undefined);
    }
  });

  it("farBelow is so far below that the coin has 16 zeros, and no farther than it must", () => {
    for (let seed = 0; seed < 20; seed++) {
      const entropy = seededEntropy(`far ${seed}`);
      const comparison = make(false)(entropy);
      const noise = drawBase2Geometric(new Base2Weights(parameter), seededEntropy(`far ${seed}`));
      const units = rational(comparison.farBelow(rational(8)))
        .minus(8)
        .dividedBy(step)
        .minus(noise);
      const weight = base ** units.negated().toNumber();
      expect(weight).toBeLessThanOrEqual(2 ** -16);
      expect(weight).toBeGreaterThan(2 ** -17 * base ** 3);
    }
  });
});

describe("in base 2, with B = 1/2", () => {
  const make = (hasGaps: boolean) => (entropy: Entropy) =>
    new IntegerComparison({ threshold: eta(1, 1), query: eta(1, 1), step: rational(1), hasGaps }, entropy);
  /** P(K′ ≤ K + units), K and K′ geometric. */
  const above = (units: number) => {
    let sum = 0;
    for (let k = 0; k < 100; k++) sum += 2 ** (-k - 1 - Math.max(k - units, 0));
    return sum;
  };

  it.each([-3, -1, 0, 2])("a value that leads by %d steps is above as often as the law says", (units) => {
    expectLaw(compared(make(false), units), { above: above(units), below: 1 - above(units) });
  });

  it("a value has the gaps of the law", () => {
    const law: Record<string, number> = { below: 1 - above(1) };
    for (const gap of [0, 1, 2, 4]) law[`above by ${gap}`] = above(1 - gap) - above(-gap);
    expectLaw(compared(make(true), 1), law);
  });
});

describe("in base 2", () => {
  const make = (entropy: Entropy) =>
    new IntegerComparison(
      { threshold: eta(1, 1), query: eta(1, 1), step: rational(2), hasGaps: false },
      entropy,
    );

  it("a threshold off the grid is refused", () => {
    for (const threshold of [rational(1), rational("1/3")]) {
      const comparison = make(seededEntropy("grid"));
      const refusal = expect.objectContaining({
        code: "invalid-parameter",
        message: "threshold must be a multiple of step",
      });
      expect(() => comparison.compare(0, threshold, 0)).toThrow(refusal);
      expect(() => comparison.farBelow(threshold)).toThrow(refusal);
    }
  });

  it.each([30, 36, 40, 200, 269])(
    "geometric noise of η = 10^−%d takes a few bits for each of its digits",
    (places) => {
      const parameter = etaAtMost(`1e-${places}`);
      const weights = new Base2Weights(parameter);
      const entropy = seededEntropy(`digits of ${places}`);
      const runs = 20;
      let sum = rational(0);
      for (let run = 0; run < runs; run++)
        sum = sum.plus(parameter.eta.times(drawBase2Geometric(weights, entropy)));
      // η·k has the mean 1/ln 2 = 1.44 and that deviation; a digit takes a bit or a word of 32, twice on average.
      const mean = sum.dividedBy(BigInt(runs)).toNumber();
      expect(mean).toBeGreaterThan(0.7);
      expect(mean).toBeLessThan(2.6);
      const digits = places * Math.log2(10) + 1;
      expect(entropy.bitsUsed / runs).toBeLessThan(2 * 33 * digits);
    },
  );

  it("a base nearer to 1 than geometric noise can have is refused before a bit is drawn", () => {
    const entropy = seededEntropy("untouched");
    const near = eta((1n << 900n) - 1n, 900);
    expect(() => new AboveThreshold({ eta: near, entropy })).toThrow(
      "eta must be at least 1e-270 for geometric noise; got ",
    );
    expect(entropy.bitsUsed).toBe(0);
    expect(new AboveThreshold({ eta: etaAtMost("1e-40"), entropy }).push(0)).toBeDefined();
  });

  it("farBelow is rounded down where it isn't a double", () => {
    const noise = { threshold: eta(1, 1), query: eta(1, 1), step: rational("1/10"), hasGaps: false };
    const comparison = new IntegerComparison(noise, seededEntropy("tenths"));
    const units = BigInt(Math.round(10 * comparison.farBelow(ZERO)));
    for (let tenths = 0n; tenths < 30n; tenths++)
      expect(comparison.farBelow(Rational.of(tenths, 10n))).toBe(
        Rational.of(units + tenths, 10n).toNumber("down"),
      );
  });

  it("a value at the noisy threshold is above without a bit, and a fair bit of 0 ends the odds", () => {
    const noise = drawBase2Geometric(new Base2Weights(eta(1, 1)), seededEntropy("at"));
    const bits = seededEntropy("at");
    const comparison = make(bits);
    const silent = vi.spyOn(bits, "word");
    const bit = vi.spyOn(bits, "bit");
    expect(comparison.compare(2n * noise, ZERO, 0)).toEqual({ level: 0, gap: undefined });
    expect([silent.mock.calls.length, bit.mock.calls.length]).toEqual([0, 0]);
    bit.mockReturnValue(0);
    expect(drawOdds(new Base2Weights(eta(1, 1)), 1n, bits)).toBe(false);
  });

  it("a geometric number takes few coins where the base is next to 1", () => {
    const weights = new Base2Weights(eta(2n ** 40n - 1n, 40n));
    const entropy = seededEntropy("next to 1");
    const numbers = Array.from({ length: 20 }, () => drawBase2Geometric(weights, entropy));
    expect(numbers.filter((number) => number > 2n ** 37n).length).toBeGreaterThan(10);
    expect(numbers.every((number) => number < 2n ** 44n)).toBe(true);
  });

  it("no value is far where the base is next to 1", () => {
    const slow = eta(2n ** 300n - 1n, 300n);
    const noise = { threshold: eta(1, 1), query: slow, step: rational(1), hasGaps: false };
    expect(new IntegerComparison(noise, seededEntropy("slow")).farBelow(ZERO)).toBe(-Infinity);
  });
});
