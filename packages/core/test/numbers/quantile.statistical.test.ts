import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { quantile } from "../../src/numbers/quantile.js";
import { quantiles } from "../../src/numbers/quantiles.js";
import { upperBound } from "../../src/numbers/upper-bound.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { parameterOf, vectors } from "../support/more-vectors.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";

const RUNS = 2000;
const pairs = (counts: readonly number[][]) => counts as unknown as [number, number][];
const byValue = (lower: number, probs: readonly string[]) =>
  Object.fromEntries(probs.map((prob, i) => [String(lower + i), prob]));

describe("quantile", () => {
  it.each(vectors.quantile)("has its law: $name", ({ name, counts, lower, upper, p, tau, probs }) => {
    const found = tally({
      seed: `quantile ${name}`,
      runs: RUNS,
      sample: (entropy) => quantile(pairs(counts), { lower, upper, quantile: p, scale: tau, entropy }).value,
    });
    expectAccepts(found, byValue(lower, probs));
  });

  it("has another law when the scale is 25 % off", () => {
    const [{ counts, lower, upper, p, tau, probs }] = vectors.quantile;
    const scale = rational(tau).times("1.25");
    const found = tally({
      seed: "quantile off",
      runs: 4 * RUNS,
      sample: (entropy) => quantile(pairs(counts), { lower, upper, quantile: p, scale, entropy }).value,
    });
    expectRejects(found, byValue(lower, probs));
  });

  it.each(vectors.quantile_base2)(
    "has its law in base 2: $name",
    ({ name, counts, lower, upper, p, eta, probs_exact }) => {
      const found = tally({
        seed: `quantile base 2 ${name}`,
        runs: RUNS,
        sample: (entropy) =>
          quantile(pairs(counts), { lower, upper, quantile: p, eta: parameterOf(eta), entropy }).value,
      });
      expectAccepts(found, byValue(lower, probs_exact));
    },
  );

  it("is within its rank error as often as it says, and not always", () => {
    const entropy = seededEntropy("rank error");
    const values = Float64Array.from({ length: 2000 }, (_, i) => i);
    let misses = 0;
    for (let run = 0; run < 2000; run++) {
      const answer = quantile(values, { quantile: "1/2", lower: 0, upper: 1999, epsilon: "1/10", entropy });
      // A bound of the distance with an allowance of 1: the value v covers the ranks v to v + 1.
      const distance = Math.max(0, Math.abs(answer.value.toNumber() + 0.5 - 1000) - 0.5);
      if (distance >= answer.rankError("1/2").toNumber()) misses++;
      expect(distance).toBeLessThan(answer.rankError("0.999999999").toNumber());
    }
    expect(misses / 2000).toBeLessThan(1 / 2);
  });
});

describe("quantiles", () => {
  it.each(vectors.quantiles)(
    "have their joint law: $name",
    ({ name, counts, lower, upper, ps, sub_cells, epsilon_level, levels, outcomes }) => {
      const found = tally({
        seed: `quantiles ${name}`,
        runs: RUNS,
        sample: (entropy) =>
          quantiles(pairs(counts), {
            ...{ lower, upper, quantiles: ps, subCells: sub_cells, method: "recursive", entropy },
            epsilon: rational(epsilon_level).times(BigInt(levels)),
          }).values,
      });
      expectAccepts(found, Object.fromEntries(outcomes.map(({ values, prob }) => [values.join(","), prob])));
    },
  );

  it("are within their rank errors in a thousand runs", () => {
    const entropy = seededEntropy("rank errors");
    const values = Float64Array.from({ length: 3000 }, (_, i) => Math.floor(i / 7));
    const ps = ["0.1", "0.25", "0.5", "0.9"];
    for (const method of ["recursive", "separate"] as const)
      for (let run = 0; run < 150; run++) {
        const answer = quantiles(values, {
          quantiles: ps,
          lower: 0,
          upper: 999,
          epsilon: 2,
          method,
          entropy,
        });
        const errors = answer.rankError("0.999", { atMost: 3000 });
        for (const [i, value] of answer.values.entries()) {
          const [least, most] = [value.toNumber() * 7, Math.min(value.toNumber() * 7 + 7, 3000)];
          const goal = Number(ps[i]) * 3000;
          expect(Math.max(0, goal - most, least - goal)).toBeLessThan(errors[i].toNumber());
        }
      }
  });
});

describe("upperBound", () => {
  it("has the reference law", () => {
    const [{ counts_above, target, probs }] = vectors.upper_bound;
    const thresholds = counts_above.map((_, i) => 100 - 10 * i);
    // So many exceed each threshold: one more than the threshold for each that is new.
    const values = counts_above.flatMap((count, i) =>
      new Array<number>(count - (counts_above[i - 1] ?? 0)).fill(thresholds[i] + 1),
    );
    const law: Record<string, number> = {};
    for (const [i, prob] of probs.entries()) {
      const place = i === counts_above.length ? counts_above.length - 1 : Math.max(i - 1, 0);
      law[thresholds[place]] = (law[thresholds[place]] ?? 0) + Number(prob);
    }
    const found = tally({
      seed: "upper bound",
      runs: 2000,
      sample: (entropy) => upperBound(values, { target, thresholds, scale: 1, entropy }).value,
    });
    expectAccepts(found, Object.fromEntries(Object.entries(law).map(([value, p]) => [value, String(p)])));
  });
});
