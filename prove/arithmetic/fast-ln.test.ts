import { expect, it } from "vitest";
import { Rational, rational } from "winnow-dp";
import { FAST_LN_ERROR, FAST_LN32_ERROR, fastLnTable } from "../../packages/core/src/exact/fast-ln.js";
import { describeWith } from "../tool.js";
import { CELLS, fastLnScript, leftOut, tableErrors, type Width } from "./fast-ln.js";
import { runGappa } from "./gappa.js";
import { type Mistake, SourceFile } from "./straight-line.js";

const SIDE_BY_SIDE = 4;
/** `npm run prove` proves every cell; the tests prove one in eight and the last. */
const STRIDE = process.env.PROVE === "all" ? 1 : 8;

/** The largest error of any cell: rounding as Gappa bounds it, and what the polynomial leaves out. */
async function provenError(
  width: Width,
  mistake?: Mistake,
  table = fastLnTable(),
  cells = cellsToProve(),
): Promise<Rational> {
  const source = new SourceFile("exact/fast-ln.ts", mistake);
  const errors = tableErrors(table, width);
  let [worst, next] = [Rational.ZERO, 0];
  const lane = async () => {
    while (next < cells.length) {
      const cell = cells[next++];
      const { bounds } = await runGappa(fastLnScript(source, table, errors, cell, width));
      expect(bounds).toHaveLength(1);
      const error = bounds[0].plus(leftOut(table, cell));
      if (error.compare(worst) > 0) worst = error;
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
  return worst;
}

function cellsToProve(): number[] {
  return Array.from({ length: CELLS }, (_, cell) => cell).filter(
    (cell) => cell % STRIDE === 0 || cell === CELLS - 1,
  );
}

describeWith(["gappa"], "the error of the table logarithm, in the cells of its table", () => {
  it("is below the constant for words of 32 bits, and below what the proof says", async () => {
    const error = await provenError(32);
    expect(error.compare(rational(FAST_LN32_ERROR))).toBe(-1);
    expect(error.compare(twoTo(-47.9))).toBe(-1);
    expect(error.compare(twoTo(-48.1))).toBe(1); // the bound isn't idle
  });

  it("is below the constant for integers up to 2^53, and below what the proof says", async () => {
    const error = await provenError(53);
    expect(error.compare(rational(FAST_LN_ERROR))).toBe(-1);
    expect(error.compare(twoTo(-46.9))).toBe(-1);
  });

  it.each<[string, Mistake]>([
    ["1/5 for FIFTH", ["const FIFTH = 1 / 5", "const FIFTH = 1 / 6"]],
    ["1/3 for THIRD", ["const THIRD = 1 / 3", "const THIRD = 0.3333"]],
    ["a coefficient", ["f * FIFTH - 0.25", "f * FIFTH - 0.2501"]],
    ["the sign of f", ["table[cell + 256] + f + rest", "table[cell + 256] - f + rest"]],
    [
      "the order of a sum",
      ["table[exponent] + (table[cell + 256] + f + rest)", "table[exponent] + table[cell + 256] + f + rest"],
    ],
  ])("is not proven with a mistake in %s", async (_, mistake) => {
    const error = await provenError(32, mistake, undefined, [0, 100, 255]);
    expect(error.compare(twoTo(-47.9))).toBe(1);
  });

  it("is not proven with an entry of the table that is wrong in its last digits", async () => {
    for (const entry of [31, 512 + 100]) {
      const table = Float64Array.from(fastLnTable());
      table[entry] *= 1 + 2 ** -44;
      expect((await provenError(32, undefined, table, [100])).compare(twoTo(-47.9))).toBe(1);
    }
  });
});

/** 2 to such a power, by its nearest double. */
function twoTo(power: number): Rational {
  return rational(2 ** power);
}
