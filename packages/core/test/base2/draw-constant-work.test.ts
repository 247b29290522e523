import { describe, expect, it } from "vitest";
import { eta } from "../../src/accounting/base2-parameter.js";
import { drawConstantWork } from "../../src/base2/draw-constant-work.js";
import type { ClampedUtilities } from "../../src/base2/utilities.js";
import { bitLength } from "../../src/exact/integers.js";
import { rational } from "../../src/exact/rational.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

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

/** The outcome of a try's bits by one sum after the other, in long integers; undefined where it isn't accepted. */
function plainly(utilities: readonly number[], { parameter, range }: typeof WORK, bits: string) {
  const [factor, shift] = [parameter.x ** parameter.z, parameter.y * parameter.z];
  const span = range.highest - range.lowest;
  const weightOf = (level: bigint) => (factor ** level) << (shift * (span - level));
  const levels = utilities.map((utility) => BigInt(utility) - range.lowest);
  const total = levels.reduce((sum, level) => sum + weightOf(level), 0n);
  const share = BigInt(`0b${bits}`) >> BigInt(bits.length - bitLength(total - 1n));
  if (share >= total) return undefined;
  let before = 0n;
  for (let level = 0n; level <= span; level++)
    for (const [index, own] of levels.entries()) {
      if (own !== level) continue;
      before += weightOf(level);
      if (share < before) return index;
    }
  return undefined;
}

describe("Levels of many blocks and many outcomes", () => {
  it.each([
    ["three levels in one block", eta(3, 2), 2n],
    ["a block and a little more", eta(3, 2), 11n],
    ["five blocks of levels", eta(3, 2, 2), 26n],
    ["blocks of two levels each", eta(700_001, 20), 13n],
    ["a level for each block", eta(5_000_001, 23), 6n],
  ])("are summed and searched as one sum after the other would be: %s", (_, parameter, span) => {
    const range = { lowest: -4n, highest: span - 4n };
    const work = { parameter, range, maxCandidates: 40, minRetries: 1 };
    const entropy = seededEntropy(`blocks ${span}`);
    let accepted = 0;
    for (let run = 0; run < 60; run++) {
      const utilities = Array.from({ length: 23 }, () => (entropy.bits(20) % (Number(span) + 1)) - 4);
      const digits = Number(parameter.y * parameter.z * span) + 6;
      // Half of them near the least weights, where the cut-off parts of a share are.
      const bits = Array.from({ length: digits }, (_, i) =>
        run % 2 === 1 && i < 4 ? 0 : entropy.bit(),
      ).join("");
      const index = plainly(utilities, work, bits);
      if (index === undefined) continue;
      accepted++;
      expect(drawConstantWork(numbers(...utilities), work, replayEntropy("0".repeat(23) + bits))).toBe(index);
    }
    expect(accepted).toBeGreaterThan(20);
  });
});
