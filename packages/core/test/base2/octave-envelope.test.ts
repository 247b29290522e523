import { describe, expect, it } from "vitest";
import { Levels } from "../../src/base2/levels.js";
import { OctaveEnvelope } from "../../src/base2/octave-envelope.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

function envelopeOf(values: readonly number[], rate: number): OctaveEnvelope {
  const numbers = Float64Array.from(values);
  const entropy = seededEntropy("levels");
  return new OctaveEnvelope(Levels.draw({ numbers, least: Math.min(...values) }, entropy), rate, entropy);
}

/** What is proposed for a number below the total: a uniform draw takes it from as many bits as the total has. */
function proposed(envelope: OctaveEnvelope, answer: number, total: number): Proposal {
  const bits = (total - 1).toString(2).length;
  const entropy = replayEntropy(total === 1 ? "" : answer.toString(2).padStart(bits, "0"));
  const proposal = envelope.propose(entropy);
  expect(entropy.bitsUsed).toBe(total === 1 ? 0 : bits);
  return proposal;
}

type Proposal = ReturnType<OctaveEnvelope["propose"]>;

describe("proposals from octaves", () => {
  it("each number below the total stands for one outcome, 2^(last octave − octave) for each", () => {
    const values = [3, 0, 1, 5, 2, 0, 4, 1];
    const envelope = envelopeOf(values, 0.75);
    const octaves = values.map((value) => Math.floor(0.75 * value));
    const shares = octaves.map((octave) => 2 ** (3 - octave));
    const total = shares.reduce((a, b) => a + b);
    const tally = values.map(() => 0);
    for (let answer = 0; answer < total; answer++) {
      const { index, octave } = proposed(envelope, answer, total);
      expect(octave).toBe(octaves[index]);
      tally[index]++;
    }
    expect(tally).toEqual(shares);
    expect(() => proposed(envelope, total, total)).toThrow(); // as many bits more
  });

  it("far outcomes share the deepest octave, 30, whatever their distance", () => {
    const values = [1e6, 0, 31, 2 ** 53, 29, 32];
    const envelope = envelopeOf(values, 1);
    const total = 2 ** 30 + 2 + 4;
    for (const answer of [0, 2 ** 30 - 1])
      expect(proposed(envelope, answer, total)).toEqual({ index: 1, octave: 0 });
    for (const answer of [2 ** 30, 2 ** 30 + 1])
      expect(proposed(envelope, answer, total)).toEqual({ index: 4, octave: 29 });
    expect(() => proposed(envelope, total, total)).toThrow();
    const far = [2, 3, 4, 5].map((answer) => proposed(envelope, 2 ** 30 + answer, total));
    expect(far).toEqual([0, 2, 3, 5].map((index) => ({ index, octave: 30 })));
  });

  it("the octaves count from the least level, where everybody at the least floor was rounded up too", () => {
    const numbers = Float64Array.from([0.999, 0.999, 3, 1]);
    const ones = replayEntropy("0".repeat(64), { wordBits: 32 }); // U = 0: up
    const levels = Levels.draw({ numbers, least: 0.999 }, ones);
    const envelope = new OctaveEnvelope(levels, 1, ones);
    expect([...numbers]).toEqual([1, 1, 3, 1]);
    expect(levels.origin).toBe(1);
    expect([0, 4, 8, 12].map((answer) => proposed(envelope, answer, 13))).toEqual([
      { index: 0, octave: 0 },
      { index: 1, octave: 0 },
      { index: 3, octave: 0 },
      { index: 2, octave: 2 },
    ]);
  });

  it("equal utilities are one octave, and nothing more is drawn than the index", () => {
    const envelope = envelopeOf([7, 7, 7, 7, 7], 1.5);
    expect([0, 1, 2, 3, 4].map((answer) => proposed(envelope, answer, 5).index)).toEqual([0, 1, 2, 3, 4]);
  });

  it("near utilities are rounded once and for all, and far ones not before they are proposed", () => {
    const numbers = Float64Array.from([0, 1.5, 70.5, 0.25, 30.5]);
    const entropy = seededEntropy("rounded");
    const levels = Levels.draw({ numbers, least: 0 }, entropy);
    const envelope = new OctaveEnvelope(levels, 1, entropy);
    expect([...numbers].map(Number.isInteger)).toEqual([true, true, false, true, true]);
    // In units of the deepest octave: 0 and the two that were rounded, then 30.5 and the far one.
    const near = [numbers[1], numbers[3]].map((level) => 2 ** (30 - level));
    const total = 2 ** 30 + near[0] + near[1] + 2 + 1;
    expect(proposed(envelope, total - 1, total)).toEqual({ index: 2, octave: 30 });
    // The level of 30.5 is 30 or 31, but it is not among the far ones.
    expect(proposed(envelope, total - 2, total)).toEqual({ index: 4, octave: 29 });
  });

  it("more outcomes are near than there was room for at first", () => {
    const envelope = envelopeOf(new Array(1000).fill(7), 1);
    for (const answer of [0, 255, 256, 511, 512, 999])
      expect(proposed(envelope, answer, 1000)).toEqual({ index: answer, octave: 0 });
  });

  it("millions of outcomes have fewer octaves, so that the total stays a safe integer", () => {
    const numbers = new Float64Array(2 ** 22).fill(100);
    numbers[5] = 0;
    const envelope = new OctaveEnvelope(
      Levels.draw({ numbers, least: 0 }, seededEntropy("none")),
      1,
      replayEntropy(""),
    );
    const total = 2 ** 29 + 2 ** 22 - 1;
    expect(proposed(envelope, 2 ** 29 - 1, total)).toEqual({ index: 5, octave: 0 });
    expect(proposed(envelope, 2 ** 29, total)).toEqual({ index: 0, octave: 29 });
    expect(proposed(envelope, total - 1, total)).toEqual({ index: 2 ** 22 - 1, octave: 29 });
  });
});
