import { expect, it } from "vitest";
import { ln2 } from "../../packages/core/src/exact/ln.js";
import { MINUS_LN_SLACK } from "../../packages/core/src/sample/minus-ln.js";
import { describeWith } from "../tool.js";
import { acceptanceClaims, floorClaims } from "./acceptance.js";
import { runGappa } from "./gappa.js";
import { farClaims, gridClaims, keyEndClaims } from "./keys.js";
import { SourceFile } from "./straight-line.js";

const { lo, hi, precision } = ln2(120);
const LN_2 = [`${lo}b-${precision}`, `${hi}b-${precision}`] as const;
const all = [
  ...keyEndClaims,
  ...farClaims(LN_2),
  ...floorClaims,
  ...gridClaims,
  ...acceptanceClaims(MINUS_LN_SLACK),
];

describeWith(["gappa"], "a double that decides about keys, gaps and acceptance is within its slack:", () => {
  it.each(all.map((claim) => [claim.title, claim] as const))("%s", async (_, claim) => {
    const script = claim.script(new SourceFile(claim.file));
    expect(await runGappa(script), script).toMatchObject({ isProven: true });
  });

  it.each<[file: string, from: string, to: string, title: RegExp]>([
    ["race/race.ts", "ROUNDING = 1 / 0x1_0000", "ROUNDING = 1 / 0x10_0000", /the upper end of a key$/],
    ["race/race.ts", "ROUNDING = 1 / 0x1_0000", "ROUNDING = 1 / 0x10_0000", /the lower end of a key$/],
    ["race/race.ts", "ROUNDING = 1 / 0x1_0000", "ROUNDING = 1 / 0x10_0000", /a larger score is far below/],
    [
      "race/race.ts",
      "ROUNDING = 1 / 0x1_0000",
      "ROUNDING = 1 / 0x10_0000",
      /below `farBelow` of a larger cut/,
    ],
    ["race/race.ts", "ROUNDING = 1 / 0x1_0000", "ROUNDING = 1 / 0x10_0000", /below `farScore`/],
    ["race/race.ts", "SMALLEST = 1e-300", "SMALLEST = 1e-310", /the upper end of a key, among/],
    [
      "race/race.ts",
      "LN_2_UP = 0.69314718056057",
      "LN_2_UP = 0.69314718056",
      /the noise of a number of zeros/,
    ],
    ["race/race.ts", "+ sign * ((Math", "- sign * ((Math", /the lower end of a key$/],
    ["race/race.ts", "cut - (Math.abs(cut)", "cut + (Math.abs(cut)", /a cut in \[1, 2\] less its margin/],
    ["race/race.ts", "(cut) - this.#scale", "(cut) + this.#scale", /below `farBelow` of a cut of up to/],
    ["race/race.ts", "base + far - (Math", "base + far + (Math", /below `farScore`/],
    [
      "race/gaussian-max.ts",
      "ROUNDING = 1 / 0x1_0000",
      "ROUNDING = 1 / 0x10_0000",
      /the upper end of a normal key$/,
    ],
    [
      "race/gaussian-max.ts",
      "SMALLEST = 1e-300",
      "SMALLEST = 1e-310",
      /the lower end of a normal key, among/,
    ],
    ["race/gaussian-max.ts", "+ most + slack", "+ most - slack", /the upper end of a normal key$/],
    ["numbers/comparison.ts", "ROUNDING = 1 / 0x1_0000", "ROUNDING = 1 / 0x10_0000", /end of a query$/],
    ["numbers/comparison.ts", "ROUNDING = 1 / 0x1_0000", "ROUNDING = 1 / 0x10_0000", /a query that is far/],
    ["numbers/comparison.ts", "SMALLEST = 1e-300", "SMALLEST = 1e-310", /end of a query, among/],
    ["numbers/comparison.ts", "- reach - slack", "- reach + slack", /a query that is far/],
    ["numbers/grid-data.ts", "ROUNDING = 1 / 0x1_0000", "ROUNDING = 1 / 0x10_0000", /on a grid/],
    ["race/contender.ts", "1.0000000000000009", "1.0000000000000002", /a gap in units, at most/],
    ["race/contender.ts", "1.0000000000000009", "1.0000000000000002", /a gap in units, at least/],
    ["race/contender.ts", "/ unit) * WIDEN", "/ unit) / WIDEN", /a gap in units, at most/],
    ["sample/minus-ln.ts", "1 + 1 / 0x4_", "1 + 1 / 0x10_", /a multiple of a noise, at most/],
    ["sample/minus-ln.ts", "1 / word - MINUS", "1 / word + MINUS", /the noise in that multiple, at least/],
    ["sample/bernoulli-exp.ts", "most - gamma - MINUS", "most - gamma + MINUS", /a word that is below/],
    ["sample/strip-sampler.ts", "(2 * first + offset)", "(first + offset)", /of a law that is quadratic/],
    [
      "sample/lazy-gaussian.ts",
      "(2 * strip + x)",
      "(strip + x)",
      /the exponent of an acceptance, of a normal/,
    ],
    ["sample/lazy-gaussian.ts", "(v + 2) / TWO", "(v + 4) / TWO", /a normal variate that is accepted/],
  ])("and not with a mistake: in %s %s becomes %s", async (file, from, to, title) => {
    const broken = all.filter((claim) => claim.file === file && title.test(claim.title));
    expect(broken).not.toHaveLength(0);
    for (const claim of broken) {
      const script = claim.script(new SourceFile(file, [from, to]));
      expect(await runGappa(script), script).toMatchObject({ isProven: false });
    }
  });

  it("and not with a slack of logarithms below their error", async () => {
    const broken = acceptanceClaims(2 ** -45).filter(({ title }) =>
      /a word that|in that multiple/.test(title),
    );
    expect(broken).toHaveLength(4);
    for (const claim of broken)
      expect(await runGappa(claim.script(new SourceFile(claim.file)))).toMatchObject({ isProven: false });
  });
});
