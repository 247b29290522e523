import { describe, expect, it } from "vitest";
import type { Entropy } from "../../../core/src/entropy.js";
import { rational } from "../../../core/src/exact/rational.js";
import { bernoulli } from "../../../core/src/sample/bernoulli.js";
import { seededEntropy } from "../../../core/src/testing/seeded-entropy.js";
import { runClaims } from "../../src/claims/run-claims.js";
import { auditByRuns } from "../../src/statistics/audit-by-runs.js";

/** Tells a bit as it is with probability 3/4: ε = ln 3. */
function randomizedResponse(bit: boolean, entropy: Entropy): string {
  return bernoulli("3/4", entropy) === bit ? "yes" : "no";
}

const SETTING = { confidence: "0.999999", runs: 4000 };

describe("An audit by runs", () => {
  it("comes near to a loss that is known, from below", () => {
    const { epsilon, event } = auditByRuns({
      ...SETTING,
      mechanism: randomizedResponse,
      inputs: [true, false],
      entropy: seededEntropy("known loss"),
    });
    expect(event).toEqual(["yes"]);
    expect(epsilon.toNumber()).toBeLessThan(Math.log(3));
    expect(epsilon.toNumber()).toBeGreaterThan(0.8);
  });

  it("finds an event of many outcomes, each of which is rare", () => {
    const mechanism = (bit: boolean, entropy: Entropy) =>
      `${randomizedResponse(bit, entropy)} ${entropy.bits(5)}`;
    const inputs = [true, false] as const;
    const { epsilon, event } = auditByRuns({ ...SETTING, mechanism, inputs, entropy: seededEntropy("many") });
    expect(event.length).toBeGreaterThan(20);
    expect(epsilon.toNumber()).toBeGreaterThan(0.8);
  });

  it("shows nothing where both inputs have the same law, however many outcomes it looks through", () => {
    const mechanism = (_: number, entropy: Entropy) => String(entropy.bits(8));
    const inputs = [0, 1] as const;
    const { epsilon } = auditByRuns({ ...SETTING, mechanism, inputs, entropy: seededEntropy("same") });
    expect(epsilon.compare(0)).toBe(0);
  });

  it("judges by runs that did not choose", () => {
    const seen: string[] = [];
    const mechanism = (input: string) => {
      seen.push(input);
      return input;
    };
    const { tallies } = auditByRuns({ confidence: "0.95", runs: 11, mechanism, inputs: ["a", "b"] });
    expect(seen).toHaveLength(22);
    expect(tallies.map(({ runs }) => runs)).toEqual([6, 6]);
  });

  it("refuses a single run, which cannot both choose and judge", () => {
    const mechanism = () => "";
    expect(() => auditByRuns({ ...SETTING, runs: 1, mechanism, inputs: [0, 1] })).toThrow("runs must be");
  });

  describe.each(runClaims().map((claim) => [claim.mechanism, claim] as const))("of %s", (name, claim) => {
    const setting = { ...SETTING, runs: 6000 };

    it("does not refute it", () => {
      const { epsilon } = claim.ours({ ...setting, entropy: seededEntropy(`ours ${name}`) });
      expect(epsilon.compare(claim.epsilon)).toBeLessThanOrEqual(0);
    });

    it("finds the planted fault", () => {
      const { epsilon } = claim.faulty({ ...setting, entropy: seededEntropy(`faulty ${name}`) });
      expect(epsilon.compare(rational(claim.epsilon))).toBe(1);
    });
  });
});
