/**
 * How far randomised rounding moves a probability, as a ratio [Ilv20, Proposition 3.6]: the largest |ln p′/p| over a grid of fractions of
 * two and three utilities, beside the paper's bound 2ε, ours, and ε²/4. Here ε is the rate at which weights fall for each unit of utility.
 * @module
 */
import type { Section } from "../experiment.js";
import { lineChart, powersOfTen } from "../line-chart.js";
import { table } from "../table.js";

const RATES = [0.125, 0.25, 0.5, 1, 2, 4];
const FRACTIONS = Array.from({ length: 17 }, (_, i) => i / 16);
const DISTANCES = [0, 1, 2, 4, 8, 16, 32, 64];

/** 2·ln M, M = ((e^ε − 1)/ε)·e^(ε/(e^ε − 1) − 1): no ratio is larger. */
export function ratioBound(rate: number): number {
  const grown = Math.expm1(rate);
  return 2 * (Math.log(grown / rate) + rate / grown - 1);
}

/** The largest |ln p′/p| that was found. */
export function largestRatio(rate: number): number {
  let most = 0;
  for (const first of FRACTIONS)
    for (const second of FRACTIONS)
      for (const distance of DISTANCES) {
        const far = distance + second;
        for (const utilities of [
          [first, far],
          [first, far, far],
        ])
          most = Math.max(most, ...ratios(utilities, rate).map(Math.abs));
      }
  return most;
}

/** ln p′/p of each outcome, by all ways of rounding. */
function ratios(utilities: readonly number[], rate: number): number[] {
  const weight = (utility: number) => Math.exp(-rate * utility);
  const rounded = new Array<number>(utilities.length).fill(0);
  for (let ways = 0; ways < 1 << utilities.length; ways++) {
    let [chance, total] = [1, 0];
    const weights = utilities.map((utility, i) => {
      const floor = Math.floor(utility);
      const isUp = ((ways >> i) & 1) === 1;
      chance *= isUp ? utility - floor : 1 - (utility - floor);
      return weight(isUp ? floor + 1 : floor);
    });
    for (const one of weights) total += one;
    for (const [i, one] of weights.entries()) rounded[i] += (chance * one) / total;
  }
  const sum = utilities.reduce((total, utility) => total + weight(utility), 0);
  return rounded.map((p, i) => Math.log((p * sum) / weight(utilities[i])));
}

export function roundingRatio(): Section {
  const series = {
    "largest found": RATES.map(largestRatio),
    "2 ln M": RATES.map(ratioBound),
    "ε²/4": RATES.map((rate) => (rate * rate) / 4),
    "2ε, the paper's": RATES.map((rate) => 2 * rate),
  };
  const names = Object.entries(series);
  return {
    title: "[Ilv20, Proposition 3.6] The largest ratio that randomised rounding makes",
    notes:
      "|ln p′/p| over a grid of fractions of two and three utilities, for weights that fall by e^−ε for each unit. The paper proves 2ε (Proposition 3.6); 2 ln M is proven here, and it is at most ε²/4.",
    table: table(
      ["ε", ...names.map(([name]) => name)],
      RATES.map((rate, i) => [String(rate), ...names.map(([, values]) => values[i].toPrecision(4))]),
    ),
    chart: {
      name: "rounding-ratio",
      svg: lineChart(
        { title: "[Ilv20, Proposition 3.6] Largest change of ln p by rounding", x: "ε", y: "|ln p′/p|" },
        RATES.map(String),
        names.map(([name, values]) => ({ name, points: values.map((mean) => ({ mean, deviation: 0 })) })),
        powersOfTen(names.flatMap(([, values]) => values)),
      ),
    },
  };
}
