import { describe, expect, it } from "vitest";
import { asInterval } from "../../src/exact/interval.js";
import { Rational } from "../../src/exact/rational.js";
import { exponential, type Noise } from "../../src/race/noise.js";
import { PartialUniform } from "../../src/sample/partial-uniform.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { exactly } from "./doubles.js";
import { infimum, NOISES, noiseAt, supremum, uniformAt } from "./noise-oracle.js";

type Cell = readonly [word: number, bits: number];

/** Of few bits; at both ends, at 1/2, and at 2^−12, where Gumbel noise changes its formula; behind many zeros. */
const CELLS: readonly Cell[] = [
  ...[1, 2, 3].flatMap((bits) => Array.from({ length: 2 ** bits }, (_, word): Cell => [word, bits])),
  ...[0, 1, 2, 2047, 2048, 4094, 4095].map((word): Cell => [word, 12]),
  ...[0, 1, 77, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 2 ** 31 - 1, 2 ** 31, 3e9, 2 ** 32 - 2, 2 ** 32 - 1].map(
    (word): Cell => [word, 32],
  ),
  ...[1, 3, 2 ** 31, 2 ** 32 - 1].flatMap((word): Cell[] => [
    [word, 45],
    [word, 80],
    [word, 128],
  ]),
];

const SLACK = 2 ** -40;
const minusLnOf = (u: Rational) => noiseAt(exponential, u).toNumber("down");

/** How far a bound is from the end u of the cell, by the formulas of the proof, in units of 2^−40. */
function reach({ name }: Noise, end: Rational, side: "least" | "most"): readonly [number, number] {
  if (name !== "gumbel") return name === "laplace" ? [2, 2] : [1, 1];
  const u = end.toNumber("down");
  if (u <= 2 ** -12) {
    // U²·(1 − 1/3 + 1/8 …) above the last logarithm, or U²·(1/3 − 1/8 …) below it
    const [low, high] = side === "least" ? [0.79, 0.8] : [0.2, 0.21];
    return [2 + (low * u * u) / SLACK, 2 + (high * u * u) / SLACK];
  }
  const x = minusLnOf(Rational.ONE.minus(end));
  return [1 + 1 / x, 1 + 2 / x]; // the slack of x, up to one place of the grid, and the slack of its logarithm
}

/** By how much a lower bound that subtracts 1/word is below ln(1 + 1/word), in units of 2^−40. */
function lostByCell({ name }: Noise, [word, bits]: Cell): number {
  const isLogarithm =
    name === "exponential" || (name === "laplace" ? 2 * word < 2 ** bits : word + 1 <= 2 ** (bits - 12));
  if (word === 0 || !isLogarithm) return 0;
  const lost = Rational.of(1n, BigInt(word)).minus(
    noiseAt(exponential, Rational.of(BigInt(word), BigInt(word) + 1n)).lower(),
  );
  return lost.toNumber("down") / SLACK;
}

describe.each(NOISES)("The bounds on $name noise", (noise) => {
  it.each(CELLS.map((cell) => ({ cell })))("are as far out as the proof says for $cell", ({ cell }) => {
    const [word, bits] = cell;
    const most = noise.most(word, bits);
    const top = supremum(noise, word, bits);
    if (top === undefined) expect(most).toBe(Infinity);
    else {
      const above = exactly(most).minus(top.upper()).toNumber("down") / SLACK;
      const [low, high] = reach(noise, uniformAt(word, bits), "most");
      expect(above).toBeGreaterThan(low * 0.9);
      expect(above).toBeLessThan(high * 1.1);
    }
    const least = noise.least(word, bits, most);
    const bottom = infimum(noise, word, bits);
    if (bottom === undefined) expect(least).toBe(-Infinity);
    else if (bottom.upper().equals(0n)) expect(least).toBe(0);
    else {
      const below = bottom.lower().minus(exactly(least)).toNumber("down") / SLACK - lostByCell(noise, cell);
      const [low, high] = reach(noise, uniformAt(word + 1, bits), "least");
      const rounding = lostByCell(noise, cell) * 2 ** -40;
      expect(below).toBeGreaterThan(low * 0.9 - rounding);
      expect(below).toBeLessThan(high * 1.1 + rounding);
    }
  });
});

describe.each(NOISES)("The enclosure of $name noise", (noise) => {
  const partly = (word: bigint, bits: number, digits = "") =>
    new PartialUniform(replayEntropy(digits), word, bits);

  it.each([
    [1n, 2],
    [2n, 2],
    [1n, 3],
    [6n, 3],
    [0x1234_5678n, 32],
    [0xffff_fffen, 32],
    [1n, 60],
  ] as const)("is the noise of the ends of the cell (%d, %d), and takes no digit", (word, bits) => {
    const u = partly(word, bits);
    const key = asInterval(noise.enclose(u));
    const [top, bottom] = [word, word + 1n].map((end) => noiseAt(noise, uniformAt(end, bits)));
    expect(u.bits).toBe(bits);
    expect(key.lower().compare(bottom.lower())).toBeLessThanOrEqual(0);
    expect(key.upper().compare(top.upper())).toBeGreaterThanOrEqual(0);
    const width = top.upper().minus(bottom.lower());
    expect(key.upper().minus(key.lower()).compare(width.times("1.01"))).toBe(-1);
  });

  it("draws digits until the noise is bounded", () => {
    const bitsOf = (word: bigint, bits: number, digits: string) => {
      const u = partly(word, bits, digits);
      noise.enclose(u);
      return u.bits;
    };
    const isOneSided = noise === exponential;
    expect(bitsOf(0n, 0, "10")).toBe(isOneSided ? 1 : 2);
    expect(bitsOf(0n, 0, "01")).toBe(2);
    expect(bitsOf(0n, 2, "0001")).toBe(6);
    expect(bitsOf(3n, 2, "110")).toBe(isOneSided ? 2 : 5);
  });
});

describe("A noise", () => {
  it("has its name and depth", () => {
    expect(NOISES.map(({ name, depth }) => [name, depth])).toEqual([
      ["exponential", 0],
      ["gumbel", 3.25],
      ["laplace", 25],
    ]);
  });
});
