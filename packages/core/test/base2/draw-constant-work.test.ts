import { describe, expect, it } from "vitest";
import { eta } from "../../src/accounting/base2-parameter.js";
import { drawConstantWork } from "../../src/base2/draw-constant-work.js";
import type { ClampedUtilities } from "../../src/base2/utilities.js";
import { rational } from "../../src/exact/rational.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

const numbers = (...values: number[]) => ({ numbers: Float64Array.from(values), least: Math.min(...values) });
const RANGE = { lowest: -1n, highest: 1n };
/** Weights 256, 144 and 81 for utilities −1, 0 and 1, eight bits each. */
const WORK = { parameter: eta(3, 2, 2), range: RANGE, maxCandidates: 4, minRetries: 1 };

/** How many of all strings of a try's ten bits give each outcome; `rounding` are the bits that come before. */
function tally(utilities: ClampedUtilities, rounding: string): number[] {
  const counts = [0, 0, 0, 0];
  for (let bits = 0; bits < 1024; bits++) {
    const entropy = replayEntropy(rounding + bits.toString(2).padStart(10, "0"));
    try {
      counts[drawConstantWork(utilities, WORK, entropy)]++;
      expect(entropy.bitsUsed).toBe(rounding.length + 10);
    } catch {
      // not accepted: another try would need more bits
    }
  }
  return counts;
}

describe("One try of constant work", () => {
  it("gives each outcome its weight's share of all strings, with the bits that the total leaves over", () => {
    expect(tally(numbers(-1, 1, 0), "000")).toEqual([2 * 256, 2 * 81, 2 * 144, 0]);
    expect(tally(numbers(1, 0), "00")).toEqual([4 * 81, 4 * 144, 0, 0]);
    expect(tally(numbers(1, -1, 0, 1), "0000")).toEqual([81, 256, 144, 81]);
    expect(tally(numbers(0, 0, 1), "000")).toEqual([2 * 144, 2 * 144, 2 * 81, 0]);
  });

  it("rounds rationals, with a word for an integer too", () => {
    const [low, half, high] = [rational(-1), rational("1/2"), rational(1)];
    expect(tally([low, half], "00")).toEqual([2 * 256, 2 * 81, 0, 0]);
    expect(tally([low, half], "01")).toEqual([2 * 256, 2 * 144, 0, 0]);
    expect(tally([high, low], "00")).toEqual([2 * 81, 2 * 256, 0, 0]);
  });
});

describe("The bits of a try", () => {
  it("are those of the weights where there is one outcome, and all of them are accepted", () => {
    const entropy = replayEntropy(`0${"1".repeat(8)}`);
    expect(drawConstantWork(numbers(-1), { ...WORK, maxCandidates: 1 }, entropy)).toBe(0);
    expect(entropy.bitsUsed).toBe(9);
  });

  it("may be thousands, the first above the others", () => {
    const long = {
      parameter: eta(1, 1),
      range: { lowest: 0n, highest: 3000n },
      maxCandidates: 2,
      minRetries: 1,
    };
    for (const [bits, index] of [
      [`0${"1".repeat(3000)}`, 0],
      [`10${"1".repeat(2999)}`, 1],
    ] as const) {
      const entropy = replayEntropy(`00${bits}`);
      expect(drawConstantWork(numbers(0, 1), long, entropy)).toBe(index);
      expect(entropy.bitsUsed).toBe(3003);
    }
  });

  it("are drawn for each retry, and the first that is accepted decides", () => {
    const entropy = replayEntropy(`001001011000${"0".repeat(10)}${"1".repeat(10)}`);
    expect(drawConstantWork(numbers(0, 1), { ...WORK, minRetries: 3 }, entropy)).toBe(1);
    expect(entropy.bitsUsed).toBe(32);
  });
});
