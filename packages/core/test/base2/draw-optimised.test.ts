import { describe, expect, it } from "vitest";
import { eta } from "../../src/accounting/base2-parameter.js";
import { drawOptimised } from "../../src/base2/draw.js";
import { Levels } from "../../src/base2/levels.js";
import { weightsOf } from "../../src/base2/weights.js";
import { rational } from "../../src/exact/rational.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";

/** The index drawn, and how many bits that took; in base 2 with η = 1 an octave is a level, and its coin is certain. */
function drawn(values: readonly number[], bits: string, minRetries = 1): { index: number; used: number } {
  const entropy = replayEntropy(bits);
  const levels = Levels.draw({ numbers: Float64Array.from(values), least: Math.min(...values) }, entropy);
  const index = drawOptimised(levels, weightsOf(eta(1, 1)), minRetries, entropy);
  return { index, used: entropy.bitsUsed };
}

const place = (index: number, bits: number) => index.toString(2).padStart(bits, "0");
/** All at level 1, but for the last, which is the best: 257 units in the envelope, which take 9 bits. */
const many = (length: number) => Array.from({ length }, (_, i) => (i === length - 1 ? 0 : 1));

describe("uniform proposals", () => {
  it("are one for every 256 outcomes, and the best is kept without a coin", () => {
    expect(drawn(many(256), place(255, 8))).toEqual({ index: 255, used: 8 });
  });

  it("are kept with probability b^distance", () => {
    expect(drawn(many(256), `${place(9, 8)}0`)).toEqual({ index: 9, used: 9 });
  });

  it("are given up after that, for the envelope", () => {
    expect(drawn(many(256), `${place(9, 8)}1${place(7, 9)}`)).toEqual({ index: 5, used: 18 });
    expect(drawn(many(512), `${place(9, 9)}1${place(8, 9)}0`)).toEqual({ index: 8, used: 20 });
    expect(drawn(many(512), `${place(9, 9)}1${place(8, 9)}1${place(6, 10)}`)).toEqual({ index: 4, used: 30 });
  });

  it("aren't made of fewer outcomes, nor where retries are to hide their number", () => {
    expect(drawn(many(255), place(3, 8))).toEqual({ index: 1, used: 8 });
    expect(drawn(many(256), place(7, 9) + place(0, 9), 2)).toEqual({ index: 5, used: 18 });
  });
});

describe("proposals from the envelope", () => {
  it("are as many as the minimum, and the first that is kept is the answer", () => {
    for (const minRetries of [2, 3, 5]) {
      const bits = place(2, 2) + place(0, 2).repeat(minRetries - 1);
      expect(drawn([1, 0, 1], bits, minRetries)).toEqual({ index: 0, used: 2 * minRetries });
    }
  });
});

describe("rationals", () => {
  const levels = () =>
    Levels.draw(
      ["-1e400", 0, "1e400"].map((value) => rational(value)),
      replayEntropy(""),
    );

  it("keep distances that no double holds", () => {
    const distances = [0, 1, 2].map((index) => levels().drawDistance(index, replayEntropy("")));
    expect(distances).toEqual([0n, 10n ** 400n, 2n * 10n ** 400n]);
  });

  it("are far in the envelope if they are far", () => {
    const entropy = replayEntropy(place(0, 31));
    expect(drawOptimised(levels(), weightsOf(eta(1, 1)), 1, entropy)).toBe(0);
    expect(entropy.bitsUsed).toBe(31);
  });
});
