/**
 * Doubles that decide in a race: the ends of keys, and who is called far below the cut. What these claims have to do with the
 * decisions: packages/core/src/race/race.proof.md.
 * @module
 */
import { type Claim, claim, DOUBLE, type Proof } from "./claim.js";
import { dyadic } from "./gappa.js";
import type { Known } from "./straight-line.js";

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

const THRESHOLD = "numbers/comparison.ts";
/** The slack of sparse vector is of any number of parts. */
const SUM_OF_PARTS = "parts.reduce((sum, part) => sum + Math.abs(part), 0)";
const SLACK_OF_PARTS = ["slack", `${SUM_OF_PARTS} * ROUNDING + SMALLEST`] as const;

function thresholdKey(end: "least" | "most", sign: "+" | "-"): Claim[] {
  const slack = `slack(double, ${end})`;
  return keyEnds(
    THRESHOLD,
    `the ${sign === "+" ? "upper" : "lower"} end of a query`,
    [["N", "[rnd(|q| + |s|)]"], SLACK_OF_PARTS, ["result", `double + ${end} ${sign} ${slack}`]],
    { [SUM_OF_PARTS]: "N", double: "q", [end]: "s", [slack]: "slack" },
    sign,
    2 ** -52 * 1.01,
  );
}

export const keyEndClaims: readonly Claim[] = [
  ...thresholdKey("least", "-"),
  ...thresholdKey("most", "+"),
  // value < far implies value + reach < threshold + lower, where the numbers are off by a few roundings.
  claim(THRESHOLD, "a query that is far below its threshold", {
    doubles: ["b", "l", "r", "q"],
    lines: [
      ["N", "[rnd(rnd(|b| + |l|) + |r|)]"],
      SLACK_OF_PARTS,
      ["far", "base + lower - reach - slack(base, lower, reach)"],
    ],
    known: {
      [SUM_OF_PARTS]: "N",
      base: "b",
      lower: "l",
      reach: "r",
      "slack(base, lower, reach)": "slack",
      SMALLEST: "Z",
    },
    given: [
      "|b| <= 2",
      "|l| <= 2",
      "|r| <= 2",
      "|b| + |l| + |r| in [1, 2]",
      "|B - b| <= 1b-52",
      "|R0 - r| <= 1b-50",
      "|Q - q| <= 1b-51",
      "Z in [0, 1b-40]",
    ],
    goal: (source) => {
      const rounding = dyadic(source.constant("ROUNDING"));
      return `|(q - far) - (Q - ((B + l) - R0 - ((|b| + |l| + |r|) * ${rounding} + Z)))| <= ${rounding}`;
    },
  }),
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

/** The ends of an enclosure of ln 2 are given. */
export function farClaims(ln2: readonly [string, string]): readonly Claim[] {
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

const GRID = "numbers/grid-data.ts";

/** The place of a value on a grid, less its slack or with it, is on its side: c is value·over, which is off twice. */
export const gridClaims: readonly Claim[] = (["-", "+"] as const).map((sign) =>
  claim(GRID, `the place of a value on a grid ${sign} its slack`, {
    doubles: ["c", "f", "step"],
    lines: [
      ["place", "(scaled - first) / step"],
      ["slack", "((Math.abs(scaled) + Math.abs(first)) / step) * ROUNDING"],
      ["result", `place ${sign} slack`],
    ],
    known: { scaled: "c", first: "f" },
    given: ["|c| <= 2", "|f| <= 2", "|c| + |f| in [1, 2]", "step in [1, 2]", "|C0 - c| <= 1b-51"],
    goal: (source) => {
      const rounding = source.constant("ROUNDING");
      const exact = `(C0 - f) / step ${sign} ((|c| + |f|) / step) * ${dyadic(rounding)}`;
      return `|result - (${exact})| <= ${dyadic(rounding / 2)}`;
    },
  }),
);
