import { describe, expect, it } from "vitest";
import { zcdp } from "../../src/accounting/loss.js";
import { roundsBudget, SharedRounds } from "../../src/standout/shared-rounds.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

describe("Rounds that share a budget", () => {
  it("cost their ρ whatever their number, or (r/τ)²/8 each for a scale τ", () => {
    expect([1, 7].map((rounds) => new SharedRounds({ rho: "1/8" }, {}).loss(rounds))).toEqual([
      zcdp("1/8"),
      zcdp("1/8"),
    ]);
    const cost = (counts: object, rounds: number) => new SharedRounds({ scale: 4 }, counts).loss(rounds);
    expect(cost({}, 1)).toEqual(zcdp("1/32"));
    expect(cost({}, 3)).toEqual(zcdp("3/32"));
    expect(cost({ monotone: true }, 3)).toEqual(zcdp("3/128"));
    expect(cost({ monotone: true, sensitivity: 2 }, 3)).toEqual(zcdp("3/32"));
  });

  it("pick the largest of these candidates, or of all beside them, where noise is tiny", () => {
    const rounds = new SharedRounds({ scale: "1/1000" }, {});
    const histogram = [50, 10, 40, 20, 30, 60];
    const entropy = seededEntropy("rounds");
    expect(rounds.pickFrom([1, 3, 4], histogram, 2, entropy)).toEqual([4, 3]);
    expect(rounds.pickFrom([5, 1], histogram, 2, entropy)).toEqual([5, 1]);
    expect(rounds.pickBeside([5, 2], histogram, 2, entropy)).toEqual([0, 4]);
    expect(rounds.pickBeside([], histogram, 3, entropy)).toEqual([5, 0, 2]);
    expect(rounds.pickBeside([1], histogram, 1, entropy)).toEqual([5]);
  });

  it("get more noise the more they are: r·√(K/8ρ)", () => {
    // At ρ = 1/2 and r = 2 the noise of K rounds has the scale √K: 20 for 400 of them.
    const histogram = [15, ...Array<number>(399).fill(0)];
    const [few, many] = [1, 400].map((rounds) => {
      const shared = new SharedRounds({ rho: "1/2" }, {});
      let first = 0;
      for (let seed = 0; seed < 20; seed++)
        if (shared.pickBeside([], histogram, rounds, seededEntropy(`noise ${seed}`))[0] === 0) first++;
      return first;
    });
    expect(few).toBe(20);
    expect(many).toBeLessThan(5);
  });

  it("have just one budget, above 0", () => {
    for (const budget of [{}, { rho: 1, scale: 1 }])
      expect(() => new SharedRounds(budget, {})).toThrow("budget must be exactly one of rho and scale");
    expect(() => new SharedRounds({ rho: 0 }, {})).toThrow(/^rho must be/);
    expect(() => new SharedRounds({ scale: -1 }, {})).toThrow(/^scale must be/);
    expect(roundsBudget("among", { rho: "1/2" })).toEqual({ rho: expect.anything() });
    expect(roundsBudget("among", { scale: 2 })).toEqual({ scale: expect.anything() });
    expect(() => roundsBudget("among", 7 as never)).toThrow(/^among must be/);
    expect(() => roundsBudget("among", { rho: 0 })).toThrow(/^rho must be/);
    expect(() => roundsBudget("among", { scale: 0 })).toThrow(/^scale must be/);
  });
});
