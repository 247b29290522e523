/**
 * Every place where a double decides about a noise: an expression of the source that must not be above a real number, or not
 * below it. What goes in is known by other proofs: logarithms by that of the table, the rest by comparisons. Gappa bounds what
 * the expression itself adds.
 * @module
 */
import type { Rational } from "winnow-dp";
import { dyadic, upTo } from "./gappa.js";
import type { Known, SourceFile } from "./straight-line.js";

export interface Bound {
  readonly title: string;
  /** In packages/core/src. */
  readonly file: string;
  /** As it stands there. */
  readonly expression: string;
  readonly known: Known;
  /** What is known about the names, in Gappa's language. */
  readonly given: readonly string[];
  /** The real number that it should be, slack included. */
  readonly exact: string;
  /** How far it may be from there: the slack, so that it is still on its side of the number without it. */
  readonly within: string;
}

/** How far things are from what they stand for. */
export interface KnownErrors {
  readonly fastLn: number;
  readonly fastLn32: number;
  readonly ln2: Rational;
}

const MINUS_LN_FILE = "sample/minus-ln.ts";
const NOISE = "race/noise.ts";

/** A word of 32 bits, behind up to 96 zeros. */
const WORD = ["@FIX(word, 0)", "word in [1, 4294967295]"];
const SMALL = ["highest in [0, 1b-12]", "lowest in [0, 1b-12]"];

function bitsUpTo(most: number): string[] {
  return ["@FIX(bits, 0)", `bits in [1, ${most}]`];
}

type Row = readonly [
  title: string,
  expression: string,
  known: Known,
  given: readonly string[],
  exact: string,
];

export function bounds({ fastLn, fastLn32, ln2 }: KnownErrors): readonly Bound[] {
  /** ln of an integer below 2^32 or up to 2^53, and of 2. */
  const lnOfWord = ["LN in [0, 22.25]", `|LN - LN0| <= ${dyadic(fastLn32)}`];
  const lnOfInteger = ["LN in [0, 36.75]", `|LN - LN0| <= ${dyadic(fastLn)}`];
  const lnOf2 = `|LN2 - LN20| <= ${upTo(ln2)}`;
  /** L = bits·ln 2 − ln word, and −ln U ∈ (L − 1/word, L]. */
  const minusLn = ["M in [-1, 89]", "|M - L0| <= 1b-44"];
  const known = { LN_2: "LN2", SLACK: "S", LN_GRID: "G" };
  const byLogarithms: readonly Row[] = [
    [
      "exponential noise, at most",
      "fastMinusLn(word, bits) + SLACK",
      { "fastMinusLn(word, bits)": "M" },
      minusLn,
      "L0 + S",
    ],
    [
      "exponential noise, at least",
      "most - 1 / word - 2 * SLACK",
      { most: "(M + S)" },
      [...minusLn, ...WORD],
      "(L0 + S) - 1 / word - 2 * S",
    ],
    [
      "exponential noise of the word 0, at least",
      "bits * LN_2 - SLACK",
      {},
      [...bitsUpTo(128), lnOf2],
      "bits * LN20 - S",
    ],
    [
      "−ln(1 − U), at least",
      "bits * LN_2 - fastLn(TWO_TO[bits] - word) - SLACK",
      { "fastLn(TWO_TO[bits] - word)": "LN" },
      [...bitsUpTo(53), ...lnOfInteger, lnOf2],
      "bits * LN20 - LN0 - S",
    ],
    [
      "−ln(1 − U), at most",
      "bits * LN_2 - fastLn(least) + SLACK",
      { "fastLn(least)": "LN" },
      [...bitsUpTo(53), ...lnOfInteger, lnOf2],
      "bits * LN20 - LN0 + S",
    ],
    [
      "a logarithm on the grid, at least",
      "fastLn(below) - LN_GRID - SLACK",
      { "fastLn(below)": "LN" },
      [...lnOfInteger, lnOf2],
      "LN0 - 40 * LN20 - S",
    ],
    [
      "a logarithm on the grid, at most",
      "fastLn(Math.ceil(x * GRID)) - LN_GRID + SLACK",
      { "fastLn(Math.ceil(x * GRID))": "LN" },
      [...lnOfInteger, lnOf2],
      "LN0 - 40 * LN20 + S",
    ],
  ];
  /** C is a bound on the right side already. */
  const byBounds: readonly Row[] = [
    [
      "Laplace noise in the upper half, at least",
      "LN_2 - mostOfComplement(word, bits) - SLACK",
      { "mostOfComplement(word, bits)": "C" },
      [lnOf2, "C in [0, 37]"],
      "LN20 - C - S",
    ],
    [
      "Laplace noise in the upper half, at most",
      "LN_2 - leastOfComplement(word, bits) + SLACK",
      { "leastOfComplement(word, bits)": "C" },
      [lnOf2, "C in [0, 37]"],
      "LN20 - C + S",
    ],
    [
      "Laplace noise in the lower half, at least",
      "leastMinusLn(word, bits) - LN_2 - SLACK",
      { "leastMinusLn(word, bits)": "C" },
      [lnOf2, "C in [0, 90]"],
      "C - LN20 - S",
    ],
    [
      "Laplace noise in the lower half, at most",
      "mostMinusLn(word, bits) - LN_2 + SLACK",
      { "mostMinusLn(word, bits)": "C" },
      [lnOf2, "C in [0, 90]"],
      "C - LN20 + S",
    ],
    [
      "Gumbel noise of a small U, at least",
      "leastMinusLn(word, bits) - highest * (0.5 + highest) - SLACK",
      { "leastMinusLn(word, bits)": "C" },
      ["C in [0, 90]", SMALL[0]],
      "C - highest * (0.5 + highest) - S",
    ],
    [
      "Gumbel noise of a small U, at most",
      "mostMinusLn(word, bits) - lowest * 0.5 + SLACK",
      { "mostMinusLn(word, bits)": "C" },
      ["C in [0, 90]", SMALL[1]],
      "C - lowest * 0.5 + S",
    ],
  ];
  return [
    {
      title: "fastMinusLn",
      file: MINUS_LN_FILE,
      expression: "bits * LN_2 - fastLn32(word)",
      known: { LN_2: "LN2", "fastLn32(word)": "LN" },
      given: [...bitsUpTo(128), ...lnOfWord, lnOf2],
      exact: "bits * LN20 - LN0",
      within: "1b-44",
    },
    ...[...byLogarithms, ...byBounds].map(([title, expression, more, given, exact]) => ({
      title,
      file: NOISE,
      expression,
      known: { ...known, ...more },
      given,
      exact,
      within: "S",
    })),
  ];
}

/** The names that stand for doubles. */
const DOUBLES = ["word", "bits", "LN", "M", "C", "highest", "lowest"];

export function boundScript(bound: Bound, source: SourceFile, ln2: number, slack: number): string {
  const expression = source.expression(bound.expression, bound.known);
  const text = `${expression} ${bound.given.join(" ")} ${bound.exact}`;
  const doubles = DOUBLES.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  const within = bound.within === "S" ? dyadic(slack) : bound.within;
  return `@rnd = float<ieee_64, ne>;
LN2 = ${dyadic(ln2)};
S = ${dyadic(slack)};
G rnd= 40 * LN2;
${doubles.map((name) => `${name} = rnd(${name}_);`).join("\n")}
result rnd= ${expression};
{ ${bound.given.join(" /\\ ")} -> |result - (${bound.exact})| <= ${within} }
`;
}
