/**
 * How far randomised rounding can move a probability [Ilv20, Lemma A.2 and Figures 10 and 11]: the lemma's bounds for Laplace
 * noise on a grid, as the grid gets finer. The first term of (6) is for rounding down and takes ⌊u⌋, not ⌈u⌉ as printed.
 * @module
 */

import { fromZero } from "../chart-frame.js";
import type { Section } from "../experiment.js";
import { lineChart, powersOfTen } from "../line-chart.js";
import { table } from "../table.js";
import { roundedLaw } from "./rounded-law.js";

const RATE = Math.LN2;
const BOUND = 10;
const EXPONENTS = [1, 2, 3, 4, 5, 6, 7, 8];

/** For each outcome: its probability without rounding, and between which bounds it is with rounding. */
export interface RoundingBounds {
  readonly unrounded: readonly number[];
  readonly lower: readonly number[];
  /** A, the most by which a lower bound can be too low. */
  readonly slack: number;
}

export function boundsOf(utilities: readonly number[]): RoundingBounds {
  const weight = (utility: number) => Math.exp(-RATE * utility);
  const down = utilities.map((utility) => Math.ceil(utility) - utility); // (5): 0 for an integer, which stays
  const expected = utilities.map(
    (utility, i) => down[i] * weight(Math.floor(utility)) + (1 - down[i]) * weight(Math.ceil(utility)),
  );
  const total = expected.reduce((sum, value) => sum + value, 0);
  const lower = utilities.map((utility, i) => {
    const others = total - expected[i];
    const [low, high] = [weight(Math.floor(utility)), weight(Math.ceil(utility))];
    return (down[i] * low) / (low + others) + ((1 - down[i]) * high) / (high + others); // (6), (7)
  });
  const weights = utilities.map(weight);
  const sum = weights.reduce((a, b) => a + b, 0);
  return {
    unrounded: weights.map((value) => value / sum),
    lower,
    slack: 1 - lower.reduce((a, b) => a + b, 0), // (8)
  };
}

export function roundingBounds(): Section {
  const rows = EXPONENTS.map((exponent) => {
    const utilities = distances(exponent);
    const { unrounded, lower, slack } = boundsOf(utilities);
    const worst = Math.max(...lower.map((bound, i) => slack + Math.abs(unrounded[i] - bound))); // A + |B|
    const change = Math.max(...roundedLaw(utilities).map((p, i) => Math.abs(p - unrounded[i])));
    return {
      exponent,
      outcomes: lower.length,
      slack,
      worst,
      change,
      relative: change / Math.max(...unrounded),
    };
  });
  const falls = rows.filter(({ worst }, i) => i > 0 && worst < rows[i - 1].worst).length;
  const points = rows.map(({ worst }) => ({ mean: worst, deviation: 0 }));
  const chart = lineChart(
    {
      title: "[Ilv20, Figure 10] Largest possible change by rounding",
      x: "granularity 2^−g, g",
      y: "probability",
    },
    EXPONENTS.map(String),
    [
      { name: "bound of Lemma A.2", points },
      { name: "largest change", points: rows.map(({ change }) => ({ mean: change, deviation: 0 })) },
    ],
    powersOfTen(rows.flatMap(({ worst, change }) => [worst, change])),
  );
  return {
    title: "[Ilv20, Figure 10] Bounds on what randomised rounding changes",
    notes: `Laplace noise on the grid of 2^−g between −10 and 10, each unit halving the probability. A is how far the lower bounds can be off together; no probability is further from that without rounding than the bound of [Ilv20, Lemma A.2]. In the paper's Figure 10 the bound falls as the grid gets finer; here it does in ${falls} of ${rows.length - 1} steps. Beside it, how far the furthest one really is.`,
    table: table(
      ["g", "outcomes", "A", "bound", "largest change", "of the largest probability"],
      rows.map(({ exponent, outcomes, slack, worst, change, relative }) => [
        String(exponent),
        String(outcomes),
        slack.toExponential(2),
        worst.toExponential(2),
        change.toExponential(2),
        `${(100 * relative).toFixed(1)} %`,
      ]),
    ),
    chart: { name: "rounding-bounds", svg: chart },
  };
}

const FINE_GRID = 4;
const SHOWN = [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8];

/** The bounds around each probability, at the grid of the paper's Figure 11. */
export function roundingProfile(): Section {
  const utilities = distances(FINE_GRID);
  const { unrounded, lower, slack } = boundsOf(utilities);
  const rounded = roundedLaw(utilities);
  const outside = unrounded.map((p, i) => Math.max(lower[i] - p, p - lower[i] - slack) / p);
  const above = Math.max(...rounded.map((p, i) => (p - lower[i]) / slack));
  const centre = (utilities.length - 1) / 2;
  const rows = SHOWN.map((distance) => {
    const place = centre + distance * 2 ** FINE_GRID;
    const shown = [lower[place], rounded[place], lower[place] + slack, unrounded[place]];
    return [String(distance), ...shown.map((value) => value.toExponential(3))];
  });
  return {
    title: "[Ilv20, Figure 11] Probabilities between their bounds",
    notes: `The grid of 2^−${FINE_GRID} between −10 and 10 (Figure 11). With rounding the probability of each point is between the bounds of Lemma A.2, at most ${(100 * above).toFixed(1)} % of the way up from the lower. Without rounding that of ${outside.filter((share) => share > 0).length} of the ${utilities.length} points is outside, by up to ${(100 * Math.max(...outside)).toFixed(1)} %: a weight between two integers is larger when it is rounded, on average, so integers lose.`,
    table: table(["distance", "lower bound", "with rounding", "upper bound", "without rounding"], rows),
    chart: { name: "rounding-profile", svg: profileChart({ unrounded, lower, slack }, rounded) },
  };
}

/** From −2 to 2, where the probabilities are large enough to be seen. */
function profileChart({ unrounded, lower, slack }: RoundingBounds, rounded: readonly number[]): string {
  const centre = (lower.length - 1) / 2;
  const places = Array.from({ length: 17 }, (_, i) => centre + (i - 8) * 2 ** (FINE_GRID - 2));
  const at = (values: readonly number[]) => places.map((place) => ({ mean: values[place], deviation: 0 }));
  return lineChart(
    { title: "[Ilv20, Figure 11] Probabilities between their bounds", x: "outcome", y: "probability" },
    places.map((place) => String((place - centre) / 2 ** FINE_GRID)),
    [
      { name: "lower bound", points: at(lower) },
      { name: "upper bound", points: at(lower.map((bound) => bound + slack)) },
      { name: "with rounding", points: at(rounded) },
      { name: "without rounding", points: at(unrounded) },
    ],
    fromZero(lower.map((bound) => bound + slack)),
  );
}

/** The distances from 0 on the grid. */
export function distances(exponent: number): number[] {
  const steps = BOUND * 2 ** exponent;
  return Array.from({ length: 2 * steps + 1 }, (_, i) => Math.abs(i - steps) / 2 ** exponent);
}
