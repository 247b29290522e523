import { describe, it } from "vitest";
import { eta } from "../../src/accounting/base2-parameter.js";
import { base2Exponential } from "../../src/base2/base2-exponential.js";
import type { Entropy } from "../../src/entropy.js";
import { shuffle } from "../../src/sample/shuffle.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { amount } from "../support/amount.js";
import type { Law } from "../support/law.js";
import { expectAccepts, expectRejects, type Tally, tally } from "../support/tally.js";
import { exactLaw, lawByIndex } from "./exact-law.js";

const OUTCOMES = 75_001;
const RUNS = amount(800, 4000);

/** Utilities 0 … 75,000, one outcome each, in no order. */
const outcomes = Int32Array.from(
  shuffle(
    Array.from({ length: OUTCOMES }, (_, i) => i),
    seededEntropy("outcomes"),
  ),
);

/** The law of the utility's bin for weights base^utility. */
function lawOfBins(base: number, width: number): Law {
  const law: Record<string, number> = {};
  const total = (1 - base ** OUTCOMES) / (1 - base);
  for (let bin = 0; bin * width < OUTCOMES; bin++) {
    const size = Math.min(width, OUTCOMES - bin * width);
    law[bin] = (base ** (bin * width) * ((1 - base ** size) / (1 - base))) / total;
  }
  return law;
}

function draws(x: number, y: number, width: number, fraction = 0): Tally {
  const options = {
    eta: eta(x, y),
    lower: 0,
    upper: 75_001,
    maxCandidates: OUTCOMES,
    mode: "optimised",
  } as const;
  return tally({
    seed: `base2Exponential ${x} ${y} ${fraction}`,
    runs: RUNS,
    sample: (entropy: Entropy) => {
      const utility = (outcome: number) => outcome + fraction;
      const { outcome } = base2Exponential(outcomes, utility, { ...options, entropy });
      return Math.floor(outcome / width);
    },
  });
}

describe("75,001 outcomes of utilities 0 … 75,000", () => {
  it("(1, 1): few are worth a proposal", () => {
    const drawn = draws(1, 1, 1);
    expectAccepts(drawn, lawOfBins(1 / 2, 1));
    expectRejects(drawn, lawOfBins(0.4, 1));
  });

  it("(15, 4): some are", () => {
    const drawn = draws(15, 4, 4);
    expectAccepts(drawn, lawOfBins(15 / 16, 4));
    expectRejects(drawn, lawOfBins(0.91, 4));
  });

  it("(1023, 10): thousands are, and uniform proposals find them", () => {
    const drawn = draws(1023, 10, 250);
    expectAccepts(drawn, lawOfBins(1023 / 1024, 250));
    expectRejects(drawn, lawOfBins(1 - 1.3 / 1024, 250));
  });

  it("(1023, 10) with every utility half way between two levels", () => {
    const drawn = draws(1023, 10, 250, 0.5);
    expectAccepts(drawn, lawOfBins(1023 / 1024, 250)); // but for a factor of at most 1 ± 2^−20
    expectRejects(drawn, lawOfBins(1 - 1.3 / 1024, 250));
  });

  it("(1, 1) with every utility half way between two levels", () => {
    const drawn = draws(1, 1, 1, 0.5);
    // The exact law of the first eight, which have all of the probability but 1/250.
    const first = Array.from({ length: 8 }, (_, i) => i + 0.5);
    const law = exactLaw(first, { x: 1, y: 1, z: 1, lower: 0, upper: 9 });
    expectAccepts(drawn, lawByIndex(law.slice(0, 5)));
    expectRejects(drawn, lawOfBins(0.4, 1));
  });
});
