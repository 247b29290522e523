import { describe, expect, it } from "vitest";
import { seededEntropy } from "../../../core/src/testing/seeded-entropy.js";
import { playGame } from "../../src/attacks/attack.js";
import { canComeBy, floatLaplace, guessBySupport } from "../../src/attacks/float-noise.js";
import { snappingMechanism } from "../../src/attacks/snapping.js";

/** The snapping mechanism [Mir12] and the attack that it was made against. */

const COUNTS = [1000, 1001];
const options = (entropy: ReturnType<typeof seededEntropy>) => ({ scale: 1, bound: 4096, entropy });
/** The ε of a scale of 1 and this bound, rounded up. */
const EPSILON = "1.00000000001";

describe("The snapping mechanism", () => {
  it("releases multiples of the power of two from its scale on, within the bound", () => {
    const entropy = seededEntropy("steps");
    for (const [scale, step] of [
      [3, 4],
      [4, 4],
      [0.3, 0.5],
    ])
      for (let i = 0; i < 50; i++) {
        const noisy = snappingMechanism(10.3, { scale, bound: 16, entropy });
        expect(Math.abs(noisy) === 16 || Number.isInteger(noisy / step)).toBe(true);
        expect(Math.abs(noisy)).toBeLessThanOrEqual(16);
      }
  });

  it("has the law of rounded Laplace noise, and not that of half the scale", () => {
    const entropy = seededEntropy("law");
    const runs = 3000;
    const seen = new Map<number, number>();
    for (let i = 0; i < runs; i++) {
      const noisy = snappingMechanism(0, options(entropy));
      seen.set(noisy, (seen.get(noisy) ?? 0) + 1);
    }
    const below = (x: number, scale: number) =>
      x < 0 ? Math.exp(x / scale) / 2 : 1 - Math.exp(-x / scale) / 2;
    const farthest = (scale: number) =>
      Math.max(
        ...[-3, -2, -1, 0, 1, 2, 3].map((k) => {
          const p = below(k + 0.5, scale) - below(k - 0.5, scale);
          return Math.abs((seen.get(k) ?? 0) - runs * p) / Math.sqrt(runs * p * (1 - p));
        }),
      );
    expect(farthest(1)).toBeLessThan(4);
    expect(farthest(0.5)).toBeGreaterThan(8);
  });

  it("keeps its promise against the adversary who breaks noise in doubles, and against one who knows the rounding", () => {
    const game = (victim: (count: number, entropy: ReturnType<typeof seededEntropy>) => number) => {
      const rounds = { rounds: 1500, entropy: seededEntropy("supports"), confidence: "0.9999" };
      return [(x: number) => x, Math.round].map((finish) => {
        const canCome = (released: number, count: number) => canComeBy(released, count, finish);
        const adversary = (world: 0 | 1, entropy: ReturnType<typeof seededEntropy>) =>
          guessBySupport(victim(COUNTS[world], entropy), COUNTS, canCome);
        return playGame(adversary, { epsilon: EPSILON, delta: 0 }, rounds).isBroken;
      });
    };
    expect(game((count, entropy) => snappingMechanism(count, options(entropy)))).toEqual([false, false]);
    expect(game((count, entropy) => count + floatLaplace(entropy.bits(32), 1))[0]).toBe(true);
  });
});
