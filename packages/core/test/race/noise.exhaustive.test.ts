import { describe, expect, it } from "vitest";
import { asInterval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import type { Noise } from "../../src/race/noise.js";
import { PartialUniform } from "../../src/sample/partial-uniform.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { exactly } from "./doubles.js";
import { infimum, NOISES, noiseAt, supremum, uniformAt } from "./noise-oracle.js";

type Cell = readonly [word: number, bits: number];

/** All cells of few bits; of 32 bits and more those at the ends, at powers of two and their neighbours, and random ones. */
const CELLS: readonly Cell[] = [
  ...shortCells(8),
  ...longCells([9, 12, 13, 16, 24, 31, 32, 33, 40, 52, 53, 54, 64, 80]),
];

function shortCells(mostBits: number): Cell[] {
  return Array.from({ length: mostBits }, (_, i) => i + 1).flatMap((bits) =>
    Array.from({ length: 1 << bits }, (_, word): Cell => [word, bits]),
  );
}

function longCells(lengths: readonly number[]): Cell[] {
  const entropy = seededEntropy("cells of U");
  return lengths.flatMap((bits) => {
    const length = Math.min(bits, 32);
    const most = Number((1n << BigInt(length)) - 1n);
    const random = Array.from({ length: 12 }, () => entropy.bits(length));
    const small = Array.from({ length: 8 }, () => entropy.bits(1 + (entropy.bits(8) % length)));
    const edges = Array.from({ length }, (_, i) => Number(1n << BigInt(i))).flatMap((power) => [
      power - 1,
      power,
      power + 1,
    ]);
    return [...edges, most - 1, most, ...random, ...small]
      .filter((word) => word <= most)
      .map((word): Cell => [word, bits]);
  });
}

/** By how much the bounds of a cell miss the noise's own, upwards and downwards; negative where they are wrong. */
function excess(noise: Noise, [word, bits]: Cell): { above: Rational; below: Rational } {
  const most = noise.most(word, bits);
  const least = noise.least(word, bits, most);
  const top = supremum(noise, word, bits);
  const bottom = infimum(noise, word, bits);
  return {
    above:
      top === undefined || most === Infinity ? infinite(most, Infinity) : exactly(most).minus(top.upper()),
    below:
      bottom === undefined || least === -Infinity
        ? infinite(least, -Infinity)
        : bottom.lower().minus(exactly(least)),
  };
}

/** An unbounded noise has an unbounded bound; a bounded one may have it, which is only wasteful. */
function infinite(bound: number, expected: number): Rational {
  expect(bound).toBe(expected);
  return Rational.ZERO;
}

describe.each(NOISES)("The bounds on $name noise", (noise) => {
  const misses = CELLS.map((cell) => ({ cell, ...excess(noise, cell) }));

  it("hold for every cell", () => {
    expect(misses.filter(({ above, below }) => above.compare(0) < 0 || below.compare(0) < 0)).toEqual([]);
  });

  it("would not hold if they were shrunk by 2^-30", () => {
    const shrink = rational("1/1073741824");
    expect(misses.some(({ above }) => above.compare(shrink) < 0)).toBe(true);
    expect(misses.some(({ below, cell: [word] }) => word > 0 && below.compare(shrink) < 0)).toBe(true);
  });

  it("are close: within 2^-24 and, below, what 1/word leaves of ln(1 + 1/word)", () => {
    const loose = misses.filter(({ cell: [word], above, below }) => {
      const slack = Rational.of(1n, 1n << 24n);
      const ofCell = word === 0 ? Rational.ZERO : Rational.of(1n, 2n * BigInt(word) * BigInt(word));
      return above.compare(slack) > 0 || below.compare(slack.plus(ofCell)) > 0;
    });
    expect(loose).toEqual([]);
  });

  it("are infinite only where the noise is", () => {
    const wasteful = CELLS.filter(
      ([word, bits]) =>
        (noise.most(word, bits) === Infinity && supremum(noise, word, bits) !== undefined) ||
        (noise.least(word, bits, noise.most(word, bits)) === -Infinity &&
          infimum(noise, word, bits) !== undefined),
    );
    expect(wasteful).toEqual([]);
  });

  it("stay below −ln U, which is what lets leading zeros dismiss", () => {
    for (const [word, bits] of CELLS) {
      const top = supremum(noise, word, bits);
      if (top === undefined) continue;
      const minusLnU = noiseAt(NOISES[0], uniformAt(word, bits));
      expect(top.lower().compare(minusLnU.upper())).toBeLessThanOrEqual(0);
    }
  });
});

describe.each(NOISES)("The enclosure of $name noise", (noise) => {
  it("contains the noise of both ends of the cell and shrinks to them as digits are drawn", () => {
    for (const [word, bits] of CELLS) {
      const u = new PartialUniform(seededEntropy(`${word} ${bits}`), BigInt(word), bits);
      for (let turn = 0; turn < 3; turn++) {
        const key = asInterval(noise.enclose(u));
        const top = noiseAt(noise, uniformAt(u.numerator, u.bits));
        expect(key.lower().compare(top.upper())).toBeLessThanOrEqual(0);
        expect(key.upper().compare(top.lower())).toBeGreaterThanOrEqual(0);
        const end = uniformAt(u.numerator + 1n, u.bits);
        if (end.compare(1n) < 0)
          expect(key.lower().compare(noiseAt(noise, end).upper())).toBeLessThanOrEqual(0);
        u.reveal();
      }
    }
  });

  it("is as narrow as the cell allows, to two digits", () => {
    const u = new PartialUniform(seededEntropy(noise.name), 0x12345678n, 32);
    for (let turn = 0; turn < 8; turn++, u.reveal()) {
      const key = asInterval(noise.enclose(u));
      const [top, bottom] = [u.numerator, u.numerator + 1n].map((end) =>
        noiseAt(noise, uniformAt(end, u.bits)),
      );
      if (u.bits > 150) break; // the oracle ends there
      const width = top.upper().minus(bottom.lower());
      expect(key.upper().minus(key.lower()).compare(width.times("1.01"))).toBe(-1);
    }
  });

  it("draws digits of U only while the noise is unbounded", () => {
    const bounded = new PartialUniform(replayEntropy(""), 1n, 2);
    expect(() => noise.enclose(bounded)).not.toThrow();
    const unbounded = new PartialUniform(replayEntropy("0001"), 0n, 2);
    noise.enclose(unbounded);
    expect(unbounded.bits).toBe(6);
  });
});

describe("The depth of a noise", () => {
  it.each(NOISES)("is passed downwards by $name noise once in 10^11 draws at most", (noise) => {
    const deepest = noiseAt(noise, rational("1").minus("1e-11"));
    expect(deepest.lower().compare(exactly(-noise.depth))).toBeGreaterThanOrEqual(0);
  });
});
