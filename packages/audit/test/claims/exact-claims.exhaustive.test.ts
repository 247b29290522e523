import { describe, expect, it } from "vitest";
import { approx } from "../../../core/src/accounting/loss.js";
import { boundedRangeDelta } from "../../../core/src/accounting/profile/bounded-range.js";
import { Interval } from "../../../core/src/exact/interval.js";
import { type Rational, type RationalLike, rational } from "../../../core/src/exact/rational.js";
import { StabilityTest } from "../../../core/src/standout/stability-test.js";
import { makeStableTopK } from "../../../core/src/standout/stable-top-k.js";
import {
  allHistograms,
  checkApprox,
  checkPure,
  checkZcdp,
  pairsOf,
  withOneMore,
  withOneReplaced,
} from "../../src/claims/check-claim.js";
import { exactClaims } from "../../src/claims/exact-claims.js";
import type { Law } from "../../src/laws/law.js";
import { exponentialMechanismRound, noisyMaxLaw, peeledLaw } from "../../src/laws/noisy-max-laws.js";
import {
  discreteGaussianTail,
  discreteLaplaceTail,
  multiLabelLaw,
  proposeTestReleaseLaw,
} from "../../src/laws/stable-laws.js";
import { exponentialTopKLaw } from "../../src/laws/top-k-laws.js";
import { neighboursOf } from "../../src/likelihood-ratio.js";

/** The list that `winnow audit --exact` goes through, and faults that its checks must find. */

describe("Every claim holds", () => {
  it.each(exactClaims().map((claim) => [`${claim.mechanism}: ${claim.instance}`, claim] as const))(
    "%s",
    (_, claim) => {
      const { holds, found, claimed, pairs, where } = claim.check();
      expect(holds).toBe(true);
      expect(found.least).toBeLessThanOrEqual(found.most);
      expect(found.most).toBeLessThanOrEqual(claimed * (1 + 1e-12));
      expect(pairs).toBeGreaterThan(0);
      expect(where).not.toBe("nowhere");
    },
  );
});

const SCORES = [2, 1, 0].map((score) => rational(score));
const neighbours = (of: readonly Rational[]) => neighboursOf(of);

describe("A fault is found", () => {
  it("in a δ of Gumbel noise that is 5 % too small, and one claim of topK has more than 0.95 of it", () => {
    const range = rational("5/4");
    const scale = rational(1).dividedBy(range);
    const pairs = () =>
      pairsOf<readonly Rational[]>(
        [SCORES],
        (of) => neighboursOf(of, { monotone: true }),
        (of) => peeledLaw(exponentialMechanismRound, of, { k: 1, scale, precision: 128 }),
      );
    const delta = boundedRangeDelta({ epsilon: 1, range, rounds: 1 });
    expect(checkApprox(pairs(), approx(1, delta)).holds).toBe(true);
    expect(checkApprox(pairs(), approx(1, delta.times("0.95"))).holds).toBe(false);
  });

  const noise = (scale: RationalLike) =>
    pairsOf<readonly Rational[]>([SCORES], neighbours, (of) => exponentialTopKLaw(of, { k: 1, scale }));

  it("in a pure loss: 5 % too little noise", () => {
    expect(checkPure(noise(1), 2).holds).toBe(true);
    const finding = checkPure(noise("0.95"), 2);
    expect(finding.holds).toBe(false);
    expect(finding.found.least).toBeGreaterThan(2);
  });

  it("in a concentrated loss: exponential noise accounted for as if it were Gumbel noise", () => {
    const pairs = (law: "gumbel" | "exponential") =>
      pairsOf<readonly Rational[]>([SCORES], neighbours, (of) => noisyMaxLaw(of, law, 10));
    expect(checkZcdp(pairs("gumbel"), "1/200").holds).toBe(true); // (r/τ)²/8
    expect(checkZcdp(pairs("exponential"), "1/50").holds).toBe(true); // (r/β)²/2
    expect(checkZcdp(pairs("exponential"), "1/200").holds).toBe(false);
  });

  it("in an approximate loss: a threshold that is one too low", () => {
    const pairs = (threshold: number) =>
      pairsOf<readonly number[]>(allHistograms(2, 8), withOneMore, (histogram) => {
        const test = { gapSensitivity: 1, threshold, tail: discreteLaplaceTail(1) };
        return proposeTestReleaseLaw(histogram, 1, test);
      });
    expect(checkApprox(pairs(2), approx(1, "1/20")).holds).toBe(true);
    expect(checkApprox(pairs(1), approx(1, "1/20")).holds).toBe(false);
  });

  it("in labels for teachers who are replaced: a gap that is accounted for as if they only came and went", () => {
    const [teachers, scale, variance, delta] = [6, 4, 16, "1/10"];
    const { threshold } = new StabilityTest(1n, { variance }, { delta });
    const options = { maxK: 1, scale, gapSensitivity: 1, threshold, tail: discreteGaussianTail(variance) };
    const terms = { maxK: 1, choose: { noise: "gumbel", scale }, test: { variance }, delta } as const;
    const loss = makeStableTopK({ ...terms, monotone: true }).zcdp;
    const finding = (neighbours: (counts: readonly number[]) => number[][]) =>
      checkApprox(
        pairsOf<readonly number[]>(allHistograms(2, teachers), neighbours, (counts) =>
          multiLabelLaw(counts, options),
        ),
        loss,
      );
    expect(finding(withOneMore).holds).toBe(true);
    expect(finding((counts) => withOneReplaced(counts, teachers)).holds).toBe(false);
  });

  it("in an approximate loss from either side: an outcome that only one input has", () => {
    const never: Law = new Map([["a", Interval.from(1, 128)]]);
    const sometimes: Law = new Map([
      ["a", Interval.from("0.9", 128)],
      ["b", Interval.from("0.1", 128)],
    ]);
    for (const laws of [[never, sometimes] as const, [sometimes, never] as const]) {
      expect(checkApprox([{ from: "x", to: "y", laws }], approx(1, "1/20")).holds).toBe(false);
      expect(checkApprox([{ from: "x", to: "y", laws }], approx(1, "1/9")).holds).toBe(true);
    }
  });

  it("in a law with an outcome that only one side has: the loss is infinite", () => {
    const laws = [noisyMaxLaw([1, 0], "gumbel", 1), noisyMaxLaw([1, 0, 0], "gumbel", 1)];
    const finding = checkPure([{ from: "a", to: "b", laws: [laws[0], laws[1]] }], 100);
    expect(finding.holds).toBe(false);
  });
});
