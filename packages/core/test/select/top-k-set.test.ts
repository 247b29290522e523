import { describe, expect, it } from "vitest";
import { setLaw } from "../../../audit/src/laws/set-laws.js";
import { eta } from "../../src/accounting/base2-parameter.js";
import { Interval } from "../../src/exact/interval.js";
import { type Rational, rational } from "../../src/exact/rational.js";
import { ScoreReader } from "../../src/race/scores.js";
import { RankedScores } from "../../src/select/ranked-scores.js";
import { drawSet, SetClasses, type Weighing } from "../../src/select/set-classes.js";
import { topKSet } from "../../src/select/top-k-set.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { vectors } from "../support/set-vectors.js";

/** Weights e^(−p/τ). */
function natural(scale: string, share = "1/2"): Weighing {
  const rate = rational(1).dividedBy(scale);
  const weight = (penalty: Rational, precision: number) =>
    Interval.from(penalty.times(rate).negated(), precision).exp();
  return { outsiderShare: rational(share), rate: rate.toNumber("down"), weight };
}

const lawFor = (scores: readonly number[], options: Parameters<typeof setLaw>[1]) =>
  Object.fromEntries([...setLaw(scores, options)].map(([set, p]) => [set, p.lower().toString()]));

describe("topKSet", () => {
  // With the usual envelope a draw takes 65 bits before it begins; a shallow one has the law of the same classes.
  it.each([
    { scores: [2, 1, 0], k: 1, share: "1/2", envelope: 1, slack: 1 / 64, depth: 15 },
    { scores: [2, 1, 0], k: 2, share: "1", envelope: 2, slack: 1, depth: 15 },
    { scores: [1, 1, 0], k: 2, share: "1/2", envelope: 2, slack: 1 / 64, depth: 15 },
    { scores: [0, 3, 3, 1], k: 2, share: "0", envelope: 3, slack: 1 / 2, depth: 16 },
    { scores: [5, 5, 5, 5], k: 2, share: "1/3", envelope: 1, slack: 1 / 64, depth: 14 },
  ])(
    "has its law for scores $scores, k = $k, λ = $share, in $envelope octaves with slack $slack, by bit tree",
    ({ scores, k, share, envelope, slack, depth }) => {
      const ranked = new RankedScores(new ScoreReader(scores), k, Infinity);
      const classes = new SetClasses(ranked, k, natural("2", share), envelope, slack);
      const sample = (entropy: Parameters<SetClasses["draw"]>[0]) =>
        ranked.candidates(drawSet(k, classes.draw(entropy), entropy)).sort((a, b) => a - b);
      const tree = bitTree(sample, { depth });
      expectLaw({ tree, probabilities: lawFor(scores, { k, scale: 2, outsiderShare: share }) });
      expect(tree.undecided.toNumber()).toBeLessThan(0.4);
    },
  );

  it.each(vectors.set_law)("costs what the vectors say: $name", (vector) => {
    const scores = vector.counts.map((count) => rational(count).toNumber());
    const options = { k: vector.k, outsiderShare: vector.lambda, entropy: seededEntropy(1) };
    const once = topKSet(scores, { ...options, scale: vector.tau, monotone: true }).privacy;
    const twice = topKSet(scores, { ...options, scale: vector.tau }).privacy;
    expect(once.epsilon.toString()).toBe(rational(vector.loss_monotone).toString());
    expect(twice.epsilon.toString()).toBe(rational(vector.loss_general).toString());
    const { privacy } = topKSet(scores, { ...options, rho: vector.rho_monotone, monotone: true });
    expect(privacy.rho.toString()).toBe(rational(vector.rho_monotone).toString());
  });

  it.each(vectors.set_law_base2)("costs what the vectors say in base 2: $name", (vector) => {
    const { x, y, z } = vector.eta;
    const { privacy } = topKSet(vector.counts, {
      ...{ k: vector.k, outsiderShare: vector.lambda, eta: eta(x, y, z), monotone: true },
      entropy: seededEntropy(1),
    });
    const epsilon = Interval.from(privacy.eta as Rational, 100).times(Interval.from(2n, 100).ln());
    expect(epsilon.isAbove(rational(vector.loss_monotone).times("0.99999999999"))).toBe(true);
    expect(epsilon.minus(vector.loss_monotone).isBelow("1e-12")).toBe(true);
  });

  it("names candidates in the order of their names, whatever the order in which they came", () => {
    const pairs: [string, number][] = [
      ["pear", 9000],
      ["apple", 9100],
      ["fig", 3],
    ];
    const options = { k: 2, epsilon: 1 };
    for (const scores of [pairs, pairs.toReversed(), new Map(pairs), Object.fromEntries(pairs)])
      expect(topKSet(scores, { ...options, entropy: seededEntropy(7) }).candidates).toEqual([
        "apple",
        "pear",
      ]);
  });

  it("tells bigints apart that are one double", () => {
    const base = 10n ** 25n;
    const scores = Array.from({ length: 9 }, (_, index) => base + BigInt(index * 400));
    expect(topKSet(scores, { k: 3, epsilon: 1, entropy: seededEntropy(1) }).candidates).toEqual([6, 7, 8]);
    expect(topKSet(scores, { k: 3, epsilon: 1, negate: true, entropy: seededEntropy(1) }).candidates).toEqual(
      [0, 1, 2],
    );
  });

  it("finds the best of scores far apart, fractions and negative ones", () => {
    const scores = [-1e300, 0.1, 5e300, -7.25, 1e9 + 0.5];
    expect(topKSet(scores, { k: 2, epsilon: 1, entropy: seededEntropy(1) }).candidates).toEqual([2, 4]);
  });

  it.each([
    [{ k: 0, epsilon: 1 }, "k must be an integer >= 1; got 0"],
    [{ k: 3, epsilon: 1 }, "k must be an integer from 1 to 2; got 3"],
    [{ k: 1 }, 'budget must be exactly one of epsilon, rho, scale and eta; got "none"'],
    [
      { k: 1, epsilon: 1, rho: 1 },
      'budget must be exactly one of epsilon, rho, scale and eta; got "epsilon and rho"',
    ],
    [{ k: 1, scale: 0 }, "scale must be a rational > 0; got 0"],
    [{ k: 1, epsilon: 1, outsiderShare: "3/2" }, 'outsiderShare must be a rational from 0 to 1; got "3/2"'],
    [{ k: 1, epsilon: 1, outsiderShare: -1 }, "outsiderShare must be a rational from 0 to 1; got -1"],
    [{ k: 1, eta: 3 }, "eta must be a parameter made by eta; got a value of type number"],
  ])("refuses %o", (options, message) => {
    const entropy = replayEntropy("");
    expect(() => topKSet([3, 2, 1], { ...(options as { k: number; epsilon: number }), entropy })).toThrow(
      message,
    );
  });

  it("refuses scores that aren't numbers, and fractions with eta, without saying which", () => {
    const entropy = replayEntropy("");
    expect(() => topKSet([3, Number.NaN, 1], { k: 1, epsilon: 1, entropy })).toThrow(
      "scores must be finite numbers or bigints",
    );
    expect(() => topKSet([3, 2.5, 1], { k: 1, eta: eta(1, 1), entropy })).toThrow(
      "scores must be integers throughout, with eta",
    );
    expect(() => topKSet([3], { k: 1, epsilon: 1, entropy })).toThrow("2 or more candidates");
  });
});

/** All scores in a box and all neighbours: each score moves by −1, 0 or 1, or by 0 or 1 if they are monotone. */
function* neighbours(monotone: boolean) {
  for (const scores of tuples([0, 1, 3], 4))
    for (const moves of tuples(monotone ? [0, 1] : [-1, 1], 4))
      yield [scores, scores.map((score, i) => score + moves[i])];
}

function tuples(values: readonly number[], length: number): number[][] {
  if (length === 0) return [[]];
  return tuples(values, length - 1).flatMap((head) => values.map((value) => [...head, value]));
}

/** The largest ratio of probabilities of any set between neighbours, as a double: to 10^−12 here. */
function largestRatio(lawAt: (scores: number[]) => ReadonlyMap<string, Interval>, monotone: boolean): number {
  const laws = new Map<string, Map<string, number>>();
  const law = (scores: number[]) => {
    const key = String(scores);
    const known = laws.get(key) ?? new Map([...lawAt(scores)].map(([set, p]) => [set, p.toNumber("up")]));
    laws.set(key, known);
    return known;
  };
  let largest = 1;
  for (const [scores, moved] of neighbours(monotone)) {
    const after = law(moved);
    for (const [set, before] of law(scores))
      largest = Math.max(largest, before / after.get(set)!, after.get(set)! / before);
  }
  return largest;
}

describe("The privacy of topKSet", () => {
  it.each([
    { monotone: true, outsiderShare: "1/2" },
    { monotone: false, outsiderShare: "1/2" },
    { monotone: true, outsiderShare: "1" },
    { monotone: true, outsiderShare: "1/4" },
  ])(
    "is at most the claim and at least 0.95 of it over all neighbours, λ = $outsiderShare, monotone $monotone",
    ({ monotone, outsiderShare }) => {
      const scale = "1/4"; // ε = 4 or 8
      const ratio = Math.log(
        largestRatio((scores) => setLaw(scores, { k: 2, scale, outsiderShare, precision: 64 }), monotone),
      );
      const claim = monotone ? 4 : 8;
      expect(ratio / claim).toBeLessThan(1 + 1e-9);
      expect(ratio / claim).toBeGreaterThan(0.95);
    },
  );

  it("exceeds the claim where a share above 1 would be allowed, or λ is taken twice", () => {
    // The score min inside − max outside without the weights 1 − λ and λ: its range is twice that of a score.
    const twice = (scores: number[]) =>
      setLaw(
        scores.map((score) => 2 * score),
        { k: 2, scale: 1, precision: 64 },
      );
    expect(Math.log(largestRatio(twice, true))).toBeGreaterThan(1.5);
  });
});

describe("The classes of sets", () => {
  it.each(vectors.set_classes)("have the sizes and penalties of the reference values: $name", (vector) => {
    const { counts, k, lambda, total, classes, runs } = vector;
    const scores = counts.map((count) => rational(count)); // by falling count
    const one = rational(1);
    const quality = (set: ReadonlySet<number>) => {
      const [inside, outside] = [true, false].map((isIn) => scores.filter((_, i) => set.has(i) === isIn));
      const [least, most] = [inside.at(-1)!, outside[0]];
      return one.minus(lambda).times(least).minus(most.times(lambda));
    };
    const first = new Set(Array.from({ length: k }, (_, i) => i));
    for (const { i, j, size, penalty } of classes) {
      const drawn = new Map<string, Set<number>>();
      const entropy = seededEntropy(`${vector.name} ${i} ${j}`);
      for (let draw = 0; draw < 40 * Number(size) + 40; draw++) {
        const set = drawSet(k, { i, j }, entropy);
        drawn.set(String(set.sort((a, b) => a - b)), new Set(set));
      }
      expect(drawn.size).toBe(Number(size));
      for (const set of drawn.values())
        expect(String(quality(first).minus(quality(set)))).toBe(String(rational(penalty)));
    }
    const sizes = classes.reduce((sum, { size }) => sum + Number(size), 0);
    expect(sizes + 1).toBe(Number(total)); // and the k first
    for (const { i: rows, j: columns, size } of runs) {
      const within = classes.filter(
        ({ i, j }) => i >= rows[0] && i <= rows[1] && j >= columns[0] && j <= columns[1],
      );
      expect(within.reduce((sum, each) => sum + Number(each.size), 0)).toBe(Number(size));
    }
  });
});
