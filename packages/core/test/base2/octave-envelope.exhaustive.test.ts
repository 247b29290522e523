import { describe, expect, it, vi } from "vitest";
import { Levels } from "../../src/base2/draw.js";
import { OctaveEnvelope } from "../../src/base2/weights.js";
import type { Entropy } from "../../src/entropy.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

/** What `drawBelow` is asked for, and what it answers. */
const draw = vi.hoisted(() => ({ below: 0, answer: 0 }));

vi.mock("../../src/sample/uniform-below.js", () => ({
  drawBelow: (n: number) => {
    draw.below = n;
    return draw.answer;
  },
}));

const noEntropy = undefined as unknown as Entropy;

function envelopeOf(values: readonly number[], rate: number): OctaveEnvelope {
  const numbers = Float64Array.from(values);
  const entropy = seededEntropy("levels");
  return new OctaveEnvelope(Levels.draw({ numbers, least: Math.min(...values) }, entropy), rate, entropy);
}

function proposed(envelope: OctaveEnvelope, answer: number): { index: number; octave: number } {
  draw.answer = answer;
  return envelope.propose(noEntropy);
}

describe("proposals from octaves", () => {
  it("each number below the total stands for one outcome, 2^(last octave − octave) for each", () => {
    const values = [3, 0, 1, 5, 2, 0, 4, 1];
    const envelope = envelopeOf(values, 0.75);
    const octaves = values.map((value) => Math.floor(0.75 * value));
    proposed(envelope, 0);
    const tally = values.map(() => 0);
    for (let answer = 0; answer < draw.below; answer++) {
      const { index, octave } = proposed(envelope, answer);
      expect(octave).toBe(octaves[index]);
      tally[index]++;
    }
    expect(tally).toEqual(octaves.map((octave) => 2 ** (3 - octave)));
    expect(draw.below).toBe(tally.reduce((a, b) => a + b));
  });

  it("far outcomes share the deepest octave, 30, whatever their distance", () => {
    const values = [1e6, 0, 31, 2 ** 53, 29, 32];
    const envelope = envelopeOf(values, 1);
    expect(proposed(envelope, 0)).toEqual({ index: 1, octave: 0 });
    expect(draw.below).toBe(2 ** 30 + 2 + 4);
    expect(proposed(envelope, 2 ** 30 - 1)).toEqual({ index: 1, octave: 0 });
    expect(proposed(envelope, 2 ** 30)).toEqual({ index: 4, octave: 29 });
    expect(proposed(envelope, 2 ** 30 + 1)).toEqual({ index: 4, octave: 29 });
    const far = [2, 3, 4, 5].map((answer) => proposed(envelope, 2 ** 30 + answer));
    expect(far).toEqual([0, 2, 3, 5].map((index) => ({ index, octave: 30 })));
  });

  it("the octaves count from the least level, where everybody at the least floor was rounded up too", () => {
    const numbers = Float64Array.from([0.999, 0.999, 3, 1]);
    const ones = replayEntropy("0".repeat(64), { wordBits: 32 }); // U = 0: up
    const levels = Levels.draw({ numbers, least: 0.999 }, ones);
    const envelope = new OctaveEnvelope(levels, 1, ones);
    expect([...numbers]).toEqual([1, 1, 3, 1]);
    expect(levels.origin).toBe(1);
    expect([0, 4, 8, 12].map((answer) => proposed(envelope, answer))).toEqual([
      { index: 0, octave: 0 },
      { index: 1, octave: 0 },
      { index: 3, octave: 0 },
      { index: 2, octave: 2 },
    ]);
  });

  it("equal utilities are one octave, and nothing more is drawn than the index", () => {
    const envelope = envelopeOf([7, 7, 7, 7, 7], 1.5);
    expect([0, 1, 2, 3, 4].map((answer) => proposed(envelope, answer).index)).toEqual([0, 1, 2, 3, 4]);
    expect(draw.below).toBe(5);
  });

  it("near utilities are rounded once and for all, and far ones not before they are proposed", () => {
    const numbers = Float64Array.from([0, 1.5, 70.5, 0.25, 30.5]);
    const entropy = seededEntropy("rounded");
    const levels = Levels.draw({ numbers, least: 0 }, entropy);
    const envelope = new OctaveEnvelope(levels, 1, entropy);
    expect([...numbers].map(Number.isInteger)).toEqual([true, true, false, true, true]);
    proposed(envelope, 0);
    const total = draw.below;
    expect(proposed(envelope, total - 1)).toEqual({ index: 2, octave: 30 });
    // The level of 30.5 is 30 or 31, but it is not among the far ones.
    expect(proposed(envelope, total - 2)).toEqual({ index: 4, octave: 29 });
  });
});
