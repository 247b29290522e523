/**
 * Wrong variants of the mechanisms with the smallest noise, each caught by an adversary who wins more than it promises, or by the
 * exact law. traps.test.ts lists all traps with their tests.
 */
import { describe, expect, it } from "vitest";
import { boundedRangeDelta, boundGroups, topKWithGap } from "winnow-dp";
import { rhoOfRange } from "../../../core/src/accounting/price.js";
import { poissonBound } from "../../../core/src/accounting/profile/candidates.js";
import { Interval } from "../../../core/src/exact/interval.js";
import { type Rational, rational } from "../../../core/src/exact/rational.js";
import { ScoreReader } from "../../../core/src/race/scores.js";
import { RankedScores } from "../../../core/src/select/ranked-scores.js";
import { drawSet, SetClasses, type Weighing } from "../../../core/src/select/set-classes.js";
import { bitTree } from "../../../core/src/testing/bit-tree.js";
import { expectLaw } from "../../../core/test/support/expect-law.js";
import { bestConstant, bestStrategy } from "../../../core/test/support/range-strategies.js";
import { tight } from "../../../core/test/support/tight-vectors.js";
import { setLaw } from "../../src/laws/set-laws.js";

const delta = (epsilon: number | string, range: number | string, rounds: number) =>
  boundedRangeDelta({ epsilon, range, rounds }).toNumber();

describe("Rounds of bounded range", () => {
  it("cost more than the best constant strategy wins, if each round may be chosen after the answers before", () => {
    const [constant, adaptive] = [bestConstant(1, 1, 3), bestStrategy(1, 3, 64, () => 1)];
    expect(constant).toBeCloseTo(0.094895, 6);
    expect(adaptive).toBeGreaterThan(1.03 * constant);
    expect(delta(1, 1, 3)).toBeGreaterThan(adaptive);
  });

  it("cost more than they promise if one more is asked for after looking", () => {
    // Only after three rounds in which the loss was large: every other path stops as promised.
    expect(bestStrategy(0.4, 4, 48, () => 1)).toBeGreaterThan(1.5 * delta(1, "0.4", 3));
    expect(bestStrategy(0.4, 4, 48, () => 1)).toBeLessThanOrEqual(delta(1, "0.4", 4));
  });

  it("have twice the range if leads are released with Gumbel noise, which is therefore refused", () => {
    // Of two candidates the signed lead is a logistic variable that moves by η: its loss has both signs, and its mean is η²/6 about.
    const range = 1 / 2;
    let mean = 0;
    for (let x = -40; x < 40; x += 0.001) {
      const density = (at: number) => Math.exp(-at) / (1 + Math.exp(-at)) ** 2;
      mean += 0.001 * density(x) * Math.log(density(x) / density(x - range));
    }
    const rho = (size: number) => (rhoOfRange(rational(size)) as Rational).toNumber();
    expect(mean).toBeGreaterThan(1.3 * rho(range));
    expect(mean).toBeLessThanOrEqual(rho(2 * range));
    const asked = { k: 1, rho: "1/8", noise: "gumbel", resolution: 1 } as never;
    expect(() => topKWithGap([3, 2, 1], asked)).toThrow();
  });

  it("aren't what exponential noise of the same scale gives: its range is 2r/β", () => {
    const caught = tight.noisy_max_profile.filter(({ epsilon, x, delta_forward, delta_backward }) => {
      if (rational(epsilon).compare(0) <= 0) return false;
      const truth = Math.max(Number(delta_forward), Number(delta_backward));
      expect(truth).toBeLessThanOrEqual(delta(epsilon, String(2 * Number(x)), 1) * (1 + 1e-12));
      return truth > 1.2 * delta(epsilon, x, 1);
    });
    expect(caught.length).toBeGreaterThan(0);
  });
});

describe("An envelope of sets", () => {
  const natural = (scale: string): Weighing => {
    const rate = rational(1).dividedBy(scale);
    const weight = (penalty: Rational, precision: number) =>
      Interval.from(penalty.times(rate).negated(), precision).exp();
    return { outsiderShare: rational("1/2"), rate: rate.toNumber("down"), weight };
  };

  it("whose exponents aren't at least those of the weights has another law", () => {
    const scores = [2, 1, 0];
    const ranked = new RankedScores(new ScoreReader(scores), 1, Infinity);
    const drawn = (slack: number) => {
      const classes = new SetClasses(ranked, 1, natural("2"), 1, slack);
      return bitTree(
        (entropy) => ranked.candidates(drawSet(1, classes.draw(entropy), entropy)).sort((a, b) => a - b),
        { depth: 15 },
      );
    };
    const law = setLaw(scores, { k: 1, scale: 2, outsiderShare: "1/2" });
    const probabilities = Object.fromEntries([...law].map(([set, p]) => [set, p.lower().toString()]));
    expectLaw({ tree: drawn(1 / 64), probabilities });
    expect(() => expectLaw({ tree: drawn(-1), probabilities })).toThrow();
  });
});

describe("The best of a Poisson number of runs", () => {
  it("costs more than the formula that forgets that there may be no run", () => {
    // Runs of ε = 1 that are good or bad; the better output wins if any run has it.
    const law = (good: number, mean: number) => {
      const [none, noGood] = [Math.exp(-mean), Math.exp(-mean * good)];
      return [none, noGood - none, 1 - noGood];
    };
    const [p, q] = [Math.E / (1 + Math.E), 1 / (1 + Math.E)];
    const [alpha, mean] = [2, 0.1];
    const [one, other] = [law(p, mean), law(q, mean)];
    const truth = Math.log(
      one.reduce((sum, chance, i) => sum + chance ** alpha * (other[i] as number) ** (1 - alpha), 0),
    );
    const run = Math.log(p ** alpha * q ** (1 - alpha) + q ** alpha * p ** (1 - alpha));
    const failure = Math.max(0, p - (alpha / (alpha - 1)) * q);
    const wrong = run + mean * failure + Math.log(mean) / (alpha - 1);
    expect(truth).toBeGreaterThan(0);
    expect(wrong).toBeLessThan(0);
    const bound = poissonBound(
      Interval.from(rational(run), 200),
      rational(failure),
      rational(mean),
      rational(alpha - 1),
      200,
    );
    expect(bound.toNumber("up")).toBeGreaterThanOrEqual(truth);
  });
});

describe("A limit on the groups or periods of a person", () => {
  it("isn't kept by a key of its own for each group or period", () => {
    const groups = Array.from({ length: 6 }, (_, i) => `g${i}`);
    const rows = Array.from({ length: 40 }, (_, person) =>
      groups.map((group) => [`p${person}`, group, "x"] as const),
    ).flat();
    const keptIn = (keyOf: (place: number) => number) => {
      const people = new Map<string, number>();
      for (const [place, group] of groups.entries()) {
        const key = new Uint8Array(32).fill(keyOf(place));
        for (const person of new Set(rows.map(([name]) => name))) {
          const own = rows.filter(([name]) => name === person);
          const kept = boundGroups(own, { maxGroupsPerUser: 1, key });
          if ((kept.get(group)?.get("x") ?? 0) > 0) people.set(person, (people.get(person) ?? 0) + 1);
        }
      }
      return Math.max(...people.values());
    };
    expect(keptIn(() => 7)).toBe(1);
    expect(keptIn((place) => place)).toBeGreaterThan(2);
  });
});
