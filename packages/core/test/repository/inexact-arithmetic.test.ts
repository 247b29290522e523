import { describe, expect, it } from "vitest";
import { inexactUses } from "./inexact-arithmetic.js";
import { librarySources } from "./project.js";

/**
 * Where core may use what it otherwise may not, each with the reason why it decides nothing:
 * `"packages/core/src/sample/example.ts uses Math.log2: steers how many words are fetched first"`.
 */
const JUSTIFIED: readonly string[] = [
  "packages/audit/src/attacks/float-noise.ts uses Math.exp: the adversary looks from which word the victim's noise came",
  "packages/audit/src/attacks/float-noise.ts uses Math.expm1: unsafe noise that an attack sees through",
  "packages/audit/src/attacks/float-noise.ts uses Math.log1p: unsafe noise that an attack sees through",
  "packages/audit/src/attacks/float-noise.ts uses Math.log: unsafe noise that an attack sees through",
  "packages/audit/src/attacks/lost-weights.ts uses Math.exp: unsafe mechanisms that attacks break, and where their weights vanish",
  "packages/audit/src/laws/partition-laws.ts uses **: of bigints",
  "packages/audit/src/attacks/arithmetic-config.ts uses **: of bigints",
  "packages/audit/src/attacks/float-top-k-with-gap.ts uses Math.log: the unsafe mechanism that the audit shows to be unsafe",
  "packages/core/src/accounting/profile/one-order-steps.ts uses **: of bigints",
  "packages/core/src/base2/draw-constant-work.ts uses **: of bigints",
  "packages/core/src/numbers/integer-partition.ts uses **: of bigints",
  "packages/core/src/race/first-cut.ts uses Math.sqrt: steers where the first cut is, which is repaired if it is too high",
];

describe("in core, no rounding decides", () => {
  it("the inexact arithmetic in its sources is exactly what is listed and justified here", () => {
    const found = librarySources().flatMap(({ path, text }) =>
      [...new Set(inexactUses(path, text))].map((use) => `${path} uses ${use}`),
    );
    expect(found.sort()).toEqual(JUSTIFIED.map((entry) => entry.split(": ", 1)[0]).sort());
  });

  it.each([
    ["Math.random()", "Math.random"],
    ["Math.exp(-x)", "Math.exp"],
    ["Math.log1p(x)", "Math.log1p"],
    ["Math.pow(2, k)", "Math.pow"],
    ["Math.sqrt(2)", "Math.sqrt"],
    ["Math['exp'](x)", "Math.[…]"],
    ["const { exp } = Math", "Math"],
    ["globalThis.Math.exp(x)", "Math"],
    ["x ** 2", "**"],
    ["x **= 2", "**"],
    ["2 ** (a < 1n ? 1 : 2)", "**"],
  ])("`%s` is found", (source, use) => {
    expect(inexactUses("planted.ts", source)).toEqual([use]);
  });

  it.each([
    "Math.floor(x) + Math.clz32(y)",
    "10n ** BigInt(places)",
    "base ** (1n << shift)",
    "base **= 2n",
    "// Math.exp(x) and 2 ** x are only talked about here",
    '"Math.exp"',
  ])("`%s` is no such use", (source) => {
    expect(inexactUses("planted.ts", source)).toEqual([]);
  });
});
