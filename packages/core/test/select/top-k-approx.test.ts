import { describe, expect, it } from "vitest";
import { approx } from "../../src/accounting/loss.js";
import { boundedRangeDelta } from "../../src/accounting/profile/bounded-range.js";
import { rational } from "../../src/exact/rational.js";
import { makeNoisyTopK } from "../../src/select/noisy-top-k.js";
import { topK } from "../../src/select/top-k.js";
import { type TopKApproxOptions, topKApprox } from "../../src/select/top-k-approx.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectRefused, untouched } from "./refusals.js";

describe("topKApprox", () => {
  const scores = Array.from({ length: 40 }, (_, i) => 1000 - 20 * i);

  it("has certified Gumbel noise where it is smaller, with its rounds and their range", () => {
    const entropy = seededEntropy(5);
    const answer = topKApprox(scores, { k: 10, epsilon: 1, delta: "1e-6", monotone: true, entropy });
    expect(answer.winners.length).toBe(10);
    expect(answer).toMatchObject({ noise: "gumbel", rounds: 10 });
    const { range, privacy, scale } = answer;
    expect(range?.times(scale)).toEqual(rational(1));
    expect(range?.toNumber()).toBeCloseTo(0.15334, 4);
    expect(privacy).toEqual(approx(1, boundedRangeDelta({ epsilon: 1, range: range ?? 0, rounds: 10 })));
    expect(privacy.delta.compare("1e-6")).toBeLessThanOrEqual(0);
  });

  it("has exponential noise and no δ for few winners, or if it is asked for", () => {
    const few = topKApprox(scores, { k: 2, epsilon: 1, delta: "1e-6", entropy: seededEntropy(5) });
    expect(few.privacy).toEqual(approx(1, 0));
    expect(few).toMatchObject({ noise: "exponential", scale: rational(4) });
    expect(few).not.toHaveProperty("range");
    const noise = "exponential";
    const many = topKApprox(scores, { k: 10, epsilon: 1, delta: "1e-6", noise, entropy: seededEntropy(5) });
    expect(many.winners).toEqual(topK(scores, { k: 10, epsilon: 1, entropy: seededEntropy(5) }).winners);
  });

  it("draws what a ρ of its scale draws", () => {
    const asked = { k: 10, epsilon: 1, delta: "1e-6", noise: "gumbel", monotone: true } as const;
    const { scale, winners } = topKApprox(scores, { ...asked, entropy: seededEntropy(6) });
    const measurement = makeNoisyTopK({ k: 10, measure: "zcdp", scale, monotone: true });
    expect(measurement.invoke(scores, seededEntropy(6)).winners).toEqual(winners);
  });

  it.each([
    [{ delta: 0 }, "delta must be a rational > 0 and < 1; got 0"],
    [{ delta: 1 }, "delta must be a rational > 0 and < 1; got 1"],
    [{ noise: "laplace" }, 'noise must be "gumbel" or "exponential"; got "laplace"'],
    [{ k: 4 }, "k must be an integer from 1 to 3; got 4"],
  ] as const)("refuses %o before anything is drawn", (options, message) => {
    const asked = { k: 1, epsilon: 1, delta: "0.1", entropy: untouched(), ...options };
    expectRefused(() => topKApprox([5, 100, 3], asked as TopKApproxOptions), message);
  });
});
