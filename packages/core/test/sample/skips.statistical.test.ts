import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { Skips } from "../../src/sample/skips.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";

/** The law of the skip in cells of the given width. */
function lawInCells(p: number, width = cellWidth(p)): Record<string, number> {
  const survival = (cell: number) => Math.exp(cell * width * Math.log1p(-p));
  return Object.fromEntries(
    Array.from({ length: 16 }, (_, cell) => [String(cell), survival(cell) - survival(cell + 1)]),
  );
}

/** About an eighth of the mean. */
function cellWidth(p: number): number {
  return Math.ceil(1 / (8 * p));
}

function draw(p: string, runs: number) {
  const skips = new Skips(rational(p));
  const width = cellWidth(rational(p).toNumber());
  return tally({ seed: `skips ${p}`, runs, sample: (entropy) => Math.floor(skips.draw(entropy) / width) });
}

describe("Skips", () => {
  it.each([
    ["1/2", 50_000],
    ["1/3", 50_000],
    ["1/256", 50_000],
    ["1/1048576", 50_000],
    ["1/4294967296", 2000],
    ["1/281474976710656", 2000],
  ])("of probability %s have their law", (p, runs) => {
    expectAccepts(draw(p, runs), lawInCells(rational(p).toNumber()));
  });

  it("have another law when the probability is 10 % off", () => {
    expectRejects(draw("1/256", 50_000), lawInCells(1.1 / 256, cellWidth(1 / 256)));
  });

  it("cost one word for probabilities from 2^-20 on", () => {
    expect(draw("1/1048576", 50_000).bitsPerRun).toBeLessThan(32.1);
  });
});
