import { describe, expect, it } from "vitest";
import { replayEntropy } from "../../../core/src/testing/replay-entropy.js";
import { naiveExponentialMechanism } from "../../src/attacks/lost-weights.js";

/** The second attack of [Ilv20] on doubles: what a game of some thousand rounds cannot show, the largest random number shows. */

const EPSILON = 1;
const HIGHEST = "1".repeat(53);

/** Small enough to vanish beside e^0 with Alice, and not beside e^(−1/2) without her. */
const SMALL = 73.3;
const WITHOUT_ALICE = [1, SMALL];
const WITH_ALICE = [0, SMALL + 1];

describe("Truncated addition in double precision", () => {
  it("makes an outcome impossible with Alice that is possible without her, though no weight is 0", () => {
    for (const utilities of [WITHOUT_ALICE, WITH_ALICE])
      for (const utility of utilities) expect(Math.exp((-EPSILON / 2) * utility)).toBeGreaterThan(0);
    // Cumulative weights rise, so the highest random number gives the last outcome if any does.
    expect(naiveExponentialMechanism(WITHOUT_ALICE, EPSILON, replayEntropy(HIGHEST))).toBe(1);
    expect(naiveExponentialMechanism(WITH_ALICE, EPSILON, replayEntropy(HIGHEST))).toBe(0);
  });

  it("is too rare to be seen with few outcomes: without Alice it takes one of the highest random numbers", () => {
    const lower = `${"1".repeat(50)}000`;
    expect(naiveExponentialMechanism(WITHOUT_ALICE, EPSILON, replayEntropy(lower))).toBe(0);
  });
});
