import { describe, expect, it } from "vitest";
import { seededEntropy } from "../../../core/src/testing/seeded-entropy.js";
import { defineAttack, mostSuccess } from "../../src/attacks/attack.js";
import { attacks } from "../../src/attacks/attacks.js";

/** Every attack breaks textbook code and fails on ours, with bits that repeat. */

describe.each(attacks.map((attack) => [attack.title, attack] as const))("%s", (_, attack) => {
  const result = attack.run({ entropy: seededEntropy(`attack ${attack.id}`) });

  it("breaks textbook code: it wins more often than ε allows, and the answers prove more than ε", () => {
    expect(result.textbook.success.lower).toBeGreaterThan(result.mostSuccess);
    expect(result.textbook.isBroken).toBe(true);
    expect(result.textbook.loss.compare(attack.epsilon)).toBe(1);
  });

  it("fails on ours: the answers prove no more than ε, and it wins no more than ε allows", () => {
    expect(result.ours.isBroken).toBe(false);
    expect(result.ours.success.lower).toBeLessThanOrEqual(result.mostSuccess);
    expect(result.holds).toBe(true);
  });

  it("tells its success with an interval around it", () => {
    for (const { success, wins, rounds } of [result.textbook, result.ours]) {
      expect(success.rate).toBe(wins / rounds);
      expect(success.lower).toBeLessThanOrEqual(success.rate);
      expect(success.upper).toBeGreaterThanOrEqual(success.rate);
      expect(rounds).toBe(attack.rounds);
    }
  });
});

describe("The attacks", () => {
  it("have names of their own", () => {
    expect(new Set(attacks.map(({ id }) => id)).size).toBe(attacks.length);
  });

  it.each(["zero-rounding", "non-identical-supports", "inverse-transform", "set-by-count", "unknown-domain"])(
    "%s wins nearly always against textbook code",
    (id) => {
      const attack = attacks.find((one) => one.id === id);
      const { success } = attack!.run({ rounds: 500, entropy: seededEntropy(id) }).textbook;
      expect(success.rate).toBeGreaterThan(0.99);
    },
  );

  it("would find fault with ours if it were the textbook's", () => {
    const [attack] = attacks;
    const swapped = defineAttack({ ...attack, ours: attack.textbook, textbook: attack.ours });
    const { holds, ours } = swapped.run({ rounds: 500, entropy: seededEntropy("swapped") });
    expect(ours.isBroken).toBe(true);
    expect(holds).toBe(false);
  });

  it("refuse a number of rounds that is none", () => {
    expect(() => attacks[0].run({ rounds: 0 })).toThrow("rounds must be an integer >= 1");
  });
});

describe("The most success that a promise allows", () => {
  it.each([
    { epsilon: 0, delta: 0, most: 0.5 },
    { epsilon: 1, delta: 0, most: Math.E / (1 + Math.E) },
    { epsilon: 0, delta: "1/10", most: 0.55 },
  ])("is $most for ε = $epsilon and δ = $delta", ({ most, ...promise }) => {
    expect(mostSuccess(promise)).toBeCloseTo(most, 12);
  });
});
