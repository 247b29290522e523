/**
 * Where doubles decide beyond the noise itself: the ends of a race's keys, who is far below the cut, gaps, and the acceptance of
 * the samplers. Scores and scales have no bounds, but a power of two as a common factor changes no rounding; so one of the numbers
 * is taken to be between 1 and 2, and the smallest doubles are a case of their own. Each claim is a script for Gappa made of the
 * expressions as they stand in the source. What the claims have to do with the decisions: docs/proofs/race.md,
 * docs/proofs/strip-sampler.md, docs/proofs/bernoulli-exp.md.
 * @module
 */
import { dyadic } from "./gappa.js";
import type { Known, SourceFile } from "./straight-line.js";

export interface Claim {
  readonly title: string;
  /** In packages/core/src. */
  readonly file: string;
  script(source: SourceFile): string;
}

/** Doubles without a smallest exponent, as numbers are seen after scaling; and as they are. */
const SCALED = "float<53, -5000, ne>";
const DOUBLE = "float<ieee_64, ne>";

interface Proof {
  readonly rounding?: string;
  /** Names that stand for doubles. */
  readonly doubles?: readonly string[];
  /** Names and what they are in the source, in this order; a text in brackets is as Gappa has it. */
  readonly lines: readonly (readonly [name: string, expression: string])[];
  readonly known?: Known;
  readonly given: readonly string[];
  readonly goal: string | ((source: SourceFile) => string);
}

function claim(file: string, title: string, proof: Proof): Claim {
  const { rounding = SCALED, doubles = [], lines, known = {}, given, goal } = proof;
  return {
    file,
    title,
    script: (source) => `@rnd = ${rounding};
${doubles.map((name) => `${name} = rnd(${name}_);`).join("\n")}
${lines
  .map(([name, text]) => {
    if (text.startsWith("[")) return `${name} = ${text.slice(1, -1)};`;
    return `${name} rnd= ${source.expression(text, known)};`;
  })
  .join("\n")}
{ ${given.join(" /\\ ")} -> ${typeof goal === "string" ? goal : goal(source)} }
`,
  };
}

const NORMAL_SIZE = ["|q| in [0, 2]", "|s| in [0, 2]", "|q| + |s| in [1, 2]", "Z in [0, 1b-40]"];
/** Below 2^−952 the slack that is added matters; from 2^−953 on no operation on a key is subnormal but the product. */
const TINY_SIZE = ["|q| in [0, 1b-952]", "|s| in [0, 1b-952]"];

/** The end of a key, score + scale·noise ± slack, is on its side: it is as near to where it should be as the slack is large. */
function keyEnds(
  file: string,
  title: string,
  lines: readonly (readonly [string, string])[],
  known: Known,
  sign: string,
  noiseError: number,
): Claim[] {
  const exact = (rounding: string, smallest: string) =>
    `(Q + S0) ${sign} ((|q| + |s|) * ${rounding} + ${smallest})`;
  return [
    claim(file, title, {
      doubles: ["q"],
      lines: [["s", "[rnd(P)]"], ...lines],
      known: { ...known, SMALLEST: "Z" },
      given: [...NORMAL_SIZE, "|Q - q| <= 1b-52", `|S0 - P| <= ${dyadic(noiseError)}`],
      goal: (source) => {
        const rounding = dyadic(source.constant("ROUNDING"));
        return `|result - (${exact(rounding, "Z")})| <= ${rounding}`;
      },
    }),
    claim(file, `${title}, among the smallest doubles`, {
      rounding: DOUBLE,
      doubles: ["q"],
      lines: [["s", "[rnd(P)]"], ...lines],
      known,
      given: [...TINY_SIZE, "|Q - q| <= 1b-1004", "|S0 - P| <= 1b-1003"],
      goal: (source) => {
        const smallest = dyadic(source.constant("SMALLEST"));
        return `|result - (${exact(dyadic(source.constant("ROUNDING")), smallest)})| <= ${smallest}`;
      },
    }),
  ];
}

const RACE = "race/race.ts";
const GAUSSIAN = "race/gaussian-max.ts";
const END_OF_KEY = "score + scaled + sign * ((Math.abs(score) + Math.abs(scaled)) * ROUNDING + SMALLEST)";
const KEY = { score: "q", scaled: "s" };
const SLACK = "(Math.abs(score) + Math.abs(noise)) * ROUNDING + SMALLEST";

const keys: readonly Claim[] = [
  ...keyEnds(
    RACE,
    "the upper end of a key",
    [["result", END_OF_KEY]],
    { ...KEY, sign: "1" },
    "+ 1 *",
    2 ** -52 * 1.01,
  ),
  ...keyEnds(
    RACE,
    "the lower end of a key",
    [["result", END_OF_KEY]],
    { ...KEY, sign: "-1" },
    "+ -1 *",
    2 ** -52 * 1.01,
  ),
  // σ and the noise are each off by a relative 2^−52.
  ...keyEnds(
    GAUSSIAN,
    "the upper end of a normal key",
    [
      ["slack", SLACK],
      ["result", "base + most + slack(base, most)"],
    ],
    { score: "q", noise: "s", base: "q", most: "s", "slack(base, most)": "slack" },
    "+",
    2 ** -50 * 1.01,
  ),
  ...keyEnds(
    GAUSSIAN,
    "the lower end of a normal key",
    [
      ["slack", SLACK],
      ["result", "base + least - slack(base, least)"],
    ],
    { score: "q", noise: "s", base: "q", least: "s", "slack(base, least)": "slack" },
    "-",
    2 ** -50 * 1.01,
  ),
];

/** t = scale·(zeros·LN_2_UP) exceeds T0 = scale·zeros·ln 2, by a relative 2^−40.2 or more. */
const EXCESS = 2 ** -40.2;
const CUT = ["D", "cut - (Math.abs(cut) * ROUNDING + SMALLEST)"] as const;
const IS_FAR = ["s", "score + this.#scale * (zeros * LN_2_UP)"] as const;
const FAR_BELOW = ["F", "certainlyBelow(cut) - this.#scale * (zeros * LN_2_UP)"] as const;
const FAR_NAMES = {
  cut: "c",
  SMALLEST: "Z",
  "certainlyBelow(cut)": "D",
  "this.#scale * (zeros * LN_2_UP)": "t",
  score: "q",
};
/** The cut with its margin, as it would be without rounding. */
const MARGIN = "(c - (|c| * R + Z))";

/** The margin of a cut of a size: from so large on, the sum of all rounding must stay below it. */
function farClaim(
  title: string,
  lines: Proof["lines"],
  given: readonly string[],
  goal: string,
  from = 1,
): Claim {
  return claim(RACE, title, {
    doubles: ["q", "t", "c"],
    lines,
    known: FAR_NAMES,
    given: [...given, "Z in [0, 1b-40]"],
    goal: (source) => {
      const rounding = source.constant("ROUNDING");
      return goal.replaceAll("R", dyadic(rounding)).replace("LEAST", dyadic(rounding * from));
    },
  });
}

const BOTH_SIDES = ["[1, 2]", "[-2, -1]"];

function far(ln2: readonly [string, string]): readonly Claim[] {
  const excess = dyadic(EXCESS);
  /** Beside this score, the noise of the zeros is small. */
  const large = (score: string) => [`q in ${score}`, "t in [0, 1b-9]", "|Q - q| <= 1b-52", "T0 in [0, 1b-9]"];
  return [
    claim(RACE, "the noise of a number of zeros, with its excess", {
      doubles: ["b"],
      lines: [["T", "this.#scale * (zeros * LN_2_UP)"]],
      known: { "this.#scale": "b" },
      given: [
        "b in [1b-900, 1b900]",
        "@FIX(zeros, 0)",
        "zeros in [1, 128]",
        "B0 in [1b-901, 1b901]",
        "b -/ B0 in [-1b-53, 1b-53]",
        `LN20 in [${ln2[0]}, ${ln2[1]}]`,
      ],
      goal: `T -/ (B0 * (zeros * LN20)) in [${excess}, 1b-30]`,
    }),
    // q + t < D implies Q + T0 < c: by the excess of t where t isn't small beside q, and else by the margin of the cut.
    ...BOTH_SIDES.map((c) =>
      farClaim(
        `a cut in ${c} less its margin isn't above it`,
        [CUT],
        [`c in ${c}`],
        `|D - ${MARGIN}| <= LEAST`,
      ),
    ),
    farClaim(
      "a score of up to 2^10 times the noise of the zeros is far",
      [IS_FAR],
      ["t in [1, 2]", "|q| <= 2048", "|Q - q| <= 1b-42"],
      `|s - (Q + t)| <= ${excess}`,
    ),
    ...[0.5, 1, 2].flatMap((from) =>
      [`[${from}, ${2 * from}]`, `[-${2 * from}, -${from}]`].map((c) =>
        farClaim(
          `a larger score is far below a cut in ${c}`,
          [CUT, IS_FAR],
          ["|q| in [1, 2]", "t in [0, 1b-9]", "|Q - q| <= 1b-52", `c in ${c}`],
          `|(s - D) - ((Q + t) - ${MARGIN})| <= LEAST`,
          from,
        ),
      ),
    ),
    farClaim("a cut of 4 or more is above such a score", [IS_FAR], large("[1, 2]"), "Q + T0 <= 4"),
    farClaim(
      "a cut of 1/2 or less has none far below that is above 0",
      [IS_FAR],
      large("[1, 2]"),
      "s >= 0.5",
    ),
    farClaim("a cut of −4 or less has none", [IS_FAR], large("[-2, -1]"), "s >= -4"),
    farClaim("a cut of −1/2 or more is above one below 0", [IS_FAR], large("[-2, -1]"), "Q + T0 <= -0.5"),
    // q < F implies Q + T0 < c, likewise.
    farClaim(
      "below `farBelow` of a cut of up to 2^9 times the noise of the zeros",
      [["D", "[rnd(D_)]"], FAR_BELOW],
      ["t in [1, 2]", "|D| <= 1025", "|Q - q| <= 1b-42"],
      `|(q - F) - (Q - (D - t))| <= ${excess}`,
    ),
    ...BOTH_SIDES.map((c) =>
      farClaim(
        `below \`farBelow\` of a larger cut in ${c}`,
        [CUT, FAR_BELOW],
        [`c in ${c}`, "t in [0, 1b-8]", "|Q - q| <= 1b-51"],
        `|(q - F) - (Q - (${MARGIN} - t))| <= LEAST`,
      ),
    ),
    claim(RACE, "below `farScore`", {
      doubles: ["o", "f", "q"],
      lines: [["result", "base + far - (Math.abs(base) + Math.abs(far)) * ROUNDING"]],
      known: { base: "o", far: "f" },
      given: ["|o| <= 2", "|f| <= 2", "|o| + |f| in [1, 2]", "|O - o| <= 1b-52", "|Q - q| <= 1b-51"],
      goal: (source) => {
        const rounding = dyadic(source.constant("ROUNDING"));
        return `|(q - result) - (Q - ((O + f) - (|o| + |f|) * ${rounding}))| <= ${rounding}`;
      },
    }),
  ];
}

const ANY = "[1b-1000, 1b1000]";
const CONTENDER = "race/contender.ts";
const PARTIAL_UNIFORM = "sample/partial-uniform.ts";

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

const floors: readonly Claim[] = [
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
    PARTIAL_UNIFORM,
    "a multiple of a noise, at most",
    "(most + MINUS_LN_SLACK) * scale * WIDEN",
    { "(most + MINUS_LN_SLACK)": "d", scale: "v" },
    [`d in ${ANY}`, `v_ in ${ANY}`],
    "(d * v_) *",
  ),
  widened(
    PARTIAL_UNIFORM,
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

function acceptance(slack: number): readonly Claim[] {
  const integers = ["@FIX(offset, 0)", "@FIX(first, 0)"];
  const place = [...integers, "offset in [1, 9007199254740991]", "first in [0, 9007199254740991]"];
  const fraction = ["@FIX(x, -31)", "x in [1b-31, 1]", "@FIX(strip, 0)", "strip in [0, 1048576]"];
  return [
    withinSlack(
      PARTIAL_UNIFORM,
      "the noise in that multiple, at most",
      "most + MINUS_LN_SLACK",
      [],
      "L0 + S",
      slack,
    ),
    withinSlack(
      PARTIAL_UNIFORM,
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

export interface Constants {
  /** An enclosure of ln 2. */
  readonly ln2: readonly [string, string];
  /** `MINUS_LN_SLACK`. */
  readonly slack: number;
}

export function claims({ ln2, slack }: Constants): readonly Claim[] {
  return [...keys, ...far(ln2), ...floors, ...acceptance(slack)];
}
