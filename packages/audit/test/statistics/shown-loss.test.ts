import { describe, expect, it } from "vitest";
import { shownDelta, shownLoss } from "../../src/statistics/audit-by-runs.js";
import { clopperPearson } from "../../src/statistics/clopper-pearson.js";

const CONFIDENCE = { confidence: "0.99" };

describe("The loss that two tallies show", () => {
  it("is the logarithm of the lower end over the upper one, each with half of what may go wrong", () => {
    const [one, other] = [
      { hits: 400, runs: 1000 },
      { hits: 50, runs: 1000 },
    ];
    const { lower } = clopperPearson(one, "0.995");
    const { upper } = clopperPearson(other, "0.995");
    const expected = Math.log(lower.toNumber() / upper.toNumber());
    expect(shownLoss(one, other, CONFIDENCE).epsilon.toNumber()).toBeCloseTo(expected, 10);
    expect(shownLoss(other, one, CONFIDENCE).epsilon.toNumber()).toBeCloseTo(expected, 10);
  });

  it("is also shown by what did not come", () => {
    const nearlyAlways = shownLoss({ hits: 999, runs: 1000 }, { hits: 700, runs: 1000 }, CONFIDENCE);
    const rarely = shownLoss({ hits: 1, runs: 1000 }, { hits: 300, runs: 1000 }, CONFIDENCE);
    const reversed = shownLoss({ hits: 700, runs: 1000 }, { hits: 999, runs: 1000 }, CONFIDENCE);
    expect(nearlyAlways.epsilon).toEqual(rarely.epsilon);
    expect(nearlyAlways.epsilon).toEqual(reversed.epsilon);
    expect(nearlyAlways.epsilon.toNumber()).toBeGreaterThan(2.5);
  });

  it("is nothing where the tallies are alike", () => {
    const { epsilon } = shownLoss({ hits: 500, runs: 1000 }, { hits: 510, runs: 1000 }, CONFIDENCE);
    expect(epsilon.compare(0)).toBe(0);
  });

  it("is smaller by what a δ explains", () => {
    const [one, other] = [
      { hits: 100, runs: 1000 },
      { hits: 0, runs: 1000 },
    ];
    const pure = shownLoss(one, other, CONFIDENCE);
    const approximate = shownLoss(one, other, { ...CONFIDENCE, delta: "0.2" });
    expect(pure.epsilon.toNumber()).toBeGreaterThan(2);
    expect(approximate.epsilon.compare(0)).toBe(0);
  });

  it("goes with a δ at every ε", () => {
    const shown = shownLoss({ hits: 300, runs: 1000 }, { hits: 0, runs: 1000 }, CONFIDENCE);
    expect(shownDelta(shown, 1).toNumber()).toBeCloseTo(
      shown.one.lower.toNumber() - Math.E * shown.other.upper.toNumber(),
      10,
    );
    expect(shownDelta(shown, 20).compare(0)).toBe(0);
  });
});
