import { describe, expect, it } from "vitest";
import { convert } from "../../core/src/accounting/convert.js";
import { Interval } from "../../core/src/exact/interval.js";
import { type RationalLike, rational } from "../../core/src/exact/rational.js";
import { noisyThreshold } from "../../core/src/numbers/noisy-threshold.js";
import { makeAboveThreshold } from "../../core/src/numbers/threshold-measurement.js";
import { bitTree } from "../../core/src/testing/bit-tree.js";
import { expectLaw } from "../../core/test/support/expect-law.js";
import { parameterOf, vectors } from "../../core/test/support/more-vectors.js";
import { orderedNeighbours, thresholdClaims } from "../src/claims/number-claims.js";
import type { Law } from "../src/laws/law.js";
import {
  type AboveThresholdLawOptions,
  aboveThresholdLaw,
  base2AboveThresholdLaw,
} from "../src/laws/threshold-laws.js";
import { likelihoodRatio, neighboursOf } from "../src/likelihood-ratio.js";

const EXACT = 1e-12;

interface Case {
  readonly queries: readonly RationalLike[];
  readonly count?: number;
  readonly monotone?: boolean;
  readonly ordered?: boolean;
  readonly resolution?: number;
  /** How much less noise than is accounted for. */
  readonly share?: string;
  readonly noise?: "exponential" | "laplace";
}

/** The ε that the privacy map states. */
function epsilonOf(parameters: Parameters<typeof makeAboveThreshold>[0]) {
  return convert(makeAboveThreshold(parameters).map(1), { to: "pure" }).epsilon;
}

/** The largest loss over all neighbours, divided by the stated one. */
function shareOfLoss({
  queries,
  count = 1,
  monotone,
  ordered,
  resolution,
  share = "1",
  noise,
}: Case): number {
  const scales = { thresholdScale: "3/2", queryScale: "5/2" };
  const claimed = epsilonOf({ ...scales, maxAbove: count, monotone, ordered, resolution });
  const used = {
    thresholdScale: rational(scales.thresholdScale).times(share),
    queryScale: rational(scales.queryScale).times(share),
  };
  const options: AboveThresholdLawOptions = {
    ...{ ...used, maxAbove: count, resolution, noise, precision: 128 },
    ...(resolution && { largestGap: 1 }),
  };
  const law = (of: readonly RationalLike[]): Law => aboveThresholdLaw(of, options);
  const exact = queries.map((query) => rational(query));
  const around = ordered ? orderedNeighbours(exact) : neighboursOf(exact, { monotone: monotone ?? false });
  const { least } = likelihoodRatio(law(exact), around.map(law));
  return rational(least).dividedBy(rational(claimed)).toNumber();
}

const TIGHT: readonly Case[] = [
  { queries: [1, -1] },
  { queries: [1, -1], resolution: 1 },
  { queries: [1, -1], monotone: true },
  { queries: [1, -1], monotone: true, resolution: 1 },
  { queries: [2, -1, -1], count: 2, resolution: 1 },
  { queries: [-1, 0, 1], ordered: true, resolution: 1 },
];

describe("The loss of AboveThreshold", () => {
  it.each(TIGHT)("is exactly the stated one: %o", (instance) => {
    const share = shareOfLoss(instance);
    expect(share).toBeGreaterThan(1 - EXACT);
    expect(share).toBeLessThan(1 + EXACT);
  });

  it.each(TIGHT)("is above it with 5 % less noise: %o", (instance) => {
    expect(shareOfLoss({ ...instance, share: "0.95" })).toBeGreaterThan(1.05);
  });

  it("is never above it, whatever the queries", () => {
    for (const queries of [
      ["1/3", 0],
      [0, 4],
      [-2, "5/2"],
      [3, 3],
    ])
      for (const flags of [{}, { monotone: true }, { ordered: true }])
        expect(shareOfLoss({ queries, ...flags, resolution: 1 })).toBeLessThan(1 + EXACT);
  });

  it("is for Laplace noise of the same scales the same in the limit of many queries, so its variance buys nothing", () => {
    const share = shareOfLoss({ queries: [4, 4, 4, -9], noise: "laplace" });
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(1);
  });

  it("is that of the claims, which reach theirs", () => {
    for (const claim of thresholdClaims()) {
      const { holds, found, claimed } = claim.check();
      expect([claim.instance, holds]).toEqual([claim.instance, true]);
      expect(found.least / claimed).toBeGreaterThan(0.9999);
    }
  });
});

describe("A mistake is caught:", () => {
  const scales = { thresholdScale: 2, queryScale: 4 }; // ε = 1 for one answer in any direction

  it("queries of mixed directions declared monotone", () => {
    expect(shareOfLoss({ queries: [1, -1] }) * (2 / 3 + 4 / 5)).toBeGreaterThan(2 / 3 + 2 / 5);
  });

  it("a stream that is not ordered declared ordered", () => {
    const claimed = epsilonOf({ thresholdScale: "3/2", queryScale: "5/2", ordered: true });
    const real = epsilonOf({ thresholdScale: "3/2", queryScale: "5/2" });
    const found = shareOfLoss({ queries: [1, -1] }) * rational(real).toNumber();
    expect(found).toBeGreaterThan(rational(claimed).toNumber() * 1.5);
  });

  it("more answers above than were counted", () => {
    const law = (of: readonly RationalLike[]) => aboveThresholdLaw(of, { ...scales, maxAbove: 2 });
    const { least } = likelihoodRatio(law([2, -1, -1]), neighboursOf([2, -1, -1]).map(law));
    expect(rational(least).compare("1.4")).toBe(1);
  });

  it.each(vectors.svt_pitfalls.filter(({ log_ratio }) => log_ratio !== "infinite"))(
    "$variant ($log_ratio)",
    (vector) => {
      const found = pitfall(vector.variant, vector.count ?? vector.m ?? 1);
      expect(found).toBeCloseTo(Number(vector.log_ratio), 6);
      if ((vector.count ?? vector.m ?? 1) >= 5) expect(found).toBeGreaterThan(1); // the ε that was claimed
    },
  );

  it("no noise on queries [LSL17, Alg 5]: an answer that a neighbour cannot give", () => {
    const { prob } = vectors.svt_pitfalls.find(({ variant }) => variant.includes("Alg 5"))!;
    // With no noise the answer is below, above exactly where 0 < ρ ≤ 1, and for the neighbour nowhere.
    const chance = Interval.from("-1/2", 128).exp().negated().plus(1n).dividedBy(2n);
    expect(chance.contains(prob!) || chance.toNumber("up").toFixed(12) === Number(prob).toFixed(12)).toBe(
      true,
    );
  });
});

interface Pitfall {
  readonly scales: readonly [threshold: number, query: number];
  readonly below: number;
  readonly above: number;
  /** The values of queries below and above, in either world. */
  readonly worlds: readonly (readonly [below: number, above: number])[];
}

function pitfallOf(variant: string, size: number): Pitfall {
  if (variant.includes("Alg 4"))
    return {
      scales: [4, 4 / 3],
      below: 300,
      above: size,
      worlds: [
        [20, 0],
        [21, -1],
      ],
    };
  const isAlgorithm3 = variant.includes("Alg 3");
  const worlds = isAlgorithm3
    ? ([
        [0, 1],
        [1, 0],
      ] as const)
    : ([
        [0, 0],
        [1, -1],
      ] as const);
  return { scales: [2, 2], below: size, above: isAlgorithm3 ? 0 : size, worlds };
}

/**
 * |ln P/P′| of so many below and then so many above, by Simpson's rule over the threshold's Laplace noise. Algorithm 3 tells the
 * noisy value 0 itself, which bounds the threshold from above and has the density of the query's noise.
 */
function pitfall(variant: string, size: number): number {
  const { scales, below, above, worlds } = pitfallOf(variant, size);
  const [b1, b2] = scales;
  const isTold = variant.includes("Alg 3");
  const upper = (x: number) => (x >= 0 ? Math.exp(-x / b2) / 2 : 1 - Math.exp(x / b2) / 2);
  const chances = worlds.map(([low, high]) => {
    const at = (z: number) =>
      Math.exp(-Math.abs(z) / b1 + below * Math.log1p(-upper(z - low)) + above * Math.log(upper(z - high)));
    const step = 1 / 256;
    let sum = 0;
    for (let z = -160; z < (isTold ? 0 : 400); z += step)
      sum += (at(z) + 4 * at(z + step / 2) + at(z + step)) * (step / 6);
    return isTold ? sum * Math.exp(-Math.abs(high) / b2) : sum;
  });
  return Math.abs(Math.log(chances[0] / chances[1]));
}

/** P(first above at i), and of none at the end, for Gaussian and Gumbel noise, by the trapezoid rule: all is smooth. */
function zcdpLaw(queries: readonly number[], variance: number, scale: number): number[] {
  const [sigma, steps] = [Math.sqrt(variance), 600];
  const law = new Array<number>(queries.length + 1).fill(0);
  for (let i = -steps; i <= steps; i++) {
    const z = (i / steps) * 12 * sigma;
    let left =
      (Math.exp((-z * z) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance)) * ((12 * sigma) / steps);
    for (const [place, query] of queries.entries()) {
      const below = Math.exp(-Math.exp(-(z - query) / scale));
      law[place] += left * (1 - below);
      left *= below;
    }
    law[queries.length] += left;
  }
  return law;
}

describe("The zCDP of AboveThreshold", () => {
  it("is computed from a law with the digits of the reference law", () => {
    const [{ queries, threshold_variance, query_scale, outcomes }] = vectors.above_threshold_zcdp;
    const law = zcdpLaw(
      queries.map((q) => rational(q).toNumber()),
      rational(threshold_variance).toNumber(),
      rational(query_scale).toNumber(),
    );
    const reference = outcomes.map(({ prob }) => Number(prob)).sort();
    for (const [i, p] of [...law].sort().entries()) expect(p).toBeCloseTo(reference[i], 13);
  });

  it("bounds the Rényi divergences of all neighbours, and would not with half of the noise", () => {
    const shareOfBound = (share: number) => {
      let worst = 0;
      const claimed = makeAboveThreshold({ thresholdVariance: 2, queryScale: 2 }).curve(1);
      for (const queries of [
        [0, 0, 0],
        [3, -2, -2],
        [2, 0, -4],
      ])
        for (const moved of neighboursOf(queries).map((list) => list.map((q) => q.toNumber())))
          for (const order of [2, 16]) {
            const [p, q] = [queries, moved].map((of) => zcdpLaw(of, 2 * share * share, 2 * share));
            const sum = p.reduce((total, chance, i) => total + chance * (chance / q[i]) ** (order - 1), 0);
            worst = Math.max(worst, Math.log(sum) / (order - 1) / claimed.at(order).toNumber());
          }
      return worst;
    };
    expect(shareOfBound(1)).toBeLessThan(1);
    expect(shareOfBound(1)).toBeGreaterThan(0.3);
    expect(shareOfBound(0.5)).toBeGreaterThan(1);
  });
});

/** The divergence of a query that moves up, and then of some that move down, as a share of the stated bound. */
function shareOfTightBound(share: number): number {
  const [variance, scale, order] = [4, 0.3, 16];
  const laws = [0, 1].map((moved) =>
    zcdpLaw([12 + moved, ...new Array<number>(17).fill(10.6 - moved)], variance * share ** 2, scale * share),
  );
  const sum = laws[0].reduce((total, p, i) => total + p * (p / laws[1][i]) ** (order - 1), 0);
  const claimed = makeAboveThreshold({ thresholdVariance: variance, queryScale: "0.3" }).curve(1);
  return Math.log(sum) / (order - 1) / claimed.at(order).toNumber();
}

describe("The Rényi bound of AboveThreshold", () => {
  it.each(vectors.accounting2.filter(({ fn }) => fn === "svt_arrival_renyi"))(
    "has the reference share of the answers: $args",
    ({ args, value }) => {
      const { alpha, epsilon } = args as { alpha: string; epsilon: string };
      const noise = { thresholdVariance: 1, queryScale: rational(2).dividedBy(epsilon) };
      const bound = makeAboveThreshold(noise).curve(1).at(alpha).toNumber();
      expect(bound - rational(alpha).toNumber() / 2).toBeCloseTo(Number(value), 9);
    },
  );

  it("is nearly reached by one query that moves up and 17 that move down: 0.96 of it at order 16", () => {
    expect(shareOfTightBound(1)).toBeGreaterThan(0.955);
    expect(shareOfTightBound(1)).toBeLessThan(1);
  });

  it("is exceeded with 5 % less noise", () => {
    expect(shareOfTightBound(0.95)).toBeGreaterThan(1.02);
  });
});

describe("AboveThreshold by all bit strings", () => {
  it.each([[[0]], [[1]], [[0, 1]]])("has its law for queries %o", (queries) => {
    const scales = { thresholdScale: 2, queryScale: 3 };
    const measurement = makeAboveThreshold(scales);
    const tree = bitTree(
      (entropy) => {
        const { above, answered } = measurement.invoke(queries, entropy);
        return [...new Array(answered - above.length).fill("below"), ...above.map(() => "above")].join(", ");
      },
      { depth: queries.length === 1 ? 18 : 16, wordBits: queries.length === 1 ? 3 : 4 },
    );
    expect(tree.undecided.compare("1/4")).toBe(-1);
    expectLaw({ tree, probabilities: digits(aboveThresholdLaw(queries, scales)) });
  });

  it("has its law in base 2, with gaps", () => {
    const noise = {
      thresholdEta: parameterOf({ x: 1, y: 1, z: 1 }),
      queryEta: parameterOf({ x: 3, y: 2, z: 1 }),
    };
    const measurement = makeAboveThreshold({ ...noise, resolution: 1 });
    const tree = bitTree(
      (entropy) => {
        const [first] = measurement.invoke([0], entropy).above;
        return first === undefined ? "below" : `above by ${first.gap!.compare(2) < 0 ? first.gap : ">=2"}`;
      },
      { depth: 17 },
    );
    expect(tree.undecided.compare("1/5")).toBe(-1);
    expectLaw({ tree, probabilities: digits(base2AboveThresholdLaw([0], { ...noise, largestGap: 2 })) });
  });

  it.each(vectors.noisy_threshold)("noisyThreshold has its law: $query against $threshold", (vector) => {
    const eta = parameterOf(vector.eta);
    const tree = bitTree(
      (entropy) => noisyThreshold(vector.query, { threshold: vector.threshold, eta, entropy }).above,
      { depth: 20 },
    );
    expect(tree.undecided.compare("1/20")).toBe(-1);
    expectLaw({ tree, probabilities: { true: vector.prob_above_exact } });
  });
});

function digits(law: Law): Record<string, string> {
  return Object.fromEntries([...law].map(([outcome, p]) => [outcome, String(p.lower())]));
}
