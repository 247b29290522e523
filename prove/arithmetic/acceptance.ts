/**
 * Doubles that decide about gaps, floors of a multiple of a noise, and the acceptance of the samplers. What these claims have to do
 * with the decisions: packages/core/src/race/race.proof.md, packages/core/src/sample/bernoulli-exp.proof.md, packages/core/src/sample/strip-sampler.proof.md, packages/core/src/sample/lazy-gaussian.proof.md.
 * @module
 */
import { type Claim, claim } from "./claim.js";
import { dyadic } from "./gappa.js";
import type { Known } from "./straight-line.js";

const ANY = "[1b-1000, 1b1000]";
const CONTENDER = "race/contender.ts";
const MINUS_LN_FILE = "sample/minus-ln.ts";

/** A multiple as large as it likes is on its side of the real one: its relative error is below what widens it. */
function widened(
  file: string,
  title: string,
  expression: string,
  names: Known,
  given: readonly string[],
  exact: string,
): Claim {
  return claim(file, title, {
    doubles: ["d", "v"],
    lines: [["result", expression]],
    known: names,
    given,
    goal: (source) => {
      const widen = source.constant("WIDEN");
      const most = (widen - 1) * (1 - 2 ** -20);
      return `result -/ (${exact} ${dyadic(widen)}) in [-${dyadic(most)}, ${dyadic(most)}]`;
    },
  });
}

export const floorClaims: readonly Claim[] = [
  widened(
    CONTENDER,
    "a gap in units, at most",
    "((a.upper - b.lower) / unit) * WIDEN",
    { "(a.upper - b.lower)": "d", unit: "v" },
    [`d_ in ${ANY}`, `v_ in ${ANY}`],
    "(d_ / v_) *",
  ),
  widened(
    CONTENDER,
    "a gap in units, at least",
    "Math.max(a.lower - b.upper, 0) / unit / WIDEN",
    { "Math.max(a.lower - b.upper, 0)": "d", unit: "v" },
    [`d_ in ${ANY}`, `v_ in ${ANY}`],
    "(d_ / v_) /",
  ),
  widened(
    MINUS_LN_FILE,
    "a multiple of a noise, at most",
    "(most + MINUS_LN_SLACK) * scale * WIDEN",
    { "(most + MINUS_LN_SLACK)": "d", scale: "v" },
    [`d in ${ANY}`, `v_ in ${ANY}`],
    "(d * v_) *",
  ),
  widened(
    MINUS_LN_FILE,
    "a multiple of a noise, at least",
    "(Math.max(most - 1 / word - MINUS_LN_SLACK, 0) * scale) / WIDEN",
    { "Math.max(most - 1 / word - MINUS_LN_SLACK, 0)": "d", scale: "v" },
    [`d in ${ANY}`, `v_ in ${ANY}`],
    "(d * v_) /",
  ),
];

/** M is `fastMinusLn`, within 2^−44 of L0, for words of up to 32 bits. */
const MINUS_LN = ["M in [-1, 23]", "|M - L0| <= 1b-44"];
const WORD = ["@FIX(word, 0)", "word in [1, 4294967295]"];
/** The double g is within 2^−50·G or 2^−50 of G; both tests are about such of at most 24. */
const GAMMA = ["g in [0, 24]", "|g - G| <= 24b-50"];
const EXP = "sample/bernoulli-exp.ts";
const STRIP_SAMPLER = "sample/strip-sampler.ts";
const LAZY_GAUSSIAN = "sample/lazy-gaussian.ts";

/** The result is within the slack of what it would be without rounding. */
function withinSlack(
  file: string,
  title: string,
  expression: string,
  given: readonly string[],
  exact: string,
  slack: number,
): Claim {
  return claim(file, title, {
    doubles: ["M", "g", "word"],
    lines: [["result", expression]],
    known: { most: "M", gamma: "g", MINUS_LN_SLACK: dyadic(slack) },
    given: [...MINUS_LN, ...given],
    goal: `|result - (${exact.replace("S", dyadic(slack))})| <= ${dyadic(slack)}`,
  });
}

/** With `MINUS_LN_SLACK`, which other files import. */
export function acceptanceClaims(slack: number): readonly Claim[] {
  const integers = ["@FIX(offset, 0)", "@FIX(first, 0)"];
  const place = [...integers, "offset in [1, 9007199254740991]", "first in [0, 9007199254740991]"];
  const fraction = ["@FIX(x, -31)", "x in [1b-31, 1]", "@FIX(strip, 0)", "strip in [0, 1048576]"];
  return [
    withinSlack(
      MINUS_LN_FILE,
      "the noise in that multiple, at most",
      "most + MINUS_LN_SLACK",
      [],
      "L0 + S",
      slack,
    ),
    withinSlack(
      MINUS_LN_FILE,
      "the noise in that multiple, at least",
      "most - 1 / word - MINUS_LN_SLACK",
      WORD,
      "L0 - 1 / word - S",
      slack,
    ),
    // most + slack < gamma implies L0 < G.
    claim(EXP, "a word that is not below e^−γ", {
      doubles: ["M", "g"],
      lines: [["sum", "most + MINUS_LN_SLACK"]],
      known: { most: "M", MINUS_LN_SLACK: dyadic(slack) },
      given: [...MINUS_LN, ...GAMMA],
      goal: `|(sum - g) - ((L0 + ${dyadic(slack)}) - G)| <= ${dyadic(slack)}`,
    }),
    // Where the product is above 1, the difference is above 1/word, and then L0 − G is.
    withinSlack(
      EXP,
      "a word that is below e^−γ",
      "most - gamma - MINUS_LN_SLACK",
      GAMMA,
      "L0 - G - S",
      slack,
    ),
    claim(STRIP_SAMPLER, "the exponent of an acceptance, of a law that is linear", {
      doubles: ["l"],
      lines: [["result", "offset * (this.#linear + this.#quadratic * (2 * first + offset))"]],
      known: { "this.#linear": "l", "this.#quadratic * (2 * first + offset)": "0" },
      given: [...place, "l_ in [1b-200, 1b1000]"],
      goal: "result -/ (offset * (l_ + 0)) in [-1b-50, 1b-50]",
    }),
    claim(STRIP_SAMPLER, "the exponent of an acceptance, of a law that is quadratic", {
      doubles: ["k"],
      lines: [["result", "offset * (this.#linear + this.#quadratic * (2 * first + offset))"]],
      known: { "this.#linear": "0", "this.#quadratic": "k" },
      given: [...place, "k_ in [1b-200, 1b1000]"],
      goal: "result -/ (offset * (0 + k_ * (2 * first + offset))) in [-1b-50, 1b-50]",
    }),
    claim(LAZY_GAUSSIAN, "the exponent of an acceptance, of a normal variate", {
      lines: [["result", "x * (2 * strip + x) * this.halfSquare"]],
      known: { "this.halfSquare": "1b-9" },
      given: fraction,
      goal: "result -/ (x * (2 * strip + x) * 1b-9) in [-1b-51, 1b-51]",
    }),
    // (v + 2)·2^−32 < 1 − m implies (v + 1)·2^−32 < 1 − G, for an exponent m of at most 1.
    claim(LAZY_GAUSSIAN, "a normal variate that is accepted at once", {
      doubles: ["m"],
      lines: [
        ["left", "(v + 2) / TWO_TO[wordBits]"],
        ["right", "1 - most"],
      ],
      known: { "TWO_TO[wordBits]": "1b32", most: "m" },
      given: ["@FIX(v, 0)", "v in [0, 4294967295]", "m in [0, 1]", "|m - G| <= 1b-51"],
      goal: "|(left - right) - ((v + 2) / 1b32 - (1 - G))| <= 1b-32",
    }),
    // Divided by powers of two, which is exact.
    claim(LAZY_GAUSSIAN, "an end of a normal variate below 2^16, without any error", {
      lines: [["result", "this.strip + (word + end) / TWO_TO[bits]"]],
      known: { "this.strip": "strip", "(word + end) / TWO_TO[bits]": "x" },
      given: ["@FIX(x, -31)", "x in [0, 1]", "@FIX(strip, 0)", "strip in [0, 1048576]"],
      goal: "result - (strip + x) in [0, 0]",
    }),
    claim(LAZY_GAUSSIAN, "an end of a larger normal variate", {
      lines: [["result", "this.strip + (word + end) / TWO_TO[bits]"]],
      known: { "this.strip": "strip", "(word + end) / TWO_TO[bits]": "x" },
      given: ["@FIX(x, -31)", "x in [0, 1]", "@FIX(strip, 0)", "strip in [1, 9007199254740991]"],
      goal: "result -/ (strip + x) in [-1b-52, 1b-52]",
    }),
  ];
}
