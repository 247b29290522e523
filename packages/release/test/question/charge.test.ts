import { describe, expect, it } from "vitest";
import { type Loss, type Measure, rational } from "winnow-dp";
import { lossOf, type Question } from "../../src/index.js";
import type { Counting } from "../../src/mechanisms/mechanism.js";
import { chargeOf, reservationOf } from "../../src/mechanisms/of-question.js";
import { ask, listed, UNKNOWN } from "../support/ask.js";

const DELTA = { domain: UNKNOWN, delta: "1e-6" } as const;
const counting = (measure: Measure, isAtOrder = false): Counting => ({ measure, isAtOrder });

function sizeOf(loss: Loss): number {
  return Number(loss.measure === "zcdp" ? loss.rho : "epsilon" in loss ? loss.epsilon : Number.NaN);
}

/** What an answer of so many names is counted as. */
function settled(question: Question, winners: number, stopped: boolean, how: Counting): Loss {
  const charge = chargeOf(question, { winners, stopped }, how);
  expect(charge).toBeDefined();
  return charge!.settled;
}

describe("a limited-domain top k is counted", () => {
  const gumbel = ask({ ...DELTA, k: 10, rho: "1/10" });

  it("round by round in zCDP: one for each name, and one for the end of the list", () => {
    for (const [winners, stopped, rounds] of [
      [0, true, 1],
      [4, true, 5],
      [9, true, 10],
      [10, false, 10],
    ] as const)
      for (const measure of ["zcdp", "renyi"] as const)
        expect(sizeOf(settled(gumbel, winners, stopped, counting(measure)))).toBeCloseTo(rounds / 100, 8);
  });

  it("with all of δ, however short the answer is", () => {
    const loss = settled(gumbel, 0, true, counting("zcdp"));
    expect(loss).toMatchObject({ measure: "zcdp", delta: (lossOf(gumbel) as { delta: unknown }).delta });
  });

  it("in zCDP too where ε was asked for and the limit is in ρ, or counted at an order by now", () => {
    const question = ask({ ...DELTA, k: 10, epsilon: 1 });
    for (const how of [counting("zcdp"), counting("renyi"), counting("approx", true)]) {
      expect(settled(question, 2, true, how).measure).toBe("zcdp");
      expect(sizeOf(settled(question, 2, true, how))).toBeCloseTo(
        (3 / 10) * sizeOf(reservationOf(question, how)),
        8,
      );
    }
  });

  it("of (ε, δ) with Gumbel noise, by r/τ a round and never above ε", () => {
    const question = ask({ ...DELTA, k: 10, epsilon: 1 });
    const how = counting("approx");
    expect(reservationOf(question, how)).toEqual(lossOf(question));
    const sizes = [0, 1, 3, 5, 6, 7, 9].map((winners) => sizeOf(settled(question, winners, true, how)));
    expect(sizes[0]).toBeCloseTo(1 / 6.738, 3);
    expect(sizes[1]).toBeCloseTo(2 * sizes[0]!, 8);
    expect(sizes.at(-1)).toBeCloseTo(1, 9);
    expect(sizes.every((size, i) => i === 0 || size >= sizes[i - 1]!)).toBe(true);
  });

  it("of (ε, δ) with exponential noise, by r/β a round, with its counts", () => {
    const names = ask({ ...DELTA, k: 3, epsilon: 1 });
    expect(sizeOf(settled(names, 1, true, counting("approx")))).toBeCloseTo(2 / 3, 12);
    const counts = ask({ ...DELTA, k: 3, epsilon: 1, counts: true });
    // Two rounds of 4/5·ε/3; one count of three that share noise costs 1/b = ε/5/2, half of what all cost.
    expect(sizeOf(settled(counts, 1, true, counting("approx")))).toBeCloseTo(8 / 15 + 1 / 10, 12);
    const own = ask({ ...DELTA, k: 3, epsilon: 1, counts: true, neighbours: "replace" });
    // Two rounds of 3/4·ε/3, one count of ε/4/3.
    expect(sizeOf(settled(own, 1, true, counting("approx")))).toBeCloseTo(2 / 4 + 1 / 12, 12);
    expect(sizeOf(settled(counts, 3, false, counting("approx")))).toBeCloseTo(1, 12);
  });

  it("with Gaussian counts in all of ε as soon as one is measured", () => {
    const question = ask({ ...DELTA, k: 10, epsilon: 1, counts: true });
    const how = counting("approx");
    expect(sizeOf(settled(question, 0, true, how))).toBeLessThan(1 / 5);
    expect(sizeOf(settled(question, 1, true, how))).toBe(sizeOf(lossOf(question)));
    const rho = ask({ ...DELTA, k: 10, rho: "1/10", counts: true });
    // Two rounds of 4/5·ρ/10, and ρ_1 of ten counts that share noise: 0.2326 of ρ/5, not a tenth.
    expect(sizeOf(settled(rho, 1, true, counting("zcdp")))).toBeCloseTo(0.016 + 0.02 * 0.2326, 5);
    const own = ask({ ...DELTA, k: 10, rho: "1/10", counts: true, neighbours: "replace" });
    // Two rounds of 3/4·ρ/10, and one count of ρ/4/10.
    expect(sizeOf(settled(own, 1, true, counting("zcdp")))).toBeCloseTo(0.015 + 0.0025, 8);
  });

  it("in full where less is not proven", () => {
    const exponential = ask({ ...DELTA, k: 3, epsilon: 1 });
    for (const how of [counting("zcdp"), counting("renyi"), counting("approx", true), counting("pure")])
      expect(chargeOf(exponential, { winners: 0, stopped: true }, how)).toBeUndefined();
    for (const question of [
      ask({ k: 3, domain: listed(9), epsilon: 1 }),
      ask({ ...DELTA, kind: "adaptive", k: 3, rho: 1 }),
      ask({ ...DELTA, kind: "names", rho: 1, maxItemsPerUser: 3 }),
    ])
      expect(chargeOf(question, { winners: 0, stopped: true }, counting("zcdp"))).toBeUndefined();
  });

  it("never as more than was reserved", () => {
    for (const k of [1, 2, 3, 5, 20])
      for (const counts of [true, false])
        for (const budget of [{ epsilon: "1/2" }, { rho: "1/20" }])
          for (const neighbours of ["add-remove", "replace"] as const) {
            const question = ask({ ...DELTA, ...budget, k, counts, neighbours });
            for (const how of [counting("zcdp"), counting("approx"), counting("approx", true)])
              for (let winners = 0; winners <= k; winners++) {
                const charge = chargeOf(question, { winners, stopped: winners < k }, how);
                if (charge === undefined) continue;
                expect(rational(sizeOf(charge.settled)).compare(sizeOf(charge.reserved))).toBeLessThanOrEqual(
                  0,
                );
                if (winners === k) expect(charge.settled).toEqual(charge.reserved);
              }
          }
  });
});
