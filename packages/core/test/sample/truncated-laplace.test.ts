import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { preparedNoise } from "../../src/sample/prepared-noise.js";
import { TruncatedLaplace } from "../../src/sample/truncated-laplace.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const seeded = () => seededEntropy("keep");

describe("Truncated noise", () => {
  it("is that of the whole law, drawn again where it is beyond the bound on either side", () => {
    const [epsilon, delta] = [rational(1), rational("1/20")];
    const noise = new TruncatedLaplace(epsilon, delta);
    const whole = preparedNoise("laplace", rational(1));
    const [entropy, same] = [seeded(), seeded()];
    const found = new Set<bigint>();
    for (let i = 0; i < 400; i++) {
      let expected = whole(same);
      while (expected > noise.bound || expected < -noise.bound) expected = whole(same);
      expect(noise.publish(1000, entropy)).toBe(1000n + expected);
      found.add(expected);
    }
    expect(found.size).toBe(2 * Number(noise.bound) + 1);
  });

  it("keeps a count above the bound only, and draws nothing for a name that no one has", () => {
    const noise = new TruncatedLaplace(rational(1), rational("1/20"));
    const silent = { ...seeded(), word: () => expect.unreachable(), bits: () => expect.unreachable() };
    for (const count of [0, 0n, -1]) expect(noise.publish(count, silent as never)).toBeUndefined();
    for (let seed = 0; seed < 100; seed++) {
      const published = noise.publish(noise.bound, seededEntropy(`bound ${seed}`));
      expect(published === undefined || published > noise.bound).toBe(true);
    }
  });

  it("has a bound of at least 1, however large δ is, and fails at most as often as that", () => {
    const loose = new TruncatedLaplace(rational(1), rational("9/10"));
    expect(loose.bound).toBe(1n);
    expect(loose.failure.compare("9/10")).toBe(-1);
    // P(1) = a/(1 + 2a) for a = e^(-1).
    expect(loose.failure.toNumber()).toBeCloseTo(Math.exp(-1) / (1 + 2 * Math.exp(-1)), 12);
  });
});
